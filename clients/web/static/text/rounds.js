/** A game's moves in rounds, with a column for each seat, and eliminations. Pure. */

import { inTeams, isPair, isScored } from "./words.js";

/** @typedef {import("../model/table.js").Table} Table */
/** @typedef {import("../model/table.js").Gone} Gone */

/**
 * @typedef {object} Round
 * @property {number} number
 * @property {{plies: (number|null)[], gone: (Gone & {place: number|null})[]}[]} parts the plies by column; an
 * elimination ends a part
 */

/** @param {Table} table @returns {Round[]} */
export function rounds(table) {
  const names = table.seats.map((seat) => seat.seat);
  /** @type {Round[]} */
  const found = [];
  let column = names.length;
  let alive = begun(table) - table.gone.length;
  table.line.forEach((step, index) => {
    const at = step.seat === null ? index % names.length : names.indexOf(step.seat);
    if (at < column) found.push({ number: found.length + 1, parts: [] });
    const { parts } = found[found.length - 1];
    let part = parts[parts.length - 1];
    if (part === undefined || part.gone.length > 0) {
      part = { plies: names.map(() => null), gone: [] };
      parts.push(part);
    }
    part.plies[at] = index + 1;
    for (const one of step.gone) part.gone.push({ ...one, place: placeOf(table, one.seat, alive--) });
    column = at + 1;
  });
  return found;
}

/** The number of players at the beginning. @param {Table} table */
const begun = ({ seats }) => seats.filter(({ out }) => out !== "set_up").length;

/**
 * The place of an eliminated player. Where points count, it is unknown before the end.
 * @param {Table} table @param {string} seat @param {number} alive
 */
function placeOf(table, seat, alive) {
  if (isPair(table.variant) || inTeams(table.variant)) return null;
  return table.result?.standings[seat] ?? (isScored(table.variant) ? null : alive);
}

/**
 * All eliminations in order, with place and round.
 * @param {Table} table @returns {(Gone & {place: number|null, round: number})[]}
 */
export function exits(table) {
  const early = table.gone.map((one, index) => ({
    ...one,
    place: placeOf(table, one.seat, begun(table) - index), round: 1,
  }));
  return [
    ...early,
    ...rounds(table).flatMap(({ number, parts }) =>
      parts.flatMap((part) => part.gone.map((one) => ({ ...one, round: number }))),
    ),
  ];
}

/** The number of the round in which the next move falls. @param {Table} table */
export function roundNow(table) {
  const names = table.seats.map((seat) => seat.seat);
  const last = table.line[table.line.length - 1];
  const count = rounds(table).length;
  if (last === undefined || table.turn === null) return Math.max(1, count);
  const before = last.seat === null ? (table.line.length - 1) % names.length : names.indexOf(last.seat);
  return names.indexOf(table.turn) > before ? count : count + 1;
}
