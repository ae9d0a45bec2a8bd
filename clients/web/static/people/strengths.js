/** Ratings beside names, requested for many players at once. */

import { orNull } from "../net/connection.js";
import { el, setText } from "../ui/dom.js";

/** @typedef {{base: number, increment: number, delay: number}|null} Control */

/** The most players in one request. */
const MOST = 100;

/** Milliseconds in which players are gathered for a request, and milliseconds before an unanswered one is repeated. */
const SOON = 50;
const AGAIN = 30_000;

export class Strengths {
  /**
   * @param {import("../net/connection.js").Connection} connection @param {() => void} changed called when more is known
   */
  constructor(connection, changed) {
    this._connection = connection;
    this._changed = changed;
    /** The text beside a player's name, by kind of game and player; empty while unknown. @type {Map<string, string>} */
    this._known = new Map();
    /** Players without an account. @type {Set<string>} */
    this._guests = new Set();
    /**
     * The players of the next request, by kind of game.
     * @type {Map<string, {variant: string, clock: Control, players: string[]}>}
     */
    this._wanted = new Map();
    /** @type {ReturnType<typeof setTimeout>|undefined} */
    this._timer = undefined;
  }

  /**
   * A player's rating in a kind of game, with a `?` while it is uncertain; empty without one.
   * @param {string|null|undefined} player @param {string} variant @param {Control} clock
   */
  of(player, variant, clock) {
    if (!player) return "";
    const kind = clock === null ? variant : `${variant} ${clock.base} ${clock.increment} ${clock.delay}`;
    const key = `${kind} ${player}`;
    const known = this._known.get(key);
    if (known !== undefined) return known;
    this._known.set(key, "");
    const wanted = this._wanted.get(kind) ?? {
      variant, clock: clock && { base: clock.base, increment: clock.increment, delay: clock.delay }, players: [],
    };
    this._wanted.set(kind, wanted);
    wanted.players.push(player);
    this._timer ??= setTimeout(() => this._ask(), SOON);
    return "";
  }

  async _ask() {
    const wanted = [...this._wanted];
    this._wanted.clear();
    this._timer = undefined;
    for (const [kind, { variant, clock, players }] of wanted) {
      for (let first = 0; first < players.length; first += MOST) {
        const some = players.slice(first, first + MOST);
        const answer = await orNull(
          this._connection.request({ type: "strengths", players: some, variant, clock }),
        );
        if (answer === null) {
          setTimeout(() => some.forEach((player) => this._known.delete(`${kind} ${player}`)), AGAIN);
          continue;
        }
        for (const { player, rating, certain } of answer.strengths)
          this._known.set(`${kind} ${player}`, `${rating}${certain ? "" : "?"}`);
        const found = new Set(answer.strengths.map(({ player }) => player));
        for (const player of some) if (!found.has(player)) this._guests.add(player);
        this._changed();
      }
    }
  }

  /**
   * Whether all players have accounts, as far as known.
   * @param {{player?: string|null}[]} seats @param {string} variant @param {Control} clock
   */
  all(seats, variant, clock) {
    for (const { player } of seats) this.of(player, variant, clock);
    return !seats.some(({ player }) => this._guests.has(player ?? ""));
  }

  /**
   * The seated players, with ratings after the names.
   * @template {{name: string|null, player?: string|null}} Seat
   * @param {Seat[]} seats @param {string} variant @param {Control} clock @returns {Seat[]}
   */
  named(seats, variant, clock) {
    return seats.map((seat) => ({
      ...seat,
      name: seat.name && `${seat.name} ${this.of(seat.player, variant, clock)}`.trim(),
    }));
  }

  /** Write ratings on the plates of players. @param {import("../model/table.js").Table} table */
  show({ seats, variant, clocks }) {
    for (const { seat, player } of seats) {
      const card = /** @type {Element} */ (document.querySelector(`.card.${seat}`));
      const holder = card.querySelector(".rating") ?? el("span", { class: "rating" });
      setText(holder, this.of(player, variant, clocks));
      if (holder.parentElement === null)
        (card.querySelector(".in > .note") ?? card.querySelector(".who .name"))?.after(holder);
    }
  }
}
