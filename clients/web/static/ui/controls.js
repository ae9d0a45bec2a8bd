/** Forms and choices. */

import { el } from "./dom.js";

/**
 * A form that this page handles itself.
 * @param {() => unknown} send @param {Record<string, any>} attributes @param {(Node|string|null)[]} children
 */
export const form = (send, attributes, ...children) =>
  el("form",
    {
      ...attributes,
      onsubmit: (/** @type {Event} */ event) => {
        event.preventDefault();
        send();
      },
    },
    ...children,
  );

/**
 * A choice among words.
 * @param {Record<string, string>} words by value @param {string} chosen @param {(value: string) => void} choose
 * @param {Record<string, any>} more attributes
 */
export const choice = (words, chosen, choose, more) =>
  el("select", { ...more, onchange: (/** @type {any} */ event) => choose(event.target.value) },
    ...Object.entries(words).map(([value, word]) => el("option", { value, selected: value === chosen }, word)),
  );
