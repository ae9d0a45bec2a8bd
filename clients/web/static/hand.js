/** The user's hand on a board: mouse, touch and keyboard made into squares that are pressed, pieces that are dragged, lines that are drawn. */

import { squareAt } from "./geometry.js";
import { UNIT } from "./squares.js";

const DRAG_FROM = 5; // pixels; less is a click

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/**
 * @typedef {object} Board what a hand needs of a board
 * @property {SVGSVGElement} svg @property {import("./squares.js").Squares} squares
 * @property {(square: string) => {element: SVGElement, again: boolean}|null} press a square was pressed; the piece that may now be dragged from there, and whether it was selected before
 * @property {(from: string, to: string|null) => void} dropped a piece was let go over another square, or beside the board
 * @property {(square: string) => void} again a piece was clicked that was selected before
 * @property {(from: string, to: string, event: MouseEvent) => void} drawn
 * @property {(square: string) => void} enter the keyboard presses a square
 * @property {() => void} escape
 */

export class Hand {
  /** @param {Board} board */
  constructor(board) {
    this._board = board;
    /** @type {{square: string, element: SVGElement, x: number, y: number, on: boolean, again: boolean, pointer: number}|null} */
    this._dragged = null;
    /** The piece that was just let go: it is where it shall be, and does not glide there. @type {SVGElement|null} */
    this.dropped = null;
    /** Where an arrow begins. @type {string|null} */
    this._drawing = null;
    const { svg, squares } = board;
    svg.addEventListener("contextmenu", (event) => event.preventDefault());
    svg.addEventListener("pointerdown", (event) => this._press(event));
    svg.addEventListener("pointermove", (event) => this._drag(event));
    svg.addEventListener("pointerup", (event) => this._release(event));
    svg.addEventListener("pointercancel", () => this.drop());
    svg.addEventListener("keydown", (event) => this._key(event));
    svg.addEventListener("focusin", (event) => {
      const square = /** @type {Element} */ (event.target).getAttribute("data-square");
      if (square !== null) squares.go(square, false);
    });
    svg.addEventListener("focusout", () => squares.showCursor());
  }

  /** The square from which a piece is being dragged. */
  get from() {
    return this._dragged?.square ?? null;
  }

  /** Whether it is this piece that is being dragged. @param {SVGElement} element */
  holds(element) {
    return this._dragged?.element === element;
  }

  /** @param {MouseEvent} event */
  _squareOf(event) {
    const box = this._board.svg.getBoundingClientRect();
    const { geometry, rotation } = this._board.squares;
    const column = Math.floor(((event.clientX - box.left) / box.width) * geometry.size);
    const row = Math.floor(((event.clientY - box.top) / box.height) * geometry.size);
    if (column < 0 || row < 0 || column >= geometry.size || row >= geometry.size) return null;
    return squareAt(geometry, rotation, column, row);
  }

  /** @param {PointerEvent} event */
  _press(event) {
    const square = this._squareOf(event);
    if (square === null) return;
    if (event.button === 2) this._drawing = square;
    if (event.button !== 0) return;
    this._board.squares.go(square, false);
    const held = this._board.press(square);
    if (held === null) return;
    event.preventDefault();
    this._dragged = { square, ...held, x: event.clientX, y: event.clientY, on: false, pointer: event.pointerId };
    this._board.svg.setPointerCapture(event.pointerId);
  }

  /** @param {PointerEvent} event */
  _drag(event) {
    const drag = this._dragged;
    if (!drag || event.pointerId !== drag.pointer) return;
    if (!drag.on && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < DRAG_FROM) return;
    if (!drag.on) {
      drag.on = true;
      drag.element.classList.remove("moving");
      drag.element.classList.add("dragged");
      drag.element.parentNode?.append(drag.element);
    }
    const box = this._board.svg.getBoundingClientRect();
    const scale = (this._board.squares.geometry.size * UNIT) / box.width;
    const x = (event.clientX - box.left) * scale - UNIT / 2;
    const y = (event.clientY - box.top) * scale - UNIT / (event.pointerType === "touch" ? 1.2 : 2); // a finger hides what is under it
    drag.element.style.transform = `translate(${x}px, ${y}px)`;
    this._board.squares.hover(this._squareOf(event));
  }

  /** @param {PointerEvent} event */
  _release(event) {
    if (event.button === 2 && this._drawing !== null) {
      const end = this._squareOf(event);
      if (end !== null) this._board.drawn(this._drawing, end, event);
      this._drawing = null;
      return;
    }
    const drag = this._dragged;
    if (!drag || event.pointerId !== drag.pointer) return;
    const target = this._squareOf(event);
    this.dropped = drag.on ? drag.element : null;
    this.drop();
    if (drag.on && target !== drag.square) this._board.dropped(drag.square, target);
    else if (!drag.on && drag.again) this._board.again(drag.square);
    this.dropped = null;
  }

  /** Put a dragged piece back; if it has moved, it is put elsewhere afterwards. */
  drop() {
    const drag = this._dragged;
    if (!drag) return;
    this._dragged = null;
    drag.element.classList.remove("dragged");
    const [x, y] = this._board.squares.corner(drag.square);
    drag.element.style.transform = `translate(${x}px, ${y}px)`;
    this._board.squares.hover(null);
  }

  /** @param {KeyboardEvent} event */
  _key(event) {
    const step = ARROWS[/** @type {keyof typeof ARROWS} */ (event.key)];
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (step !== undefined) this._board.squares.step(step[0], step[1]);
    else if (event.key === "Enter" || event.key === " ") this._board.enter(this._board.squares.focus);
    else if (event.key === "Escape") this._board.escape();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
