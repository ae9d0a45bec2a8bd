/** Castling on the board, and the moves that a drag means. Pure. */

import { parse } from "./geometry.js";
import { squares } from "./table.js";

/** @typedef {import("./fen.js").Board} Board */

/**
 * Whether a king goes to its own rook, as castling is written in Chess960.
 * @param {string} move @param {Board} board
 */
export function takesRook(move, board) {
  const [from, to] = squares(move);
  return isKing(board[from]) && board[to] === `${board[from][0]}R`;
}

/**
 * The board with the piece of a move on its new square. The server's answer shows the move's other effects.
 * @param {Board} board @param {string} move
 */
export function put(board, move) {
  const [from, to] = squares(move);
  const { [from]: piece, ...rest } = board;
  return piece === undefined || takesRook(move, board) ? board : { ...rest, [to]: piece };
}

/** Whether a king castles: it goes two squares, or to its own rook. @param {string} move @param {Board} board */
export function castles(move, board) {
  const [from, to] = squares(move);
  return isKing(board[from]) && (distance(from, to) === 2 || takesRook(move, board));
}

/** @param {string|undefined} cell */
const isKing = (cell) => cell?.length === 2 && cell[1] === "K";

/**
 * The number of squares that a king moves along its row or file; 1 for all other king moves.
 * @param {string} from @param {string} to
 */
function distance(from, to) {
  const [[f, r], [file, rank]] = [parse(from), parse(to)];
  return f === file || r === rank ? Math.abs(f - file) + Math.abs(r - rank) : 1;
}

/** The direction of a move, as a text. @param {string} from @param {string} to */
function way(from, to) {
  const [[f, r], [file, rank]] = [parse(from), parse(to)];
  return `${Math.sign(file - f)} ${Math.sign(rank - r)}`;
}

/**
 * The legal moves that a drag from one square to another means: several for a promotion. A king dragged two squares or
 * more, or onto its rook, castles to that side.
 * @param {string} from @param {string} to @param {Board} board @param {string[]} legal @returns {string[]}
 */
export function carried(from, to, board, legal) {
  const exact = legal.filter((move) => squares(move).join() === `${from},${to}`);
  if (exact.length || !isKing(board[from])) return exact;
  if (distance(from, to) < 2 && !takesRook(from + to, board)) return [];
  return legal.filter(
    (move) => squares(move)[0] === from && castles(move, board) && way(from, squares(move)[1]) === way(from, to),
  );
}
