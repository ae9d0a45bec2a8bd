/**
 * The board on the page: one SVG for every geometry. It draws a view and reports the user's input. It knows no rules:
 * the page passes the legal moves.
 */

import { carried } from "../model/castling.js";
import { boardOf, rotationFor, variantOf } from "../model/geometry.js";
import { squares as squaresOf } from "../model/table.js";
import { late } from "../net/loading.js";
import * as settings from "../net/settings.js";
import { NOUNS } from "../text/words.js";
import { svg } from "../ui/dom.js";
import { BoardInput } from "./input.js";
import { Marks } from "./marks.js";
import { draw, piece } from "./pieces.js";
import { Squares, UNIT } from "./squares.js";

/** @typedef {import("./marks.js").View} View */

const confirmation = late(() => import("./confirmation.js"));
const promotion = late(() => import("./promotion.js"));
const ahead = late(() => import("./ahead.js"));
const reach = late(() => import("../model/reach.js"));
const drawings = late(() => import("./drawings.js"));

export class BoardView {
  /**
   * @param {HTMLElement} holder
   * @param {object} options
   * @param {string} options.variant
   * @param {(move: string) => void} [options.onMove] a legal move was made
   * @param {(move: string) => void} [options.onPremove] a premove, as two squares or a drop
   * @param {() => void} [options.onCancel] the premoves were cancelled
   * @param {(square: string) => void} [options.onSquare] a square was clicked. With this handler, the board makes no
   * moves itself
   * @param {(from: string, to: string|null) => void} [options.onCarry] with `onSquare`: a piece was dragged to a
   * square, or off the board (null)
   * @param {boolean} [options.confirms] whether moves are confirmed, for users who want that
   * @param {boolean} [options.small] a picture without input
   * @param {boolean} [options.lively] pieces of a small board glide too
   */
  constructor(holder, options) {
    const {
      variant, onMove, onPremove, onCancel, onSquare, onCarry, confirms = false, small = false, lively = false,
    } = options;
    this.variant = variant;
    this._seats = variantOf(variant).seats;
    this.small = small;
    this._lively = lively || !small;
    /** The window on a board of small squares. @type {import("./zoom.js").Zoom|null} */
    this.zoom = null;
    this._holder = holder;
    this._onMove = onMove;
    this._confirms = confirms;
    this._onPremove = onPremove;
    this._onCancel = onCancel;
    this._onSquare = onSquare;
    this._onCarry = onCarry;
    /** @type {View} */
    this.view = { board: {} };
    /** @type {string|null} */
    this.selected = null;
    /** @type {Map<string, {element: SVGElement, cell: string}>} */
    this._pieces = new Map();
    /** Closes the dialog about a move. @type {(() => void)|null} */
    this._unask = null;
    /** The move that waits for the user's word. @type {import("./confirmation.js").Pending|null} */
    this.pending = null;
    this._still = matchMedia("(prefers-reduced-motion: reduce)");
    const geometry = boardOf(variant);
    const side = geometry.size * UNIT;
    /** The visible part of the board, in board units. @type {import("./squares.js").Window} */
    this.window = { left: 0, top: 0, width: side, height: side };
    this.svg = /** @type {SVGSVGElement} */ (
      svg("svg", { viewBox: `0 0 ${side} ${side}`, class: `board of-${this._seats.length === 2 ? 2 : 4}` })
    );
    if (small) this.svg.setAttribute("aria-hidden", "true");
    const layer = (/** @type {string} */ name) => {
      const group = svg("g", name === "squares" ? { class: name } : { class: name, "aria-hidden": "true" });
      this.svg.append(group);
      return group;
    };
    const [cells, labels, marks, pieces, hints, arrows, cursor] = [
      "squares", "labels", "marks", "pieces", "hints", "arrows", "cursor",
    ].map(layer);
    this._men = pieces;
    this.squares = new Squares({ squares: cells, labels, cursor },
      {
        geometry,
        focus:
          geometry.squares.find((square) => square === (this._seats.length === 2 ? "e1" : "h1")) ?? geometry.squares[0],
        small,
        beside: settings.get("coordinates") === "beside" && holder.closest(".arena") !== null,
      },
    );
    this._marks = new Marks(marks, hints, this.squares);
    this._hints = hints;
    this._arrows = arrows;
    /** The user's arrows and circles, from the first one on. @type {import("./drawings.js").Drawings|null} */
    this._drawings = null;
    holder.append(this.svg);
    this._face();
    this._input = small ? null : new BoardInput(this);
    /** Draws premoves. @type {typeof import("./ahead.js").drawAhead|null} */
    this._ahead = null;
    /** The targets of premoves. @type {typeof import("../model/reach.js")|null} */
    this._ways = null;
    if (onMove) void this._load(); // while there is a connection
  }

  async _load() {
    const [{ drawAhead }, ways] = await Promise.all([ahead(), reach(), promotion(), drawings()]);
    this._ahead = drawAhead;
    this._ways = ways;
    this._mark();
  }

  // -- drawing --

  /** @param {View} view @param {{animate?: boolean}} [how] */
  show(view, { animate = true } = {}) {
    const before = this.view;
    if (this.pending?.stays(view)) return;
    this.view = view;
    if (this.selected !== null && !this.movable(this.selected)) this.selected = null;
    const dragged = this._input?.from ?? null;
    if (dragged !== null && !this.movable(dragged)) this._input?.drop();
    this._place(animate && !this._still.matches && this._lively, before);
    this._mark();
    this.zoom?.show();
  }

  /** By quarter turns. @param {number} rotation */
  rotate(rotation) {
    const turned = ((rotation % 4) + 4) % 4;
    if (turned === this.squares.rotation) return;
    this.squares.build(turned);
    this._face();
    this.show(this.view, { animate: false });
  }

  /** The angle of each seat's pieces, where pieces face their players. The style sheet decides whether they do. */
  _face() {
    if (this._seats.length === 2) return;
    for (const seat of this._seats) {
      this.svg.style.setProperty(`--${seat}-faces`,
        `${((rotationFor(this.variant, seat) - this.squares.rotation + 4) % 4) * 90}deg`,
      );
    }
  }

  /** A square's place, as fractions of the visible part of the board. @param {string} square */
  at(square) {
    const [x, y] = this.squares.corner(square);
    const { left, top, width, height } = this.window;
    return { x: (x - left) / width, y: (y - top) / height, side: UNIT / width };
  }

  /** A small board of the same kind, without input. @param {HTMLElement} holder */
  miniature(holder) {
    return new BoardView(holder, { variant: this.variant, small: true });
  }

  /** Show a part of the board. @param {import("./squares.js").Window|null} part null: all of it */
  look(part) {
    const side = this.squares.geometry.size * UNIT;
    this.window = part ?? { left: 0, top: 0, width: side, height: side };
    const { left, top, width, height } = this.window;
    this.svg.setAttribute("viewBox", `${left} ${top} ${width} ${height}`);
    this.squares.label(part);
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
      // The element for this square: the same piece from another square (or turned grey here). The last move's piece
      // comes first.
      let found = free.findIndex(
        (one) => one.square === square && one.cell.endsWith(cell.slice(-2)) && cell.startsWith("d"),
      );
      const hint =
        this.view.last?.[1] === square ? this.view.last[0] : before.last?.[0] === square ? before.last[1] : null;
      if (found < 0)
        found = free.findIndex((one) => one.square === hint && one.cell.slice(0, -1) === cell.slice(0, -1));
      if (found < 0) found = free.findIndex((one) => one.cell === cell && board[one.square] !== one.cell);
      let element;
      if (found >= 0 && free[found].cell === cell) {
        [{ element }] = free.splice(found, 1);
        this._put(element, square, animate && element !== this._input?.dropped);
      } else {
        element = /** @type {SVGElement} */ (draw(cell, this.variant));
        const from = found >= 0 ? free[found].square : square;
        this._put(element, from, false);
        this._men.append(element);
        if (from !== square) {
          void element.getBoundingClientRect();
          this._put(element, square, animate);
        }
      }
      this._pieces.set(square, { element, cell });
    }
    if (this._input) this._input.dropped = null;
    for (const { element } of free) element.remove();
  }

  /** @param {SVGElement} element @param {string} square @param {boolean} animate */
  _put(element, square, animate) {
    if (this._input?.holds(element)) return;
    const [x, y] = this.squares.corner(square);
    element.classList.toggle("moving", animate);
    if (animate) element.parentNode?.append(element); // above the others while it moves
    element.style.transform = `translate(${x}px, ${y}px)`;
  }

  _mark() {
    const { board, check = [] } = this.view;
    const { targets, ahead } = this._targets();
    const checked = check.length === 0 ? [] : Object.keys(board).filter((square) => this._inCheck(square, check));
    this._marks.draw(this.view, { selected: this.selected, targets, ahead, checked });
    this._ahead?.(this._hints, (square) => this.squares.corner(square), this.view.premoves ?? []);
    this._name(targets, checked);
    this._drawings?.draw();
    this.squares.showCursor();
  }

  /** The targets of the selected piece: now, or as a premove (`ahead`). */
  _targets() {
    const { board, legal = [], mine, turn } = this.view;
    const from = this.selected;
    if (from === null) return { targets: new Set(), ahead: false };
    const ahead = turn !== mine && this._onPremove !== undefined && (from.endsWith("@") || board[from] !== undefined);
    const targets = ahead
      ? this._reach(from)
      : new Set(
          legal
            .map(squaresOf)
            .filter(([source]) => source === from)
            .map(([, to]) => to),
        );
    return { targets, ahead };
  }

  /** The targets of a premove from a square or from the hand. @param {string} from */
  _reach(from) {
    const { board } = this.view;
    if (this._ways === null) return new Set();
    if (from.endsWith("@")) return this._ways.empty(board, from[0], this.variant);
    return board[from] === undefined ? new Set() : this._ways.reach(board, from, this.variant);
  }

  /** Whether a square has a king in check. @param {string} square @param {string[]} check */
  _inCheck(square, check) {
    const { kind, seat, grey } = piece(this.view.board[square], this.variant);
    return kind === "K" && !grey && seat !== null && check.includes(seat);
  }

  /** The label of each square for screen readers. @param {Set<string>} targets @param {string[]} checked squares */
  _name(targets, checked) {
    const { board, last = [], premoves = [] } = this.view;
    const words = new Map(Object.keys(board).map((square) => [square, this.describe(square)]));
    /** @type {[string, Iterable<string>][]} */
    const notes = [
      ["in check", checked],
      ["selected", this.selected === null ? [] : [this.selected]],
      ["can go here", targets],
      ["premove", new Set(premoves.map((move) => squaresOf(move)[1]))],
      ["last move", last.slice(1, 2)],
    ];
    for (const [note, squares] of notes)
      for (const square of squares) words.set(square, `${words.get(square) ?? "empty"}, ${note}`);
    this.squares.name(words);
  }

  /** The piece on a square, in words. @param {string} square */
  describe(square) {
    const cell = this.view.board[square];
    if (cell === undefined) return "empty";
    const { kind, seat, grey } = piece(cell, this.variant);
    return [grey ? "grey" : "", seat ?? "", NOUNS[kind]].filter(Boolean).join(" ");
  }

  // -- input --

  /** Whether the user may move the piece on a square. @param {string} square */
  movable(square) {
    const { board, mine, hand = "" } = this.view;
    if (square.endsWith("@")) return Boolean(mine) && hand.includes(square[0].toLowerCase());
    const cell = board[square];
    if (this._onCarry) return cell !== undefined;
    if (cell === undefined || !mine) return false;
    const { seat, grey } = piece(cell, this.variant);
    return seat === mine && !grey;
  }

  /** @param {string|null} square */
  select(square) {
    this.selected = square;
    this._mark();
  }

  /** Try a move from one square to another; whether it is legal. @param {string} from @param {string} to */
  _attempt(from, to) {
    const { board, legal = [], turn, mine } = this.view;
    const moves = carried(from, to, board, legal);
    const ahead = mine && turn !== mine && this._reach(from).has(to);
    this.select(null);
    if (moves.length === 1) this._make(moves[0]);
    else if (moves.length > 1) this._ask(moves, to);
    else if (ahead && this._onPremove) this._onPremove(from + to);
    else return false;
    return true;
  }

  /** Make a move, at once or after the user's word. @param {string} move */
  async _make(move) {
    if (this._confirms && settings.confirms()) (await confirmation()).confirm(this, this._holder, move);
    else this.make(move);
  }

  /** @param {string} move */
  make(move) {
    this._onMove?.(move);
  }

  /** Ask for the piece of a promotion. @param {string[]} moves @param {string} square */
  async _ask(moves, square) {
    const done = (/** @type {string|null} */ move) => {
      this._unask = null;
      this.show(this.view, { animate: false });
      if (move === null) this.squares.go(this.squares.focus, true);
      else this._make(move);
    };
    const seat = /** @type {string} */ (this.view.mine);
    const { askPromotion } = await promotion();
    this._unask = askPromotion(this._holder, { moves, seat, variant: this.variant, at: this.at(square), done });
  }

  /** A square was pressed; the piece that the user may drag from there. @param {string} square */
  press(square) {
    this._unask?.();
    this._unask = null;
    this.pending?.cancel();
    this._drawings?.clear();
    const here = this._pieces.get(square);
    if (this._onSquare) {
      if (this._onCarry && here !== undefined) return { element: here.element, again: true };
      this._onSquare(square);
      return null;
    }
    const { selected } = this;
    if (selected !== null && selected !== square && this._attempt(selected, square)) return null;
    const held = this.movable(square) ? here : undefined;
    if (held === undefined && this.view.premoves?.length) this._onCancel?.();
    this.select(held === undefined ? null : square);
    return held === undefined ? null : { element: held.element, again: selected === square };
  }

  /** @param {string} from @param {string|null} to */
  dropped(from, to) {
    if (this._onCarry) this._onCarry(from, to);
    else if (to !== null && !this._attempt(from, to)) this.select(null);
  }

  /** @param {string} square */
  again(square) {
    if (this._onSquare) this._onSquare(square);
    else this.select(null);
  }

  /** Draw suggested moves as arrows. @param {string[]} moves the best first */
  async suggest(moves) {
    if (moves.length === 0 && this._drawings === null) return;
    (await this._draws()).suggest(moves);
  }

  /**
   * Draw with other drawings than the user's own.
   * @template {import("./drawings.js").Drawings} D
   * @param {(layer: Element, corner: (square: string) => number[]) => D} make @returns {D}
   */
  drawWith(make) {
    const made = make(this._arrows, (one) => this.squares.corner(one));
    this._drawings = made;
    return made;
  }

  /** A new layer below the pieces. */
  layerBelow() {
    const layer = svg("g", { "aria-hidden": "true" });
    this._men.before(layer);
    return layer;
  }

  /** The square under the pointer, or null. @param {PointerEvent} event */
  squareUnder(event) {
    return this._input?.squareOf(event) ?? null;
  }

  async _draws() {
    const { Drawings } = await drawings();
    return (this._drawings ??= new Drawings(this._arrows, (one) => this.squares.corner(one)));
  }

  /**
   * A line was drawn with the other button, which also cancels all premoves.
   * @param {string} from @param {string} to @param {MouseEvent} event
   */
  async drawn(from, to, event) {
    if (this.view.premoves?.length && from === to) return this._onCancel?.();
    (await this._draws()).scribble(from, to, event);
  }

  /** The keyboard presses a square. @param {string} square */
  enter(square) {
    if (this._onSquare) this._onSquare(square);
    else if (this.selected === null || this.selected === square || !this._attempt(this.selected, square)) {
      this.select(this.movable(square) && this.selected !== square ? square : null);
    }
  }

  escape() {
    this.select(null);
    if (this.view.premoves?.length) this._onCancel?.();
  }
}
