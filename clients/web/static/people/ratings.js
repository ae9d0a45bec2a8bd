/** Ratings: a player's ratings with their curves, the leaderboard, and the changes by a game. */

import { refusal } from "../net/connection.js";
import { capital, half, isPair, plural, VARIANTS } from "../text/words.js";
import { chip } from "../ui/chip.js";
import { choice } from "../ui/controls.js";
import { el, renew, svg } from "../ui/dom.js";

/** @typedef {import("../net/connection.js").Connection} Connection */
/** @typedef {import("../net/connection.js").Frames["ratings"]} Ratings */
/** @typedef {Ratings["ratings"][0]} Rating */
/** @typedef {import("../net/connection.js").Frames["leaderboard"]} Board */
/** @typedef {import("../net/connection.js").Requests["leaderboard"]} Wanted */
/** @typedef {import("../../../../protocol/protocol.d.ts").Game} Game */
/** @typedef {import("../model/table.js").Table} Table */

/** The rating of a new player. */
const NEW = 1500;

const MONTH = 30 * 24 * 60 * 60_000;

/** @type {NonNullable<Wanted["speed"]>[]} */
const SPEEDS = ["bullet", "blitz", "rapid", "classical", "untimed"];

/** The reasons why a game is not rated. @type {Record<string, string>} */
const UNRATED = {
  aborted: "it was called off", imported: "it was played elsewhere", casual: "its host chose so",
  position: "it began from a position of its host's choice", undone: "moves were taken back",
  moves: "it began with moves of its host's choice", stand_in: "a computer player stood in",
  too_short: "a player has not moved twice",
  same_address: "opponents share an address", guest: "somebody who played had no account",
  own_bot: "a bot played with its owner", one_owner: "two bots of one owner played",
  earlier: "it was played before there were ratings",
};

/** @param {string} variant @param {string|null|undefined} speed */
const kind = (variant, speed) => `${VARIANTS[variant]?.name ?? variant}${speed ? `, ${speed}` : ""}`;

/** A change with its sign. @param {number} points */
const signed = (points) => (points > 0 ? `+${points}` : points < 0 ? `−${-points}` : "±0");

/** A player's ratings, one card each. @param {HTMLElement} holder @param {Ratings|null} found */
export function show(holder, found) {
  holder.hidden = !found?.ratings.length;
  if (found) renew(holder, found.ratings, () => found.ratings.map(card));
}

/** @param {Rating} rating */
function card(rating) {
  const { points } = rating;
  const before = points.filter((point) => point.time < Date.now() - MONTH).pop() ?? points[0];
  const past = before?.time >= Date.now() - MONTH && points.length === rating.games ? NEW : before?.rating;
  const moved = past === undefined ? "" : `${signed(rating.rating - past)} in 30 days`;
  return el("section", { class: "panel rating-card" },
    el("div", { class: "head" },
      el("h3", {}, kind(rating.variant, rating.speed)),
      el("span", { class: "second" }, plural(rating.games, "game")),
    ),
    el("p", {},
      el("b", {}, `${rating.rating}`),
      " ",
      el("span",
        {
          class: "second",
          title: rating.certain
            ? "The true strength is in this range with a probability of two thirds."
            : "Not certain enough yet for a place on the leaderboard.",
        },
        `± ${rating.deviation}`,
      ),
      " ",
      el("span", {}, moved),
    ),
    curve(points.map((point) => point.rating)),
  );
}

/** A line through ratings, from the oldest to the newest. @param {number[]} ratings */
function curve(ratings) {
  const low = Math.min(...ratings), high = Math.max(...ratings);
  const x = (/** @type {number} */ index) => (ratings.length < 2 ? 50 : (100 * index) / (ratings.length - 1));
  const y = (/** @type {number} */ rating) => (high === low ? 15 : 28 - (26 * (rating - low)) / (high - low));
  const line =
    ratings.length < 2
      ? [
          [0, 15], [100, 15],
        ]
      : ratings.map((rating, index) => [x(index), y(rating)]);
  return svg("svg",
    {
      class: "curve", viewBox: "0 0 100 30", preserveAspectRatio: "none", role: "img",
      "aria-label": `from ${ratings[0]} to ${ratings[ratings.length - 1]}, between ${low} and ${high}`,
    },
    svg("polyline", { points: line.map((at) => at.map((value) => value.toFixed(1)).join(",")).join(" ") }),
  );
}

/** The leaderboard of a kind of game, which the user chooses. */
export class Leaderboard {
  /** @param {Connection} connection @param {HTMLElement} holder */
  constructor(connection, holder) {
    this._connection = connection;
    this._holder = holder;
    this._variant = "standard";
    /** @type {NonNullable<Wanted["speed"]>} */
    this._speed = "blitz";
    this._bots = false;
  }

  async show() {
    const variant = this._variant;
    const bots = this._bots;
    const speed = isPair(variant) ? this._speed : null;
    try {
      const found = await this._connection.request({
        type: "leaderboard", variant,
        ...(bots ? { bots } : {}),
        ...(speed === null ? {} : { speed }),
      });
      if (bots === this._bots && variant === this._variant && (speed === null || speed === this._speed))
        this._draw(found, "");
    } catch (error) {
      this._draw(null, refusal(error).message);
    }
  }

  /** @param {Board|null} found @param {string} trouble */
  _draw(found, trouble) {
    let rank = 0;
    const isLevel = (/** @type {Board["leaders"][0]} */ one) => one.fixed || one.player.startsWith("level");
    const ranked = (/** @type {Board["leaders"][0]} */ one) => (this._bots ? !isLevel(one) : !one.bot);
    renew(this._holder, [found, trouble, this._variant, this._speed, this._bots], () => [
      el("h3", {}, "The highest ratings"),
      el("div", { class: "leader-kind" },
        labelled("Game", Object.fromEntries(Object.entries(VARIANTS).map(([name, one]) => [name, one.name])),
          this._variant, (name) => this._choose(name, this._speed),
        ),
        isPair(this._variant)
          ? labelled("Speed", Object.fromEntries(SPEEDS.map((one) => [one, capital(one)])), this._speed, (speed) =>
              this._choose(this._variant, /** @type {any} */ (speed)),
            )
          : null,
        labelled("Who", { all: "All", bots: "Bots" }, this._bots ? "bots" : "all", (who) =>
          this._choose(this._variant, this._speed, who === "bots"),
        ),
      ),
      found === null
        ? el("p", { class: "second" }, trouble)
        : el("ol", { class: "leaders" },
            ...found.leaders.map((one) =>
              el("li", { class: ranked(one) ? null : "second" },
                el("span", {}, ranked(one) ? `${++rank}` : ""),
                isLevel(one)
                  ? el("span", { class: "name" }, one.name)
                  : el("a", { class: "name", href: `#games/${encodeURIComponent(one.player)}` }, one.name),
                el("b",
                  {
                    title: one.fixed
                      ? "It never changes: it anchors the scale."
                      : `± ${one.deviation}, ${plural(one.games, "game")}`,
                  },
                  `${one.rating}`,
                ),
              ),
            ),
          ),
      found?.leaders.every((one) => !ranked(one))
        ? el("p", { class: "second" }, "No certain ratings yet. They take about ten games with an account.")
        : null,
    ]);
  }

  /** @param {string} variant @param {NonNullable<Wanted["speed"]>} speed */
  _choose(variant, speed, bots = this._bots) {
    this._bots = bots;
    this._variant = variant;
    this._speed = speed;
    this.show();
  }
}

/**
 * @param {string} label @param {Record<string, string>} words @param {string} chosen
 * @param {(one: string) => void} choose
 */
const labelled = (label, words, chosen, choose) =>
  choice(words, chosen, choose, { "aria-label": label, "data-focus": label });

/** The rating change by a game: "+12". @param {Game} game @param {string|null} player */
export function changeOf(game, player) {
  const change = game.seats.find((seat) => seat.player === player)?.change;
  return change ? signed(change.after - change.before) : "";
}

/**
 * @typedef {{changes: Record<string, {now: number, change: string}>, against: Record<string, string>, why: string}}
 * Known ratings by seat; the user's score against each; why the game is not rated, if that came as it was played
 */

/** Milliseconds between the first two requests for a game's rating changes, and the longest pause before giving up. */
const SOON = 80;
const LATE = 8000;

/** The rating change of each seat. @param {Game} game @returns {Known["changes"]} */
const changesOf = ({ seats }) =>
  Object.fromEntries(
    seats.flatMap(({ seat, change }) =>
      change ? [[seat, { now: change.after, change: signed(change.after - change.before) }]] : [],
    ),
  );

/** The rating changes beside a finished game. */
export class Rated {
  /** @param {Connection} connection @param {() => void} changed called when more is known */
  constructor(connection, changed) {
    this._connection = connection;
    this.holder = el("section", { class: "rated", "aria-labelledby": "rated-title", hidden: true });
    this._asked = "";
    this._changed = changed;
    /** The known facts about the finished game, for its card. @type {Known|null} */
    this.known = null;
  }

  /** @param {Table} table */
  show(table) {
    const key = table.status === "finished" ? `${table.room} ${table.game}` : "";
    if (this._asked === key) return;
    this._asked = key;
    this.known = null;
    this.holder.hidden = true; // hidden until there is something to show
    if (key !== "") this._learn(table, key);
  }

  /**
   * Repeat the request until the archive has the game. Games are archived at their end.
   * @param {Table} table @param {string} key
   */
  async _learn(table, key) {
    const { player } = this._connection;
    const soon = table.rated && !table.imported ? (table.result?.unrated ?? table.unrated) : null;
    if (soon) {
      this._draw([words(soon)]);
      this.known = { changes: {}, against: {}, why: spoilt(soon) };
      this._changed();
    }
    for (let pause = SOON; key === this._asked; pause *= 1.5) {
      try {
        const game = await this._find(table);
        if (key !== this._asked) return;
        if (game?.unrated != null) {
          this._tell(game);
          this.known = {
            changes: changesOf(game),
            against: table.seats.some((seat) => seat.player === player) ? await this._against(table) : {},
            why: spoilt(game.unrated),
          };
          return this._changed();
        }
        if (pause > LATE) return this._draw(["Ratings change when the archive has the game."]);
      } catch (error) {
        const { message } = refusal(error);
        if (pause > LATE) return this._draw([message]);
      }
      await new Promise((done) => setTimeout(done, pause));
    }
  }

  /** The game in the archive, or waiting for it. @param {Table} table */
  async _find(table) {
    const found = await this._connection.request({ type: "games", room: table.room, limit: 50 });
    return found.games.find((one) => one.number === table.game);
  }

  /**
   * The user's score against each other player, by seat.
   * @param {Table} table @returns {Promise<Record<string, string>>}
   */
  async _against({ seats }) {
    const { player } = this._connection;
    if (player === null) return {};
    const { against } = await this._connection.request({ type: "results", player });
    const scores = seats.flatMap(({ seat, player: other }) => {
      const score = against.find((one) => one.player === other && other !== player);
      return score && score.won + score.drawn + score.lost > 1
        ? [[seat, `${half(score.won + score.drawn / 2)}–${half(score.lost + score.drawn / 2)}`]]
        : [];
    });
    return Object.fromEntries(scores);
  }

  /** @param {Game} game */
  _tell(game) {
    if (game.unrated) this._draw([words(game.unrated)]);
    else this._draw([el("ul", {}, ...game.seats.map(told))]);
  }

  /** @param {(Node|string)[]} parts */
  _draw(parts) {
    this.holder.hidden = false;
    this.holder.replaceChildren(
      el("div", { class: "head" }, el("h2", { id: "rated-title" }, "Ratings")),
      ...parts.map((part) => (typeof part === "string" ? el("p", { class: "second" }, part) : part)),
    );
  }
}

/** The reasons that a vote has made. The panel about the table has the others. */
const SPOILT = ["undone", "stand_in"];

/** The words of such a reason; empty for others. @param {string} reason */
const spoilt = (reason) => (SPOILT.includes(reason) ? words(reason) : "");

/** @param {string} reason why a game is not rated */
export const words = (reason) => `Not rated: ${UNRATED[reason] ?? reason.replaceAll("_", " ")}.`;

/** A seat's rating change, and the reason. @param {Game["seats"][0]} seat */
function told(seat) {
  const { change } = seat;
  const score = (/** @type {number} */ value) => `${Number(value.toFixed(2))}`;
  return el("li", {},
    chip(seat.seat),
    el("span", { class: "name" }, seat.name),
    change ? el("b", {}, `${change.before} → ${change.after}`) : el("span"),
    el("span", { class: "second" },
      change
        ? `expected ${score(change.expected)}, scored ${score(change.scored)}` +
          (change.before === change.after ? "" : `; now ± ${change.deviation}`)
        : "",
    ),
  );
}
