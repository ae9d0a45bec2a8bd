/** The moves, players and authors of a study, in words. Pure. */

import { departure, mainFrom } from "../model/tree.js";
import { capital, gone } from "../text/words.js";

/** @typedef {import("../model/tree.js").Node} Node */
/** @typedef {import("../model/tree.js").Study} Study */
/** @typedef {import("../model/tree.js").Tree} Tree */

/** A move as people read it. @param {Node} node */
export function textOf(node) {
  const reason = departure(node);
  return reason === undefined ? node.text : gone(reason);
}

/** The name of a player in a chapter's game. @param {Tree} chapter @param {string} seat */
export function nameOf({ tags }, seat) {
  const name = tags[capital(seat)] ?? "?";
  return name === "?" ? "" : name;
}

/** The author of a node. @param {Study} study @param {Tree} chapter @param {Node} node */
export const authorOf = (study, chapter, node) => study.names[node.by || chapter.by] || "somebody";

/**
 * The variation that begins with a node, in words.
 * @param {Study} study @param {Tree} chapter @param {number} number
 */
export function variationWords(study, chapter, number) {
  const node = chapter.nodes.get(number);
  if (node === undefined) return "";
  const length = 1 + mainFrom(chapter, number).length;
  const moves = length === 1 ? "one move" : `${WORDS[length] ?? length} moves`;
  return `variation, ${moves}, by ${authorOf(study, chapter, node)}`;
}

const WORDS = ["", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];
