/** The top of the lobby: an introduction, one live board for four, and the shortest way into a game. */

import { Choice, isShown, ranked } from "../live/choice.js";
import { orNull, trying } from "../net/connection.js";
import { loaded } from "../net/loading.js";
import { remember } from "../net/owngames.js";
import { inTeams, ordinal, partners, seatsOf, VARIANTS } from "../text/words.js";
import { button, byId, el, renew, setText } from "../ui/dom.js";

/** @typedef {import("./listings.js").Listing} Listing */

/** The game behind "Play four now", and the level of the computers that fill its seats. */
const FOUR = { variant: "survivor", clock: { base: 600_000, increment: 5000, delay: 0 }, fill: 3 };

export class Home {
  /**
   * @param {import("../net/connection.js").Connection} connection
   * @param {object} page
   * @param {(room: string) => void} page.go
   * @param {(text: string) => void} page.complain
   * @param {import("../live/previews.js").Previews} page.previews
   * @param {import("../people/strengths.js").Strengths} page.strengths
   */
  constructor(connection, { go, complain, previews, strengths }) {
    this._connection = connection;
    this._go = go;
    this._complain = complain;
    this._previews = previews;
    this._strengths = strengths;
    this._choice = new Choice();
    /** @type {import("../live/stage.js").Stage|null} */
    this._stage = null;
    /** Facts about finished games. @type {import("../net/connection.js").Frames["games"]["games"]} */
    this._games = [];
    byId("play-four").onclick = () => this.playFour();
    this._build();
  }

  /** The board loads after the page, which is useful without it. */
  async _build() {
    const { Stage } = await loaded(() => import("../live/stage.js"));
    this._stage = new Stage(byId("stage-board"), byId("stage-about"));
    this.draw();
  }

  /** Sit down at a table for four at once. Computers play the other seats until people come. */
  async playFour() {
    const start = byId("play-four");
    start.disabled = true;
    await trying(async () => {
      const { room } = await this._connection.command({ type: "seek", ...FOUR });
      remember(room);
      this._go(room);
    }, this._complain);
    start.disabled = false;
  }

  /** The game on the stage. */
  get shown() {
    return this._choice.shown;
  }

  /**
   * Choose the game for the stage: the best game for four of others.
   * @param {Listing[]} rooms of the lobby @param {string[]} mine
   */
  choose(rooms, mine) {
    const games = rooms.filter((room) => isShown(room) && room.seats.length === 4 && !mine.includes(room.room));
    this._choice.choose(ranked(games));
  }

  /** Whether a finished game has been on the stage long enough. */
  get stale() {
    return this._choice.stale;
  }

  /** A room has closed. @param {string} room */
  lost(room) {
    if (room === this.shown?.room) this._choice.clear();
  }

  /** The game on the stage. */
  draw() {
    const table = this.shown === null ? null : (this._previews.get(this.shown.room)?.table ?? null);
    this._stage?.show(this.shown, table, (seat) =>
      table === null ? "" : this._strengths.of(seat.player, table.variant, table.clocks),
    );
  }

  /** Clocks. @param {number} now by the server's clock */
  tick(now) {
    this._stage?.tick(now);
  }

  /** Fetch the results of this player's last games. @param {string} player */
  async learn(player) {
    const found = await orNull(this._connection.request({ type: "games", player, limit: 10 }));
    // Without an archive, the player is greeted as new.
    this._games = found?.games.filter((game) => game.status === "finished" && game.reason !== "aborted") ?? [];
  }

  /** Greet a returning player. @param {string} name @param {import("../people/people.js").People} people */
  greet(name, people) {
    const me = this._connection.player;
    const [last] = this._games;
    document.body.classList.toggle("returning", last !== undefined);
    byId("back").hidden = last === undefined;
    if (last === undefined) return;
    setText(byId("home-title"), `Welcome back, ${name}`);
    const here = new Map(people.others.map((person) => [person.player, person]));
    const rivals = rivalsOf(this._games, me);
    renew(byId("back"), [last.room, last.number, rivals, rivals.map(({ player }) => here.has(player))], () => [
      el("p", { class: "stand" },
        ...ratingsOf(this._games, me).flatMap(([kind, rating], index) => [
          index ? " · " : "", `${kind} `,
          el("b", {}, `${rating}`),
        ]),
      ),
      el("p", {},
        el("span", { class: "second" }, "Last game: "),
        `${verdict(last, me)} · `,
        el("a", { href: `/r/${encodeURIComponent(last.room)}` }, "Review"),
      ),
      el("ul", { class: "rivals", "aria-label": "Last opponents" },
        ...rivals.map((rival) => {
          const person = here.get(rival.player);
          return el("li", {},
            el("span", { class: "told" },
              el("b", { class: "name" }, rival.name),
              el("small", { class: "second" }, rival.score),
            ),
            person
              ? button("Challenge", () => people.challenge(person),
                  { "data-focus": rival.player, "aria-label": `Challenge ${rival.name}` },
                )
              : el("small", { class: "second" }, "offline"),
          );
        }),
      ),
    ]);
  }
}

/** @typedef {import("../net/connection.js").Frames["games"]["games"][0]} Game */

/**
 * The latest rating in each kind of game.
 * @param {Game[]} games @param {string|null} me @returns {[string, number][]}
 */
function ratingsOf(games, me) {
  /** @type {Map<string, number>} */
  const found = new Map();
  for (const game of games) {
    const change = game.seats.find((seat) => seat.player === me)?.change;
    const kind = VARIANTS[game.variant]?.name ?? game.variant;
    if (change && !found.has(kind)) found.set(kind, change.after);
  }
  return [...found].slice(0, 3);
}

/** The opponents of the last games, with the score against each. @param {Game[]} games @param {string|null} me */
export function rivalsOf(games, me) {
  /** @type {Map<string, {player: string, name: string, won: number, lost: number}>} */
  const all = new Map();
  for (const { seats, variant } of games) {
    const mine = seats.find((seat) => seat.player === me);
    const colours = seatsOf(variant);
    const ours = mine === undefined ? [] : partners(variant, colours.indexOf(mine.seat)).map((index) => colours[index]);
    for (const { seat, player, name, bot, place } of new Map(seats.map((one) => [one.player, one])).values()) {
      if (player === me || bot || place === null || mine?.place == null || ours.includes(seat)) continue;
      const rival = all.get(player) ?? { player, name: name ?? "", won: 0, lost: 0 };
      if (mine.place < place) rival.won += 1;
      else if (mine.place > place) rival.lost += 1;
      all.set(player, rival);
    }
  }
  const score = (/** @type {number} */ won, /** @type {number} */ lost) =>
    won === lost ? `even, ${won} each` : won > lost ? `you lead ${won} to ${lost}` : `you trail ${won} to ${lost}`;
  return [...all.values()]
    .slice(0, 3)
    .map(({ player, name, won, lost }) => ({ player, name, score: score(won, lost) }));
}

/** The result of a game. @param {Game} game @param {string|null} me */
export function verdict({ seats, variant }, me) {
  const mine = seats.find((seat) => seat.player === me);
  const kind = VARIANTS[variant]?.name ?? variant;
  if (mine === undefined) return kind;
  const sides = inTeams(variant) ? 2 : seats.length;
  const how = sides > 2 && mine.place !== null
    ? `${ordinal(mine.place)} of ${sides === 3 ? "three" : "four"}`
    : (mine.result ?? "");
  const change = mine.change
    ? `, ${mine.change.after - mine.change.before >= 0 ? "+" : "−"}` +
      `${Math.abs(mine.change.after - mine.change.before)} → ${mine.change.after}`
    : "";
  return `${how} in ${kind}${change}`;
}
