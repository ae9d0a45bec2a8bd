/**
 * A window of eight by eight squares on a board whose squares are too small for a finger: opened by a pinch or a double
 * tap, moved by dragging an empty square, with a map in its corner.
 */

import { el } from "../ui/dom.js";
import { UNIT } from "./squares.js";
import "./late.js";

/** Pixels. The window is available for smaller squares. */
const SMALL = 32;
/** The width of the window, in squares. */
const WIDE = 8;

/**
 * @typedef {object} Board the part of a board that the window needs
 * @property {boolean} small a picture without input @property {import("./squares.js").Squares} squares
 * @property {import("./squares.js").Window} window the visible part
 * @property {import("./marks.js").View} view
 * @property {(part: import("./squares.js").Window|null) => void} look show a part; null: all of it
 * @property {(holder: HTMLElement) => Miniature} miniature
 *
 * @typedef {object} Miniature a small board of the same kind
 * @property {(rotation: number) => void} rotate
 * @property {(view: import("./marks.js").View, how: {animate: boolean}) => void} show
 */

export class Zoom {
  /**
   * @param {Board} board @param {HTMLElement} frame the element that holds it
   */
  constructor(board, frame) {
    this._board = board;
    this._frame = frame;
    this.open = false;
    this._map = el("button", {
      type: "button", class: "map", "aria-label": "Show the whole board", title: "Show the whole board", hidden: true,
      onclick: () => this.close(),
    });
    this._area = el("i");
    /** @type {Miniature|null} */
    this._small = null; // until it is drawn
    frame.append(this._map);
    new ResizeObserver(() => this._fit()).observe(frame);
  }

  /** Whether the squares are so small that a window helps. */
  get useful() {
    return !this._board.small && (this.open || this._frame.clientWidth / this._board.squares.geometry.size < SMALL);
  }

  _fit() {
    this._frame.classList.toggle("zoomable", this.useful);
    if (!this.open) return;
    if (this._frame.clientWidth / this._board.squares.geometry.size >= SMALL) this.close();
    else this._move(this._board.window.left, this._board.window.top);
  }

  /** Open the window around a point of the board. @param {number} x @param {number} y in the board's units */
  at(x, y) {
    if (!this.useful || this.open) return;
    this._mark(true);
    const { width, height } = this._size();
    this._move(Math.round((x - width / 2) / UNIT) * UNIT, Math.round((y - height / 2) / UNIT) * UNIT);
    this.show();
  }

  /** Open the window in the middle, or close it. */
  turn() {
    const middle = (this._board.squares.geometry.size * UNIT) / 2;
    if (this.open) this.close();
    else this.at(middle, middle);
  }

  close() {
    if (!this.open) return;
    this._mark(false);
    this._board.look(null);
  }

  /** @param {boolean} open */
  _mark(open) {
    this.open = open;
    this._map.hidden = !open;
    document.body.classList.toggle("zoomed", open);
  }

  _size() {
    const width = WIDE * UNIT;
    return { width, height: width * (this._frame.clientHeight / Math.max(1, this._frame.clientWidth)) };
  }

  /** @param {number} left @param {number} top */
  _move(left, top) {
    const side = this._board.squares.geometry.size * UNIT;
    const { width, height } = this._size();
    const within = (/** @type {number} */ at, /** @type {number} */ length) => Math.max(0, Math.min(side - length, at));
    const part = { left: within(left, width), top: within(top, height), width, height };
    this._board.look(part);
    const share = (/** @type {number} */ length) => `${(length / side) * 100}%`;
    Object.assign(this._area.style, {
      left: share(part.left), top: share(part.top), width: share(part.width), height: share(part.height),
    });
  }

  /** Move the window. @param {number} right @param {number} down in the board's units */
  pan(right, down) {
    const { left, top } = this._board.window;
    this._move(left + right, top + down);
  }

  /** Redraw the map. */
  show() {
    if (!this.open) return;
    if (this._small === null) {
      this._small = this._board.miniature(this._map);
      this._map.append(this._area);
    }
    this._small.rotate(this._board.squares.rotation);
    this._small.show({ board: this._board.view.board }, { animate: false });
  }
}
