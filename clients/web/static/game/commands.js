/** Commands for the move box, as other chess servers have them for people who play by screen reader. */

import { squares } from "../model/table.js";
import { spoken } from "../text/news.js";
import { namesOf, span } from "../text/words.js";

/**
 * @typedef {object} Typist what commands act on
 * @property {import("../model/table.js").Table} table
 * @property {(square: string) => string} describe the piece on a square, in words
 * @property {() => void} resign @property {() => void} draw
 */

const HELP =
  "Type a move such as e2e4 or Nf3; or: p n (where knights are), s e4 (what stands there), last, clocks, draw, resign.";

/** The commands, each with its answer. @type {[RegExp, (typist: Typist, argument: string) => string][]} */
const COMMANDS = [
  [/^(?:help|\?)$/i, () => HELP],
  [
    /^clocks$/i,
    ({ table }) =>
      table.clocks === null
        ? "No clocks here."
        : table.seats.map(({ seat }) => `${namesOf(table)(seat)} ${span(table.clocks?.left[seat] ?? 0)}`).join(", "),
  ],
  [
    /^last$/i,
    ({ table }) => {
      const step = table.line[table.line.length - 1];
      return step === undefined ? "No moves yet." : spoken(step, table.board[squares(step.move)[1]], namesOf(table));
    },
  ],
  [
    /^p\s+([kqrbnp])$/i,
    ({ table, describe }, letter) => {
      const found = Object.entries(table.board).filter(
        ([, cell]) => cell.endsWith(letter.toUpperCase()) && cell.length === 2,
      );
      return found.map(([square]) => `${describe(square)} ${square}`).join(", ") || "None.";
    },
  ],
  [/^s\s+([a-z]\d{1,2})$/i, ({ describe }, square) => `${square}: ${describe(square)}`],
  [/^resign$/i, ({ resign }) => (resign(), "")],
  [/^draw$/i, ({ draw }) => (draw(), "Draw offered.")],
];

/** Carry out a command and return the answer; null if it is no command. @param {string} word @param {Typist} typist */
export function command(word, typist) {
  for (const [pattern, does] of COMMANDS) {
    const match = pattern.exec(word);
    if (match !== null) return does(typist, match[1]?.toLowerCase());
  }
  return null;
}
