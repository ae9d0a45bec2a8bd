/** Names of players in a sentence. */

import { el } from "./dom.js";

/**
 * Names with words between them. Each name is an element, so it cannot change the direction of the text around it.
 * @param {string[]} names @param {string} [between] @param {string} [last] between the last two
 * @returns {(Node|string)[]}
 */
export const named = (names, between = ", ", last = between) =>
  names.flatMap((name, index) => [
    ...(index === 0 ? [] : [index === names.length - 1 ? last : between]),
    el("span", { class: "name" }, name),
  ]);
