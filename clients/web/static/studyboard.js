/** The board of a study: arrows and marks that are drawn on it belong to the move, and everybody sees them. */

import { BoardView } from "./board.js";
import { Drawings } from "./drawings.js";

/** @typedef {import("../../../protocol/protocol.d.ts").Shape} Shape */

export class StudyBoard extends BoardView {
  /** @param {HTMLElement} holder @param {string} variant @param {(move: string) => void} onMove @param {(shapes: Shape[]) => void} onShapes others are drawn now */
  constructor(holder, variant, onMove, onShapes) {
    super(holder, { variant, onMove });
    this._onShapes = onShapes;
    /** @type {Shape[]} */
    this._shapes = [];
    this._drawings = new StudyDrawings(this._arrows, (one) => this.squares.corner(one));
  }

  /** @param {Shape[]} shapes */
  draw(shapes) {
    this._shapes = shapes;
    /** @type {StudyDrawings} */ (this._drawings).put(shapes);
  }

  /** A line was drawn with the other button: it is added, or taken away if it was there. @param {string} from @param {string} to @param {MouseEvent} event */
  async drawn(from, to, event) {
    const colour = event.shiftKey ? "red" : event.altKey ? "blue" : event.ctrlKey ? "yellow" : "green";
    this._onShapes(toggled(this._shapes, { colour, square: from, target: from === to ? null : to }));
  }
}

/** @param {Shape[]} shapes @param {Shape} shape @returns {Shape[]} */
export function toggled(shapes, shape) {
  const same = (/** @type {Shape} */ one) => one.square === shape.square && (one.target ?? null) === (shape.target ?? null);
  const others = shapes.filter((one) => !same(one));
  return shapes.some((one) => same(one) && one.colour === shape.colour) ? others : [...others, shape];
}

/** Shapes as they are typed: `e2e4 green, f7 red`; null if that says nothing. @param {string} text @returns {Shape[]|null} */
export function typed(text) {
  const found = text.split(",").map((one) => /^\s*([a-n]\d{1,2})-?([a-n]\d{1,2})?\s*(green|red|yellow|blue)?\s*$/i.exec(one));
  if (text.trim() === "") return [];
  if (found.includes(null)) return null;
  return found.map((match) => ({ square: match?.[1].toLowerCase() ?? "", target: match?.[2]?.toLowerCase() ?? null, colour: /** @type {Shape["colour"]} */ (match?.[3]?.toLowerCase() ?? "green") }));
}

/** @param {Shape[]} shapes */
export const written = (shapes) => shapes.map(({ square, target, colour }) => `${square}${target ?? ""} ${colour}`).join(", ");

class StudyDrawings extends Drawings {
  /** @param {Shape[]} shapes */
  put(shapes) {
    this._drawn = new Map(shapes.map(({ square, target, colour }) => [`${square}${target ?? ""}`, colour]));
    this.draw();
  }

  /** A press on the board leaves them. */
  clear() {}
}

