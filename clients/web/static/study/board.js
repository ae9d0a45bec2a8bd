/** The board of a study. Arrows and marks on it belong to the move, and everybody sees them. */

import { BoardView } from "../board/board.js";
import { Drawings } from "../board/drawings.js";

/** @typedef {import("../../../../protocol/protocol.d.ts").Shape} Shape */

export class StudyBoard extends BoardView {
  /**
   * @param {HTMLElement} holder @param {string} variant @param {(move: string) => void} onMove
   * @param {(shapes: Shape[]) => void} onShapes called when the user has changed them
   */
  constructor(holder, variant, onMove, onShapes) {
    super(holder, { variant, onMove });
    this._onShapes = onShapes;
    /** @type {Shape[]} */
    this._shapes = [];
    /** @type {StudyDrawings} */
    this._shown = this.drawWith((layer, corner) => new StudyDrawings(layer, corner));
    /** A layer below the pieces. */
    this.below = this.layerBelow();
    /** The colour in which a finger or the first button draws; null: it moves pieces. @type {Shape["colour"]|null} */
    this._pen = null;
    /** The first square of the line being drawn, and its pointer. @type {{square: string, pointer: number}|null} */
    this._line = null;
    for (const kind of /** @type {const} */ (["pointerdown", "pointermove", "pointerup", "pointercancel"]))
      this.svg.addEventListener(kind, (event) => this._trace(event), { capture: true });
  }

  /** Let a finger draw in a colour, or (null) move pieces. @param {Shape["colour"]|null} pen */
  take(pen) {
    this._pen = pen;
    this._line = null;
    this.svg.style.touchAction = pen === null ? "" : "none";
  }

  /** @param {PointerEvent} event */
  _trace(event) {
    if (this._pen === null || (event.type === "pointerdown" && event.button !== 0)) return;
    event.stopPropagation();
    const to = this.squareUnder(event);
    if (event.type === "pointerdown" && to !== null && this._line === null) {
      event.preventDefault();
      this.svg.setPointerCapture(event.pointerId);
      this._line = { square: to, pointer: event.pointerId };
    }
    const line = this._line;
    if (line === null || line.pointer !== event.pointerId) return;
    const shape =
      to === null ? null : { colour: this._pen, square: line.square, target: to === line.square ? null : to };
    if (event.type === "pointerdown" || event.type === "pointermove")
      return this._shown.put(shape === null ? this._shapes : [...this._shapes, shape]);
    this._line = null;
    this._shown.put(this._shapes);
    if (event.type === "pointerup" && shape !== null) this._onShapes(toggled(this._shapes, shape));
  }

  /** @param {Shape[]} shapes */
  draw(shapes) {
    this._shapes = shapes;
    if (this._line === null) this._shown.put(shapes);
  }

  /**
   * A line was drawn with the other button: add it, or remove the same one.
   * @param {string} from @param {string} to @param {MouseEvent} event
   */
  async drawn(from, to, event) {
    const colour = event.shiftKey ? "red" : event.altKey ? "blue" : event.ctrlKey ? "yellow" : "green";
    this._onShapes(toggled(this._shapes, { colour, square: from, target: from === to ? null : to }));
  }
}

/** @param {Shape[]} shapes @param {Shape} shape @returns {Shape[]} */
export function toggled(shapes, shape) {
  const same = (/** @type {Shape} */ one) =>
    one.square === shape.square && (one.target ?? null) === (shape.target ?? null);
  const others = shapes.filter((one) => !same(one));
  return shapes.some((one) => same(one) && one.colour === shape.colour) ? others : [...others, shape];
}

/**
 * Shapes from a typed text: `e2e4 green, f7 red`; null if it is unreadable.
 * @param {string} text @returns {Shape[]|null}
 */
export function typed(text) {
  const found = text
    .split(",")
    .map((one) => /^\s*([a-n]\d{1,2})-?([a-n]\d{1,2})?\s*(green|red|yellow|blue)?\s*$/i.exec(one));
  if (text.trim() === "") return [];
  if (found.includes(null)) return null;
  return found.map((match) => ({
    square: match?.[1].toLowerCase() ?? "", target: match?.[2]?.toLowerCase() ?? null,
    colour: /** @type {Shape["colour"]} */ (match?.[3]?.toLowerCase() ?? "green"),
  }));
}

/** @param {Shape[]} shapes */
export const written = (shapes) =>
  shapes.map(({ square, target, colour }) => `${square}${target ?? ""} ${colour}`).join(", ");

class StudyDrawings extends Drawings {
  /** @param {Shape[]} shapes */
  put(shapes) {
    this.set(shapes.map(({ square, target, colour }) => [`${square}${target ?? ""}`, colour]));
  }

  /** A press on the board keeps them. */
  clear() {}
}

