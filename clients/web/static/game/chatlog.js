/** The chat of a table. The server keeps it as long as the room, so it is there when the user comes back. */

import { RequestError } from "../net/connection.js";
import { said as draw } from "./panels.js";

/** @typedef {import("../net/connection.js").Frames["chat"]["lines"][0]} Line */

/** The number of lines shown: the latest. */
const SHOWN = 200;

/** The lines that have arrived since the page opened. @type {Line[]} */
let heard = [];

/** @param {Line} line */
const key = ({ time, name, text }) => `${time} ${name} ${text}`;

/** Note a line that has arrived and is shown. @param {Line} line */
export function note(line) {
  heard = [...heard, line].slice(-SHOWN);
}

/**
 * Show the kept lines with those that have arrived.
 * @param {HTMLElement} holder @param {import("../net/connection.js").Connection} connection @param {string} room
 */
export async function recall(holder, connection, room) {
  try {
    const { lines } = await connection.request({ type: "chat", room });
    const known = new Set(lines.map(key));
    heard = [...lines, ...heard.filter((line) => !known.has(key(line)))]
      .sort((one, other) => one.time - other.time)
      .slice(-SHOWN);
  } catch (error) {
    if (!(error instanceof RequestError)) throw error; // then only new lines are shown
    return;
  }
  holder.replaceChildren();
  for (const line of heard) draw(holder, line);
  holder.scrollTop = holder.scrollHeight;
}
