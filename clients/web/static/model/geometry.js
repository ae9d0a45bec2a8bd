/**
 * The boards of the variants as data: their squares, and where a player at a seat sees them.
 *
 * A board lies in a square field, turned by quarters: With `rotation` 0, the army that moves to higher ranks is at the
 * bottom; with 1, the army that moves to later files; and so on, clockwise.
 */

import { VARIANTS } from "./variants.js";

/**
 * @typedef {object} Geometry
 * @property {number} size of the field's side
 * @property {number} left columns of the field before the first file @property {number} below rows after the first rank
 * @property {number} corner the width of each empty corner, in squares
 * @property {string[]} squares
 */

/** The share of the field's side that the plates of more than two players need in its corners. */
const PLATE = 3 / 14;

/** @typedef {import("./variants.js").Variant} Variant */

/** The page's knowledge of a variant. @param {string} variant @returns {Variant} */
export const variantOf = (variant) => VARIANTS[variant] ?? VARIANTS.survivor;

/** @type {Map<Variant, Geometry>} */
const BOARDS = new Map();

/** The board of a variant. @param {string} variant @returns {Geometry} */
export function boardOf(variant) {
  const known = variantOf(variant);
  let board = BOARDS.get(known);
  if (board === undefined) BOARDS.set(known, (board = laid(known)));
  return board;
}

/** @param {Variant} variant @returns {Geometry} */
function laid({ seats, board: { files, ranks, missing } }) {
  const gone = new Set(missing);
  const squares = [];
  for (let rank = 0; rank < ranks; rank++) {
    for (let file = 0; file < files; file++) if (!gone.has(nameOf(file, rank))) squares.push(nameOf(file, rank));
  }
  for (let size = Math.max(files, ranks); ; size += 2) {
    const [left, below] = [(size - files) >> 1, (size - ranks) >> 1];
    const corner = Math.min(...squares.map((square) => fromCorner(size, left, below, square)));
    if (seats.length === 2 || corner / size >= PLATE) return { size, left, below, corner, squares };
  }
}

/**
 * The width of the nearest empty corner, up to a square.
 * @param {number} size @param {number} left @param {number} below @param {string} square
 */
function fromCorner(size, left, below, square) {
  const [file, rank] = parse(square);
  const inward = (/** @type {number} */ at) => Math.min(at, size - 1 - at);
  return Math.max(inward(file + left), inward(rank + below));
}

/** File and rank of a square, counted from 0. @param {string} square @returns {[number, number]} */
export const parse = (square) => [square.charCodeAt(0) - 97, Number(square.slice(1)) - 1];

/** The name of a square. @param {number} file @param {number} rank */
export const nameOf = (file, rank) => String.fromCharCode(97 + file) + (rank + 1);

/** Whether a square is a dark one. @param {string} square */
export function dark(square) {
  const [file, rank] = parse(square);
  return (file + rank) % 2 === 0;
}

/**
 * The column and row of the field at which a square is drawn, counted from the top left.
 * @param {Geometry} geometry @param {number} rotation @param {string} square @returns {[number, number]}
 */
export function place({ size, left, below }, rotation, square) {
  const [file, rank] = parse(square);
  const [across, up, last] = [file + left, rank + below, size - 1];
  /** @type {[number, number][]} */
  const turned = [[across, last - up], [last - up, last - across], [last - across, up], [up, across]];
  return turned[rotation % 4];
}

/**
 * The file and rank drawn at a column and row of the field, counted from 0.
 * @param {Geometry} geometry @param {number} rotation @param {number} column @param {number} row
 * @returns {[number, number]}
 */
export function cellAt({ size, left, below }, rotation, column, row) {
  const last = size - 1;
  const turned = [[column, last - row], [last - row, last - column], [last - column, row], [row, column]];
  const [across, up] = turned[rotation % 4];
  return [across - left, up - below];
}

/**
 * The square drawn at a column and row; null where there is none.
 * @param {Geometry} geometry @param {number} rotation @param {number} column @param {number} row
 * @returns {string|null}
 */
export function squareAt(geometry, rotation, column, row) {
  const [file, rank] = cellAt(geometry, rotation, column, row);
  if (file < 0 || rank < 0) return null;
  const square = nameOf(file, rank);
  return geometry.squares.includes(square) ? square : null;
}

/** The quarter turns of the field that bring a seat to the bottom. @param {string} variant @param {string|null} seat */
export function rotationFor(variant, seat) {
  const { seats, forward } = variantOf(variant);
  const [files, ranks] = forward[seats.indexOf(seat ?? "")] ?? [0, 1];
  return files === 0 ? (ranks > 0 ? 0 : 2) : files > 0 ? 1 : 3;
}
