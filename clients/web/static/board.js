/**
 * The board on the page: one SVG for both geometries. It draws what it is told and says what its user does; it
 * knows no rules: where a piece may go is a list of moves that somebody gives it.
 */

import { boardOf, dark, place, squareAt } from "./geometry.js";
import { cellOf, draw, figure, NOUNS, piece, svg } from "./pieces.js";
import { squares as squaresOf } from "./table.js";

const UNIT = 100;
const DRAG_FROM = 5; // pixels; less is a click

/**
 * @typedef {object} View what is to be seen
 * @property {import("./fen.js").Board} board
 * @property {string[]} [last] the squares of the last move
 * @property {string[]} [check] the seats in check
 * @property {string[]} [legal] the moves of who may move now
 * @property {string|null} [mine] the seat whose pieces may be moved, now or ahead of the turn
 * @property {string|null} [premove] the move to be made when the turn comes
 * @property {string|null} [turn]
 * @property {string[]} [ghost] squares that a vote would change
 */

export class BoardView {
  /**
   * @param {HTMLElement} holder
   * @param {object} options
   * @param {number} options.players
   * @param {(move: string) => void} [options.onMove] a legal move was made
   * @param {(move: string) => void} [options.onPremove] a move ahead of the turn, as two squares
   * @param {() => void} [options.onCancel] the move ahead of the turn was taken back
   * @param {(square: string) => void} [options.onSquare] a square was clicked; with it the board only says so
   * @param {boolean} [options.small] no more than a picture
   */
  constructor(holder, { players, onMove, onPremove, onCancel, onSquare, small = false }) {
    this.players = players;
    this.geometry = boardOf(players);
    this.rotation = 0;
    this.small = small;
    this._holder = holder;
    this._onMove = onMove;
    this._onPremove = onPremove;
    this._onCancel = onCancel;
    this._onSquare = onSquare;
    /** @type {View} */
    this.view = { board: {} };
    /** @type {string|null} */
    this.selected = null;
    /** @type {string} where the keyboard is */
    this.focus = players === 2 ? "e1" : "h1";
    /** @type {Map<string, {element: SVGElement, cell: string}>} */
    this._pieces = new Map();
    /** @type {Map<string, string>} drawn by hand: squares or pairs of squares, with a colour */
    this._drawn = new Map();
    /** @type {{square: string, element: SVGElement, x: number, y: number, on: boolean, again: boolean, pointer: number}|null} */
    this._dragged = null;
    /** @type {SVGElement|null} the piece that was just let go: it is where it shall be, and does not glide there */
    this._dropped = null;
    /** @type {string|null} where an arrow begins */
    this._drawing = null;
    /** @type {HTMLElement|null} */
    this._picker = null;
    this._still = matchMedia("(prefers-reduced-motion: reduce)");
    const side = this.geometry.size * UNIT;
    this.svg = /** @type {SVGSVGElement} */ (svg("svg", { viewBox: `0 0 ${side} ${side}`, class: `board of-${players}` }));
    if (small) this.svg.setAttribute("aria-hidden", "true");
    this._layers = Object.fromEntries(
      ["squares", "labels", "marks", "pieces", "hints", "arrows", "cursor"].map((name) => {
        const layer = svg("g", { class: name });
        if (name !== "squares") layer.setAttribute("aria-hidden", "true");
        this.svg.append(layer);
        return [name, layer];
      }),
    );
    holder.append(this.svg);
    this._build();
    if (!small) this._listen();
  }

  // -- what is seen --

  /** @param {View} view @param {{animate?: boolean}} [how] */
  show(view, { animate = true } = {}) {
    const before = this.view;
    this.view = view;
    if (this.selected !== null && !this._movable(this.selected)) this.selected = null;
    if (this._dragged && !this._movable(this._dragged.square)) this._drop();
    this._place(animate && !this._still.matches && !this.small, before);
    this._mark();
  }

  /** By quarter turns. @param {number} rotation */
  rotate(rotation) {
    const turned = ((rotation % 4) + 4) % 4;
    if (turned === this.rotation) return;
    this.rotation = turned;
    this._build();
    this.show(this.view, { animate: false });
  }

  /** Where a square lies, as fractions of the board. @param {string} square */
  at(square) {
    const [column, row] = place(this.geometry, this.rotation, square);
    return { x: column / this.geometry.size, y: row / this.geometry.size, side: 1 / this.geometry.size };
  }

  _build() {
    const { squares, labels } = this._layers;
    const { size } = this.geometry;
    squares.replaceChildren();
    labels.replaceChildren();
    /** @type {Map<string, SVGElement>} */
    this._cells = new Map();
    for (let row = 0; row < size; row++) {
      const line = svg("g", this.small ? {} : { role: "row" });
      for (let column = 0; column < size; column++) {
        const square = squareAt(this.geometry, this.rotation, column, row);
        if (square === null) continue;
        const cell = /** @type {SVGElement} */ (
          svg("rect", { x: column * UNIT, y: row * UNIT, width: UNIT, height: UNIT, class: dark(square) ? "dark" : "light", "data-square": square })
        );
        if (!this.small) {
          cell.setAttribute("role", "gridcell");
          cell.setAttribute("tabindex", square === this.focus ? "0" : "-1");
        }
        this._cells.set(square, cell);
        line.append(cell);
        if (!this.small) this._label(labels, square, column, row);
      }
      squares.append(line);
    }
    if (!this.small) {
      squares.setAttribute("role", "grid");
      squares.setAttribute("aria-label", "Chess board");
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
    const high = this.players === 2 ? 20 : 22;
    if (below && lower) write(sideways ? rank : file, (column + 1) * UNIT - 4, (row + 1) * UNIT - 5, "end");
    if (beside && lefter) write(sideways ? file : rank, column * UNIT + 4, row * UNIT + high, "start");
  }

  /** @param {string} square */
  _corner(square) {
    const [column, row] = place(this.geometry, this.rotation, square);
    return [column * UNIT, row * UNIT];
  }

  /** @param {boolean} animate @param {View} before */
  _place(animate, before) {
    const { board } = this.view;
    /** @type {{square: string, cell: string, element: SVGElement}[]} */
    const free = [];
    for (const [square, { element, cell }] of this._pieces) {
      if (board[square] !== cell) {
        free.push({ square, cell, element });
        this._pieces.delete(square);
      }
    }
    for (const [square, cell] of Object.entries(board)) {
      const held = this._pieces.get(square);
      if (held !== undefined) {
        this._put(held.element, square, false);
        continue;
      }
      // Who has come here: the same piece from elsewhere (or turned grey here), as last moved if there is a choice.
      let found = free.findIndex((one) => one.square === square && one.cell.endsWith(cell.slice(-2)) && cell.startsWith("d"));
      const hint = this.view.last?.[1] === square ? this.view.last[0] : before.last?.[0] === square ? before.last[1] : null;
      if (found < 0) found = free.findIndex((one) => one.square === hint && one.cell.slice(0, -1) === cell.slice(0, -1));
      if (found < 0) found = free.findIndex((one) => one.cell === cell && board[one.square] !== one.cell);
      let element;
      if (found >= 0 && free[found].cell === cell) {
        [{ element }] = free.splice(found, 1);
        this._put(element, square, animate && element !== this._dropped);
      } else {
        element = /** @type {SVGElement} */ (draw(cell, this.players));
        const from = found >= 0 ? free[found].square : square;
        this._put(element, from, false);
        this._layers.pieces.append(element);
        if (from !== square) {
          void element.getBoundingClientRect();
          this._put(element, square, animate);
        }
      }
      this._pieces.set(square, { element, cell });
    }
    this._dropped = null;
    for (const { element } of free) element.remove();
  }

  /** @param {SVGElement} element @param {string} square @param {boolean} animate */
  _put(element, square, animate) {
    if (this._dragged?.element === element) return;
    const [x, y] = this._corner(square);
    element.classList.toggle("moving", animate);
    if (animate) element.parentNode?.append(element); // over the others on its way
    element.style.transform = `translate(${x}px, ${y}px)`;
  }

  _mark() {
    const { marks, hints } = this._layers;
    const { board, last = [], check = [], premove, legal = [], ghost = [] } = this.view;
    marks.replaceChildren();
    hints.replaceChildren();
    const fill = (/** @type {string} */ square, /** @type {string} */ kind) => {
      const [x, y] = this._corner(square);
      marks.append(svg("rect", { x, y, width: UNIT, height: UNIT, class: kind }));
    };
    for (const square of last) if (square) fill(square, "last");
    for (const square of ghost) fill(square, "ghost");
    if (premove) for (const square of squaresOf(premove)) fill(square, "premove");
    for (const [square, cell] of Object.entries(board)) {
      const { kind, seat, grey } = piece(cell, this.players);
      if (kind === "K" && !grey && seat !== null && check.includes(seat)) {
        const [x, y] = this._corner(square);
        marks.append(svg("circle", { cx: x + 50, cy: y + 50, r: 50, class: "check" }));
        fill(square, "check-edge");
      }
    }
    if (this.selected !== null) {
      fill(this.selected, "selected");
      for (const target of new Set(legal.map(squaresOf).filter(([from]) => from === this.selected).map(([, to]) => to))) {
        const [x, y] = this._corner(target);
        const taking = board[target] !== undefined;
        hints.append(svg("circle", { cx: x + 50, cy: y + 50, r: taking ? 43 : 15, class: taking ? "ring" : "dot" }));
      }
    }
    this._name();
    this._drawArrows();
    this._drawCursor();
  }

  /** What a screen reader says of each square. */
  _name() {
    if (this.small) return;
    const { board, legal = [], last = [], check = [] } = this.view;
    const targets = new Set(this.selected === null ? [] : legal.map(squaresOf).filter(([from]) => from === this.selected).map(([, to]) => to));
    for (const [square, element] of /** @type {Map<string, SVGElement>} */ (this._cells)) {
      const words = [square, this.describe(square)];
      if (board[square] !== undefined) {
        const { kind, seat } = piece(board[square], this.players);
        if (kind === "K" && seat !== null && check.includes(seat)) words.push("in check");
      }
      if (square === this.selected) words.push("selected");
      if (targets.has(square)) words.push("can go here");
      if (last[1] === square) words.push("last move");
      const label = words.filter(Boolean).join(", ");
      if (element.getAttribute("aria-label") !== label) element.setAttribute("aria-label", label);
    }
  }

  /** What stands on a square, in words. @param {string} square */
  describe(square) {
    const cell = this.view.board[square];
    if (cell === undefined) return "empty";
    const { kind, seat, grey } = piece(cell, this.players);
    return [grey ? "grey" : "", seat ?? "", NOUNS[kind]].filter(Boolean).join(" ");
  }

  // -- what its user does --

  /** Whether the piece on a square may be taken up. @param {string} square */
  _movable(square) {
    const { board, mine } = this.view;
    const cell = board[square];
    if (cell === undefined || !mine) return false;
    const { seat, grey } = piece(cell, this.players);
    return seat === mine && !grey;
  }

  /** @param {string|null} square */
  select(square) {
    this.selected = square;
    this._mark();
  }

  /** Try to go from the selected square to another. @param {string} from @param {string} to */
  _attempt(from, to) {
    const { legal = [], turn, mine } = this.view;
    const moves = legal.filter((move) => {
      const [source, target] = squaresOf(move);
      return source === from && target === to;
    });
    this.select(null);
    if (moves.length === 1) this._onMove?.(moves[0]);
    else if (moves.length > 1) this._choose(moves, to);
    else if (mine && turn !== mine && this._onPremove) this._onPremove(from + to);
    else return false;
    return true;
  }

  /** Which piece a pawn becomes. @param {string[]} moves @param {string} square */
  _choose(moves, square) {
    this._picker?.remove();
    const picker = document.createElement("div");
    picker.className = "picker";
    picker.setAttribute("role", "dialog");
    picker.setAttribute("aria-label", "Promote to");
    const { x, y, side } = this.at(square);
    const close = () => {
      picker.remove();
      this._picker = null;
      this.show(this.view, { animate: false });
    };
    const order = ["q", "n", "r", "b"];
    moves.sort((one, other) => order.indexOf(one.slice(-1)) - order.indexOf(other.slice(-1)));
    moves.forEach((move, index) => {
      const kind = move.slice(-1).toUpperCase();
      const button = document.createElement("button");
      button.type = "button";
      button.setAttribute("aria-label", `${NOUNS[kind]} (${index + 1})`);
      button.append(figure(cellOf(/** @type {string} */ (this.view.mine), kind), this.players));
      button.onclick = () => {
        close();
        this._onMove?.(move);
      };
      picker.append(button);
    });
    picker.onkeydown = (event) => {
      const index = Number(event.key) - 1;
      const buttons = [...picker.querySelectorAll("button")];
      const at = buttons.indexOf(/** @type {HTMLButtonElement} */ (document.activeElement));
      if (event.key === "Escape") {
        close();
        this._cells?.get(this.focus)?.focus();
      } else if (buttons[index]) buttons[index].click();
      else if (event.key === "ArrowDown" || event.key === "ArrowRight") buttons[(at + 1) % buttons.length].focus();
      else if (event.key === "ArrowUp" || event.key === "ArrowLeft") buttons[(at + buttons.length - 1) % buttons.length].focus();
      else return;
      event.preventDefault();
      event.stopPropagation();
    };
    const down = y + side * moves.length <= 1;
    picker.style.left = `${x * 100}%`;
    picker.style.width = `${side * 100}%`;
    if (down) picker.style.top = `${y * 100}%`;
    else picker.style.bottom = `${(1 - y - side) * 100}%`;
    this._picker = picker;
    this._holder.append(picker);
    picker.querySelector("button")?.focus();
  }

  /** @param {PointerEvent|MouseEvent} event */
  _squareOf(event) {
    const box = this.svg.getBoundingClientRect();
    const { size } = this.geometry;
    const column = Math.floor(((event.clientX - box.left) / box.width) * size);
    const row = Math.floor(((event.clientY - box.top) / box.height) * size);
    if (column < 0 || row < 0 || column >= size || row >= size) return null;
    return squareAt(this.geometry, this.rotation, column, row);
  }

  _listen() {
    const board = this.svg;
    board.addEventListener("contextmenu", (event) => event.preventDefault());
    board.addEventListener("pointerdown", (event) => this._press(event));
    board.addEventListener("pointermove", (event) => this._drag(event));
    board.addEventListener("pointerup", (event) => this._release(event));
    board.addEventListener("pointercancel", () => this._drop());
    board.addEventListener("keydown", (event) => this._key(event));
    board.addEventListener("focusin", (event) => {
      const square = /** @type {Element} */ (event.target).getAttribute("data-square");
      if (square !== null) this._moveFocus(square, false);
    });
    board.addEventListener("focusout", () => this._drawCursor());
  }

  /** @param {PointerEvent} event */
  _press(event) {
    const square = this._squareOf(event);
    if (square === null) return;
    this._picker?.remove();
    this._picker = null;
    if (event.button === 2) {
      this._drawing = square;
      return;
    }
    if (event.button !== 0) return;
    if (this._drawn.size) {
      this._drawn.clear();
      this._drawArrows();
    }
    this._moveFocus(square, false);
    if (this._onSquare) {
      this._onSquare(square);
      return;
    }
    if (this.selected !== null && this.selected !== square && this._attempt(this.selected, square)) return;
    if (this.view.premove) this._onCancel?.();
    if (!this._movable(square)) {
      this.select(null);
      return;
    }
    const held = this._pieces.get(square);
    if (held === undefined) return;
    event.preventDefault();
    this._dragged = { square, element: held.element, x: event.clientX, y: event.clientY, on: false, again: this.selected === square, pointer: event.pointerId };
    this.svg.setPointerCapture(event.pointerId);
    this.select(square);
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
    const box = this.svg.getBoundingClientRect();
    const scale = (this.geometry.size * UNIT) / box.width;
    const x = (event.clientX - box.left) * scale - UNIT / 2;
    const y = (event.clientY - box.top) * scale - UNIT / (event.pointerType === "touch" ? 1.2 : 2);
    drag.element.style.transform = `translate(${x}px, ${y}px)`;
    this._hover(this._squareOf(event));
  }

  /** @param {PointerEvent} event */
  _release(event) {
    if (event.button === 2 && this._drawing !== null) {
      const end = this._squareOf(event);
      if (end !== null) this._scribble(this._drawing, end, event);
      this._drawing = null;
      return;
    }
    const drag = this._dragged;
    if (!drag || event.pointerId !== drag.pointer) return;
    const target = this._squareOf(event);
    this._dropped = drag.on ? drag.element : null;
    this._drop();
    if (drag.on && target !== null && target !== drag.square) {
      if (!this._attempt(drag.square, target)) this.select(null);
    } else if (!drag.on && drag.again) this.select(null);
    this._dropped = null;
  }

  /** Put a dragged piece back; if it has moved, it is put elsewhere afterwards. */
  _drop() {
    const drag = this._dragged;
    if (!drag) return;
    this._dragged = null;
    drag.element.classList.remove("dragged");
    const [x, y] = this._corner(drag.square);
    drag.element.style.transform = `translate(${x}px, ${y}px)`;
    this._hover(null);
  }

  /** @param {string|null} square */
  _hover(square) {
    this._hovered?.classList.remove("hovered");
    this._hovered = square === null ? undefined : this._cells?.get(square);
    this._hovered?.classList.add("hovered");
  }

  // -- the keyboard --

  /** @param {KeyboardEvent} event */
  _key(event) {
    const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const step = steps[/** @type {keyof typeof steps} */ (event.key)];
    if (step !== undefined && !event.altKey && !event.ctrlKey && !event.metaKey) {
      const [column, row] = place(this.geometry, this.rotation, this.focus);
      const square = squareAt(this.geometry, this.rotation, column + step[0], row + step[1]);
      if (square !== null) this._moveFocus(square, true);
    } else if (event.key === "Enter" || event.key === " ") {
      if (this._onSquare) this._onSquare(this.focus);
      else if (this.selected !== null && this.selected !== this.focus && this._attempt(this.selected, this.focus)) {
        // it has been done
      } else this.select(this._movable(this.focus) && this.selected !== this.focus ? this.focus : null);
    } else if (event.key === "Escape") {
      this.select(null);
      if (this.view.premove) this._onCancel?.();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** @param {string} square @param {boolean} take */
  _moveFocus(square, take) {
    this._cells?.get(this.focus)?.setAttribute("tabindex", "-1");
    this.focus = square;
    const cell = this._cells?.get(square);
    cell?.setAttribute("tabindex", "0");
    if (take) cell?.focus({ preventScroll: true });
    this._drawCursor();
  }

  _drawCursor() {
    const { cursor } = this._layers;
    cursor.replaceChildren();
    const cell = this._cells?.get(this.focus);
    if (this.small || !cell || document.activeElement !== cell || !cell.matches(":focus-visible")) return;
    const [x, y] = this._corner(this.focus);
    cursor.append(svg("rect", { x: x + 4, y: y + 4, width: UNIT - 8, height: UNIT - 8, rx: 6, class: "cursor-edge" }));
    cursor.append(svg("rect", { x: x + 4, y: y + 4, width: UNIT - 8, height: UNIT - 8, rx: 6, class: "cursor" }));
  }

  // -- arrows and circles --

  /** @param {string} from @param {string} to @param {MouseEvent} event */
  _scribble(from, to, event) {
    const colour = event.shiftKey ? "red" : event.altKey ? "blue" : event.ctrlKey ? "yellow" : "green";
    const key = from === to ? from : from + to;
    if (this._drawn.get(key) === colour) this._drawn.delete(key);
    else this._drawn.set(key, colour);
    this._drawArrows();
  }

  _drawArrows() {
    const { arrows } = this._layers;
    arrows.replaceChildren();
    for (const [key, colour] of this._drawn) {
      const [from, to] = squaresOf(key);
      if (from === "") {
        const [x, y] = this._corner(key);
        arrows.append(svg("circle", { cx: x + 50, cy: y + 50, r: 44, class: `circle drawn-${colour}` }));
        continue;
      }
      const [x1, y1] = this._corner(from).map((at) => at + 50);
      const [x2, y2] = this._corner(to).map((at) => at + 50);
      const length = Math.hypot(x2 - x1, y2 - y1);
      const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
      const [hx, hy] = [x2 - dx * 42, y2 - dy * 42];
      arrows.append(svg("path", { d: `M${x1 + dx * 30} ${y1 + dy * 30}L${hx} ${hy}`, class: `shaft drawn-${colour}` }));
      arrows.append(svg("path", { d: `M${x2 - dx * 10} ${y2 - dy * 10}L${hx - dy * 26} ${hy + dx * 26}L${hx + dy * 26} ${hy - dx * 26}z`, class: `head drawn-${colour}` }));
    }
  }
}

