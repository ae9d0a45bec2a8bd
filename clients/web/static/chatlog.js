/** What was said at tables, kept until the tab is closed, so that it is there when the user comes back. The server keeps none of it. */

import { said as draw } from "./panels.js";

/** @typedef {import("./connection.js").Frames["said"]} Said */

/** How many lines of a room are kept, the latest. */
const KEPT = 100;

/** @param {string} room */
const key = (room) => `fourfold.said.${room}`;

/** The tab's storage; null where it is forbidden. @returns {Storage|null} */
function storage() {
  try {
    return window.sessionStorage;
  } catch (error) {
    if (error instanceof DOMException) return null;
    throw error;
  }
}

/** @param {string} room @returns {Said[]} */
const kept = (room) => JSON.parse(storage()?.getItem(key(room)) ?? "[]");

/** Keep a line. @param {Said} said */
export function keep(said) {
  storage()?.setItem(key(said.room), JSON.stringify([...kept(said.room), said].slice(-KEPT)));
}

/** Show what was said in a room before what has been said since. @param {HTMLElement} holder @param {string} room */
export function restore(holder, room) {
  const since = [...holder.childNodes];
  for (const one of kept(room)) draw(holder, one);
  holder.append(...since);
  holder.scrollTop = holder.scrollHeight;
}
