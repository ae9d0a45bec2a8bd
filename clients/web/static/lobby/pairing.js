/** Quick pairing: a tile for each kind of game. A click starts the search, another stops it. */

import { after, Gap, of } from "../model/table.js";
import { refusal } from "../net/connection.js";
import { clockWords, lasted } from "../text/clockwords.js";
import { control, isPair, playersOf, plural, VARIANTS } from "../text/words.js";
import { chip } from "../ui/chip.js";
import { button, byId, el, renew, setText } from "../ui/dom.js";

/** @typedef {{base: number, increment: number, delay: number}} Control */
/** @typedef {{variant: string, clock: Control, called?: string}} Kind `called`: its name, if not the variant's */
/** @typedef {{kind: Kind, since: number, room: string|null, range: number|null}} Sought */

/** @param {number} minutes @param {number} increment in seconds @param {number} [delay] @returns {Control} */
const clock = (minutes, increment, delay = 0) => ({
  base: minutes * 60_000, increment: increment * 1000, delay: delay * 1000,
});

/** The most popular kinds of games. @type {Kind[]} */
const USUAL = [
  { variant: "standard", clock: clock(1, 0), called: "Bullet" },
  { variant: "standard", clock: clock(3, 2), called: "Blitz" },
  { variant: "standard", clock: clock(10, 5), called: "Rapid" },
  { variant: "standard", clock: clock(30, 20), called: "Classical" },
  { variant: "survivor", clock: clock(10, 5) },
  { variant: "survivor", clock: clock(5, 5) },
  { variant: "ffa", clock: clock(1, 0, 15) },
  { variant: "teams", clock: clock(1, 0, 15) },
];

/** The game behind "Play two". */
export const TWO = USUAL[2];

/** A kind for each other variant of the server. @type {Kind[]} */
const OTHERS = Object.keys(VARIANTS)
  .filter((variant) => !USUAL.some((kind) => kind.variant === variant))
  .map((variant) => ({ variant, clock: clock(isPair(variant) ? 5 : 10, isPair(variant) ? 3 : 5) }));

/** The tiles in rows, by their headings. @type {[string, Kind[]][]} */
const ROWS = [
  ["Two players", USUAL.filter((kind) => isPair(kind.variant))],
  ["Four players", USUAL.filter((kind) => !isPair(kind.variant))],
  ["Other games", OTHERS],
];

/** Tiles beside a heading. */
const WIDE = 4;

/** Milliseconds of searching before the page offers computer players. */
const PATIENCE = 30_000;

export class Pairing {
  /**
   * @param {import("../net/connection.js").Connection} connection
   * @param {object} page
   * @param {(room: string) => void} page.go called with the room where the game has begun
   * @param {(kind: Kind) => void} page.computers called to play computers instead
   * @param {(text: string) => void} page.complain
   * @param {() => string|null} page.pool the code of the pool to search; null: the public pool
   * @param {() => number|null} page.range the largest difference of ratings, in points; null: no limit
   * @param {import("../people/strengths.js").Strengths} page.strengths
   */
  constructor(connection, { go, computers, complain, pool, range, strengths }) {
    this._pool = pool;
    this._range = range;
    this._strengths = strengths;
    this._connection = connection;
    this._go = go;
    this._computers = computers;
    this._complain = complain;
    /** The current search, with its room once there is one. @type {Sought|null} */
    this._sought = null;
    /** @type {import("./listings.js").Listing[]} */
    this._rooms = [];
    /** @type {Map<Kind, HTMLElement>} */
    this._tiles = new Map();
    for (const [words, kinds] of ROWS) {
      const here = kinds.filter(({ variant }) => variant in VARIANTS);
      if (here.length === 0) continue;
      const heading = el("h3", {}, words);
      heading.style.setProperty("--rows", `${Math.ceil(here.length / WIDE)}`);
      const tiles = here.map((kind) => this._tile(kind));
      if (kinds === OTHERS) for (const tile of tiles) tile.classList.add("rare");
      byId("tiles").append(heading, ...tiles);
    }
    byId("tiles").append(
      button("More games",
        () => {
          byId("tiles").classList.add("all");
          [...this._tiles.values()].find((tile) => tile.matches(".rare") && tile.offsetParent)?.focus();
        },
        { class: "link only-phone more-tiles" },
      ),
    );
  }

  /** @param {Kind} kind */
  _tile(kind) {
    const tile = el("button", {
      type: "button", class: "tile", "data-quick": `${kind.variant} ${control(kind.clock)}`,
      "data-players": playersOf(kind.variant).length === 2 ? 2 : 4, title: clockWords(kind.clock),
      onclick: () => this.press(kind),
    });
    this._tiles.set(kind, tile);
    return tile;
  }

  /** Whether a search is running. */
  get searching() {
    return this._sought !== null;
  }

  /** Start the search for a kind of game; stop it if it is running. @param {Kind} kind */
  press(kind) {
    const same = this._sought?.kind === kind;
    this.cancel();
    if (!same) this._seek({ kind, since: Date.now(), room: null, range: this._range() });
    this.show();
  }

  cancel() {
    const room = this._sought?.room;
    this._sought = null;
    if (room) this._connection.unfollow(room);
    this.show();
  }

  /** The server has moved this search to another room. @param {string} room */
  paired(room) {
    const sought = this._sought;
    if (sought === null) return;
    if (sought.room) this._connection.unfollow(sought.room);
    this._wait(sought, room);
  }

  /** @param {Sought} sought */
  async _seek(sought) {
    this._sought = sought;
    try {
      const { kind: { variant, clock }, range } = sought;
      const { room } = await this._connection.command({ type: "seek", variant, clock, pool: this._pool(), range });
      if (this._sought === sought) this._wait(sought, room);
      // Else the search was stopped meanwhile.
      else if (this._sought?.room !== room) this._connection.request({ type: "leave", room }).catch(() => {});
    } catch (error) {
      this._complain(refusal(error).message);
      if (this._sought === sought) this._sought = null;
    }
    this.show();
  }

  /** Wait in a room until the game begins. @param {Sought} sought @param {string} room */
  _wait(sought, room) {
    sought.room = room;
    /** @type {import("../model/table.js").Table|null} */
    let table = null;
    let begun = false;
    const lost = () => {
      if (this._sought !== sought) return;
      sought.room = null;
      this._connection.unfollow(room);
      this._seek(sought); // the user lost the seat while away
    };
    this._connection.follow(room, {
      seq: null,
      take: (frame) => {
        if (this._sought !== sought || begun) return;
        try {
          if (frame.type === "room") table = of(frame);
          else if (frame.type === "update" && table !== null) table = after(table, frame);
        } catch (error) {
          if (!(error instanceof Gap)) throw error;
          this._connection.again(room);
        }
        if (table === null) return;
        const mine = table.seats.some((seat) => seat.player === this._connection.player);
        if (mine && table.status === "playing") {
          begun = true; // the game's page is already opening
          this._go(room);
        } else if (!mine) lost();
      },
      refused: lost,
    });
  }

  /** Show how long somebody has waited, if anybody waits. */
  tick() {
    if (this._sought !== null || this._rooms.some((room) => room.seek)) this.show();
  }

  /** Show the players who wait, by kind of game. @param {import("./listings.js").Listing[]} [rooms] of the lobby */
  show(rooms) {
    this._rooms = rooms ?? this._rooms;
    for (const [kind, tile] of this._tiles) this._showTile(kind, tile);
    const sought = this._sought;
    const late = sought !== null && Date.now() - sought.since >= PATIENCE;
    renew(byId("pairing-note"), [sought !== null, late], () =>
      late
        ? [
            "Nobody has come yet. ",
            button("Play computers instead", () => this._instead(), { class: "link" }),
          ]
        : [sought === null ? "Click to find an opponent" : "Click again to stop"],
    );
  }

  _instead() {
    const kind = this._sought?.kind;
    this.cancel();
    if (kind) this._computers(kind);
  }

  /** @param {Kind} kind @param {HTMLElement} tile */
  _showTile(kind, tile) {
    const seats = playersOf(kind.variant);
    const waiting =
      this._pool() !== null
        ? undefined
        : this._rooms.find(
            (room) =>
              room.seek && room.status === "open" && room.variant === kind.variant && same(room.clock, kind.clock),
          );
    const taken = seats.map((seat) => waiting?.seats.some((one) => one.seat === seat && one.name !== null) ?? false);
    const count = taken.filter(Boolean).length;
    const more = seats.length - count;
    const sought = this._sought?.kind === kind ? this._sought : null;
    const last = sought === null && more === 1 && seats.length > 2;
    tile.classList.toggle("searching", sought !== null);
    tile.classList.toggle("last-one", last);
    const since = waiting === undefined || sought !== null ? "" : lasted(this._connection.now() - waiting.created);
    const one = count === 1 && seats.length === 2 ? waiting?.seats.find((seat) => seat.name !== null) : undefined;
    const rating = this._strengths.of(one?.player, kind.variant, kind.clock);
    const words =
      count === 0
        ? this._pool() === null
          ? "be the first"
          : "seek"
        : seats.length === 2
          ? rating
            ? `${rating} waits`
            : `${count} waiting`
          : `${more} more`;
    const heard =
      sought !== null
        ? "searching; click again to stop"
        : count === 0
          ? "nobody is waiting, be the first"
          : seats.length === 2
            ? rating
              ? `one player is waiting, rated ${rating}`
              : "one player is waiting"
            : `${plural(count, "player")} waiting, ${more} more`;
    const label = `Play ${VARIANTS[kind.variant].name} now, ${seats.length} players, ${control(kind.clock)}: ${heard}`;
    if (tile.getAttribute("aria-label") !== label) tile.setAttribute("aria-label", label);
    tile.setAttribute("aria-pressed", String(sought !== null));
    tile.title = `${clockWords(kind.clock)}${since ? `, somebody waits for ${since}` : ""}`;
    renew(tile, [taken, words, sought !== null, last], () => [
      el("span", { class: "figure-of-time" }, control(kind.clock)),
      el("span", { class: "called" }, kind.called ?? VARIANTS[kind.variant].name),
      sought !== null
        ? el("span", { class: "waiting" }, el("b", { class: "for" }), " searching")
        : el("span", { class: "waiting" },
            ...(count ? seats.map((seat, index) => placed(seat, taken[index])) : []),
            el("span", {}, el("span", { class: last ? "one-more" : "" }, words), " ", el("span", { class: "since" })),
          ),
    ]);
    const waits = tile.querySelector(".since");
    if (waits) setText(waits, since);
    if (sought !== null)
      setText(/** @type {Element} */ (tile.querySelector(".for")), lasted(Date.now() - sought.since));
  }
}

/** A seat's chip; hollow while the seat is free. @param {string} seat @param {boolean} taken */
const placed = (seat, taken) => (taken ? chip(seat) : el("span", { class: "chip free", "aria-hidden": "true" }));

/** @param {Control|null} one @param {Control} other */
const same = (one, other) =>
  one !== null && one.base === other.base && one.increment === other.increment && one.delay === other.delay;
