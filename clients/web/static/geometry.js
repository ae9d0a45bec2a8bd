/**
 * The boards of the variants as data: which squares there are, and where they lie for somebody who sits at a seat.
 *
 * A board lies in a square field, turned by quarters: `rotation` 0 has those who go to higher ranks at the bottom, 1 those
 * who go to later files (clockwise), and so on.
 */

import { VARIANTS } from "./variants.js";

/**
 * @typedef {object} Variant what the page knows of a variant
 * @property {string} name @property {string} about
 * @property {string[]} seats in turn order @property {number[][]} forward for each seat, by how many files and ranks its pawns go
 * @property {number[]} teams for each seat, the number of its team @property {boolean} scored whether points decide
 * @property {{files: number, ranks: number, missing: string[]}} board
 * @property {string} start the usual start array @property {string[]} kings squares from which a king castles by two squares
 *
 * @typedef {object} Geometry
 * @property {number} size of the field's side
 * @property {number} left columns of the field before the first file @property {number} below rows after the first rank
 * @property {number} corner how many squares wide each corner of the field is free
 * @property {string[]} squares
 */

/** How large a part of the field's side the plates of more than two players need, in its corners. */
const PLATE = 3 / 14;

/** What the page knows of a variant. @param {string} variant @returns {Variant} */
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

/** How wide the nearest corner of the field is up to a square. @param {number} size @param {number} left @param {number} below @param {string} square */
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
 * Column and row of the field (from the top left) at which a square is drawn.
 * @param {Geometry} geometry @param {number} rotation @param {string} square @returns {[number, number]}
 */
export function place({ size, left, below }, rotation, square) {
  const [file, rank] = parse(square);
  const [across, up, last] = [file + left, rank + below, size - 1];
  switch (rotation % 4) {
    case 0:
      return [across, last - up];
    case 1:
      return [last - up, last - across];
    case 2:
      return [last - across, up];
    default:
      return [up, across];
  }
}

/**
 * File and rank of what is drawn at a column and row of the field, counted from 0.
 * @param {Geometry} geometry @param {number} rotation @param {number} column @param {number} row @returns {[number, number]}
 */
export function cellAt({ size, left, below }, rotation, column, row) {
  const last = size - 1;
  const [across, up] = [
    [column, last - row],
    [last - row, last - column],
    [last - column, row],
    [row, column],
  ][rotation % 4];
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

/** By how many quarters the field is turned when a seat is at the bottom. @param {string} variant @param {string|null} seat */
export function rotationFor(variant, seat) {
  const { seats, forward } = variantOf(variant);
  const [files, ranks] = forward[seats.indexOf(seat ?? "")] ?? [0, 1];
  return files === 0 ? (ranks > 0 ? 0 : 2) : files > 0 ? 1 : 3;
}
