/** The choice of the best running game, which stays until it ends. */

/** @typedef {import("../../../../protocol/protocol.d.ts").Listing} Listing */

/** Milliseconds that a finished game stays. */
const LINGERS = 4000;

/** How many people play. @param {Listing} room */
const people = (room) => room.seats.filter((seat) => seat.name !== null && !seat.bot).length;

/** Whether people play. @param {Listing} room */
export const hasPeople = (room) => people(room) > 0;

/** Whether a running game may be shown to everybody. @param {Listing} room */
export const isShown = (room) => room.status === "playing" && !room.locked;

/**
 * Games of people first, then those with the most spectators, the highest ratings, the most people.
 * @param {Listing} room @param {(room: Listing) => number} strength
 */
const worth = (room, strength) =>
  (hasPeople(room) ? 1e6 : 0) + room.watchers * 100 + strength(room) + people(room);

/**
 * Running games, the best first.
 * @param {Listing[]} games @param {(room: Listing) => number} [strength] the mean rating of the players; 0 if unknown
 */
export const ranked = (games, strength = () => 0) =>
  [...games].sort((one, other) => worth(other, strength) - worth(one, strength));

export class Choice {
  constructor() {
    /** @type {Listing|null} */
    this.shown = null;
    this._ended = 0; // the time of its end, by this machine's clock
  }

  /**
   * Keep the present game until it ends, unless computers play it and people play another.
   * @param {Listing[]} games the running games, the best first
   */
  choose(games) {
    const best = games[0] ?? null;
    const now = games.find((room) => room.room === this.shown?.room);
    if (now !== undefined && (best === null || hasPeople(now) || !hasPeople(best))) this.shown = now;
    else if (this.shown === null || best !== null) {
      if (this.shown !== null && now === undefined) this._ended ||= Date.now();
      if (this._ended && Date.now() - this._ended < LINGERS) return;
      this._ended = 0;
      this.shown = best;
    }
  }

  /** Whether a finished game has stayed long enough. */
  get stale() {
    return this._ended > 0 && Date.now() - this._ended >= LINGERS;
  }

  /** Choose anew. */
  clear() {
    this.shown = null;
    this._ended = 0;
  }
}
