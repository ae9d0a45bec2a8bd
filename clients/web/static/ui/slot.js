/** The slot: it draws one case at a time in a fixed place, and announces a new one once. */

import { countdown } from "../text/words.js";
import { chip } from "./chip.js";
import { el, renew, setText, svg } from "./dom.js";

/**
 * @typedef {object} Button
 * @property {string} does the action, by name
 * @property {string} words @property {string} [brief] a shorter text for narrow screens
 * @property {"primary"|"danger"} [kind] @property {string} [why] why it is disabled
 * @property {string} [hint] what happens, said before it is pressed
 * @property {boolean} [pressed] for one of two choices: whether it is chosen
 * @property {string} [pill] a small number after the text
 *
 * @typedef {object} Case
 * @property {string} kind
 * @property {"asks"|"alarms"|"ends"} [tone]
 * @property {string|null} [seat] the seat of the chip before the heading
 * @property {string} heading @property {string} [who] the name at its beginning, which narrow screens shorten first
 * @property {boolean} [said] whether screen readers announce the heading
 * @property {string} [aside] at the right of the heading
 * @property {{until: number, total: number}} [counts] the end of a countdown, by the server's clock
 * @property {string} [text] @property {boolean} [bad] whether the text is a complaint
 * @property {string} [brief] a short form of `text`, for low screens. It stands beside the answers
 * @property {Absence} [absence]
 * @property {{seat: string, name: string, answer: "yes"|"no"|"you"|"thinking"}[]} [electors]
 * @property {{seat: string, place: number, name: string, by: string, points: string, rating?: {now: number, change:
 * string}, against?: string}[]} [standings]
 * @property {Story} [story] the curves of a game, and a sentence about them
 * @property {string[]} [winners] the seats whose colours the heading has
 * @property {{label: string, most: number, does: string}} [field] before the buttons; Enter does the action
 * @property {Button[]} buttons
 *
 * @typedef {{text: string, ply: number|null, curves: {seat: string, d: string}[], even: number}} Story
 *
 * @typedef {{text: string, until: number|null, buttons: Button[]}} Absence a line of its own, with the time limit by
 * the server's clock
 */

/** Milliseconds in which buttons that appear by themselves ignore clicks: the user may be aiming at something else. */
const GUARD = 500;

const ANSWERS = { yes: "✓", no: "✗", you: "?" };
const clock = () =>
  svg("svg", { viewBox: "0 0 16 16", class: "waits" },
    svg("path", { d: "M8 1.5a6.5 6.5 0 1 0 0 13a6.5 6.5 0 1 0 0-13M8 4.5V8l2.5 1.5" }),
  );
const WORDS = { yes: "yes", no: "no", you: "not yet", thinking: "thinking" };

/**
 * The case of a lost connection; null while it is there.
 * @param {{offline: {retry: number}|null, kept: string|null}} situation the time of the next attempt, by the server's
 * clock; an unsent move, in notation
 * @returns {Case|null}
 */
export function offline({ offline: lost, kept }) {
  if (lost === null) return null;
  const text =
    kept === null
      ? "Trying again. Nothing that you do is lost."
      : `Trying again. Your move ${kept} is kept and will be sent.`;
  return {
    kind: "offline", tone: "alarms", heading: "No connection", said: true, counts: { until: lost.retry, total: 0 },
    text, buttons: [{ does: "retry", words: "Try now" }],
  };
}

export class Slot {
  /** @param {HTMLElement} holder @param {(what: string, button: HTMLElement) => void} does a button was pressed */
  constructor(holder, does) {
    this._holder = holder;
    this._does = does;
    /** @type {Case|null} */
    this.shown = null;
    /** @type {((story: Story, button: Slot["_button"]) => HTMLElement)|null} */
    this.story = null;
    this._key = "";
    this._rests = false; // the buttons still ignore clicks
    this._still = matchMedia("(prefers-reduced-motion: reduce)");
    this._heading = el("h2", { tabindex: "-1", "aria-live": "off" });
    this._aside = el("span", { class: "aside" });
    this._chip = el("span", { class: "unseen" });
    this._head = el("div", { class: "head" }, this._chip, this._heading, this._aside);
    this._body = el("div", { class: "body" });
    this._absent = el("span", { "aria-live": "polite" });
    this._back = el("span", { class: "counts" }); // the time limit of an absence
    this._others = el("div", { class: "buttons others" });
    this._buttons = el("div", { class: "buttons" });
    this._until = el("span", { class: "until", hidden: true }, el("i"));
    holder.replaceChildren(
      el("div", { class: "in" }, this._head, this._body,
        el("div", { class: "absence" }, this._absent, this._back),
        this._others, this._buttons,
      ),
      this._until,
    );
  }

  /**
   * @param {Case} now @param {number} time by the server's clock
   * @param {boolean} [own] whether the user's own action caused it
   */
  show(now, time, own = false) {
    const key = JSON.stringify(now);
    if (key !== this._key) {
      this._key = key;
      this._draw(now, own);
    }
    this.tick(time);
  }

  /** @param {Case} now @param {boolean} own */
  _draw(now, own) {
    const before = this.shown;
    this.shown = now;
    const opened = before !== null && before.kind !== now.kind;
    const focused = document.activeElement;
    const held = focused !== null && this._holder.contains(focused) ? (focused.getAttribute("data-does") ?? "") : null;
    for (const tone of ["asks", "alarms", "ends"]) this._holder.classList.toggle(tone, now.tone === tone);
    const winners = now.winners ?? [];
    const filled = winners.length === 1 ? `filled ${winners[0]}` : "filled split";
    this._head.className = `head ${winners.length === 0 ? "" : filled}`;
    if (winners.length > 1)
      this._head.style.setProperty("--split",
        winners
          .map(
            (seat, index) =>
              `var(--of-${seat}) ${(100 * index) / winners.length}% ${(100 * (index + 1)) / winners.length}%`,
          )
          .join(", "),
      );
    this._heading.setAttribute("aria-live", now.said ? "polite" : "off");
    if (this._heading.textContent !== now.heading) {
      const who = now.who ?? "";
      this._heading.replaceChildren(
        ...(who ? [el("span", { class: "name" }, who)] : []),
        el("span", {}, now.heading.slice(who.length)),
      );
    }
    this._heading.title = now.heading;
    const mark = now.seat ? chip(now.seat) : el("span", { hidden: true });
    this._chip.replaceWith(mark);
    this._chip = mark;
    setText(this._aside, now.aside ?? "");
    this._aside.classList.toggle("counts", now.counts !== undefined);
    this._body.className = now.tone === "ends" ? "ending" : "body";
    this._head.append(this._aside); // beside the heading; in a vote, beside the answers
    this._body.replaceChildren(...this._parts(now));
    this._holder.classList.toggle("lacks", now.absence !== undefined);
    setText(this._absent, now.absence?.text ?? "");
    this._others.replaceChildren(...(now.absence?.buttons ?? []).map(this._button));
    renew(this._buttons, [now.kind, now.buttons, now.field], () => this._row(now)); // the same ones keep a press
    this._until.hidden = !now.counts?.total;
    if (held !== null) {
      const again = /** @type {HTMLElement|null} */ (
        held ? this._holder.querySelector(`[data-does="${CSS.escape(held)}"]:not(:disabled)`) : null
      );
      (again ?? this._heading).focus({ preventScroll: true });
    }
    if (opened && !this._still.matches) this._holder.firstElementChild?.animate([{ opacity: 0 }, { opacity: 1 }], 120);
    if (opened ? !own : this._rests) this._guard();
  }

  /** Ignore clicks for a moment. */
  _guard() {
    const buttons = /** @type {NodeListOf<HTMLButtonElement>} */ (
      this._holder.querySelectorAll("button:enabled:not(.dots)")
    );
    const rest = (/** @type {boolean} */ on) => {
      this._rests = on;
      for (const button of buttons) button.disabled = on;
    };
    rest(true);
    setTimeout(rest, GUARD, false);
  }

  /** @param {Case} now */
  _parts({ text, bad, brief, electors, standings, story }) {
    const parts = [];
    if (electors) {
      parts.push(
        el("div", { class: "tally" },
          el("ul", { class: "electors" },
            ...electors.map(({ seat, name, answer }) =>
              el("li", { title: name }, chip(seat),
                el("span", { class: "name" }, name),
                el("span", { class: `answer ${answer}`, "aria-hidden": "true" },
                  answer === "thinking" ? clock() : ANSWERS[answer],
                ),
                el("span", { class: "unseen" }, `: ${WORDS[answer]}`),
              ),
            ),
          ),
          brief ? el("span", { class: "brief" }, brief) : "",
          this._aside,
        ),
      );
    }
    if (text) parts.push(el("p", { class: `text${bad ? " bad" : ""}`, title: text }, text));
    if (standings?.length) {
      parts.push(
        el("ol", { class: "standings", tabindex: "0", "aria-label": "Final order" },
          ...standings.map(({ seat, place, name, by, points, rating, against }) =>
            el("li", {},
              el("span", { class: "place" }, `${place}`),
              chip(seat),
              el("span", { class: "name" }, name),
              el("span", { class: "by" }, by),
              points ? el("span", { class: "points" }, points) : null,
              against
                ? el("span", { class: "against", title: `Your score against ${name}` }, against,
                    el("span", { class: "unseen" }, ", your score against them"),
                  )
                : null,
              rating ? el("span", { class: "rating-now" }, el("b", {}, `${rating.now}`), ` ${rating.change}`) : null,
            ),
          ),
        ),
      );
    }
    if (story && this.story !== null) parts.push(this.story(story, this._button));
    return parts;
  }

  /** @param {Button} button */
  _button = ({ does, words, brief, kind: tone, why, hint, pressed, pill }) => {
    const button = /** @type {HTMLButtonElement} */ (
      el("button",
        {
          type: "button", class: tone ?? "", "data-does": does, title: why ?? hint ?? null, disabled: why !== undefined,
          "aria-pressed": pressed === undefined ? null : String(pressed),
        },
        el("span", { class: brief ? "long-word" : "" }, words),
        brief ? el("span", { class: "short-word", "aria-hidden": "true" }, brief) : null,
        pill ? el("span", { class: "pill" }, pill) : null,
      )
    );
    if (brief) button.setAttribute("aria-label", words);
    button.onclick = () => this._does(does, button);
    return button;
  };

  /** @param {NonNullable<Case["field"]>} field */
  _field({ label, most, does }) {
    const field = el("input", { "data-does": "field", "aria-label": label, placeholder: label, maxlength: `${most}` });
    field.onkeydown = (/** @type {KeyboardEvent} */ event) => event.key === "Enter" && this._does(does, field);
    return field;
  }

  /** @param {Case} now */
  _row({ buttons, kind, field }) {
    const choices = buttons.filter((button) => button.pressed !== undefined);
    const rest = buttons.filter((button) => button.pressed === undefined);
    const more = el("button",
      { type: "button", class: "icon dots", "data-does": "more", "aria-label": "More actions", title: "More" },
      svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: "M5 12h.01M12 12h.01M19 12h.01" })),
    );
    more.onclick = () => this._does("more", more);
    const asked = choices.length > 0 || kind.startsWith("vote");
    return [
      choices.length
        ? el("span", { class: "choice-bar", role: "group", "aria-label": "The position" }, ...choices.map(this._button))
        : "",
      asked ? el("span", { class: "space" }) : "",
      field ? this._field(field) : "",
      ...rest.map(this._button),
      asked || field || kind === "offline" || kind === "past" ? "" : el("span", { class: "space" }),
      ["idle", "open", "out"].includes(kind) || kind.startsWith("result") ? more : "",
    ].filter(Boolean);
  }

  /** The countdown. @param {number} time by the server's clock */
  tick(time) {
    if (this.shown === null) return;
    const { absence, counts } = this.shown;
    setText(this._back, absence?.until ? countdown(Math.max(0, absence.until - time)) : "");
    if (!counts) return;
    const left = Math.max(0, counts.until - time);
    setText(this._aside, `${Math.ceil(left / 1000)} s`);
    if (counts.total)
      /** @type {HTMLElement} */ (this._until.firstElementChild).style.transform =
        `scaleX(${Math.min(1, left / counts.total)})`;
  }
}
