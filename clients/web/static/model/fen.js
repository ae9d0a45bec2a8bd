/**
 * Reads and writes the pieces of FEN and FEN4. The server checks positions.
 */

import { boardOf, nameOf, variantOf } from "./geometry.js";

/** @typedef {Record<string, string>} Board pieces, as cells of FEN4 (`wK`, `rP`, `drP` if grey), by their squares */

/**
 * @typedef {object} Placement
 * @property {Board} board
 * @property {string} turn the letter of the seat to move
 * @property {number[]|null} points by seat, if the notation has them
 * @property {boolean[]} dead by seat, whether the army is out
 * @property {string[]|null} hands by seat, the letters of the pieces in hand; null in variants without drops
 * @property {string[]} promoted the squares of promoted pieces, in variants with drops
 */

/** @param {string} text @returns {Placement} */
export const read = (text) => (isFen4(text) ? readFour(text) : readTwo(text));

/** @param {string} text */
export const isFen4 = (text) => /^\s*[RBYG]-/.test(text);

/** @param {string} text @returns {Placement} */
function readTwo(text) {
  const [placement, turn = "w"] = text.trim().split(/\s+/);
  /** @type {Board} */
  const board = {};
  /** @type {string[]} */
  const promoted = [];
  const rows = placement.replace(/\[.*/, "").split("/");
  rows.forEach((row, down) => {
    let file = 0;
    for (const [sign] of row.matchAll(/\d+|[a-z]~?/gi)) {
      if (/\d/.test(sign)) file += Number(sign);
      else {
        const square = nameOf(file++, rows.length - 1 - down);
        board[square] = (sign === sign.toUpperCase() ? "w" : "b") + sign[0].toUpperCase();
        if (sign.endsWith("~")) promoted.push(square);
      }
    }
  });
  const held = /\[(.*?)\]/.exec(placement)?.[1];
  const hands = held === undefined ? null : [held.replace(/[^A-Z]/g, "").toLowerCase(), held.replace(/[^a-z]/g, "")];
  return { board, turn, points: null, dead: [false, false], hands, promoted };
}

/** @param {string} text @returns {Placement} */
function readFour(text) {
  const plain = text.replace(/\s+/g, "");
  const fields = plain.split("-");
  /** @type {Board} */
  const board = {};
  const rows = fields[fields.length - 1].split("/");
  rows.forEach((row, down) => {
    let file = 0;
    for (const cell of row.split(",")) {
      if (/^\d+$/.test(cell)) file += Number(cell);
      else {
        if (!/^x$/i.test(cell)) board[nameOf(file, rows.length - 1 - down)] = cell;
        file += 1;
      }
    }
  });
  const numbers = (/** @type {string} */ list) => list.split(",").map(Number);
  return {
    board,
    turn: fields[0].toLowerCase(),
    points: numbers(fields[4] ?? "0,0,0,0"),
    dead: numbers(fields[1]).map(Boolean),
    hands: null,
    promoted: [],
  };
}

/**
 * A position's text, for the setup editor.
 * @param {Board} board @param {string} turn the seat's letter
 * @param {Record<string, string>} castling by seat's letter: `K`, `Q`, both or none
 * @param {string} variant
 * @param {string[]|null} [hands] as read @param {string[]} [promoted] as read
 */
export function write(board, turn, castling, variant, hands = null, promoted = []) {
  return isFen4(variantOf(variant).start)
    ? writeFour(board, turn, castling, variant)
    : writeTwo(board, turn, castling, variant, hands, promoted);
}

/**
 * @param {Board} board @param {string} turn @param {Record<string, string>} castling @param {string} variant
 * @param {string[]|null} hands @param {string[]} promoted
 */
function writeTwo(board, turn, castling, variant, hands, promoted) {
  const rows = rowsOf(variant, (square) => {
    const cell = board[square];
    if (cell === undefined) return null;
    return (cell[0] === "w" ? cell[1] : cell[1].toLowerCase()) + (promoted.includes(square) ? "~" : "");
  });
  const rights = (castling.w ?? "") + (castling.b ?? "").toLowerCase();
  const held = hands === null ? "" : `[${hands[0].toUpperCase()}${hands[1]}]`;
  return `${rows.map((row) => row.join("")).join("/")}${held} ${turn} ${rights || "-"} - 0 1`;
}

/** @param {Board} board @param {string} turn @param {Record<string, string>} castling @param {string} variant */
function writeFour(board, turn, castling, variant) {
  const exists = new Set(boardOf(variant).squares);
  const rows = rowsOf(variant, (square) => (exists.has(square) ? (board[square] ?? null) : "x"));
  const letters = [..."rbyg"];
  const armies = new Set(Object.values(board).map((cell) => cell[0]));
  const flags = (/** @type {(letter: string) => boolean} */ is) =>
    letters.map((letter) => Number(is(letter))).join(",");
  const right = (/** @type {string} */ side) => flags((letter) => (castling[letter] ?? "").includes(side));
  const dead = flags((letter) => !armies.has(letter));
  return [
    turn.toUpperCase(), dead, right("K"), right("Q"), "0,0,0,0", "0", rows.map((row) => row.join(",")).join("/"),
  ].join("-");
}

/**
 * The rows from the top, with runs of empty squares as numbers.
 * @param {string} variant @param {(square: string) => string|null} at
 */
function rowsOf(variant, at) {
  const { files, ranks } = variantOf(variant).board;
  const rows = [];
  for (let rank = ranks - 1; rank >= 0; rank--) {
    /** @type {string[]} */
    const row = [];
    let empty = 0;
    for (let file = 0; file < files; file++) {
      const cell = at(nameOf(file, rank));
      if (cell === null) empty += 1;
      else {
        if (empty) row.push(String(empty));
        empty = 0;
        row.push(cell);
      }
    }
    if (empty) row.push(String(empty));
    rows.push(row);
  }
  return rows;
}
