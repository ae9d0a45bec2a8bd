/** The other players at the user's table: the score against each, and a row of wins. */

import { orNull } from "../net/connection.js";
import { half, plural } from "../text/words.js";
import { el } from "../ui/dom.js";
import { identicon } from "../ui/identicon.js";

/** The number of a player's latest games that are looked at for a row of wins. */
const LATEST = 10;

/** The fewest wins that make a row. */
const ROW = 2;

/** @typedef {import("../model/table.js").Seat} Seat */

export class Rivals {
  /**
   * @param {import("../net/connection.js").Connection} connection @param {() => void} changed called when more is known
   */
  constructor(connection, changed) {
    this._connection = connection;
    this._changed = changed;
    /** The wins in a row, by player. @type {Map<string, number>} */
    this._rows = new Map();
    /** The user's score against other players. @type {Map<string, string>} */
    this._scores = new Map();
    this._me = "";
  }

  /**
   * The facts about the players of the user's table, by seat: "2–1 · 3 wins in a row". Asks for unknown ones.
   * @param {Seat[]} seats @returns {Record<string, string>}
   */
  of(seats) {
    const { player: me } = this._connection;
    if (me === null || seats.every((seat) => seat.player !== me)) return {};
    if (me !== this._me) {
      this._me = me;
      this._learnScores(me);
    }
    return Object.fromEntries(
      seats.flatMap(({ seat, player, bot }) => {
        if (player === null || player === me || bot) return [];
        if (!this._rows.has(player)) this._learnRow(player);
        const row = this._rows.get(player) ?? 0;
        const facts = [this._scores.get(player) ?? "", row >= ROW ? `${plural(row, "win")} in a row` : ""];
        const text = facts.filter(Boolean).join(" · ");
        return text ? [[seat, text]] : [];
      }),
    );
  }

  /** Draw the picture of each person on their plate. @param {Seat[]} seats */
  show(seats) {
    for (const { seat, player, bot } of seats) {
      const within = document.querySelector(`.card.${seat} .in`);
      const face = within?.querySelector(".face") ?? el("span", { class: "face", "aria-hidden": "true" });
      const shows = bot ? "" : (player ?? "");
      if (face.getAttribute("data-of") === shows) continue;
      face.setAttribute("data-of", shows);
      face.replaceChildren(shows ? identicon(shows) : "");
      within?.append(face);
    }
  }

  /** @param {string} me */
  async _learnScores(me) {
    const found = await orNull(this._connection.request({ type: "results", player: me }));
    for (const { player, won, drawn, lost } of found?.against ?? [])
      this._scores.set(player, `${half(won + drawn / 2)}–${half(lost + drawn / 2)}`);
    this._changed();
  }

  /** @param {string} player */
  async _learnRow(player) {
    this._rows.set(player, 0);
    const found = await orNull(this._connection.request({ type: "games", player, limit: LATEST }));
    const ended = (found?.games ?? []).filter(({ ended }) => ended !== null);
    const other = ended.findIndex(
      ({ seats, winners }) => !winners?.includes(seats.find((seat) => seat.player === player)?.seat ?? ""),
    );
    const row = other < 0 ? ended.length : other;
    this._rows.set(player, row);
    if (row >= ROW) this._changed();
  }
}
