/**
 * The two boards as data: which squares there are, and where they lie for somebody who sits at a seat.
 *
 * Turned by quarters: `rotation` 0 has the first seat at the bottom, 1 the second (clockwise), and so on.
 */

/**
 * @typedef {object} Geometry
 * @property {number} size files, and ranks, from edge to edge
 * @property {number} cut how many squares are cut off at each end of an edge
 * @property {string[]} squares
 */

/** @param {number} size @param {number} cut @returns {Geometry} */
function board(size, cut) {
  const squares = [];
  for (let rank = 0; rank < size; rank++) {
    for (let file = 0; file < size; file++) {
      const outside = (/** @type {number} */ at) => at < cut || at >= size - cut;
      if (!(outside(file) && outside(rank))) squares.push(String.fromCharCode(97 + file) + (rank + 1));
    }
  }
  return { size, cut, squares };
}

export const SQUARE_8 = board(8, 0);
export const CROSS_14 = board(14, 3);

/** The board of so many players. @param {number} players */
export const boardOf = (players) => (players === 2 ? SQUARE_8 : CROSS_14);

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
 * Column and row (from the top left) at which a square is drawn.
 * @param {Geometry} geometry @param {number} rotation @param {string} square @returns {[number, number]}
 */
export function place(geometry, rotation, square) {
  const [file, rank] = parse(square);
  const last = geometry.size - 1;
  switch (rotation % 4) {
    case 0:
      return [file, last - rank];
    case 1:
      return [last - rank, last - file];
    case 2:
      return [last - file, rank];
    default:
      return [rank, file];
  }
}

/**
 * The square drawn at a column and row; null where there is none.
 * @param {Geometry} geometry @param {number} rotation @param {number} column @param {number} row
 * @returns {string|null}
 */
export function squareAt(geometry, rotation, column, row) {
  const last = geometry.size - 1;
  const [file, rank] = [
    [column, last - row],
    [last - row, last - column],
    [last - column, row],
    [row, column],
  ][rotation % 4];
  const square = nameOf(file, rank);
  return geometry.squares.includes(square) ? square : null;
}

/**
 * By how many quarters to turn the board so that a seat is at the bottom.
 * @param {string[]} seats in turn order @param {string|null} seat
 */
export function rotationFor(seats, seat) {
  const index = seat === null ? 0 : Math.max(0, seats.indexOf(seat));
  return seats.length === 2 ? index * 2 : index;
}
