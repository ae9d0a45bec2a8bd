/** Games in files: saves a table's game, and sends a file to the server to open a table from it. */

import { el } from "./dom.js";

/**
 * The formats in which a game can be saved, with their names.
 * @param {boolean} pair whether the game is for two @returns {[string, string][]}
 */
export const formats = (pair) => [
  pair ? ["pgn", "PGN"] : ["pgn4", "PGN4"], ["smith", "Smith notation"], ["fen", pair ? "FEN" : "FEN4"],
];

/** The longest text that the server reads. */
const LONGEST = 8000;
/** The largest file that is read, in bytes. */
const LARGEST = 4_000_000;

/** A file that holds no game; the message says why. */
export class FileFault extends Error {}

/**
 * Save a room's game as a file. Rejected with `RequestError` if the format does not suit the game.
 * @param {import("../net/connection.js").Connection} connection @param {string} room @param {string} format one of
 * `formats`
 * @param {number|null} [ply] the ply of a saved position; null: the last
 */
export async function save(connection, room, format, ply = null) {
  const { text } = await connection.request({ type: "export", room, format, ...(ply === null ? {} : { ply }) });
  keep(text, `fourfold-${room}${ply === null ? "" : `-${ply}`}.${format}`);
}

/** Save a text or other content as a file. @param {string|Blob} content @param {string} name */
export function keep(content, name) {
  const text = { type: "text/plain;charset=utf-8" };
  const url = URL.createObjectURL(typeof content === "string" ? new Blob([content], text) : content);
  el("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/**
 * The content of a file, as the server reads it (`parsed`). Rejected with `FileFault` or `RequestError`.
 * @param {import("../net/connection.js").Connection} connection @param {File} file
 */
export async function read(connection, file) {
  if (file.size > LARGEST)
    throw new FileFault(`${file.name} is too large for a game: at most ${LARGEST / 1_000_000} MB are read.`);
  const whole = await file.text();
  const text = essence(whole);
  if (!text.trim()) throw new FileFault(`There is no game in ${file.name}.`);
  if (text.length > LONGEST)
    throw new FileFault(
      `The game in ${file.name} is too long to be sent: ` +
        `${text.length} characters without its comments, of ${LONGEST} at most.`,
    );
  const format = /\.smith$/i.test(file.name) ? "smith" : undefined;
  return connection.request({ type: "read", text, ...(format ? { format } : {}) });
}

/** The tags that the server needs to read a game correctly. */
const NEEDED = /^\[(?:Variant|RuleVariants|StartFen4|FEN|SetUp|Result|Termination|Date)\s/;

/**
 * The first game of a text, without comments, variations, glyphs, move numbers and other tags. Line numbers stay the
 * same, so that the server's errors point to the right line.
 * @param {string} text @returns {string}
 */
export function essence(text) {
  /** @type {string[]} */
  const kept = [];
  let depth = 0;
  let moves = false;
  let numbered = false; // one number stays, because it tells the format
  for (const [part] of text.replace(/^\ufeff/, "").replace(/\r\n?/g, "\n").matchAll(PARTS)) {
    const first = part[0];
    if (/^\[\s*\w+\s*"/.test(part)) {
      if (moves) break; // the next game
      if (NEEDED.test(part)) kept.push(part);
    } else if (first === "(") depth += 1;
    else if (first === ")") depth = Math.max(0, depth - 1);
    else if ("{;%$!? \t\n".includes(first) || depth > 0) {
      const lines = part.split("\n").length - 1;
      if (lines) kept.push("\n".repeat(lines));
      else if (depth === 0 && !/\s/.test(kept.at(-1)?.at(-1) ?? " ")) kept.push(" ");
    } else if (!/^\d+\.+$/.test(part) || !numbered) {
      moves = true;
      numbered ||= /^\d/.test(part);
      kept.push(part);
    }
  }
  return kept.join("");
}

/** A tag on a line of its own, a comment, a glyph, a parenthesis, white space, a skipped line, and the rest. */
const KINDS = [
  /^\[\s*\w+\s*"(?:\\.|[^"\\\n])*"\s*\][ \t]*$/, /\{[^}]*\}?/, /;[^\n]*/, /\$\d+/, /[!?]+/, /[()]/, /\n/, /[^\S\n]+/,
  /^%[^\n]*/, /[^\s(){};!?$]+/, /./,
];
const PARTS = new RegExp(KINDS.map(({ source }) => source).join("|"), "gm");

/**
 * The remarks on a parsed game, shown before a table opens from it; none if it is complete.
 * @param {import("../net/connection.js").Frames["parsed"]} parsed
 */
export function notes({ skipped, last, ended, stopped, remarks = [] }) {
  /** @type {string[]} */
  const said = [];
  const passed = remarks.some((remark) => remark.code === "null_move");
  if (skipped !== null)
    said.push(
      `${passed ? "The turn was passed" : "A player had left the game"}: the table begins after move ${skipped}.`,
    );
  for (const { line, message } of remarks) said.push(`Line ${line}: ${message}`);
  if (stopped)
    said.push(
      [
        stopped.line ? `Line ${stopped.line}: ` : "",
        `move ${stopped.ply}, “${stopped.move}”, is not possible. ${stopped.message} The table goes up to there.`,
      ].join(""),
    );
  else if (last !== null) said.push(`The last move, ${last}, ended the game: the table begins before it.`);
  else if (ended) said.push(`The game had ended: ${ended.replaceAll("_", " ")}. The table goes on from there.`);
  return said;
}
