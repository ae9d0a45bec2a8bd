/** The page of puzzles: positions of the user's games with a missed chance, to solve on the board. */

import { BoardView } from "../board/board.js";
import { placeFor, setUp } from "../board/desk.js";
import { read } from "../model/fen.js";
import { rotationFor } from "../model/geometry.js";
import { meant } from "../model/movetext.js";
import { squares } from "../model/table.js";
import { refusal } from "../net/connection.js";
import { late } from "../net/loading.js";
import { connect } from "../net/page.js";
import * as settings from "../net/settings.js";
import { capital, plural } from "../text/words.js";
import { chip } from "../ui/chip.js";
import { button, byId, el, renew, speak } from "../ui/dom.js";
import { moveForm } from "../ui/moveform.js";

/** @typedef {import("../net/connection.js").Frames["puzzles"]["puzzles"][0]} Posed */
/** @typedef {import("../net/connection.js").Frames["solved"]} Solved */

const zoom = late(() => import("../board/zoom.js"));

/** Milliseconds that a wrong move stays on the board. */
const SEEN = 700;

class PuzzlesPage {
  constructor() {
    /** @type {Posed[]|null} null: not known yet */
    this.all = null;
    this.number = 0;
    /** The state of the puzzle. @type {Solved|null} */
    this.solved = null;
    /** The user's moves so far. @type {string[]} */
    this.moves = [];
    this.verdict = "";
    this.wrong = false;
    this.why = "";
    this._busy = false;
    /** @type {BoardView|undefined} */
    this.board = undefined;
    this.connection = connect().connection;
    addEventListener("hashchange", () => this.load());
    setUp(() => this.board);
    this.load();
  }

  get puzzle() {
    return this.all?.[this.number];
  }

  /** Request puzzles: of the game in the address, or of the user's games. */
  async load() {
    const room = location.hash.slice(1);
    this.all = this.solved = null;
    this.why = "";
    this.render();
    try {
      this.all = (await this.connection.request({ type: "puzzles", ...(room === "" ? {} : { room }) })).puzzles;
      const known = solvedOnes();
      await this.open(Math.max(0, this.all.findIndex((one) => !known.includes(name(one)))));
    } catch (error) {
      this._refused(error);
    }
  }

  /** @param {unknown} error */
  _refused(error) {
    this.why = refusal(error).message;
    this.render();
  }

  /** @param {number} number */
  async open(number) {
    this.number = number;
    this.moves = [];
    this.verdict = "";
    this.wrong = false;
    if (this.puzzle !== undefined) await this._ask([], false);
    this.render();
    speak(
      this.puzzle === undefined
        ? "There are no puzzles."
        : `Puzzle ${number + 1} of ${this.all?.length}. ${this.words}`,
    );
  }

  /** The task. */
  get words() {
    const { puzzle } = this;
    if (puzzle === undefined) return "";
    const what =
      puzzle.goal === "mate"
        ? puzzle.moves === 1
          ? "Mate with one move"
          : `Mate in ${puzzle.moves}`
        : "Find the move that gains most";
    return `${capital(puzzle.seat)} to move. ${what}.`;
  }

  /** @param {string[]} moves @param {boolean} show */
  async _ask(moves, show) {
    const { puzzle } = this;
    if (puzzle === undefined) return;
    const { room, game, ply } = puzzle;
    this.solved = await this.connection.request({ type: "solve", room, game, ply, moves, show });
  }

  /** @param {string} move */
  async move(move) {
    const { solved, board } = this;
    if (solved === null || solved.done || this._busy || board === undefined) return;
    this._busy = true;
    try {
      await this._ask([...this.moves, move], false);
      const now = /** @type {Solved} */ (this.solved);
      if (now.right) {
        this.moves.push(move);
        this.wrong = false;
        this.verdict = now.done ? `Solved: ${now.texts.join(" ")}` : `Right. The reply is ${now.texts.at(-1)}; go on.`;
        if (now.done && this.puzzle !== undefined) remember(this.puzzle);
      } else {
        this.wrong = true;
        this.verdict = "That is not it. Try again.";
        this._show(solved, { [squares(move)[1]]: squares(move)[0] });
        await new Promise((done) => setTimeout(done, SEEN));
      }
      speak(this.verdict);
    } catch (error) {
      this._refused(error);
    } finally {
      this._busy = false;
    }
    this.render();
  }

  async show() {
    try {
      await this._ask([], true);
    } catch (error) {
      return this._refused(error);
    }
    this.wrong = false;
    this.verdict = `The solution: ${this.solved?.texts.join(" ")}`;
    speak(this.verdict);
    this.render();
  }

  /** @param {string} text */
  type(text) {
    if (this.solved === null || this.solved.done) return;
    const found = meant(text, read(this.solved.position).board, this.solved.legal);
    if (typeof found === "string") this.move(found);
    else {
      this.verdict = found.why;
      this.wrong = true;
      speak(found.why);
      this.render();
    }
  }

  // -- drawing --

  /**
   * Show a position; `put` has squares to which pieces have moved, and the squares where they came from.
   * @param {Solved} solved @param {Record<string, string>} [put]
   */
  _show(solved, put = {}) {
    const { board } = read(solved.position);
    for (const [to, from] of Object.entries(put)) {
      board[to] = board[from];
      delete board[from];
    }
    const last = solved.played.at(-1);
    const mine = solved.done ? null : solved.turn;
    this.board?.show({
      board, last: last === undefined ? [] : squares(last), check: solved.check, legal: solved.legal, mine,
      turn: solved.turn,
    });
  }

  /** The board of the puzzle's variant, seen by the player to move. @param {Posed} puzzle */
  _lay(puzzle) {
    if (this.board?.variant !== puzzle.variant) {
      const holder = placeFor(puzzle.variant);
      const board = new BoardView(holder, { variant: puzzle.variant, onMove: (move) => this.move(move) });
      zoom().then(({ Zoom }) => (board.zoom = new Zoom(board, holder)));
      this.board = board;
    }
    this.board.rotate(rotationFor(puzzle.variant, puzzle.seat));
  }

  render() {
    const { puzzle, solved, all } = this;
    if (puzzle !== undefined && solved !== null) {
      this._lay(puzzle);
      this._show(solved);
    }
    renew(byId("task"), [puzzle, solved, this.verdict, this.wrong, this.why, all], () => {
      if (this.why) return [el("p", { class: "bad" }, this.why)];
      if (all === null) return [el("p", { class: "second" }, "Looking for puzzles…")];
      if (puzzle === undefined)
        return [
          el("h2", {}, "No puzzles yet"),
          el("p", {},
            "Puzzles are made when a game is reviewed: open one of your games, and press “Review this game”. " +
              "Its missed chances become puzzles here.",
          ),
          el("div", { class: "buttons" }, el("a", { class: "button", href: "/#games" }, "My games")),
        ];
      const done = solved?.done ?? false;
      return [
        el("p", { class: "second" }, `Puzzle ${this.number + 1} of ${all.length}, from `,
          el("a", { href: `/r/${puzzle.room}#${puzzle.ply}` }, "this game"),
          puzzle.own ? ", where you missed it" : `, where ${capital(puzzle.seat)} missed it`,
        ),
        el("h2", {}, chip(puzzle.seat), el("span", {}, this.words)),
        el("p", { class: `verdict${this.wrong ? " wrong" : ""}` }, this.verdict),
        el("div", { class: "buttons" },
          button("Next puzzle", () => this.open((this.number + 1) % all.length),
            { "data-focus": "next", class: done ? "primary" : null, disabled: all.length < 2 },
          ),
          done
            ? button("Again", () => this.open(this.number), { "data-focus": "again" })
            : button("Show the solution", () => this.show(), { "data-focus": "show" }),
        ),
        done ? null : moveForm((text) => this.type(text)),
        el("p", { class: "second" },
          `${plural(all.filter((one) => solvedOnes().includes(name(one))).length, "puzzle")} solved in this browser.`,
        ),
      ];
    });
  }
}

/** The key of a puzzle in this browser's storage. @param {Posed} puzzle */
const name = ({ room, game, ply }) => `${room}.${game}.${ply}`;

/** The number of solved puzzles that this browser remembers. */
const REMEMBERED = 500;

const solvedOnes = () => (settings.get("solved") ?? "").split(" ").filter(Boolean);

/** @param {Posed} puzzle */
const remember = (puzzle) =>
  settings.set("solved",
    [...solvedOnes().filter((one) => one !== name(puzzle)), name(puzzle)].slice(-REMEMBERED).join(" "),
  );

new PuzzlesPage();
