/** Eliminations in a chapter for four, as far as the fetched boards show them. Loaded with the first such chapter. */

import { departure } from "../model/tree.js";
import { capital } from "../text/words.js";
import { exit } from "../ui/chip.js";
import { nameOf } from "./words.js";

/** @typedef {import("../model/tree.js").Tree} Tree */
/**
 * @typedef {(node: number) => string[]|undefined} Out the seats that are out after a move; undefined if its board is
 * unknown
 */

/** The number of boards fetched at a time within a range of moves. */
const AT_ONCE = 8;

/**
 * The moves of a line whose boards to fetch next, to find eliminations: between two boards with different seats out.
 * Nobody comes back in.
 * @param {number[]} line from the start on @param {Out} out @returns {number[]}
 */
export function wanted(line, out) {
  const ends = [line[0], line[line.length - 1]].filter((node) => out(node) === undefined);
  if (ends.length > 0) return ends;
  const known = line.flatMap((node, at) => (out(node) === undefined ? [] : [at]));
  return known.slice(1).flatMap((end, index) => {
    const begin = known[index];
    if (out(line[begin])?.length === out(line[end])?.length) return [];
    const step = Math.max(1, (end - begin) / (AT_ONCE + 1));
    /** @type {number[]} */
    const found = [];
    for (let at = begin + step; Math.round(at) < end; at += step) found.push(line[Math.round(at)]);
    return found;
  });
}

/**
 * A row for each elimination at a move. Leaving the game is a move of its own.
 * @param {Tree} chapter @param {number} number @param {Out} out
 */
export function rows(chapter, number, out) {
  const node = chapter.nodes.get(number);
  if (node === undefined || departure(node) !== undefined) return [];
  const before = out(node.parent);
  const reason = node.text.includes("#") ? "checkmate" : node.text.includes("xK") ? "king_captured" : "out";
  return (before === undefined ? [] : (out(number) ?? []))
    .filter((seat) => !before?.includes(seat))
    .map((seat) =>
      exit({ seat, reason, by: reason === "out" ? null : node.seat, place: null },
        (one) => nameOf(chapter, one) || capital(one),
      ),
    );
}
