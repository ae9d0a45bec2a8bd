/** Elements of the page, made and found. */

/**
 * An element with attributes (`onclick` and the like are listeners, `class` the class) and children. A `style` is set
 * through the DOM: the server's policy forbids style attributes.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} name @param {Record<string, any>} [attributes] @param {(Node|string|null)[]} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function el(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value == null || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key === "style") element.style.cssText = value;
    else element.setAttribute(key, value === true ? "" : String(value));
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}

/**
 * A button that sends no form.
 * @param {string|Node} words @param {(event: Event) => unknown} act @param {Record<string, any>} [more] attributes
 */
export const button = (words, act, more = {}) => el("button", { type: "button", onclick: act, ...more }, words);

/** Handle a form on this page, instead of sending it. @param {HTMLFormElement} form @param {() => unknown} send */
export const onSubmit = (form, send) =>
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send();
  });

const SVG = "http://www.w3.org/2000/svg";

/**
 * An element of a drawing.
 * @param {string} name @param {Record<string, string|number>} [attributes] @param {Element[]} children
 */
export function svg(name, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.append(...children);
  return element;
}

/** @typedef {import("../../ids.d.ts").Tags} Tags */

/**
 * The element with an id. Throws if the page has none.
 * @template {keyof Tags} I @param {I} id @returns {HTMLElementTagNameMap[Tags[I]]}
 */
export function byId(id) {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`the page has no #${id}`);
  return /** @type {any} */ (element);
}

/** @param {Element} element @param {string} text */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/**
 * Rebuild a part of the page if its key has changed.
 * @param {HTMLElement} holder @param {unknown} key @param {() => (Node|string|null)[]} make
 */
export function renew(holder, key, make) {
  const text = JSON.stringify(key);
  if (MADE_FROM.get(holder) === text) return;
  MADE_FROM.set(holder, text);
  const focused = document.activeElement;
  const name = focused !== null && holder.contains(focused) ? focused.getAttribute("data-focus") : null;
  holder.replaceChildren(...make().filter((child) => child !== null));
  if (name !== null) /** @type {HTMLElement|null} */ (holder.querySelector(`[data-focus="${name}"]`))?.focus();
}

/** @type {WeakMap<HTMLElement, string>} */
const MADE_FROM = new WeakMap();

/**
 * A check box.
 * @param {string} name @param {string} words @param {boolean} checked @param {(on: boolean) => void} change
 */
export const check = (name, words, checked, change) =>
  el("label", { class: "check" },
    el("input", {
      type: "checkbox", "data-focus": name, checked,
      onchange: (/** @type {any} */ event) => change(event.target.checked),
    }),
    el("span", {}, words),
  );

/** Announce a text to screen readers. @param {string} text */
export function speak(text) {
  byId("spoken").textContent = text;
}

/** A page that draws itself: at once for its user, once a frame for all that the server sends. */
export class Drawn {
  _due = false;

  /** @abstract */
  _draw() {}

  /** Draw at once, together with what was due. */
  render() {
    this._due = false;
    this._draw();
  }

  /**
   * Draw in the next frame. A press delays it, by 60 frames at most. A hidden page has no frames, and draws at once.
   */
  refresh() {
    if (document.hidden) return this.render();
    if (this._due) return;
    this._due = true;
    const wait = (/** @type {number} */ frames) => {
      requestAnimationFrame(() => {
        // A button that is replaced while it is pressed gets no click.
        if (frames && document.querySelector("a:active,button:active")) wait(frames - 1);
        else if (this._due) this.render();
      });
    };
    wait(60);
  }
}
