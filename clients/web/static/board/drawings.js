/** Arrows and circles that a user draws on the board; nobody else sees them. */

import { squares } from "../model/table.js";
import { svg } from "../ui/dom.js";
import "./late.js";

export class Drawings {
  /** @param {Element} layer @param {(square: string) => number[]} corner a square's corner; a square has 100 units */
  constructor(layer, corner) {
    this._layer = layer;
    this._corner = corner;
    /** Squares or pairs of squares, with a colour. @type {Map<string, string>} */
    this._drawn = new Map();
    /** Suggested moves, the best first. @type {string[]} */
    this._suggested = [];
  }

  /** @param {string[]} moves the best first */
  suggest(moves) {
    this._suggested = moves;
    this.draw();
  }

  /**
   * Draw a mark, or remove the same one.
   * @param {string} from @param {string} to @param {MouseEvent} event its modifier keys choose the colour
   */
  scribble(from, to, event) {
    const colour = event.shiftKey ? "red" : event.altKey ? "blue" : event.ctrlKey ? "yellow" : "green";
    const key = from === to ? from : from + to;
    if (this._drawn.get(key) === colour) this._drawn.delete(key);
    else this._drawn.set(key, colour);
    this.draw();
  }

  /** Draw these and no others. @param {[string, string][]} drawn squares or pairs of squares, with a colour */
  set(drawn) {
    this._drawn = new Map(drawn);
    this.draw();
  }

  clear() {
    if (this._drawn.size === 0) return;
    this._drawn.clear();
    this.draw();
  }

  draw() {
    this._layer.replaceChildren();
    for (const [number, move] of [...this._suggested.entries()].reverse()) {
      const [from, to] = squares(move);
      if (to !== "") this._mark(from, to, number ? "next" : "best");
    }
    for (const [key, colour] of this._drawn) {
      const [from, to] = squares(key);
      this._mark(from, to || key, colour);
    }
  }

  /**
   * An arrow between two squares. A circle for one square, and for a drop.
   * @param {string} from @param {string} to @param {string} colour
   */
  _mark(from, to, colour) {
    if (from !== "" && !from.endsWith("@")) return this._arrow(from, to, colour);
    const [cx, cy] = this._middle(to);
    this._layer.append(svg("circle", { cx, cy, r: 44, class: `circle drawn-${colour}` }));
  }

  /** @param {string} square */
  _middle(square) {
    return this._corner(square).map((at) => at + 50);
  }

  /** @param {string} from @param {string} to @param {string} colour */
  _arrow(from, to, colour) {
    const [x1, y1] = this._middle(from);
    const [x2, y2] = this._middle(to);
    const length = Math.hypot(x2 - x1, y2 - y1);
    const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
    const [hx, hy] = [x2 - dx * 42, y2 - dy * 42];
    this._layer.append(
      svg("path", { d: `M${x1 + dx * 30} ${y1 + dy * 30}L${hx} ${hy}`, class: `shaft drawn-${colour}` }),
    );
    this._layer.append(
      svg("path", {
        d: `M${x2 - dx * 10} ${y2 - dy * 10}L${hx - dy * 26} ${hy + dx * 26}L${hx + dy * 26} ${hy - dx * 26}z`,
        class: `head drawn-${colour}`,
      }),
    );
  }
}
