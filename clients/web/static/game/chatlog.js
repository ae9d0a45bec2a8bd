/**
 * The chat of tables, stored until the tab closes, so that it is there when the user comes back. The server stores no
 * chat.
 */

import { said as draw } from "./panels.js";

/** @typedef {import("../net/connection.js").Frames["said"]} Said */

/** The number of lines stored for a room: the latest. */
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

/** Show a room's stored lines above its new ones. @param {HTMLElement} holder @param {string} room */
export function restore(holder, room) {
  const since = [...holder.childNodes];
  for (const one of kept(room)) draw(holder, one);
  holder.append(...since);
  holder.scrollTop = holder.scrollHeight;
}
