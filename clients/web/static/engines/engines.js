/** The rating list of engines that the server publishes: a table by variant, and the pairs with their games. */

import { answerTo } from "../net/files.js";
import { applyTheme, followTheme, themeButton } from "../net/settings.js";
import { half, VARIANTS } from "../text/words.js";
import { chip } from "../ui/chip.js";
import { bar } from "../ui/controls.js";
import { byId, el, renew, setText } from "../ui/dom.js";

/** The form of the list that this page shows. */
const FORMAT = 1;

/**
 * @typedef {object} Entry an engine in a list
 * @property {string} player @property {number} games @property {number} points @property {number} rating
 * @property {number} error of the rating, at 95 % @property {number|null} seconds of processor time for a move
 *
 * @typedef {object} Meeting the games of two engines, with the points of the first
 * @property {string} id @property {string[]} players @property {number} games @property {number} wins
 * @property {number} draws @property {number} losses @property {number} points
 * @property {number} expected the first's share of the points if both were equal
 *
 * @typedef {object} List the ratings of a variant
 * @property {string} variant @property {string} name @property {number} seconds @property {string} openings
 * @property {number} seats @property {number} games @property {Entry[]} entries @property {Meeting[]} meetings
 *
 * @typedef {object} Published
 * @property {number} format @property {string} title @property {string} made @property {string} version
 * @property {string} hardware @property {{player: string, rating: number}|null} anchor @property {List[]} lists
 *
 * @typedef {object} Game
 * @property {string} file @property {number[]} sides the side of each seat @property {number} points of the first
 * @property {number} plies @property {string} termination
 */

/** A number of points: "3", "3½", "3.33". @param {number} points */
function shown(points) {
  return points % 1 === 0.5 ? half(points) : `${Math.round(points * 100) / 100}`;
}

/** @param {number} count @param {string} one @param {string} more */
const counted = (count, one, more) => `${count.toLocaleString("en")} ${count === 1 ? one : more}`;

/** @param {number} share */
const percent = (share) => `${(100 * share).toFixed(1)} %`;

/**
 * The object at a path of the server. Rejected with a sentence for the user.
 * @param {string} path @returns {Promise<any>}
 */
async function fetched(path) {
  const answer = await answerTo(path);
  if (answer === null) throw new Fault("The server cannot be reached. Reload this page to try again.");
  if (!answer.ok) throw new Fault(`The server has no ${path}.`);
  const found = await answer.json().catch((error) => {
    if (!(error instanceof SyntaxError)) throw error;
    return null;
  });
  if (found?.format !== FORMAT) throw new Fault(`This page cannot read ${path}.`);
  return found;
}

/** A reason for the user. */
class Fault extends Error {}

class EnginesPage {
  constructor() {
    /** @type {Published|null} */
    this.found = null;
    this.trouble = "";
    this.variant = "";
    this.engine = "";
    /** The ID of the pair whose games are open. */
    this.open = "";
    /** The games of pairs, or why there are none, by their IDs. @type {Map<string, Game[]|string>} */
    this.games = new Map();
    addEventListener("hashchange", () => this.go());
    byId("engine").onchange = (/** @type {any} */ event) => {
      this.engine = event.target.value;
      this.render();
    };
    void this.load();
  }

  async load() {
    try {
      this.found = await fetched("/engines.json");
    } catch (error) {
      this.trouble = sentence(error);
    }
    this.go();
  }

  /** Show what the page's address names: `#VARIANT` or `#VARIANT/PAIR`. */
  go() {
    const [variant = "", pair = ""] = location.hash.slice(1).split("/");
    const lists = this.found?.lists ?? [];
    const list = lists.find((one) => one.variant === variant) ?? lists[0];
    if (this.variant !== list?.variant) this.engine = "";
    this.variant = list?.variant ?? "";
    this.open = list?.meetings.some(({ id }) => id === pair) ? pair : "";
    if (this.open && !Array.isArray(this.games.get(this.open))) void this._fetch(this.open);
    this.render();
  }

  /** @param {string} id */
  async _fetch(id) {
    try {
      const { games } = await fetched(`/engines/${id}.json`);
      this.games.set(id, games);
    } catch (error) {
      this.games.set(id, sentence(error));
    }
    this.render();
  }

  render() {
    const { found, variant, engine } = this;
    const list = found?.lists.find((one) => one.variant === variant);
    const waiting = found === null ? this.trouble || "Looking…" : "The list has no games yet.";
    const empty = list === undefined ? waiting : "";
    setText(byId("state"), empty);
    byId("state").hidden = empty === "";
    byId("list").hidden = list === undefined;
    if (found === null || list === undefined) return;
    setText(byId("title"), found.title);
    document.title = `${found.title} · Fourfold`;
    const names = Object.fromEntries(found.lists.map((one) => [one.variant, one.name]));
    renew(byId("variants"), [found, variant], () => bar(names, variant, (name) => this._address(name)));
    byId("variants").hidden = found.lists.length < 2;
    setText(byId("terms"), terms(list));
    setText(byId("ratings-title"), `Ratings in ${list.name}`);
    renew(byId("ratings"), list, () => table(list));
    setText(byId("about"), about(found));
    renew(byId("engine"), [list, engine], () => [
      el("option", { value: "" }, "All engines"),
      ...list.entries.map(({ player }) => el("option", { value: player, selected: player === engine }, player)),
    ]);
    renew(byId("pairs"), [list, engine, this.open, [...this.games]], () => this._pairs(list));
  }

  /** The pairs, the best engines first. @param {List} list */
  _pairs(list) {
    const place = new Map(list.entries.map(({ player }, index) => [player, index]));
    const at = (/** @type {string} */ player) => place.get(player) ?? Infinity;
    return list.meetings
      .filter(({ players }) => this.engine === "" || players.includes(this.engine))
      .map((meeting) => ({ meeting, first: this._first(meeting, at) }))
      .sort((a, b) => order(a, at) - order(b, at) || second(a, at) - second(b, at))
      .map(({ meeting, first }) => this._pair(list, meeting, first));
  }

  /**
   * Which of two engines stands on the left: the chosen one, or else the better one.
   * @param {Meeting} meeting @param {(player: string) => number} at
   */
  _first({ players }, at) {
    if (this.engine !== "") return players.indexOf(this.engine);
    return at(players[0]) <= at(players[1]) ? 0 : 1;
  }

  /** @param {List} list @param {Meeting} meeting @param {number} first */
  _pair(list, meeting, first) {
    const { id, players, games, points, expected } = meeting;
    const own = first === 0 ? points : games - points;
    const even = first === 0 ? expected : 1 - expected;
    const open = id === this.open;
    const equals = even === 0.5 ? "" : ` (equal players: ${percent(even)})`;
    const more = `${counted(games, "game", "games")} · ${percent(own / games)}${equals}`;
    return el("li", {},
      el("button",
        {
          type: "button", class: "pair", "aria-expanded": `${open}`, "data-focus": id,
          onclick: () => this._address(open ? list.variant : `${list.variant}/${id}`),
        },
        el("span", { class: "name" }, players[first]),
        el("span", { class: "score" }, `${shown(own)} – ${shown(games - own)}`),
        el("span", { class: "name" }, players[1 - first]),
        el("span", { class: "second" }, more),
      ),
      open ? this._games(list, meeting, first) : null,
    );
  }

  /** @param {List} list @param {Meeting} meeting @param {number} first */
  _games(list, { id, players }, first) {
    const games = this.games.get(id);
    if (!Array.isArray(games)) return el("p", { class: "said second" }, games ?? "Looking…");
    const seats = VARIANTS[list.variant]?.seats ?? [];
    return el("ul", { class: "games", "aria-label": `Games of ${players[first]} and ${players[1 - first]}` },
      ...games.map((game, number) => {
        const own = seats.filter((_, seat) => game.sides[seat] === first);
        const points = first === 0 ? game.points : 1 - game.points;
        return el("li", {},
          el("a", { href: `/read?from=/engines/${game.file}` },
            el("span", { class: "soft" }, `${number + 1}`),
            el("span", { class: "seats" }, ...own.map((seat) => chip(seat))),
            el("span", { class: "unseen" }, `${players[first]} as ${own.join(" and ")}: `),
            el("b", {}, `${shown(points)} – ${shown(1 - points)}`),
            el("span", { class: "second" }, `${game.termination}, ${counted(game.plies, "ply", "plies")}`),
          ),
        );
      }),
    );
  }

  /** Go to a place of the page that a link can name. @param {string} hash */
  _address(hash) {
    history.replaceState(history.state, "", `#${hash}`);
    this.go();
  }
}

/** @typedef {{meeting: Meeting, first: number}} Sided */

/** @param {Sided} one @param {(player: string) => number} at */
const order = ({ meeting, first }, at) => at(meeting.players[first]);

/** @param {Sided} one @param {(player: string) => number} at */
const second = ({ meeting, first }, at) => at(meeting.players[1 - first]);

/** The reason in a fault; other errors are thrown on. @param {unknown} error */
function sentence(error) {
  if (!(error instanceof Fault)) throw error;
  return error.message;
}

/** The conditions of a list's games. @param {List} list */
function terms({ seconds, openings, games, seats, variant }) {
  const start = openings === "" ? "from the starting position" : `openings: ${openings}`;
  const of = VARIANTS[variant]?.teams ?? [];
  const mixed = new Set(of).size > 2 ? `${seats} of ${of.length} seats for the first engine` : "";
  const facts = [`${seconds} s of processor time a move`, start, mixed, counted(games, "game", "games")];
  return facts.filter((fact) => fact).join(" · ");
}

/** @param {Published} found */
function about({ anchor, made, version, hardware }) {
  const fixed = anchor === null ? "The mean rating is 1500." : `${anchor.player} is set to ${anchor.rating}.`;
  const error = "± is the error of a rating for 95 % confidence.";
  return `${fixed} ${error} ${made} · Fourfold ${version} · ${hardware}`;
}

/** @param {List} list */
function table({ entries }) {
  const head = el("tr", {},
    el("th", { scope: "col", "aria-label": "Place" }),
    el("th", { scope: "col" }, "Engine"),
    el("th", { scope: "col" }, "Rating"),
    el("th", { scope: "col", "aria-label": "Error" }, "±"),
    el("th", { scope: "col" }, "Games"),
    el("th", { scope: "col" }, "Score"),
    el("th", { scope: "col", class: "wide" }, "Time a move"),
  );
  const rows = entries.map(({ player, rating, error, games, points, seconds }, place) =>
    el("tr", {},
      el("td", {}, `${place + 1}`),
      el("th", { scope: "row", class: "name" }, player),
      el("td", { class: "rating" }, `${Math.round(rating)}`),
      el("td", {}, `${Math.round(error)}`),
      el("td", {}, games.toLocaleString("en")),
      el("td", {}, percent(points / games)),
      el("td", { class: "wide" }, seconds === null ? "unknown" : `${seconds.toFixed(3)} s`),
    ),
  );
  return [el("thead", {}, head), el("tbody", {}, ...rows)];
}

applyTheme();
followTheme();
themeButton(byId("theme"));
new EnginesPage();
