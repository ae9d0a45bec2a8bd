/** The explorer beside a finished game: the moves that archived games played from the displayed position. */

import { trying } from "../net/connection.js";
import { capital, plural } from "../text/words.js";
import { chip } from "../ui/chip.js";
import { el, renew } from "../ui/dom.js";

/** @typedef {import("../net/connection.js").Frames["explored"]} Explored */
/** @typedef {Explored["moves"][0]} Played */
/** @typedef {import("../net/connection.js").Requests["explore"] & {type: "explore"}} Question */
/** @typedef {import("../model/table.js").Table} Table */

/** The number of plies at the start of each game that the explorer counts. */
const PLIES = 40;

/** The number of moves shown: the most frequent. */
const SHOWN = 12;

/**
 * Milliseconds that a position is displayed before the server is asked: a user who steps through a game passes many.
 */
const PAUSE = 150;

export class Explorer {
  /** @param {import("../net/connection.js").Connection} connection */
  constructor(connection) {
    this._connection = connection;
    this.holder = el("section", { class: "explorer", "aria-labelledby": "explorer-title" });
    /** @type {Map<string, Explored|null>} by room, game and ply; null: requested */
    this._known = new Map();
    this._timer = 0;
    /** The displayed position. */
    this._wanted = "";
  }

  /** @param {Table} table @param {number} ply the displayed one */
  show(table, ply) {
    const { room, game, line } = table;
    if (table.status === "finished" && ply < PLIES)
      this.look(`${room} ${game} ${ply}`, { type: "explore", room, ply }, line[ply]?.move);
    else {
      clearTimeout(this._timer);
      this.holder.hidden = true;
    }
  }

  /**
   * Show a position.
   * @param {string} key its key among the results @param {Question} question
   * @param {string|undefined} next the move that is played from there
   * @param {number} [pause] milliseconds before the server is asked
   */
  look(key, question, next, pause = PAUSE) {
    clearTimeout(this._timer);
    this.holder.hidden = false;
    this._wanted = key;
    const found = this._known.get(key);
    if (found === undefined) this._timer = window.setTimeout(() => this._ask(key, question, next), pause);
    else this._draw(found, next);
  }

  /** @param {string} key @param {Question} question @param {string|undefined} next */
  async _ask(key, question, next) {
    this._known.set(key, null);
    const found = await trying(() => this._connection.request(question), (why) => {
      this._known.delete(key);
      if (key === this._wanted) renew(this.holder, why, () => [heading(), el("p", { class: "second" }, why)]);
    });
    if (found === null) return;
    this._known.set(key, found);
    if (key === this._wanted) this._draw(found, next);
  }

  /** @param {Explored|null} found null: not yet known @param {string|undefined} next */
  _draw(found, next) {
    if (found === null) return;
    renew(this.holder, [found, next], () => [
      heading(found.games),
      found.moves.length === 0
        ? el("p", { class: "second" }, "No games found in this position")
        : el("table", {},
            el("thead", { class: "unseen" },
              el("tr", {}, el("th", {}, "Move"), el("th", {}, "Games"), el("th", {}, "Results")),
            ),
            el("tbody", {}, ...found.moves.slice(0, SHOWN).map((move) => row(move, found.games, move.move === next))),
          ),
      found.moves.length > SHOWN
        ? el("p", { class: "second" }, `and ${plural(found.moves.length - SHOWN, "other move")}`)
        : null,
    ]);
  }
}

/** @param {number} [games] */
const heading = (games) =>
  el("div", { class: "head" },
    el("h2", { id: "explorer-title" }, "Explorer"),
    el("span", { class: "second" }, games ? plural(games, "game") : ""),
  );

/**
 * A move: its frequency, and the winners of its games.
 * @param {Played} move @param {number} all @param {boolean} played whether this game continued with it
 */
function row(move, all, played) {
  const words = results(move);
  const shares = move.seats.map((seat) => ({ of: seat.seat, games: seat.won }));
  // White's share begins the bar and Black's ends it, with the draws between them; among four the draws come last.
  shares.splice(move.seats.length === 2 ? 1 : move.seats.length, 0, { of: "nobody", games: move.drawn });
  return el("tr", { "aria-current": played ? "true" : null },
    el("th", { scope: "row" }, move.text),
    el("td", { class: "second", title: plural(move.games, "game") }, `${Math.round((100 * move.games) / all)} %`),
    el("td", {},
      el("span", { class: "shares", title: words, "aria-hidden": "true" },
        ...shares
          .filter((share) => share.games > 0)
          .map((share) => el("i", { class: share.of, style: `flex-grow: ${share.games}` })),
      ),
      el("span", { class: "unseen" }, words),
      ...points(move),
    ),
  );
}

/** @param {Played} move */
const results = (move) =>
  [...move.seats.map((seat) => `${capital(seat.seat)} won ${seat.won}`), `drawn ${move.drawn}`].join(", ");

/** The average points of each seat, where points count. @param {Played} move */
const points = (move) =>
  move.seats.every((seat) => seat.points == null)
    ? []
    : [
        el("span", { class: "points second", title: "points on average" },
          ...move.seats.flatMap((seat) => [chip(seat.seat), `${Math.round(seat.points ?? 0)} `]),
        ),
      ];
