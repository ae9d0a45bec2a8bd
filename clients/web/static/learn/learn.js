/** Teaches the rules of a variant by five small positions to play. It needs no server once it is loaded. */

import { BoardView } from "../board/board.js";
import { placeFor, setUp } from "../board/desk.js";
import { read } from "../model/fen.js";
import { rotationFor, variantOf } from "../model/geometry.js";
import { meant } from "../model/movetext.js";
import { squares } from "../model/table.js";
import { VARIANTS } from "../text/words.js";
import { chip } from "../ui/chip.js";
import { button, byId, el, renew, speak } from "../ui/dom.js";
import { moveForm } from "../ui/moveform.js";
import { LESSONS } from "./lessons.js";

/** @typedef {import("./lessons.js").Lesson} Lesson */

/** Milliseconds that a wrong move stays on the board. */
const SEEN = 900;

class LearnPage {
  constructor() {
    this.variant = location.pathname.split("/")[2] ?? "";
    if (!(this.variant in LESSONS)) this.variant = "survivor";
    this.number = 0;
    /** The finished lessons. @type {Set<number>} */
    this.done = new Set();
    this.verdict = "";
    this.wrong = false;
    /** The user's move. @type {string|null} */
    this.made = null;
    setUp(() => this.board);
    this.board = new BoardView(placeFor(this.variant), { variant: this.variant, onMove: (move) => this.move(move) });
    const name = VARIANTS[this.variant].name;
    byId("title").textContent = `Learn ${name}`;
    document.title = `Learn ${name} · Fourfold`;
    byId("games").append(
      el("h2", {}, "Rules of"),
      ...Object.keys(LESSONS)
        .filter((variant) => variant in VARIANTS)
        .map((variant) =>
          el("a",
            { class: "button", href: `/learn/${variant}`, "aria-current": variant === this.variant ? "page" : null },
            VARIANTS[variant].name,
          ),
        ),
    );
    addEventListener("hashchange", () => this.open(this._asked()));
    this.open(this._asked());
  }

  /** The lesson in the page's address. */
  _asked() {
    const number = Number(location.hash.slice(1)) || 1;
    return Math.min(Math.max(number, 1), this.lessons.length) - 1;
  }

  get lessons() {
    return LESSONS[this.variant];
  }

  get lesson() {
    return this.lessons[this.number];
  }

  /** Whether the present lesson is solved. */
  get solved() {
    return this.made !== null && !this.wrong;
  }

  /** @param {number} number */
  open(number) {
    this.number = number;
    this.verdict = "";
    this.wrong = false;
    this.made = null;
    this.board.rotate(rotationFor(this.variant, this._mine()));
    this.render();
    speak(`${number + 1} of ${this.lessons.length}. ${this.lesson.title}. ${this.lesson.text}`);
  }

  /** The user's seat. */
  _mine() {
    const { turn } = read(this.lesson.position);
    return variantOf(this.variant).seats.find((seat) => seat[0] === turn) ?? null;
  }

  /** @param {string} move */
  async move(move) {
    const { lesson } = this;
    if (this.made !== null) return;
    this.made = move;
    this.wrong = lesson.solved?.[move] === undefined;
    this._tell(this.wrong ? lesson.hint : lesson.right);
    if (!this.wrong) return;
    await new Promise((done) => setTimeout(done, SEEN));
    if (lesson !== this.lesson || !this.wrong) return;
    this.made = null;
    this.render();
  }

  /** @param {number} answer */
  answer(answer) {
    this.wrong = answer !== 0;
    this.made = this.wrong ? null : "answered";
    this._tell(this.wrong ? this.lesson.hint : this.lesson.right);
  }

  /** @param {string} verdict */
  _tell(verdict) {
    this.verdict = this.wrong ? `Not yet. ${verdict}` : verdict;
    if (!this.wrong) this.done.add(this.number);
    speak(this.verdict);
    this.render();
  }

  /** @param {string} text */
  type(text) {
    const found = meant(text, read(this.lesson.position).board, this.lesson.legal ?? []);
    if (typeof found === "string") this.move(found);
    else {
      this.wrong = true;
      this.verdict = found.why;
      speak(found.why);
      this.render();
    }
  }

  // -- drawing --

  render() {
    const { lesson, made } = this;
    const mine = this._mine();
    const after = made === null ? undefined : lesson.solved?.[made];
    const { board } = read(after ?? lesson.position);
    if (made !== null && this.wrong) {
      const [from, to] = squares(made);
      board[to] = board[from];
      delete board[from];
    }
    const free = made === null && lesson.legal !== undefined;
    this.board.show({
      board, last: made === null || lesson.legal === undefined ? [] : squares(made), legal: free ? lesson.legal : [],
      mine: free ? mine : null, turn: mine,
    });
    renew(byId("task"), [this.number, this.verdict, this.wrong, this.solved, [...this.done]], () =>
      this._task(lesson, mine),
    );
  }

  /** @param {Lesson} lesson @param {string|null} mine */
  _task(lesson, mine) {
    const last = this.number === this.lessons.length - 1;
    const next = last
      ? el("a", { class: `button ${this.solved ? "primary" : ""}`, href: "/", "data-focus": "next" }, "Play")
      : button(this.solved ? "Next" : "Skip", () => (location.hash = `#${this.number + 2}`),
          { "data-focus": "next", class: this.solved ? "primary" : null },
        );
    return [
      el("ol", { class: "steps-bar", "aria-label": "Lessons" },
        ...this.lessons.map(({ title }, index) =>
          el("li", {},
            button(this.done.has(index) ? "✓" : `${index + 1}`, () => (location.hash = `#${index + 1}`), {
              "data-focus": `step ${index}`, class: this.done.has(index) ? "done" : null,
              "aria-current": index === this.number ? "step" : null,
              "aria-label": `${index + 1}. ${title}${this.done.has(index) ? ", done" : ""}`,
            }),
          ),
        ),
      ),
      el("h2", {}, mine && lesson.legal ? chip(mine) : "", el("span", {}, lesson.title)),
      el("p", { class: "told" }, lesson.text),
      lesson.answers && !this.solved
        ? el("div", { class: "answers" },
            ...this._shuffled(lesson.answers).map(([words, index]) =>
              button(words, () => this.answer(index), { "data-focus": `answer ${index}` }),
            ),
          )
        : null,
      el("p", { class: `verdict ${this.wrong ? "wrong" : "right"}` }, this.verdict),
      el("div", { class: "buttons" }, next,
        this.solved && lesson.legal
          ? button("Again", () => this.open(this.number), { "data-focus": "again" })
          : null,
      ),
      lesson.legal && !this.solved ? moveForm((text) => this.type(text)) : null,
    ];
  }

  /**
   * The answers, shuffled: the right one is not always first.
   * @param {string[]} answers @returns {[string, number][]}
   */
  _shuffled(answers) {
    const all = answers.map((words, index) => /** @type {[string, number]} */ ([words, index]));
    return this.number % 2 === 0 ? all.reverse() : all;
  }
}

new LearnPage();
