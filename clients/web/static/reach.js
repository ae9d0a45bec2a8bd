/**
 * Where a piece might go on an empty board, so that a move can be chosen ahead of the turn: dots, and no more.
 * What is legal when the turn comes, only the server knows.
 */

import { boardOf, nameOf, parse } from "./geometry.js";

/** @typedef {[number, number]} Step files and ranks */

/** @type {Step[]} */
const STRAIGHT = [[1, 0], [0, 1], [-1, 0], [0, -1]];
/** @type {Step[]} */
const DIAGONAL = [[1, 1], [-1, 1], [-1, -1], [1, -1]];
/** @type {Step[]} */
const LEAPS = [[1, 2], [2, 1], [-1, 2], [-2, 1], [1, -2], [2, -1], [-1, -2], [-2, -1]];

/** How kinds go: by which steps, and whether on and on. @type {Record<string, {steps: Step[], rides: boolean}>} */
const WAYS = {
  N: { steps: LEAPS, rides: false },
  K: { steps: [...STRAIGHT, ...DIAGONAL], rides: false },
  B: { steps: DIAGONAL, rides: true },
  R: { steps: STRAIGHT, rides: true },
  Q: { steps: [...STRAIGHT, ...DIAGONAL], rides: true },
  D: { steps: [...STRAIGHT, ...DIAGONAL], rides: true },
};

/** Which way the pawns of a seat go, by the letter of its cells. @type {Record<number, Record<string, Step>>} */
const FORWARD = { 2: { w: [0, 1], b: [0, -1] }, 4: { r: [0, 1], b: [1, 0], y: [0, -1], g: [-1, 0] } };

/** Where along its edge a king may stand that has not moved. @type {Record<number, number[]>} */
const HOME = { 2: [4], 4: [6, 7] };

/**
 * @param {string} cell such as `wN` @param {string} square where it stands @param {number} players
 * @returns {Set<string>}
 */
export function reach(cell, square, players) {
  const { size, squares } = boardOf(players);
  const there = new Set(squares);
  const [file, rank] = parse(square);
  const [letter, kind] = [cell[0], cell[cell.length - 1]];
  const forward = FORWARD[players][letter];
  if (forward === undefined) return new Set();
  const [df, dr] = forward;
  /** How far from its own edge. */
  const depth = df + dr > 0 ? df * file + dr * rank : size - 1 + df * file + dr * rank;
  /** @type {Set<string>} */
  const found = new Set();
  const add = (/** @type {number} */ f, /** @type {number} */ r) => {
    const on = f >= 0 && r >= 0 && f < size && r < size && there.has(nameOf(f, r));
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
  if (kind === "K" && depth === 0 && HOME[players].includes(dr ? file : rank)) {
    for (const side of [-2, 2]) add(file + Math.abs(dr) * side, rank + Math.abs(df) * side); // to castle
  }
  return found;
}
