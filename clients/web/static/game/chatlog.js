/** The chat of a table. The server keeps it as long as the room, so it is there when the user comes back. */

import { orNull } from "../net/connection.js";
import { chip } from "../ui/chip.js";
import { el } from "../ui/dom.js";

/** @typedef {import("../net/connection.js").Frames["chat"]["lines"][0]} Line */

/** The number of lines shown: the latest. */
const SHOWN = 200;

/** The lines that have arrived since the page opened. @type {Line[]} */
let heard = [];

/** @param {Line} line */
const key = ({ time, name, text }) => `${time} ${name} ${text}`;

/** Show a line that has arrived. @param {HTMLElement} holder @param {Line} line */
export function said(holder, line) {
  heard = [...heard, line].slice(-SHOWN);
  draw(holder, line);
}

/**
 * Show the kept lines with those that have arrived.
 * @param {HTMLElement} holder @param {import("../net/connection.js").Connection} connection @param {string} room
 */
export async function recall(holder, connection, room) {
  const found = await orNull(connection.request({ type: "chat", room }));
  if (found === null) return; // only new lines are shown
  const known = new Set(found.lines.map(key));
  heard = [...found.lines, ...heard.filter((line) => !known.has(key(line)))]
    .sort((one, other) => one.time - other.time)
    .slice(-SHOWN);
  holder.replaceChildren();
  for (const line of heard) draw(holder, line);
  holder.scrollTop = holder.scrollHeight;
}

/**
 * Draw a line.
 * @param {HTMLElement} holder @param {Line} said
 */
function draw(holder, said) {
  const atEnd = holder.scrollHeight - holder.scrollTop - holder.clientHeight < 40;
  holder.append(
    el("p", { class: said.to === "table" ? "table-only" : "" },
      said.seat === null ? null : chip(said.seat),
      el("b", {}, said.bot ? `${said.name} (bot)` : said.name),
      el("span", {}, ` ${said.text}`),
      said.to === "table"
        ? el("span", { class: "to" }, " (to the players)")
        : said.seat === null
          ? el("span", { class: "to" }, " (watching)")
          : null,
    ),
  );
  while (holder.childElementCount > SHOWN) holder.firstElementChild?.remove();
  if (atEnd) holder.scrollTop = holder.scrollHeight;
}
