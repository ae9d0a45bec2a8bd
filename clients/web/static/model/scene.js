/** The part of a table that the board shows: the latest position, a past one, or the one that a vote is about. Pure. */

import { read } from "./fen.js";
import { isOf, squares } from "./table.js";

/** @typedef {import("./table.js").Table} Table */

/**
 * @typedef {object} Scene
 * @property {import("./fen.js").Board} board @property {string[]} last the squares of the last move
 * @property {string[]} check @property {import("./table.js").Step[]} line that led there
 * @property {Record<string, number>|null} points @property {Record<string, string>|null} hands
 * @property {Record<string, number>|null} left the clocks at that position; null: the current clocks
 * @property {Record<string, string>|null} out the players out at that position, and the reasons; null: the current ones
 * @property {string[]} changed squares that differ from the latest position
 * @property {{seat: string, from: string, to: string}[]} since the moves since the user's own, except the last one
 * @property {boolean} live whether it is the latest position
 */

/**
 * @param {Table} table @param {number|null} viewed the displayed ply; null: the latest
 * @param {boolean} previewing whether to show the position that the open vote is about
 * @param {string|null} [mine] my seat
 * @returns {Scene}
 */
export function scene(table, viewed, previewing, mine = null) {
  const { line, proposal } = table;
  if (previewing && proposal?.position) {
    const { board } = read(proposal.position);
    return {
      board, last: [], check: [], line: line.slice(0, proposal.ply ?? line.length), points: table.points,
      hands: table.hands, left: null, out: null, changed: differences(table.board, board), since: [], live: false,
    };
  }
  if (viewed !== null) {
    const step = line[viewed - 1];
    const board = viewed === 0 ? read(table.start).board : step.board;
    const past = line.slice(0, viewed);
    if (board !== null) {
      return {
        board, last: step ? squares(step.move) : [], check: step?.check ?? [], line: past,
        points: step?.points ?? table.points, hands: step?.hands ?? table.hands, left: clocksAfter(table, past),
        out: step?.out ?? {}, changed: [],
        since: earlier(past, table, mine), live: false,
      };
    }
  }
  const last = line[line.length - 1];
  return {
    board: table.board, last: last ? squares(last.move) : [], check: table.check, line, points: table.points,
    hands: table.hands, left: null, out: null, changed: [], since: earlier(line, table, mine), live: true,
  };
}

/** The time on each clock after these moves. @param {Table} table @param {import("./table.js").Step[]} past */
function clocksAfter(table, past) {
  if (table.clocks === null) return null;
  const { base } = table.clocks;
  const left = Object.fromEntries(table.seats.map(({ seat }) => [seat, base]));
  for (const step of past) if (step.seat !== null && step.left !== null) left[step.seat] = step.left;
  return left;
}

/**
 * For four players: the moves before the last one that a player has not answered yet.
 * @param {import("./table.js").Step[]} line @param {Table} table @param {string|null} mine
 */
function earlier(line, table, mine) {
  if (table.seats.length === 2) return [];
  const own = line.map((step) => isOf(table, step.seat, mine)).lastIndexOf(true);
  return line.slice(Math.max(own + 1, line.length - table.seats.length + 1), -1).flatMap(({ seat, move }) => {
    const [from, to] = squares(move);
    return seat === null || seat === mine ? [] : [{ seat, from, to }];
  });
}

/** The squares on which two boards differ. @param {Table["board"]} one @param {Table["board"]} other */
const differences = (one, other) =>
  [...new Set([...Object.keys(one), ...Object.keys(other)])].filter((square) => one[square] !== other[square]);
