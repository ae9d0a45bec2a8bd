/** The input of a board. It turns mouse, touch and keyboard into pressed squares, dragged pieces and drawn lines. */

import { squareAt } from "../model/geometry.js";
import { UNIT } from "./squares.js";

const DRAG_FROM = 5; // pixels; a shorter movement is a click

/** The enlargement of a piece under a finger; it is drawn above the finger. */
const LIFTED = 2.4;

/** Milliseconds between the two taps of a double tap, at most. */
const DOUBLE = 350;

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/**
 * @typedef {object} Board the part of a board that the input needs
 * @property {SVGSVGElement} svg @property {import("./squares.js").Squares} squares
 * @property {(square: string) => {element: SVGElement, again: boolean}|null} press a square was pressed; returns the
 * piece to drag from there, and whether it was already selected
 * @property {(from: string, to: string|null) => void} dropped a piece was dropped on another square, or beside the
 * board
 * @property {(square: string) => void} again a selected piece was clicked again
 * @property {(from: string, to: string, event: MouseEvent) => void} drawn
 * @property {(square: string) => void} enter the keyboard presses a square
 * @property {() => void} escape
 * @property {(square: string) => boolean} movable whether the user may move the piece there
 * @property {import("./squares.js").Window} window the visible part of the board
 * @property {import("./zoom.js").Zoom|null} zoom
 */

export class BoardInput {
  /** @param {Board} board */
  constructor(board) {
    this._board = board;
    /**
     * @type {{square: string, element: SVGElement, x: number, y: number, on: boolean, again: boolean, pointer:
     * number}|null}
     */
    this._dragged = null;
    /** The piece that was just dropped. It is already in place, so it is not animated. @type {SVGElement|null} */
    this.dropped = null;
    /** The first square of an arrow. @type {string|null} */
    this._drawing = null;
    /**
     * A finger on a square without a movable piece, while the window is open: either a tap or a pan.
     * @type {{square: string, x: number, y: number, on: boolean, pointer: number}|null}
     */
    this._panned = null;
    /** The last tap on an empty square. @type {{square: string, time: number}|null} */
    this._tapped = null;
    /** Fingers on the board, by pointer. @type {Map<number, {x: number, y: number}>} */
    this._fingers = new Map();
    /** The distance of two fingers when the second came. */
    this._apart = 0;
    /**
     * Whether the keyboard focus is on the board. Arrow keys then walk its squares; otherwise they step through the
     * moves.
     */
    this._entered = false;
    this._pointing = false;
    const { svg, squares } = board;
    svg.addEventListener("contextmenu", (event) => event.preventDefault());
    svg.addEventListener("pointerdown", (event) => this._press(event));
    svg.addEventListener("pointermove", (event) => this._drag(event));
    svg.addEventListener("pointerup", (event) => this._release(event));
    svg.addEventListener("pointercancel", (event) => {
      this._lift(event);
      this.drop();
    });
    svg.addEventListener("keydown", (event) => this._key(event));
    svg.addEventListener("focusin", (event) => {
      const square = /** @type {Element} */ (event.target).getAttribute("data-square");
      if (square === null) return;
      if (!svg.contains(/** @type {Node|null} */ (event.relatedTarget)) || !this._pointing)
        this._entered = !this._pointing;
      squares.go(square, false);
    });
    svg.addEventListener("focusout", () => squares.showCursor());
  }

  /** The square from which a piece is being dragged. */
  get from() {
    return this._dragged?.square ?? null;
  }

  /** Whether this piece is being dragged. @param {SVGElement} element */
  holds(element) {
    return this._dragged?.element === element;
  }

  /** A point on the board, in board units. @param {MouseEvent} event @returns {[number, number]} */
  _at(event) {
    const box = this._board.svg.getBoundingClientRect();
    const { left, top, width, height } = this._board.window;
    return [
      left + ((event.clientX - box.left) / box.width) * width, top + ((event.clientY - box.top) / box.height) * height,
    ];
  }

  /** @param {MouseEvent} event */
  squareOf(event) {
    const { geometry, rotation } = this._board.squares;
    const [x, y] = this._at(event);
    const { left, top, width, height } = this._board.window;
    if (x < left || y < top || x >= left + width || y >= top + height) return null;
    const [column, row] = [Math.floor(x / UNIT), Math.floor(y / UNIT)];
    if (column < 0 || row < 0 || column >= geometry.size || row >= geometry.size) return null;
    return squareAt(geometry, rotation, column, row);
  }

  /** @param {PointerEvent} event */
  _press(event) {
    this._entered = false;
    this._pointing = true;
    if (event.pointerType === "touch") {
      this._fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
      if (this._fingers.size === 2) return this._pinch();
    }
    const square = this.squareOf(event);
    if (square === null) return;
    if (event.button === 2) this._drawing = square;
    if (event.button !== 0) return;
    this._board.squares.go(square, false);
    if (this._board.zoom?.open && !this._board.movable(square)) {
      this._panned = { square, x: event.clientX, y: event.clientY, on: false, pointer: event.pointerId };
      this._board.svg.setPointerCapture(event.pointerId);
      return;
    }
    this._take(square, event);
  }

  /** @param {string} square @param {PointerEvent} event */
  _take(square, event) {
    const held = this._board.press(square);
    if (held === null) return this._tap(square, event);
    event.preventDefault();
    this._dragged = { square, ...held, x: event.clientX, y: event.clientY, on: false, pointer: event.pointerId };
    this._board.svg.setPointerCapture(event.pointerId);
  }

  /**
   * A second tap on the same empty square opens a window there, or closes it.
   * @param {string} square @param {PointerEvent} event
   */
  _tap(square, event) {
    const { zoom } = this._board;
    const before = this._tapped;
    this._tapped = { square, time: event.timeStamp };
    if (!zoom?.useful || before?.square !== square || event.timeStamp - before.time > DOUBLE) return;
    this._tapped = null;
    if (zoom.open) zoom.close();
    else zoom.at(...this._at(event));
  }

  /** Two fingers are on the board: end what one finger began. */
  _pinch() {
    this.drop();
    this._panned = null;
    this._apart = this._distance();
  }

  _distance() {
    const [one, other] = [...this._fingers.values()];
    return Math.hypot(one.x - other.x, one.y - other.y);
  }

  /** @param {PointerEvent} event */
  _drag(event) {
    const finger = this._fingers.get(event.pointerId);
    if (finger !== undefined && this._fingers.size === 2) return this._spread(finger, event);
    if (this._panned?.pointer === event.pointerId) return this._pan(this._panned, event);
    const drag = this._dragged;
    if (!drag || event.pointerId !== drag.pointer) return;
    if (!drag.on && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < DRAG_FROM) return;
    if (!drag.on) {
      drag.on = true;
      drag.element.classList.remove("moving");
      drag.element.classList.add("dragged");
      drag.element.parentNode?.append(drag.element);
    }
    const touch = event.pointerType === "touch";
    const [x, y] = this._at(event);
    drag.element.style.transform = touch
      ? `translate(${x - (LIFTED * UNIT) / 2}px, ${y - LIFTED * UNIT - UNIT / 4}px) scale(${LIFTED})`
      : `translate(${x - UNIT / 2}px, ${y - UNIT / 2}px)`;
    this._board.squares.hover(this.squareOf(event), touch);
  }

  /** @param {{x: number, y: number}} finger @param {PointerEvent} event */
  _spread(finger, event) {
    Object.assign(finger, { x: event.clientX, y: event.clientY });
    const { zoom } = this._board;
    const grown = this._distance() / Math.max(1, this._apart);
    if (grown > 1.25) {
      const [one, other] = [...this._fingers.values()];
      const middle = /** @type {MouseEvent} */ ({ clientX: (one.x + other.x) / 2, clientY: (one.y + other.y) / 2 });
      zoom?.at(...this._at(middle));
    } else if (grown < 0.8) zoom?.close();
  }

  /** @param {{x: number, y: number, on: boolean}} pan @param {PointerEvent} event */
  _pan(pan, event) {
    if (!pan.on && Math.hypot(event.clientX - pan.x, event.clientY - pan.y) < DRAG_FROM) return;
    pan.on = true;
    const scale = this._board.window.width / this._board.svg.getBoundingClientRect().width;
    this._board.zoom?.pan((pan.x - event.clientX) * scale, (pan.y - event.clientY) * scale);
    Object.assign(pan, { x: event.clientX, y: event.clientY });
  }

  /** A finger or button was lifted. @param {PointerEvent} event */
  _lift(event) {
    this._fingers.delete(event.pointerId);
    setTimeout(() => (this._pointing = false)); // the focus caused by a press still belongs to the press
  }

  /** @param {PointerEvent} event */
  _release(event) {
    this._lift(event);
    if (event.button === 2 && this._drawing !== null) {
      const end = this.squareOf(event);
      if (end !== null) this._board.drawn(this._drawing, end, event);
      this._drawing = null;
      return;
    }
    const pan = this._panned;
    if (pan?.pointer === event.pointerId) {
      this._panned = null;
      if (!pan.on) this._take(pan.square, event);
      this.drop();
      return;
    }
    const drag = this._dragged;
    if (!drag || event.pointerId !== drag.pointer) return;
    const target = this.squareOf(event);
    this.dropped = drag.on ? drag.element : null;
    this.drop();
    if (drag.on && target !== drag.square) this._board.dropped(drag.square, target);
    else if (!drag.on && drag.again) this._board.again(drag.square);
    this.dropped = null;
  }

  /** Put a dragged piece back. If it has moved, the next drawing puts it in its new place. */
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
    if (step !== undefined && !this._entered) return; // the replay's
    if (step !== undefined) this._board.squares.step(step[0], step[1]);
    else if (event.key === "Enter" || event.key === " ") this._board.enter(this._board.squares.focus);
    else if (event.key === "Escape") this._board.escape();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
