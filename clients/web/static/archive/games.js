/** Past games: the user's own, another player's, or everybody's; and a player's results. */

import { BoardView } from "../board/board.js";
import { read } from "../model/fen.js";
import { refusal, trying } from "../net/connection.js";
import * as ratings from "../people/ratings.js";
import { clockWords } from "../text/clockwords.js";
import { capital, control, inTeams, isPair, ordinal, plural, seatsOf, VARIANTS } from "../text/words.js";
import { chip } from "../ui/chip.js";
import { bar } from "../ui/controls.js";
import { button, byId, el, renew, setText } from "../ui/dom.js";
import * as popover from "../ui/popover.js";
import { download, FORMATS } from "./downloads.js";

/** @typedef {import("../../../../protocol/protocol.d.ts").Game} Game */
/** @typedef {{won: number, drawn: number, lost: number}} Count */
/** @typedef {import("../net/connection.js").Frames["results"]} Results */
/** @typedef {import("../net/connection.js").Requests["games"]} Search */

/** The number of games on a page of the list. */
const PAGE = 20;

/** @type {Record<string, string>} */
const PLAYERS = { all: "All", two: "Two", four: "Four" };

/** @type {Record<string, number|undefined>} */
const COUNTS = { two: 2, four: 4 };

/** @type {Record<string, string>} */
const RESULTS = { "": "Any result", won: "Won", lost: "Lost", drawn: "Draw" };

const DAY = 24 * 60 * 60_000;

/** Milliseconds after the last letter before the search for a name begins. */
const TYPED = 300;

/**
 * The choices of an end date, and the bounds of each.
 * @type {Record<string, [string, () => Pick<Search, "since"|"until">]>}
 */
const TIMES = {
  "": ["Any time", () => ({})],
  week: ["This week", () => ({ since: monday(0) })],
  last: ["Last week", () => ({ since: monday(-1), until: monday(0) - 1 })],
};

export class GamesView {
  /** @param {import("../net/connection.js").Connection} connection @param {(text: string) => void} complain */
  constructor(connection, complain) {
    this._connection = connection;
    this._complain = complain;
    /** @type {string|null|undefined} the requested player; null: all games */
    this._whose = undefined;
    /** @type {string|null} the displayed player; null: all games */
    this._player = null;
    /** @type {Pick<Search, "players"|"variant"|"result"|"with"|"name"|"with_name"|"since"|"until">} */
    this._filter = {};
    /** @type {string} one of `TIMES` */
    this._time = "";
    /** @type {Game[]} */
    this._games = [];
    /** @type {string|null} */
    this._next = null;
    /** @type {Results|null} */
    this._results = null;
    this._asked = 0;
    this._leaders = new ratings.Leaderboard(connection, byId("leaderboard"));
    /** Whether all games are shown because the user has none. */
    this._none = false;
    this._typed = 0;
    byId("more-games").onclick = () => this._load(this._next);
    byId("kind-filter").onchange = (/** @type {any} */ event) =>
      this._narrow({ variant: event.target.value || undefined });
    byId("by-name").oninput = () => {
      clearTimeout(this._typed);
      this._typed = setTimeout(() => this._name(byId("by-name").value.trim() || undefined), TYPED);
    };
    byId("before").onchange = (/** @type {any} */ event) => {
      const day = Date.parse(`${event.target.value}T00:00`);
      this._time = "";
      this._narrow({ since: undefined, until: Number.isNaN(day) ? undefined : day + DAY - 1 });
    };
    byId("download").onclick = () => this._offer();
  }

  /** Show a player's games; null: all games. @param {string|null} player */
  show(player) {
    if (player !== this._whose) {
      this._whose = player;
      this._filter = {};
      this._time = byId("by-name").value = byId("before").value = "";
      setText(byId("downloaded"), "");
    }
    if (!this._narrowed()) {
      this._player = player;
      this._none = false;
    }
    this._results = null;
    this._games = [];
    this._load(null);
    ratings.show(byId("ratings"), null);
    byId("leaders").hidden = player !== null;
    if (player === null) this._leaders.show();
    if (this._player !== null) this._add(this._player);
  }

  /** Whether a request for games is pending. */
  _narrowed() {
    return Object.values(this._filter).some((value) => value !== undefined);
  }

  /** @param {Partial<Search>} more */
  _narrow(more) {
    this._filter = { ...this._filter, ...more };
    this._load(null);
  }

  /** Show the games of a player with this name, or against one. @param {string|undefined} name */
  _name(name) {
    this._narrow(this._player === null ? { name } : { with_name: name });
  }

  /** Ask for the format in which to download the user's games. */
  _offer() {
    const holder = byId("download-menu");
    holder.replaceChildren(
      ...FORMATS.map(([format, words]) => popover.item(holder, words, () => this._download(format))),
    );
    popover.openAt(holder, byId("download"));
  }

  /** @param {import("./downloads.js").Download["format"]} format */
  async _download(format) {
    const state = byId("downloaded");
    const { name: _, ...filter } = this._filter; // the user has no games
    byId("download").disabled = true;
    await trying(async () => {
      const { games, damaged } = await download(this._connection, format, filter, (count) =>
        setText(state, `${plural(count, "game")} so far…`),
      );
      const lost = damaged.length ? ` ${plural(damaged.length, "game")} can't be read.` : "";
      setText(state, (games ? `${plural(games, "game")} downloaded.` : "There is no such game to download.") + lost);
    }, (why) => setText(state, why));
    byId("download").disabled = false;
  }

  /** @param {string|null} after @returns {Promise<void>} */
  async _load(after) {
    const asked = ++this._asked;
    try {
      const found = await this._connection.request({
        type: "games", limit: PAGE,
        ...this._filter,
        ...(this._player === null ? {} : { player: this._player }),
        ...(after === null ? {} : { after }),
      });
      if (asked !== this._asked) return; // a newer request has been sent
      if (
        this._player !== null &&
        this._player === this._connection.player &&
        found.games.length === 0 &&
        !this._narrowed()
      ) {
        this._player = null;
        this._none = true;
        await this._load(null);
        return;
      }
      this._games = after === null ? found.games : [...this._games, ...found.games];
      this._next = found.next ?? null;
      this._render(true);
    } catch (error) {
      this._complain(refusal(error).message);
      this._render(true);
    }
  }

  /** @param {string} player */
  async _add(player) {
    await trying(async () => {
      const results = await this._connection.request({ type: "results", player });
      if (player !== this._player) return;
      this._results = results;
      this._render(true);
      const found = await this._connection.request({ type: "ratings", player });
      if (player === this._player) ratings.show(byId("ratings"), found);
    }, this._complain);
  }

  /** @param {boolean} heard whether the answer has arrived */
  _render(heard) {
    const { _player: player, _results: results, _filter: filter } = this;
    const mine = player !== null && player === this._connection.player;
    const name = results?.name ?? (mine ? "You" : player);
    setText(byId("games-title"), player === null ? "Games" : mine ? "My games" : String(name));
    const count = results?.variants.reduce((sum, one) => sum + total(one), 0) ?? 0;
    setText(byId("games-about"),
      this._none
        ? "You have no games yet. These are everybody's."
        : results?.since
          ? `${plural(count, "game")} since ` +
            new Date(results.since).toLocaleDateString(undefined, { month: "long", year: "numeric" })
          : "",
    );
    byId("all-games").hidden = player === null;
    byId("download").hidden = !mine;
    const { players } = filter;
    renew(byId("players-filter"), [players], () =>
      bar(PLAYERS, players === 2 ? "two" : players === 4 ? "four" : "all", (kind) =>
        this._narrow({ players: COUNTS[kind], variant: undefined }),
      ),
    );
    const kinds = Object.entries(VARIANTS).filter(([kind]) => !players || seatsOf(kind).length === players);
    renew(byId("kind-filter"), [players, filter.variant], () => [
      el("option", { value: "" }, "Every kind"),
      ...kinds.map(([kind, { name }]) => el("option", { value: kind, selected: kind === filter.variant }, name)),
    ]);
    byId("result-filter").hidden = player === null;
    renew(byId("result-filter"), [filter.result ?? ""], () =>
      bar(RESULTS, filter.result ?? "", (result) =>
        this._narrow({ result: /** @type {Search["result"]} */ (result || undefined) }),
      ),
    );
    renew(byId("time-filter"), [this._time], () =>
      bar(Object.fromEntries(Object.entries(TIMES).map(([time, [words]]) => [time, words])), this._time, (time) =>
        this._at(time),
      ),
    );
    const asked = player === null ? "Player" : "Opponent";
    byId("by-name").placeholder = asked;
    byId("by-name").setAttribute("aria-label", `${asked}'s name`);
    renew(byId("games"), [this._games, heard, player], () =>
      this._games.length
        ? this._games.map((game) => row(game, player))
        : [el("p", { class: "nothing-here" }, heard ? "No games found" : "Looking for games…")],
    );
    byId("more-games").hidden = this._next === null;
    byId("records").hidden = results === null || count === 0;
    if (results === null) return;
    renew(byId("against"), [results.against, filter.with], () => results.against.map((one) => this._opponent(one)));
    const { computers = [], best = [] } = results;
    byId("computers-record").hidden = computers.length === 0;
    renew(byId("by-level"), computers, () => computers.map((one) => score(`Level ${one.level}`, one)));
    byId("best").hidden = best.length === 0;
    renew(byId("best-wins"), best, () =>
      best.map((one) =>
        el("div", { class: "score-row" },
          el("a", { class: "name", href: `#games/${encodeURIComponent(one.player)}` }, one.name),
          el("a",
            { href: `/r/${encodeURIComponent(one.room)}`, title: `The game: ${VARIANTS[one.variant]?.name ?? ""}` },
            `${one.rating}, ${day(one.ended)}`,
          ),
        ),
      ),
    );
    renew(byId("by-variant"), results.variants, () =>
      results.variants.map((one) => score(VARIANTS[one.variant]?.name ?? one.variant, one)),
    );
    renew(byId("by-seat"), results.seats, () =>
      results.seats.map((one) =>
        score(`${capital(one.seat)}, ${VARIANTS[one.variant]?.name ?? one.variant}`, one, one.seat),
      ),
    );
    const places = placesOf(results);
    byId("places").hidden = places.length === 0;
    renew(byId("place-bars"), places, () =>
      places.map((share, index) =>
        el("div", { class: "place-bar" },
          el("span", {}, ordinal(index + 1)), line(share), el("span", {}, `${share} %`),
        ),
      ),
    );
  }

  /** @param {string} time one of `TIMES` */
  _at(time) {
    this._time = time;
    byId("before").value = "";
    this._narrow({ since: undefined, until: undefined, ...TIMES[time][1]() });
  }

  /** @param {Results["against"][0]} one */
  _opponent(one) {
    const chosen = this._filter.with === one.player;
    const narrow = button(one.name, () => this._narrow({ with: chosen ? undefined : one.player }),
      { class: "link", "aria-pressed": String(chosen), "data-focus": one.player },
    );
    return score(narrow, one);
  }
}

/** The beginning of a week: 0 for this week, -1 for the last, and so on. @param {number} weeks */
function monday(weeks) {
  const day = new Date();
  day.setHours(0, 0, 0, 0);
  return day.setDate(day.getDate() - ((day.getDay() + 6) % 7) + 7 * weeks);
}

/** @param {Count} count */
const total = ({ won, drawn, lost }) => won + drawn + lost;

/** The share of each place in the games among four, in percent. @param {Results} results */
function placesOf(results) {
  /** @type {number[]} */
  const counts = [];
  for (const one of results.variants) {
    if (!isPair(one.variant) && !inTeams(one.variant))
      one.places.forEach((count, index) => (counts[index] = (counts[index] ?? 0) + count));
  }
  const all = counts.reduce((sum, count) => sum + count, 0);
  return counts.map((count) => Math.round((100 * count) / all));
}

/** @param {string|Node} what @param {Count} count @param {string} [seat] */
const score = (what, { won, drawn, lost }, seat) =>
  el("div", { class: "score-row" },
    el("span", { class: "name" }, seat === undefined ? "" : chip(seat), what),
    el("span", { title: "won, drawn, lost" }, `${won} – ${drawn} – ${lost}`),
  );

/**
 * A line that is filled to a share. It needs no style attribute: the page's policy forbids them.
 * @param {number} share in percent
 */
function line(share) {
  const filled = el("i");
  filled.style.setProperty("--share", `${share}%`);
  return filled;
}

/**
 * A game: its last board, result, variant, players and date.
 * @param {Game} game @param {string|null} player the player whose result is shown
 */
function row(game, player) {
  const seats = game.seats;
  const own = seats.find((seat) => seat.player === player);
  const board = el("span", { class: "mini" });
  const view = new BoardView(board, { variant: game.variant, small: true });
  view.show({ board: read(game.position).board, last: [], check: [] });
  // Among four, the number of rounds depends on the eliminations.
  const length = plural(seats.length === 2 ? Math.ceil(game.ply / 2) : game.ply, "move");
  const order =
    game.status === "playing" || seats.length === 2
      ? seats
      : [...seats].sort((one, other) => (one.place ?? 9) - (other.place ?? 9));
  const made = ratings.changeOf(game, player);
  const when = game.ended ?? game.started; // 0: an imported game without a date
  return el("article", { class: "game-row" },
    board,
    el("b", { class: `verdict ${own?.result === "won" ? "won" : ""}` }, verdict(game, own)),
    el("div", { class: "told" },
      el("h3", {},
        el("a", { href: `/r/${encodeURIComponent(game.room)}`, "data-focus": `${game.room}.${game.number}` },
          `${VARIANTS[game.variant]?.name ?? game.variant} ${game.clock ? control(game.clock) : ""}`.trim(),
        ),
        " ",
        el("span", { class: "second", title: clockWords(game.clock) }, `${length}${made ? `, ${made}` : ""}`),
        game.unrated && !game.imported && game.reason !== "aborted"
          ? el("span", { class: "tag", title: ratings.words(game.unrated) }, "casual")
          : null,
        game.imported ? el("span", { class: "tag", title: "It was played elsewhere." }, "imported") : null,
      ),
      el("p", { class: "people second" },
        ...order.map((seat) =>
          person(seat, seats.length > 2 && !inTeams(game.variant) && seat.place != null && game.status === "finished"),
        ),
      ),
    ),
    when === 0 ? el("span") : el("time", { class: "second", datetime: new Date(when).toISOString() }, day(when)),
  );
}

/** @param {Game["seats"][0]} seat @param {boolean} placed whether the place is shown */
const person = (seat, placed) =>
  el("span", { class: "person" }, placed ? `${seat.place}. ` : "", chip(seat.seat),
    seat.bot
      ? el("span", { class: "name" }, seat.name)
      : el("a", { class: "name", href: `#games/${encodeURIComponent(seat.player)}` }, seat.name),
  );

/** @param {Game} game @param {Game["seats"][0]|undefined} own */
function verdict(game, own) {
  if (game.status === "playing") return "Live";
  if (game.reason === "aborted") return "Off";
  if (own === undefined)
    return game.winners.length === 0 ? "Draw" : capital(game.winners.length === 1 ? game.winners[0] : "Over");
  if (own.result === "drawn") return "Draw";
  if (game.seats.length > 2 && !inTeams(game.variant)) return ordinal(own.place ?? 0);
  return own.result === "won" ? "Won" : "Lost";
}

/** @param {number} time */
function day(time) {
  const then = new Date(time);
  const midnight = new Date().setHours(0, 0, 0, 0);
  if (time >= midnight) return `today, ${then.toLocaleTimeString(undefined, { hour: "2-digit", minute: "2-digit" })}`;
  if (time >= midnight - DAY) return "yesterday";
  const year = then.getFullYear() === new Date().getFullYear() ? undefined : "numeric";
  return then.toLocaleDateString(undefined, { day: "numeric", month: "short", year });
}
