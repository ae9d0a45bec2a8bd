/** The rooms in which the user has a seat, stored in the browser. */

import * as settings from "./settings.js";

/** The number of stored rooms, the latest first. */
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
