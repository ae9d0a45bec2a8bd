/** The rooms in which this browser's user has a seat, kept in the browser. */

import * as settings from "./settings.js";

/** How many are kept, the latest first. */
const KEPT = 30;

/** The rooms, the latest first. @returns {string[]} */
export const own = () => (settings.get("rooms") ?? "").split(" ").filter(Boolean);

/** @param {string} room */
export function remember(room) {
  const rooms = own();
  if (rooms[0] !== room) settings.set("rooms", [room, ...rooms.filter((one) => one !== room)].slice(0, KEPT).join(" "));
}

/** @param {string} room */
export function forget(room) {
  const rooms = own();
  if (rooms.includes(room)) settings.set("rooms", rooms.filter((one) => one !== room).join(" "));
}
