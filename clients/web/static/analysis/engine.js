/** The engine beside a finished game: each player's chances, the best lines, and threats. */

import { read } from "../model/fen.js";
import { percents } from "../model/shares.js";
import { squares } from "../model/table.js";
import { refusal, trying } from "../net/connection.js";
import { capital, short } from "../text/words.js";
import { chip } from "../ui/chip.js";
import { button, byId, el, renew, speak } from "../ui/dom.js";

/** @typedef {import("../net/connection.js").Frames["lines"]} Lines */
/** @typedef {Lines["lines"][0]} Line */
/** @typedef {import("../model/table.js").Table} Table */

/** The number of lines, and the search time of a position in milliseconds. */
const LINES = 3;
const TIME = 20_000;

/**
 * Milliseconds that a position is displayed before the engine is asked: a user who steps through a game passes many.
 */
const PAUSE = 250;

/** The smallest share that is written on the bar. */
const WRITTEN = 0.08;

const rules = el("link", { rel: "stylesheet", href: new URL("engine.css", import.meta.url).href });

/** Done when the rules of the engine and the review have loaded. Before, their parts would move under a click. */
export const styled = new Promise((done) => {
  rules.onload = rules.onerror = done;
  document.head.append(rules);
});

export class Engine {
  /**
   * @param {import("../net/connection.js").Connection} connection
   * @param {() => void} changed called when the display must change
   */
  constructor(connection, changed) {
    this._connection = connection;
    this._changed = changed;
    this.on = false;
    /** The results, by room, game and ply. @type {Map<string, Lines>} */
    this._known = new Map();
    /** The pending request: its key among the results, and the key of the request. */
    this._place = "";
    this._key = "";
    this._why = "";
    this._timer = 0;
    /**
     * The displayed position, as requests name it, and the label of the button back to it.
     * @type {{room: string, ply: number}|{variant: string, position: string}}
     */
    this._named = { room: "", ply: 0 };
    this._home = "";
    /**
     * The game's outcome as shares, at its last position. There the engine judges as if the game went on.
     * @type {Record<string, number>|null}
     */
    this._outcome = null;
    /** The displayed result. @type {Lines|undefined} */
    this._shown = undefined;
    /**
     * The displayed moves of a line, the result that they come from, and the board after them once it is known.
     * @type {{moves: string[], found: Lines|undefined, view: import("../board/board.js").View|null}|null}
     */
    this._tried = null;
  }

  /** The moves to draw on the board, the best first. */
  get arrows() {
    const lines = this.on && this.preview === null ? (this._known.get(this._place)?.lines ?? []) : [];
    return [...new Set(lines.map((line) => line.moves[0]))].slice(0, 2);
  }

  /** The board after the displayed moves of a line; it replaces the displayed position. */
  get preview() {
    return this._tried?.view ?? null;
  }

  /** The chances of each seat in the displayed position, if known. */
  get shares() {
    return (this.on ? this._known.get(this._place)?.lines[0]?.shares : null) ?? null;
  }

  /**
   * @param {Table} table @param {number} ply the displayed one
   * @param {string[]} order the seats, clockwise from the bottom of the board
   */
  show(table, ply, order) {
    const over = table.status === "finished";
    byId("engine").hidden = !over;
    if (!over && this.on) this._turn(false);
    document.body.classList.toggle("judged", over && this.on);
    if (!over) return;
    const place = this.on ? `${table.room} ${table.game} ${ply}` : "";
    const outcome = ply === table.line.length ? outcomeOf(table) : null;
    this.look(place, { room: table.room, ply }, `move ${ply}`, order, outcome);
  }

  /**
   * Analyse a position and show what is known of it.
   * @param {string} place its key among the results; empty: do not analyse
   * @param {Engine["_named"]} named the position in requests @param {string} home the position in words
   * @param {string[]} order the seats, clockwise from the bottom of the board
   * @param {Record<string, number>|null} [outcome] the game's outcome as shares, at its last position
   */
  look(place, named, home, order, outcome = null) {
    this._home = home;
    this._outcome = outcome;
    if (place !== this._place) this._begin(place, named);
    this._draw(order);
  }

  /** @param {string} place @param {Engine["_named"]} named */
  _begin(place, named) {
    clearTimeout(this._timer);
    this._place = place;
    this._named = named;
    this._why = "";
    if (this._tried !== null) this._leave();
    if (place === "" || this._known.get(place)?.done) this._stop();
    else this._timer = window.setTimeout(() => this._ask(), PAUSE);
  }

  async _ask() {
    const key = (this._key = this._connection.newKey());
    await trying(
      () => this._connection.request({ type: "analyse", ...this._named, key, lines: LINES, ms: TIME }),
      (why) => {
        if (key === this._key) this._why = why;
        this._changed();
      },
    );
  }

  /** Show the board after the first moves of a line. @param {Line} line @param {number} count */
  async _try({ moves, texts }, count) {
    const tried = (this._tried = {
      moves: moves.slice(0, count), found: this._shown,
      view: /** @type {import("../board/board.js").View|null} */ (null),
    });
    const found = await trying(
      () => this._connection.request({ type: "explore", ...this._named, moves: tried.moves }),
      (why) => {
        if (tried === this._tried) [this._tried, this._why] = [null, why];
      },
    );
    if (found !== null) {
      if (tried !== this._tried) return;
      const { board, turn } = read(found.position);
      tried.view = { board, turn, last: squares(moves[count - 1]), preview: true };
      speak(`Line of the engine: ${texts.slice(0, count).join(" ")}`);
    }
    this._changed();
  }

  /** Back to the position the displayed one. */
  _leave() {
    this._tried = null;
    this._changed();
  }

  _stop() {
    if (this._key === "") return;
    this._key = "";
    this._connection.request({ type: "unanalyse" }).catch(refusal);
  }

  /** The connection is back. Requests of the previous connection have ended. */
  again() {
    this._key = this._place = "";
  }

  /** @param {Lines} found */
  take(found) {
    if (found.key !== this._key) return;
    const before = this._known.get(this._place);
    if (found.lines.length > 0) this._known.set(this._place, found);
    else if (before !== undefined) this._known.set(this._place, { ...before, done: true });
    else this._why = "No computer player has time for it now.";
    if (found.done) this._key = "";
    this._changed();
  }

  /** @param {boolean} on */
  _turn(on) {
    this.on = on;
    if (!on) {
      clearTimeout(this._timer);
      this._place = "";
      this._stop();
    }
  }

  /** @param {string[]} order */
  _draw(order) {
    // The displayed moves keep their result, also when a newer one arrives.
    const found = (this._shown = this._tried?.found ?? this._known.get(this._place));
    const shares = (this.on && this._tried === null ? this._outcome : null) ?? found?.lines[0]?.shares ?? null;
    for (const bar of [byId("judge"), byId("judge-flat")])
      renew(bar, [shares, order], () => (shares === null ? [] : parts(shares, order)));
    const written = shares === null ? null : percents(shares);
    byId("judge").setAttribute("aria-label",
      written === null ? "Not judged yet" : order.map((seat) => `${capital(seat)} ${written[seat]} %`).join(", "),
    );
    const tried = this._tried?.moves ?? null;
    byId("engine").classList.toggle("trying", tried !== null);
    renew(byId("engine-lines"), [this.on, found, this._why, tried, this._home, this._outcome], () => [
      el("div", { class: "engine-head" },
        el("button",
          {
            type: "button", role: "switch", "aria-checked": `${this.on}`, "data-focus": "engine", class: "switch",
            onclick: () => {
              this._turn(!this.on);
              this._changed();
            },
          },
          el("span", { class: "knob", "aria-hidden": "true" }),
          "Engine",
        ),
        tried !== null
          ? button(`Back to ${this._home}`, () => this._leave(), { class: "home", "data-focus": "home" })
          : el("span", { class: "second" },
              this.on
                ? found === undefined
                  ? this._why
                    ? ""
                    : "thinking…"
                  : `${this._outcome === null ? "" : "had it gone on, "}depth ${found.depth}`
                : "",
            ),
      ),
      this.on && this._why ? el("p", { class: "second engine-why" }, this._why) : null,
      this.on && found !== undefined
        ? el("ol", { class: "lines" }, ...found.lines.map((line, nth) => this._row(line, nth, order.length)))
        : null,
      this.on && found !== undefined && found.threats.length > 0
        ? el("p", { class: "threats second" }, "Threatened: ",
            ...found.threats.flatMap((threat) => [
              chip(threat.seat),
              el("span", {}, `${short(threat.text)}${threat.mate ? " mates" : ""}`),
            ]),
          )
        : null,
    ]);
  }

  /**
   * A line. Pressing a move shows the board after it.
   * @param {Line} line @param {number} nth @param {number} players
   */
  _row(line, nth, players) {
    const tried = this._tried?.moves.join() ?? "";
    const moves = line.texts.map((text, at) =>
      el(
        "button",
        {
          type: "button", class: at ? "" : "first", "data-focus": `line ${nth} ${at}`,
          "aria-pressed": `${line.moves.slice(0, at + 1).join() === tried}`, onclick: () => this._try(line, at + 1),
        },
        players > 2 ? chip(line.seats[at]) : "",
        players > 2 ? short(text) : text,
      ),
    );
    return el("li", {},
      el("span", { class: `worth ${line.seats[0]}` }, worth(line, players)),
      el("span", { class: "line" }, ...moves),
    );
  }
}

/**
 * The outcome as shares: 1 for a single winner, equal parts otherwise.
 * @param {Table} table @returns {Record<string, number>|null}
 */
function outcomeOf({ result, seats }) {
  if (result === null || result.reason === "aborted") return null;
  const first = seats.filter(({ seat }) => result.standings[seat] === 1);
  return Object.fromEntries(seats.map((seat) => [seat.seat, first.includes(seat) ? 1 / first.length : 0]));
}

/** The bar: a part for each seat. @param {Record<string, number>} shares @param {string[]} order */
function parts(shares, order) {
  const written = percents(shares);
  return order
    .filter((seat) => shares[seat] > 0)
    .map((seat) =>
      el("i", { class: seat, style: `flex-grow: ${shares[seat]}` },
        shares[seat] >= WRITTEN ? el("span", {}, `${written[seat]}`) : "",
      ),
    );
}

/**
 * A line's value for its mover: in pawns for two players, as a share for four.
 * @param {Line} line @param {number} players
 */
function worth(line, players) {
  if (line.mate !== null) return line.mate > 0 ? `wins in ${line.mate}` : `loses in ${-line.mate}`;
  if (players > 2) return `${percents(line.shares)[line.seats[0]]} %`;
  const pawns = (Math.abs(line.score) / 100).toFixed(1);
  return `${line.score < 0 ? "−" : "+"}${pawns}`;
}
