/** Downloads the user's games as a file, requested in parts. */

import { keep } from "../ui/files.js";

/** @typedef {import("../net/connection.js").Requests["download"]} Download */

/** The formats, and the games for which each is. @type {[Download["format"], string][]} */
export const FORMATS = [["pgn", "For two: PGN"], ["pgn4", "For four: PGN4"], ["ndjson", "All: lines of JSON"]];

/**
 * Save the games as a file, unless there are none. Returns their number, and the rooms of unreadable ones. Rejected
 * with `RequestError`.
 * @param {import("../net/connection.js").Connection} connection @param {Download["format"]} format
 * @param {Omit<Download, "type"|"format">} filter which games
 * @param {(games: number) => void} tell called with their number after each part
 */
export async function download(connection, format, filter, tell) {
  /** @type {string[]} */
  const texts = [];
  /** @type {string[]} */
  const damaged = [];
  /** @type {string|null|undefined} */
  let after;
  let games = 0;
  do {
    const part = await connection.request({ type: "download", format, ...filter, ...(after ? { after } : {}) });
    if (part.text) texts.push(part.text);
    damaged.push(...(part.damaged ?? []));
    tell((games += part.games));
    after = part.next;
  } while (after);
  if (games) keep(texts.join(format === "ndjson" ? "" : "\n"), `fourfold-games.${format}`);
  return { games, damaged };
}
