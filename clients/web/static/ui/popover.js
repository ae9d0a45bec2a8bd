/** Popovers: each opens beside its button, and closes at the next click elsewhere. */

import { button } from "./dom.js";

const GAP = 6;

/**
 * The time at which each popover was closed last. The press on its button that closed it does not open it again.
 * @type {WeakMap<HTMLElement, number>}
 */
const CLOSED = new WeakMap();
const SAME_PRESS = 300;

/**
 * Open a popover beside a button, above it where there is room.
 * @param {HTMLElement} popover @param {HTMLElement} opener
 */
export function openAt(popover, opener) {
  if (performance.now() - (CLOSED.get(popover) ?? -SAME_PRESS) < SAME_PRESS || popover.matches(":popover-open")) return;
  popover.showPopover();
  popover.addEventListener("beforetoggle", () => CLOSED.set(popover, performance.now()), { once: true });
  place(popover, opener.getBoundingClientRect());
}

/** Close a popover after a choice. Its button can open it again at once. @param {HTMLElement} popover */
export function close(popover) {
  popover.hidePopover();
  CLOSED.delete(popover);
}

/**
 * A choice of a popover, which closes it.
 * @param {HTMLElement} popover @param {string} words @param {() => unknown} does
 * @param {Record<string, any>} [more] attributes
 */
export function item(popover, words, does, more = {}) {
  const act = () => {
    close(popover);
    does();
  };
  return button(words, act, { class: "item", ...more });
}

/** @param {HTMLElement} popover @param {DOMRect} by */
function place(popover, by) {
  const { width, height } = popover.getBoundingClientRect();
  const above = by.top - GAP - height;
  const left = Math.max(8, Math.min(by.left, innerWidth - width - 8));
  const top = above >= 8 ? above : Math.min(by.bottom + GAP, innerHeight - height - 8);
  Object.assign(popover.style, { left: `${left}px`, top: `${Math.max(8, top)}px` });
}
