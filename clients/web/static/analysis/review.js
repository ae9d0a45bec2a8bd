/** The review of a finished game: the players' chances over its moves, the bad moves, and comments on them. */

import { percents } from "../model/shares.js";
import { glyphOf, GLYPHS } from "../model/tree.js";
import { refusal } from "../net/connection.js";
import { rounds } from "../text/rounds.js";
import { capital, namesOf } from "../text/words.js";
import { chip } from "../ui/chip.js";
import { button, byId, el, renew, svg } from "../ui/dom.js";
import { curve, graph, storyOf, WIDTH } from "./story.js";

/** @typedef {import("../net/connection.js").Frames["reviewed"]} Reviewed */
/** @typedef {import("../model/table.js").Table} Table */

/** Milliseconds between two requests for progress, and how many without progress before the page gives up. */
const PAUSE = 1500;
const PATIENCE = 20;

/** Milliseconds between two requests for a review that the user does not wait for, and the most in vain. */
const IDLE = 5000;
const TRIES = 60;

/** The height of the graph, in its own units. */
const HEIGHT = 84;

export class Review {
  /**
   * @param {import("../net/connection.js").Connection} connection @param {() => void} changed
   * @param {(ply: number) => void} look called to display a position
   */
  constructor(connection, changed, look) {
    this._connection = connection;
    this._changed = changed;
    this._look = look;
    /** @type {Reviewed|null} */
    this._found = null;
    this._game = "";
    /** The number of answers so far that change what is shown. */
    this._version = 0;
    this._why = "";
    /** @type {{version: number, game: string, story: import("../ui/slot.js").Story|null}} */
    this._told = { version: -1, game: "", story: null };
    this._vain = 0;
    this._timer = 0;
    /** Whether the review stands beside the moves: the user wants it, or it was there before the page. */
    this._shows = false;
    this._wanted = false;
    /** Whether the list of decisive moves is open. */
    this._open = false;
  }

  /** The story of the game, for its card; progress only if the user waits for a review. @param {Table} table */
  story(table) {
    const found = this._wanted || this._found?.summary != null ? this._found : null;
    if (this._told.version !== this._version || this._told.game !== this._game)
      this._told = { version: this._version, game: this._game, story: storyOf(found, table) };
    return this._told.story;
  }

  /** The marks of bad moves, by ply. @returns {Record<number, string>} */
  get marks() {
    const judged = (this._shows && this._found?.judged) || [];
    return Object.fromEntries(judged.flatMap(({ mark }, ply) => (mark === null ? [] : [[ply, mark]])));
  }

  /** @param {Table} table @param {number} ply the displayed one */
  show(table, ply) {
    const over = table.status === "finished" && table.line.length > 0;
    byId("review").hidden = !over;
    const shown = over && this._shows && this._found?.summary != null;
    document.body.classList.toggle("reviewed", shown);
    document.body.classList.toggle("decided", shown && this._open);
    if (!over) return;
    const game = `${table.room} ${table.game}`;
    if (game !== this._game) {
      this._game = game;
      this._found = null;
      this._shows = this._wanted = false;
      this._why = "";
      this._version++;
      this._ask(table.room);
    }
    this._draw(table, ply);
  }

  /** Show the review of the game. Request it, unless it is there or in progress. @param {string} room */
  start(room) {
    this._shows = true;
    this._version++;
    if (this._found?.summary != null) return this._changed();
    this._wanted = true;
    this._why = "";
    this._vain = 0;
    this._ask(room, true);
    this._changed();
  }

  /**
   * Ask for the review until it is there. As long as the user does not want it, the server begins it when it is idle.
   * If it has ended without results, because the bots' host was not there yet or is too busy, it begins again.
   * @param {string} room @param {boolean} [start] whether the user wants it to begin now
   */
  async _ask(room, start = false) {
    const { _game: game, _found: before, _wanted: wanted } = this;
    clearTimeout(this._timer);
    try {
      const found = await this._connection.request({
        type: "review", room, start: start || !(wanted || document.hidden), idle: !wanted,
      });
      if (game !== this._game || wanted !== this._wanted) return;
      const { looked, summary } = found;
      const news = before === null || looked !== before.looked || summary !== null;
      const advances = (looked ?? 0) > (before?.looked ?? 0);
      const ended = looked === null && before?.looked != null;
      this._found = found;
      // The progress of a review that the user has not asked for is not shown: its button stays, with a press on it.
      this._version += Number(before === null || summary !== null || (wanted && news));
      this._shows ||= before === null && summary !== null;
      this._vain = advances ? 0 : this._vain + 1;
      if (summary === null) {
        if (wanted ? this._vain <= PATIENCE : !ended && this._vain < TRIES)
          this._timer = window.setTimeout(() => this._ask(room, wanted && looked === null), wanted ? PAUSE : IDLE);
        else if (wanted) this._why = "No computer player has time for it now.";
      }
    } catch (error) {
      const { message } = refusal(error);
      if (wanted || before === null) this._why = message;
    }
    this._changed();
  }

  /** @param {Table} table @param {number} ply */
  _draw(table, ply) {
    const found = this._found;
    const names = table.seats.map((seat) => seat.seat);
    const called = namesOf(table);
    renew(byId("review"), [this._version, ply, this._why], () => {
      if (found === null) return this._why ? [el("p", { class: "second" }, this._why)] : [];
      const opening = found.openings.filter((one) => one.ply <= ply).pop();
      const named =
        opening === undefined
          ? null
          : el("p", { class: "opening", title: opening.name },
              el("span", { class: "second" }, opening.code),
              ` ${opening.name}`,
            );
      if (found.summary === null || !this._shows) {
        const looked = found.looked ?? 0;
        return this._wanted && !this._why
          ? [
              named,
              el("p", { class: "second" }, `Reviewing: ${looked} of ${found.plies + 1} positions`),
              el("progress", { max: found.plies + 1, value: looked, "aria-label": "Review" }),
            ]
          : [
              named,
              button("Review this game", () => this.start(table.room), { "data-focus": "review" }),
              this._why ? el("span", { class: "second" }, this._why) : null,
            ];
      }
      const at = found.judged[ply];
      const { accuracy, lost } = found.summary;
      return [
        this._graph(found, names, ply),
        el("p", { class: "accuracy second" },
          el("span", {}, "Accuracy "),
          ...names.flatMap((name) => [
            chip(name),
            el("span", { title: lostAt(lost[name], table) },
              el("span", { class: "unseen" }, `${called(name)} `),
              `${accuracy[name] === null ? "–" : `${Math.round(accuracy[name])} %`} `,
            ),
          ]),
        ),
        at?.remark
          ? el("p", { class: "remark" }, at.mark ? el("b", { class: "glyph" }, at.mark) : "", ` ${at.remark}`)
          : null,
        this._moments(found, table, names, ply),
        named,
        found.puzzles > 0
          ? el("p", { class: "second" },
              el("a", { href: `/puzzles#${table.room}` },
                `Solve ${found.puzzles === 1 ? "the puzzle" : `the ${found.puzzles} puzzles`} of this game`,
              ),
            )
          : null,
        chances(found, table),
      ];
    });
  }

  /**
   * The decisive moves in order, and the points where they count. Closed until the user opens it.
   * @param {Reviewed} found @param {Table} table @param {string[]} names @param {number} ply
   */
  _moments(found, table, names, ply) {
    const moments = momentsOf(found, table);
    const scored = found.judged[0]?.points != null;
    if (moments.length === 0 && !scored) return null;
    return el(
      "details",
      {
        class: "moments", open: this._open ? "" : null,
        ontoggle: (/** @type {Event} */ event) => this._opened(/** @type {HTMLDetailsElement} */ (event.target).open),
      },
      el("summary", { "data-focus": "moments" }, `Decisive moments (${moments.length})`),
      scored ? this._points(found, names, ply) : null,
      el("ol", {},
        ...moments.map((moment) =>
          el("li", {},
            el("button",
              {
                type: "button", "data-focus": `moment ${moment.ply} ${moment.text}`,
                "aria-current": moment.ply === ply ? "true" : null, onclick: () => this._look(moment.ply),
              },
              chip(moment.seat),
              el("span", {}, moment.text),
            ),
          ),
        ),
      ),
    );
  }

  /** The chat's place has room for it. @param {boolean} open */
  _opened(open) {
    this._open = open;
    document.body.classList.toggle("decided", open);
  }

  /** A curve of points for each seat. @param {Reviewed} found @param {string[]} names @param {number} ply */
  _points({ judged }, names, ply) {
    const most = Math.max(1, ...judged.flatMap(({ points }) => Object.values(points ?? {})));
    const words = `Points, up to ${most}`;
    const shown = graph(HEIGHT, { class: "graph points-graph", role: "img", "aria-label": words },
      ...names.flatMap((name) => curve(name, path(judged.map(({ points }) => (points?.[name] ?? 0) / most)))),
    );
    return el("figure", {}, el("figcaption", { class: "second" }, words), this._stepped(shown, judged, ply));
  }

  /** A curve of chances for each seat. @param {Reviewed} found @param {string[]} names @param {number} ply */
  _graph({ judged }, names, ply) {
    const shown = graph(HEIGHT, { class: "graph", "aria-hidden": "true" },
      svg("path", { d: `M0 ${(1 - 1 / names.length) * HEIGHT}H${WIDTH}`, class: "even" }),
    );
    const pair = names.length === 2;
    // For two players, White's curve is enough.
    for (const name of pair ? names.slice(0, 1) : names) {
      const d = path(judged.map(({ shares }) => shares[name]));
      if (pair) shown.append(svg("path", { d: `${d}V${HEIGHT}H0z`, class: "area white" }));
      shown.append(...curve(name, d));
    }
    for (const [at, mark] of Object.entries(this.marks))
      if (mark === "??") shown.append(svg("path", { d: `M${across(Number(at), judged)} -4V2`, class: "blunder" }));
    return this._stepped(shown, judged, ply);
  }

  /**
   * A graph with the displayed move; a click goes to a move.
   * @param {Element} shown @param {unknown[]} judged the positions @param {number} ply
   */
  _stepped(shown, judged, ply) {
    shown.append(svg("path", { d: `M${across(ply, judged)} -4V${HEIGHT + 4}`, class: "here" }));
    shown.addEventListener("click", (event) => {
      const { left, width } = shown.getBoundingClientRect();
      const clicked = /** @type {MouseEvent} */ (event).clientX - left;
      this._look(Math.round((clicked / width) * Math.max(1, judged.length - 1)));
    });
    return shown;
  }
}

/** The place of a move across a graph. @param {number} ply @param {unknown[]} judged the positions */
const across = (ply, judged) => (ply / Math.max(1, judged.length - 1)) * WIDTH;

/** The path through values from 0 to 1, one for each position. @param {number[]} values */
const path = (values) =>
  `M${values.map((value, at) => `${across(at, values).toFixed(1)} ${((1 - value) * HEIGHT).toFixed(1)}`).join("L")}`;

/** The number of decisive moves shown. */
const MOST = 6;

/**
 * The decisive events of a game: the largest changes, eliminations, and the move after which each player was lost.
 * @param {Reviewed} found @param {Table} table @returns {{ply: number, seat: string, text: string}[]}
 */
function momentsOf({ judged, summary }, table) {
  const moves = table.line.filter((step) => step.move !== null);
  const worst = judged
    .map(({ seat, shares }, ply) => ({
      ply, seat, change: seat === null ? 0 : shares[seat] - judged[ply - 1].shares[seat],
    }))
    .filter(({ ply, change }) => change <= -LEAST && judged[ply].mark !== null)
    .sort((one, other) => one.change - other.change)
    .slice(0, MOST)
    .map(({ ply, seat, change }) => ({
      ply, seat: seat ?? "",
      text:
        `${moves[ply - 1]?.text ?? ""}${judged[ply].mark} −${Math.round(-100 * change)} %` +
        (judged[ply].remark ? `: ${judged[ply].remark}` : ""),
    }));
  const gone = judged.flatMap(({ out }, ply) =>
    out.map(({ seat, reason, by }) => ({
      ply, seat,
      text: `${capital(seat)} is out: ${reason.replaceAll("_", " ")}${by === null ? "" : ` by ${capital(by)}`}`,
    })),
  );
  const lost = Object.entries(summary?.lost ?? {}).flatMap(([seat, ply]) =>
    ply === null
      ? []
      : [
          {
            ply, seat,
            text: ply === 0 ? `${capital(seat)} was lost from the start` : `${capital(seat)} was lost from here on`,
          },
        ],
  );
  return [...worst, ...gone, ...lost].sort((one, other) => one.ply - other.ply);
}

/** The smallest change of chances that is mentioned, as a share of 1. */
const LEAST = 0.05;

/** @param {number|null} ply @param {Table} table */
const lostAt = (ply, table) =>
  ply === null ? "" : ply === 0 ? "was lost from the start" : `was lost after ${numbered(table)[ply - 1] ?? ""}`;

/** The moves of a game with their numbers, as 2. g4 or 3. Red Qg6. @param {Table} table */
function numbered(table) {
  const { line, seats } = table;
  const numbers = rounds(table).flatMap(({ number, parts }) =>
    parts.flatMap(({ plies }) => plies.flatMap((ply) => (ply === null ? [] : [number]))),
  );
  return line.map(({ seat, text }, at) => {
    const mover = seat ?? seats[at % seats.length].seat;
    const pair = seats.length === 2;
    const dots = pair && mover === seats[1].seat ? "..." : ".";
    return `${numbers[at]}${dots} ${pair ? "" : `${capital(mover)} `}${text}`;
  });
}

/**
 * The same for screen readers: each move, the chances after it, and the comment on it.
 * @param {Reviewed} found @param {Table} table
 */
function chances({ judged }, table) {
  const names = table.seats.map((seat) => seat.seat);
  const moves = ["The start", ...numbered(table)];
  const said = (/** @type {Reviewed["judged"][0]} */ { mark, remark }) =>
    [mark === null ? "" : capital(GLYPHS[glyphOf(mark)][1]), remark ?? ""].filter(Boolean).join(". ");
  const head = el("tr", {},
    ...["Move", ...names.map(capital), "Judged"].map((name) => el("th", { scope: "col" }, name)),
  );
  const rows = judged.map((one, ply) => {
    const shares = percents(one.shares);
    return el("tr", {},
      el("th", { scope: "row" }, moves[ply]),
      ...names.map((name) => el("td", {}, `${shares[name]} %`)),
      el("td", {}, said(one)),
    );
  });
  return el("div", { class: "unseen" }, el("table", {}, el("caption", {}, "Chances by move"), head, ...rows));
}
