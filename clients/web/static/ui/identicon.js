/** A small picture for each player, computed from the id. It is always the same, symmetric, and in ink. */

import { svg } from "./dom.js";

const CELLS = 5;

/** The 32-bit FNV-1a hash of a text. @param {string} text */
function mixed(text) {
  let value = 0x811c9dc5;
  for (const char of text) value = Math.imul(value ^ /** @type {number} */ (char.codePointAt(0)), 0x01000193);
  return Math.imul(value ^ (value >>> 15), 0x2c1b3c6d) >>> 0;
}

/** The filled cells of a player's picture, as `[column, row]`. @param {string} id @returns {[number, number][]} */
export function cells(id) {
  const bits = mixed(id);
  const half = Math.ceil(CELLS / 2);
  /** @type {[number, number][]} */
  const found = [];
  for (let index = 0; index < half * CELLS; index += 1) {
    if (((bits >>> index) & 1) === 0) continue;
    const [column, row] = [index % half, Math.floor(index / half)];
    found.push([column, row]);
    if (column !== CELLS - 1 - column) found.push([CELLS - 1 - column, row]);
  }
  return found;
}

/** @param {string} id */
export const identicon = (id) =>
  svg("svg", { viewBox: `-1 -1 ${CELLS + 2} ${CELLS + 2}`, class: "identicon", "aria-hidden": "true" },
    ...cells(id).map(([x, y]) =>
      svg("rect", { x: `${x + 0.06}`, y: `${y + 0.06}`, width: ".88", height: ".88", rx: ".2" }),
    ),
  );
