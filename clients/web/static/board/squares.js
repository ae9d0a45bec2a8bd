/**
 * The squares of a board on the page, with their letters and numbers: a grid with one tab stop. Each square's label
 * names its piece.
 */

import { cellAt, dark, place, squareAt } from "../model/geometry.js";
import { svg } from "../ui/dom.js";

export const UNIT = 100;

/** The width of the margin for coordinates beside the board. The style sheet makes room for it. */
const MARGIN = 40;

/** @typedef {{left: number, top: number, width: number, height: number}} Window a part of a board, in its units */

export class Squares {
  /**
   * @param {{squares: Element, labels: Element, cursor: Element}} layers
   * @param {object} how
   * @param {import("../model/geometry.js").Geometry} how.geometry
   * @param {string} how.focus the square where the keyboard begins
   * @param {boolean} how.small a picture without input
   * @param {boolean} [how.beside] whether the coordinates stand beside the board
   */
  constructor(layers, { geometry, focus, small, beside = false }) {
    this.geometry = geometry;
    this.rotation = 0;
    /** The margin at the left and below, for coordinates. */
    this.margin = beside && !small && geometry.left === 0 && geometry.below === 0 ? MARGIN : 0;
    /** The keyboard's square. */
    this.focus = focus;
    this._layers = layers;
    this._small = small;
    /** @type {Map<string, SVGElement>} */
    this._cells = new Map();
    /** Where each square lies now. @type {Map<string, [number, number]>} */
    this._corners = new Map();
    /** @type {SVGElement|undefined} */
    this._hovered = undefined;
    /** The visible part of the board, if not all. @type {Window|null} */
    this._part = null;
    if (!small) {
      layers.squares.setAttribute("role", "grid");
      layers.squares.setAttribute("aria-label", "Chess board");
    }
    this.build(0);
  }

  /** @param {number} rotation in quarter turns */
  build(rotation) {
    this.rotation = rotation;
    const { squares } = this._layers;
    const { size } = this.geometry;
    squares.replaceChildren();
    this._cells.clear();
    this._corners.clear();
    for (let row = 0; row < size; row++) {
      const line = svg("g", this._small ? {} : { role: "row" });
      for (let column = 0; column < size; column++) {
        const square = squareAt(this.geometry, rotation, column, row);
        if (square === null) continue;
        const cell = /** @type {SVGElement} */ (
          svg("rect", {
            x: column * UNIT, y: row * UNIT, width: UNIT, height: UNIT, class: dark(square) ? "dark" : "light",
          })
        );
        this._cells.set(square, cell);
        this._corners.set(square, [column * UNIT, row * UNIT]);
        line.append(cell);
        if (this._small) continue;
        cell.setAttribute("data-square", square);
        cell.setAttribute("role", "gridcell");
        cell.setAttribute("tabindex", square === this.focus ? "0" : "-1");
      }
      squares.append(line);
    }
    this.label(this._part);
  }

  /** Write the letters and numbers at the edges of the board, or of its visible part. @param {Window|null} part */
  label(part) {
    this._part = part;
    const { labels } = this._layers;
    labels.replaceChildren();
    if (this._small) return;
    const { size } = this.geometry;
    if (part !== null) {
      const [columns, rows] = [part.left, part.top].map((at, index) => [
        Math.ceil(at / UNIT), Math.floor((at + (index ? part.height : part.width)) / UNIT),
      ]);
      for (let column = columns[0]; column < columns[1]; column++)
        this._write(labels, this._names(column, rows[1] - 1)[0], (column + 1) * UNIT - 4, part.top + part.height - 6,
          "end",
        );
      for (let row = rows[0]; row < rows[1]; row++)
        this._write(labels, this._names(columns[0], row)[1], part.left + 4, row * UNIT + 22, "start");
      return;
    }
    for (let row = 0; row < size; row++) {
      for (let column = 0; column < size; column++) {
        if (squareAt(this.geometry, this.rotation, column, row) !== null) this._label(labels, column, row);
      }
    }
  }

  /**
   * The letter below a column and the number beside a row.
   * @param {number} column @param {number} row @returns {[string, string]}
   */
  _names(column, row) {
    const [file, rank] = cellAt(this.geometry, this.rotation, column, row);
    const [letter, number] = [String.fromCharCode(97 + file), `${rank + 1}`];
    return this.rotation % 2 ? [number, letter] : [letter, number];
  }

  /**
   * @param {Element} labels @param {string} text @param {number} x @param {number} y @param {string} anchor
   * @param {"outside"|""} [where] whether it stands beside the board
   */
  _write(labels, text, x, y, anchor, where = "") {
    const label = svg("text", { x, y, "text-anchor": anchor, class: where });
    label.textContent = text;
    labels.append(label);
  }

  /**
   * The letters and numbers at the edge, upright however the board is turned.
   * @param {Element} labels @param {number} column @param {number} row
   */
  _label(labels, column, row) {
    const { size } = this.geometry;
    const below = row + 1 >= size || squareAt(this.geometry, this.rotation, column, row + 1) === null;
    const beside = column === 0 || squareAt(this.geometry, this.rotation, column - 1, row) === null;
    const lower = row >= size / 2;
    const lefter = column < size / 2;
    const [under, left] = this._names(column, row);
    const high = size <= 8 ? 20 : 22;
    if (this.margin > 0 && row === size - 1)
      this._write(labels, under, (column + 0.5) * UNIT, size * UNIT + this.margin - 9, "middle", "outside");
    else if (below && lower) this._write(labels, under, (column + 1) * UNIT - 4, (row + 1) * UNIT - 5, "end");
    if (this.margin > 0 && column === 0)
      this._write(labels, left, -this.margin / 2, (row + 0.5) * UNIT + 8, "middle", "outside");
    else if (beside && lefter) this._write(labels, left, column * UNIT + 4, row * UNIT + high, "start");
  }

  /**
   * The top left corner of a square, in the board's units. If the board has no such square, that of the board.
   * @param {string} square @returns {[number, number]}
   */
  corner(square) {
    return this._corners.get(square) ?? [0, 0];
  }

  /** The label of each square for screen readers. @param {Map<string, string>} words of squares that are not empty */
  name(words) {
    if (this._small) return;
    for (const [square, element] of this._cells) {
      const label = `${square}, ${words.get(square) ?? "empty"}`;
      if (element.getAttribute("aria-label") !== label) element.setAttribute("aria-label", label);
    }
  }

  /**
   * Light up the square under a dragged piece.
   * @param {string|null} square
   * @param {boolean} [crossed] whether to light up its row and column too, because a finger hides the square
   */
  hover(square, crossed = false) {
    const cell = square === null ? undefined : this._cells.get(square);
    if (cell === this._hovered) return;
    this._hovered = cell;
    const [x, y] = ["x", "y"].map((at) => (crossed ? cell?.getAttribute(at) : undefined));
    for (const one of this._cells.values()) {
      one.classList.toggle("hovered", one === cell);
      one.classList.toggle("crossed",
        one !== cell && x !== undefined && (one.getAttribute("x") === x || one.getAttribute("y") === y),
      );
    }
    const { cursor } = this._layers;
    cursor.replaceChildren();
    if (square === null || !crossed) return;
    const [left, top] = this.corner(square);
    cursor.append(svg("rect", { x: left + 3, y: top + 3, width: UNIT - 6, height: UNIT - 6, class: "aim" }));
  }

  // -- the keyboard --

  /** @param {string} square @param {boolean} take whether to move the page's focus too */
  go(square, take) {
    this._cells.get(this.focus)?.setAttribute("tabindex", "-1");
    this.focus = square;
    const cell = this._cells.get(square);
    cell?.setAttribute("tabindex", "0");
    if (take) cell?.focus({ preventScroll: true });
    this.showCursor();
  }

  /** The next square in a direction of the turned board. @param {number} right @param {number} down */
  step(right, down) {
    const [column, row] = place(this.geometry, this.rotation, this.focus);
    const square = squareAt(this.geometry, this.rotation, column + right, row + down);
    if (square !== null) this.go(square, true);
  }

  showCursor() {
    const { cursor } = this._layers;
    if (cursor.querySelector(".aim")) return; // a finger drags a piece
    cursor.replaceChildren();
    const cell = this._cells.get(this.focus);
    if (this._small || !cell || document.activeElement !== cell || !cell.matches(":focus-visible")) return;
    const [x, y] = this.corner(this.focus);
    for (const kind of ["cursor-edge", "cursor"]) {
      cursor.append(svg("rect", { x: x + 4, y: y + 4, width: UNIT - 8, height: UNIT - 8, rx: 6, class: kind }));
    }
  }
}
