/**
 * A piece's targets on an empty board, for premoves. They are hints only: the server decides which moves are legal when
 * the turn comes.
 */

import { boardOf, nameOf, parse, variantOf } from "./geometry.js";

/** @typedef {[number, number]} Step files and ranks */

/** @type {Step[]} */
const STRAIGHT = [[1, 0], [0, 1], [-1, 0], [0, -1]];
/** @type {Step[]} */
const DIAGONAL = [[1, 1], [-1, 1], [-1, -1], [1, -1]];
/** @type {Step[]} */
const LEAPS = [[1, 2], [2, 1], [-1, 2], [-2, 1], [1, -2], [2, -1], [-1, -2], [-2, -1]];

/** The steps of each kind of piece, and whether they repeat. @type {Record<string, {steps: Step[], rides: boolean}>} */
const WAYS = {
  N: { steps: LEAPS, rides: false },
  K: { steps: [...STRAIGHT, ...DIAGONAL], rides: false },
  B: { steps: DIAGONAL, rides: true },
  R: { steps: STRAIGHT, rides: true },
  Q: { steps: [...STRAIGHT, ...DIAGONAL], rides: true },
  D: { steps: [...STRAIGHT, ...DIAGONAL], rides: true },
};

/**
 * The squares on which a piece from the hand may be dropped: the empty ones, for a pawn without the outermost rows.
 * @param {import("./fen.js").Board} board @param {string} kind its letter @param {string} variant
 * @returns {Set<string>}
 */
export function empty(board, kind, variant) {
  const { forward } = variantOf(variant);
  const { squares } = boardOf(variant);
  const there = new Set(squares);
  const inside = (/** @type {string} */ square) => {
    const [file, rank] = parse(square);
    const onBoard = (/** @type {number} */ f, /** @type {number} */ r) => f >= 0 && r >= 0 && there.has(nameOf(f, r));
    return forward.every(([f, r]) => onBoard(file + f, rank + r) && onBoard(file - f, rank - r));
  };
  return new Set(squares.filter((square) => board[square] === undefined && (kind !== "P" || inside(square))));
}

/**
 * The possible targets of the piece on a square.
 * @param {import("./fen.js").Board} board @param {string} square @param {string} variant
 * @returns {Set<string>}
 */
export function reach(board, square, variant) {
  const { seats, forward, kings, board: { files, ranks } } = variantOf(variant);
  const there = new Set(boardOf(variant).squares);
  const [file, rank] = parse(square);
  const cell = board[square];
  const [letter, kind] = [cell[0], cell[cell.length - 1]];
  const [df, dr] = forward[seats.findIndex((seat) => cell.length === 2 && seat[0] === letter)] ?? [0, 0];
  if (df === 0 && dr === 0) return new Set();
  /** The distance from its own edge. */
  const depth = df + dr > 0 ? df * file + dr * rank : (df ? files : ranks) - 1 + df * file + dr * rank;
  /** @type {Set<string>} */
  const found = new Set();
  const add = (/** @type {number} */ f, /** @type {number} */ r) => {
    const on = f >= 0 && r >= 0 && there.has(nameOf(f, r));
    if (on) found.add(nameOf(f, r));
    return on;
  };
  if (kind === "P") {
    add(file + df, rank + dr);
    if (depth === 1) add(file + 2 * df, rank + 2 * dr);
    for (const side of [-1, 1]) add(file + df + side * dr, rank + dr + side * df);
    return found;
  }
  const { steps, rides } = WAYS[kind];
  for (const [f, r] of steps) {
    for (let far = 1; add(file + far * f, rank + far * r) && rides; far++);
  }
  if (kind === "K" && depth === 0 && (kings.length === 0 || kings.includes(square))) {
    // Castling: two squares sideways, or onto a rook.
    if (kings.length) for (const side of [-2, 2]) add(file + Math.abs(dr) * side, rank + Math.abs(df) * side);
    for (const [other, one] of Object.entries(board)) {
      const [f, r] = parse(other);
      if (one === `${letter}R` && (dr ? r === rank : f === file)) found.add(other);
    }
  }
  return found;
}
