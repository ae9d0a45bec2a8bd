/** Parses moves as people write them, by the list of legal moves. Pure. */

import { castles, takesRook } from "./castling.js";
import { squares } from "./table.js";

/** @typedef {import("./table.js").Table} Table */

/**
 * The legal move that a text means: coordinates (`e2e4`, `e7e8q`) or the usual notation (`Nf3`, `exd5`, `O-O`,
 * `e8=Q`); or the error.
 * @param {string} text @param {import("./fen.js").Board} board @param {string[]} legal
 * @returns {string|{why: string}}
 */
export function meant(text, board, legal) {
  const plain = text.replace(/[+#!?\s]/g, "");
  const exact = plain.toLowerCase().replace(/[-x:=]/g, "");
  if (legal.includes(exact)) return exact;
  const short = { "O-O": true, "0-0": true, "O-O-O": false, "0-0-0": false }[plain.toUpperCase()];
  const found =
    short === undefined
      ? written(plain, board, legal)
      : legal.filter((move) => castles(move, board) && isShort(move, board) === short);
  if (found === null) return { why: `“${text}” is not a move such as e2e4, Nf3 or O-O.` };
  if (found.length === 1) return found[0];
  return { why: found.length ? `Which one? ${found.join(" or ")}` : `“${text}” is not possible now.` };
}

/** The kind of piece that moves. @param {string} move @param {import("./fen.js").Board} board */
function kindOf(move, board) {
  const kind = board[squares(move)[0]]?.slice(-1) ?? "";
  return kind === "D" ? "Q" : kind;
}

/** @param {string} plain @param {import("./fen.js").Board} board @param {string[]} legal @returns {string[]|null} */
function written(plain, board, legal) {
  const match = /^([KQRBN])?([a-wyz]?\d{0,2})[-x:]?[KQRBND]?([a-z]\d{1,2})=?([QRBNDqrbnd])?$/.exec(plain);
  if (match === null) return null;
  const [, kind = "P", from, to, promotion = ""] = match;
  return legal.filter((move) => {
    const [source, target] = squares(move);
    const becomes = move.slice((source + target).length);
    return (
      kindOf(move, board) === kind &&
      target === to &&
      ["", source, source[0], source.slice(1)].includes(from) &&
      becomes === promotion.toLowerCase().replace("d", "q")
    ); // a queen worth one point
  });
}

/**
 * Whether a castling goes to the side of the nearer rook.
 * @param {string} move @param {import("./fen.js").Board} board
 */
function isShort(move, board) {
  const [from, to] = squares(move);
  if (takesRook(move, board)) return to > from;
  const along = from[0] !== to[0];
  const value = (/** @type {string} */ square) => (along ? square.charCodeAt(0) : Number(square.slice(1)));
  const step = Math.sign(value(to) - value(from));
  const king = board[from];
  for (let distance = 1; distance < 8; distance++) {
    const at = value(from) + step * distance;
    const square = along ? String.fromCharCode(at) + from.slice(1) : from[0] + at;
    if (board[square] === `${king[0]}R`) return distance === 3;
  }
  return false;
}
