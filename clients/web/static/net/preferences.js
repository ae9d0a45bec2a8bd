/** The preferences that an account keeps: from the account to this browser, and back. Guests have the browser's. */

import { orNull } from "./connection.js";
import * as settings from "./settings.js";

/** @typedef {typeof settings.KEPT[number]} Preference */

/** The tab's mark that it has an account's preferences. */
const FETCHED = "fourfold.preferences";

/** Whether this tab has the preferences of a player's account; it has them afterwards. @param {string} player */
function known(player) {
  try {
    const before = window.sessionStorage.getItem(FETCHED);
    window.sessionStorage.setItem(FETCHED, player);
    return before === player;
  } catch (error) {
    if (!(error instanceof DOMException)) throw error; // forbidden
    return false;
  }
}

/**
 * Take the account's preferences over to this browser, once in each tab. What the account does not have yet stays as it
 * is.
 * @param {import("./connection.js").Connection} connection @param {string} player
 */
export async function fetchKept(connection, player) {
  if (known(player)) return;
  const kept = await orNull(connection.request({ type: "preferences" }));
  if (kept === null) return; // the archive is unavailable: this browser's stay
  for (const name of settings.KEPT) {
    const value = kept[name];
    if (value != null && value !== settings.get(name)) settings.set(name, value);
  }
  settings.applyTheme();
}

/**
 * Change a preference in this browser, and in the account if there is one. Rejected with `RequestError`.
 * @param {import("./connection.js").Connection} connection @param {boolean} member @param {Preference} name
 * @param {string} value
 */
export async function keep(connection, member, name, value) {
  settings.set(name, value);
  settings.applyTheme();
  if (member) await connection.request({ type: "preferences", [name]: value });
}
