/** Forms and choices. */

import { button, el, onSubmit } from "./dom.js";

/**
 * A form that this page handles itself.
 * @param {() => unknown} send @param {Record<string, any>} attributes @param {(Node|string|null)[]} children
 */
export function form(send, attributes, ...children) {
  const made = el("form", attributes, ...children);
  onSubmit(made, send);
  return made;
}

/**
 * A choice among words.
 * @param {Record<string, string>} words by value @param {string} chosen @param {(value: string) => void} choose
 * @param {Record<string, any>} more attributes
 */
export const choice = (words, chosen, choose, more) =>
  el("select", { ...more, onchange: (/** @type {any} */ event) => choose(event.target.value) },
    ...Object.entries(words).map(([value, word]) => el("option", { value, selected: value === chosen }, word)),
  );

/**
 * The buttons of a bar of choices, one of which is pressed.
 * @param {Record<string, string>} words by value @param {string} chosen @param {(value: string) => void} choose
 */
export const bar = (words, chosen, choose) =>
  Object.entries(words).map(([value, word]) =>
    button(word, () => choose(value), { "data-focus": value, "aria-pressed": String(value === chosen) }),
  );
