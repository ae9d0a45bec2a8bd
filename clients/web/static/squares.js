/**
 * The squares of a board on the page, with their letters and numbers: a grid with one stop for the keyboard,
 * that says of each square what stands there.
 */

import { dark, place, squareAt } from "./geometry.js";
import { svg } from "./pieces.js";

export const UNIT = 100;

export class Squares {
  /**
   * @param {{squares: Element, labels: Element, cursor: Element}} layers
   * @param {object} how
   * @param {import("./geometry.js").Geometry} how.geometry @param {string} how.focus where the keyboard begins
   * @param {boolean} how.small no more than a picture
   */
  constructor(layers, { geometry, focus, small }) {
    this.geometry = geometry;
    this.rotation = 0;
    /** Where the keyboard is. */
    this.focus = focus;
    this._layers = layers;
    this._small = small;
    /** @type {Map<string, SVGElement>} */
    this._cells = new Map();
    /** @type {SVGElement|undefined} */
    this._hovered = undefined;
    if (!small) {
      layers.squares.setAttribute("role", "grid");
      layers.squares.setAttribute("aria-label", "Chess board");
    }
    this.build(0);
  }

  /** @param {number} rotation in quarter turns */
  build(rotation) {
    this.rotation = rotation;
    const { squares, labels } = this._layers;
    const { size } = this.geometry;
    squares.replaceChildren();
    labels.replaceChildren();
    this._cells.clear();
    for (let row = 0; row < size; row++) {
      const line = svg("g", this._small ? {} : { role: "row" });
      for (let column = 0; column < size; column++) {
        const square = squareAt(this.geometry, rotation, column, row);
        if (square === null) continue;
        const cell = /** @type {SVGElement} */ (
          svg("rect", { x: column * UNIT, y: row * UNIT, width: UNIT, height: UNIT, class: dark(square) ? "dark" : "light", "data-square": square })
        );
        this._cells.set(square, cell);
        line.append(cell);
        if (this._small) continue;
        cell.setAttribute("role", "gridcell");
        cell.setAttribute("tabindex", square === this.focus ? "0" : "-1");
        this._label(labels, square, column, row);
      }
      squares.append(line);
    }
  }

  /** The letters and numbers at the edge, upright however the board is turned. @param {Element} labels @param {string} square @param {number} column @param {number} row */
  _label(labels, square, column, row) {
    const { size } = this.geometry;
    const below = row + 1 >= size || squareAt(this.geometry, this.rotation, column, row + 1) === null;
    const beside = column === 0 || squareAt(this.geometry, this.rotation, column - 1, row) === null;
    const lower = row >= size / 2;
    const lefter = column < size / 2;
    const [file, rank] = [square[0], square.slice(1)];
    const sideways = this.rotation % 2 === 1;
    const shade = dark(square) ? "on-dark" : "on-light";
    const write = (/** @type {string} */ text, /** @type {number} */ x, /** @type {number} */ y, /** @type {string} */ anchor) => {
      const label = svg("text", { x, y, class: shade, "text-anchor": anchor });
      label.textContent = text;
      labels.append(label);
    };
    const high = size === 8 ? 20 : 22;
    if (below && lower) write(sideways ? rank : file, (column + 1) * UNIT - 4, (row + 1) * UNIT - 5, "end");
    if (beside && lefter) write(sideways ? file : rank, column * UNIT + 4, row * UNIT + high, "start");
  }

  /** Where a square lies. @param {string} square @returns {[number, number]} */
  corner(square) {
    const [column, row] = place(this.geometry, this.rotation, square);
    return [column * UNIT, row * UNIT];
  }

  /** What a screen reader says of each square. @param {(square: string) => string} say */
  name(say) {
    if (this._small) return;
    for (const [square, element] of this._cells) {
      const label = say(square);
      if (element.getAttribute("aria-label") !== label) element.setAttribute("aria-label", label);
    }
  }

  /** Light up the square under a dragged piece. @param {string|null} square */
  hover(square) {
    this._hovered?.classList.remove("hovered");
    this._hovered = square === null ? undefined : this._cells.get(square);
    this._hovered?.classList.add("hovered");
  }

  // -- the keyboard --

  /** @param {string} square @param {boolean} take whether to take the page's focus along */
  go(square, take) {
    this._cells.get(this.focus)?.setAttribute("tabindex", "-1");
    this.focus = square;
    const cell = this._cells.get(square);
    cell?.setAttribute("tabindex", "0");
    if (take) cell?.focus({ preventScroll: true });
    this.showCursor();
  }

  /** One square on, as the board is turned. @param {number} right @param {number} down */
  step(right, down) {
    const [column, row] = place(this.geometry, this.rotation, this.focus);
    const square = squareAt(this.geometry, this.rotation, column + right, row + down);
    if (square !== null) this.go(square, true);
  }

  showCursor() {
    const { cursor } = this._layers;
    cursor.replaceChildren();
    const cell = this._cells.get(this.focus);
    if (this._small || !cell || document.activeElement !== cell || !cell.matches(":focus-visible")) return;
    const [x, y] = this.corner(this.focus);
    for (const kind of ["cursor-edge", "cursor"]) {
      cursor.append(svg("rect", { x: x + 4, y: y + 4, width: UNIT - 8, height: UNIT - 8, rx: 6, class: kind }));
    }
  }
}
