/** The preferences: themes of the board, pieces, sounds and more, tried at once on a small live board. */

import { BoardView } from "../board/board.js";
import { placeFor, setUp } from "../board/desk.js";
import { sprite } from "../board/pieces.js";
import { put } from "../model/castling.js";
import { read } from "../model/fen.js";
import { boardOf, nameOf, parse, variantOf } from "../model/geometry.js";
import { squares } from "../model/table.js";
import { refusal } from "../net/connection.js";
import { connect } from "../net/page.js";
import { keep } from "../net/preferences.js";
import * as settings from "../net/settings.js";
import { bar } from "../ui/controls.js";
import { byId, check, el, renew, svg } from "../ui/dom.js";
import { play } from "../ui/sound.js";

/** @typedef {import("../net/preferences.js").Preference} Preference */
/** @typedef {import("../board/pieces.js").SetName} SetName */

/**
 * The choices: their titles, and the words of their values. The first value is the default.
 * @type {[Preference, string, Record<string, string>][]}
 */
const CHOICES = [
  ["board", "Board",
    { paper: "Paper", walnut: "Walnut", sea: "Sea", moss: "Moss", dusk: "Dusk", clear: "Clear" },
  ],
  ["pieces", "Pieces", { staunton: "Staunton", blocks: "Blocks", coins: "Coins", letters: "Letters" }],
  ["coordinates", "Coordinates", { in: "On the squares", beside: "Beside the board", off: "Hidden" }],
  ["animation", "Animation", { normal: "Normal", off: "Off", fast: "Fast", slow: "Slow" }],
  ["confirmation", "Your moves", { off: "Play at once", on: "Ask before playing" }],
  ["facing", "Pieces of others, with four", { off: "Upright", on: "Facing their players" }],
  ["sounds", "Sounds", { tones: "Tones", marimba: "Marimba", wood: "Wood" }],
];

/** Milliseconds between the moves of the other players. */
const PAUSE = 700;

/** The variant on the board, and the moves of the other players, by number of players. */
const GAMES = {
  two: { variant: "standard", replies: ["e7e5", "b8c6", "g8f6", "d7d6"] },
  four: {
    variant: "survivor", replies: ["b7c7", "g13g12", "m8l8", "a5c6", "e14f12", "n10l9", "b8d8", "h13h11", "m7k7"],
  },
};

const LEAPS = [-2, -1, 1, 2].flatMap((x) => [-2, -1, 1, 2].filter((y) => x * x !== y * y).map((y) => [x, y]));

class PreferencesPage {
  constructor() {
    this.member = false;
    /** @type {keyof typeof GAMES} */
    this.game = "four";
    this.trouble = "";
    /** The pieces on the small board. @type {import("../model/fen.js").Board} */
    this.position = {};
    this.made = 0; // the number of replies
    /** @type {string[]} */
    this.last = [];
    /** @type {ReturnType<typeof setTimeout>|undefined} */
    this._reply = undefined;
    setUp(() => this.board);
    for (const name of Object.keys(CHOICES[1][2]))
      document.body.append(sprite(/** @type {SetName} */ (name), `${name}-`));
    const { connection } = connect(undefined, {
      welcomed: (welcome) => {
        this.member = welcome.account ?? false;
        this.render();
      },
    });
    this.connection = connection;
    addEventListener("storage", () => this.restart());
    this.restart();
  }

  /** Begin the game on the small board anew, with the present preferences. */
  restart() {
    clearTimeout(this._reply);
    document.querySelector(".sprite")?.replaceWith(sprite());
    const { variant } = GAMES[this.game];
    const holder = placeFor(variant);
    holder.classList.toggle("facing", settings.facing());
    this.board = new BoardView(holder, { variant, confirms: true, onMove: (move) => this.move(move) });
    this.position = read(variantOf(variant).start).board;
    this.made = 0;
    this.last = [];
    this.render();
  }

  /** @param {string} move */
  move(move) {
    this._make(move);
    clearTimeout(this._reply);
    this._answer(variantOf(GAMES[this.game].variant).seats.length - 1);
  }

  /** Let the other players move. @param {number} left the number of moves */
  _answer(left) {
    if (left === 0) return this.render();
    this._reply = setTimeout(() => {
      const { replies } = GAMES[this.game];
      const reply = replies[this.made++ % replies.length];
      if (this.position[squares(reply)[0]] !== undefined) this._make(reply);
      this._answer(left - 1);
    }, PAUSE);
    this.render();
  }

  /** @param {string} move */
  _make(move) {
    const taken = this.position[squares(move)[1]] !== undefined;
    this.position = put(this.position, move);
    this.last = squares(move);
    play(taken ? "take" : "move");
    this.render();
  }

  /** @param {Preference} name @param {string} value */
  async choose(name, value) {
    this.trouble = "";
    try {
      await keep(this.connection, this.member, name, value);
    } catch (error) {
      this.trouble = `Kept on this device only: ${refusal(error).message}`;
    }
    if (name === "sounds") play("turn");
    if (name === "pieces" || name === "coordinates" || name === "facing") this.restart();
    this.render();
  }

  render() {
    const { variant } = GAMES[this.game];
    const [mine] = variantOf(variant).seats;
    this.board?.show({
      board: this.position, last: this.last, mine, turn: mine, legal: moves(this.position, variant),
    });
    renew(byId("players"), this.game, () =>
      bar({ two: "Two", four: "Four" }, this.game, (name) => {
        this.game = /** @type {keyof typeof GAMES} */ (name);
        this.restart();
      }),
    );
    const chosen = CHOICES.map(([name, , values]) => {
      const value = settings.get(name) ?? "";
      return value in values ? value : Object.keys(values)[0];
    });
    renew(byId("choices"), [chosen, this.member, this.trouble, settings.loud()], () => [
      el("p", { class: "second" }, "Move a pawn or a knight to try it."),
      ...CHOICES.map(([name, title, values], index) =>
        el("fieldset", {},
          el("legend", {}, title),
          el("div", { class: `options of-${name}` },
            ...Object.entries(values).map(([value, words]) =>
              this._option(name, value, words, value === chosen[index]),
            ),
          ),
        ),
      ),
      check("sound", "Sound on this device", settings.loud(), (on) => {
        settings.set("sound", on ? "on" : "off");
        if (on) play("turn");
        this.render();
      }),
      el("p", { class: "kept second", role: "status" },
        ...(this.trouble
          ? [this.trouble]
          : this.member
            ? ["Kept with your account, on all your devices."]
            : ["Kept on this device. ", el("a", { href: "/#you" }, "Make an account"), " to have it everywhere."]),
      ),
    ]);
  }

  /** @param {Preference} name @param {string} value @param {string} words @param {boolean} checked */
  _option(name, value, words, checked) {
    return el("label", { class: "option" },
      el("input", {
        type: "radio", name, value, checked, "data-focus": `${name} ${value}`, onchange: () => this.choose(name, value),
      }),
      SAMPLES[name]?.(value) ?? null,
      el("span", {}, words),
    );
  }
}

/** Pictures of values. @type {Partial<Record<Preference, (value: string) => HTMLElement>>} */
const SAMPLES = {
  board: (value) =>
    sample("0 0 400 200", { "data-board": value },
      svg("g", { class: "squares" },
        ...[0, 1, 2, 3, 4, 5, 6, 7].map((index) =>
          svg("rect", {
            x: (index % 4) * 100, y: index > 3 ? 100 : 0, width: 100, height: 100,
            class: (index + (index > 3 ? 1 : 0)) % 2 ? "dark" : "light",
          }),
        ),
      ),
    ),
  pieces: (value) =>
    sample("0 0 200 100", {},
      ...["red K", "blue N"].map((piece, index) => {
        const [seat, kind] = piece.split(" ");
        return svg("g", { class: `piece ${seat}`, transform: `translate(${index * 100} 0)` },
          svg("use", { href: `#${value}-piece-${kind}`, width: 100, height: 100 }),
        );
      }),
    ),
};

/** @param {string} viewBox @param {Record<string, string>} attributes @param {Element[]} parts */
const sample = (viewBox, attributes, ...parts) =>
  el("span", { class: "sample", "aria-hidden": "true", ...attributes },
    svg("svg", { viewBox, class: "board of-4" }, ...parts),
  );

/**
 * The moves of the first player's pawns and knights.
 * @param {import("../model/fen.js").Board} board @param {string} variant
 */
function moves(board, variant) {
  const { seats: [mine], forward: [[files, ranks]] } = variantOf(variant);
  const known = new Set(boardOf(variant).squares);
  return Object.entries(board).flatMap(([from, cell]) => {
    if (cell[0] !== mine[0]) return [];
    const [file, rank] = parse(from);
    const at = (/** @type {number} */ x, /** @type {number} */ y) => nameOf(file + x, rank + y);
    const free = (/** @type {string} */ square) => known.has(square) && board[square] === undefined;
    const taken = (/** @type {string} */ square) => board[square] !== undefined && board[square][0] !== mine[0];
    if (cell[1] === "N")
      return LEAPS.map(([x, y]) => at(x, y))
        .filter((to) => known.has(to) && (free(to) || taken(to)))
        .map((to) => from + to);
    if (cell[1] !== "P") return [];
    const steps = free(at(files, ranks)) ? [at(files, ranks)] : [];
    if (steps.length && rank === 1 && free(at(2 * files, 2 * ranks))) steps.push(at(2 * files, 2 * ranks));
    const aside = [at(files - ranks, ranks + files), at(files + ranks, ranks - files)].filter(taken);
    return [...steps, ...aside].map((to) => from + to);
  });
}

new PreferencesPage();
