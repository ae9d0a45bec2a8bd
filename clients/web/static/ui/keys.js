/** Keyboard shortcuts of a page. */

/**
 * Call a function for each of these keys, unless the user types a text or a part of the page has handled the key.
 * @param {Record<string, () => void>} keys by name @param {() => boolean} [ready] whether they act now
 */
export function onKeys(keys, ready = () => true) {
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || !ready()) return;
    const typed = /** @type {HTMLElement} */ (event.target).matches("input, textarea, select, dialog *");
    if (typed || keys[event.key] === undefined) return;
    keys[event.key]();
    event.preventDefault();
  });
}
