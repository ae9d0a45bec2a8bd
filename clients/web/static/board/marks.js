/** The marks on a board: last moves, check, selection, premove, help, and a piece's targets. */

import { place } from "../model/geometry.js";
import { squares as squaresOf } from "../model/table.js";
import { svg } from "../ui/dom.js";
import { UNIT } from "./squares.js";

/**
 * @typedef {object} View what is to be seen
 * @property {import("../model/fen.js").Board} board
 * @property {string[]} [last] the squares of the last move
 * @property {string[]} [check] the seats in check
 * @property {string[]} [legal] the moves of who may move now
 * @property {string|null} [mine] the seat whose pieces may be moved, now or ahead of the turn
 * @property {string[]} [premoves] the moves to be made when the turns come, in order
 * @property {string} [hand] the letters of the pieces in that seat's hand
 * @property {string|null} [turn]
 * @property {{seat: string, from: string, to: string}[]} [since] the moves before the last one that its user has not
 * answered yet
 * @property {string[]} [changed] squares that a vote would change
 * @property {boolean} [preview] whether it is a position that is voted on
 */

/** Whether a move's origin is a square: not a hand (`N@`) or unknown. @param {string} square */
const onBoard = (square) => square !== "" && !square.endsWith("@");

/** Four corners of a square, drawn inwards. */
const CORNERS = "M7 30V7h23M70 7h23v23M93 70v23H70M30 93H7V70";

const SIDES = [[0, -1], [1, 0], [0, 1], [-1, 0]];

/** The distance of a preview's frame from the squares. */
const OUTSIDE = 9;

export class Marks {
  /**
   * @param {Element} marks below the pieces @param {Element} hints above them
   * @param {import("./squares.js").Squares} squares
   */
  constructor(marks, hints, squares) {
    this._marks = marks;
    this._hints = hints;
    this._squares = squares;
  }

  /**
   * @param {View} view
   * @param {{selected: string|null, targets: Set<string>, ahead: boolean, checked: string[]}} now squares
   */
  draw(view, { selected, targets, ahead, checked }) {
    const { board, last = [], since = [], premoves = [], changed = [], preview = false } = view;
    this._marks.replaceChildren();
    this._hints.replaceChildren();
    for (const square of last) if (onBoard(square)) this._fill(square, "last");
    if (last[1]) this._fill(last[1], "last-edge", 3);
    for (const square of changed) this._fill(square, "changed");
    for (const square of new Set(premoves.flatMap(squaresOf))) if (onBoard(square)) this._fill(square, "premove", 3);
    for (const { seat, from, to } of since) this._earlier(seat, from, to);
    for (const square of checked) {
      this._fill(square, "check");
      this._fill(square, "check-edge", 3);
    }
    if (selected !== null && onBoard(selected)) this._fill(selected, "selected");
    for (const target of targets) {
      const [x, y] = this._squares.corner(target);
      const taking = board[target] !== undefined;
      this._hints.append(
        svg("circle", {
          cx: x + 50, cy: y + 50, r: taking ? 45 : 15, class: `${taking ? "ring" : "dot"}${ahead ? " ahead" : ""}`,
        }),
      );
    }
    if (preview) this._marks.append(svg("path", { d: this._outline(), class: "preview" }));
  }

  /** @param {string} square @param {string} kind @param {number} [within] the distance from the edge */
  _fill(square, kind, within = 0) {
    const [x, y] = this._squares.corner(square);
    this._marks.append(
      svg("rect", { x: x + within, y: y + within, width: UNIT - 2 * within, height: UNIT - 2 * within, class: kind }),
    );
  }

  /**
   * A move before the last one: ticks at the corners of its target, a dot on its origin.
   * @param {string} seat @param {string} from @param {string} to
   */
  _earlier(seat, from, to) {
    const [x, y] = this._squares.corner(to);
    for (const kind of ["tick-edge", `tick ${seat}`])
      this._marks.append(svg("path", { d: CORNERS, transform: `translate(${x} ${y})`, class: kind }));
    const [left, top] = this._squares.corner(from);
    this._marks.append(svg("circle", { cx: left + 50, cy: top + 50, r: 11, class: `came ${seat}` }));
  }

  /** A frame around all squares, a little outside: a line along each side without a neighbour. */
  _outline() {
    const { geometry, rotation } = this._squares;
    const cells = geometry.squares.map((square) => place(geometry, rotation, square));
    const keys = new Set(cells.map(String));
    const there = (/** @type {number} */ column, /** @type {number} */ row) => keys.has(`${column},${row}`);
    let path = "";
    for (const [column, row] of cells) {
      for (const [x, y] of SIDES) {
        if (there(column + x, row + y)) continue;
        const ends = [-1, 1].map((end) => {
          const [right, down] = [-y * end, x * end]; // along the side
          const more = !there(column + right, row + down)
            ? OUTSIDE
            : there(column + right + x, row + down + y)
              ? -OUTSIDE
              : 0;
          const at = (/** @type {number} */ cell, /** @type {number} */ out, /** @type {number} */ along) =>
            (cell + 0.5 + out / 2) * UNIT + out * OUTSIDE + along * (UNIT / 2 + more);
          return `${at(column, x, right)} ${at(row, y, down)}`;
        });
        path += `M${ends[0]}L${ends[1]}`;
      }
    }
    return path;
  }
}
