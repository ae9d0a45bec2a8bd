/**
 * The squares that each side attacks. A bar in the side's colour stands at the edge of the square that faces it. The
 * server computes them.
 */

import { UNIT } from "../board/squares.js";
import { orNull } from "../net/connection.js";
import { capital } from "../text/words.js";
import { el, renew, svg } from "../ui/dom.js";

/** @typedef {Record<string, string[]>} Attacks the squares that each seat attacks */

/**
 * @typedef {object} Page what the map needs of the page
 * @property {string} room @property {import("../net/connection.js").Connection} connection
 * @property {import("./board.js").StudyBoard} [board] @property {() => void} render
 */

/** The distance of a bar from the square's edge, and its thickness. */
const [INSET, THICK] = [4, 9];

/** The places of bars in a square, clockwise from the bottom. */
const PLACES = [
  { x: INSET, y: UNIT - INSET - THICK, width: UNIT - 2 * INSET, height: THICK },
  { x: INSET, y: INSET, width: THICK, height: UNIT - 2 * INSET },
  { x: INSET, y: INSET, width: UNIT - 2 * INSET, height: THICK },
  { x: UNIT - INSET - THICK, y: INSET, width: THICK, height: UNIT - 2 * INSET },
];

export class AttackMap {
  /** @param {Page} page */
  constructor(page) {
    this._page = page;
    /** By chapter and node. @type {Map<string, Attacks>} */
    this._known = new Map();
    this._asked = "";
    this._drawn = "";
    this._words = el("ul", { class: "unseen", "aria-label": "Attacked squares" });
    document.getElementById("side")?.append(this._words);
  }

  /**
   * Show the map of the displayed position if `on`; remove it otherwise.
   * @param {boolean} on @param {number} chapter @param {number} node
   * @param {string[]} order the seats, clockwise from the bottom of the board
   */
  show(on, chapter, node, order) {
    const key = `${chapter}.${node}`;
    const found = on ? this._known.get(key) : undefined;
    if (on && found === undefined) this._ask(key, chapter, node);
    const { board } = this._page;
    const shown = found === undefined || board === undefined ? "" : `${key} ${board.variant} ${order}`;
    if (shown === this._drawn && shown === "") return;
    this._drawn = shown;
    board?.below.replaceChildren(...(found === undefined ? [] : this._bars(found, order)));
    renew(this._words, shown, () =>
      found === undefined
        ? []
        : order.map((seat) => el("li", {}, `${capital(seat)}: ${found[seat].join(" ") || "nothing"}`)),
    );
  }

  /** @param {Attacks} found @param {string[]} order @returns {Element[]} */
  _bars(found, order) {
    const { board } = this._page;
    const step = PLACES.length / order.length;
    return order.flatMap((seat, at) =>
      found[seat].map((square) => {
        const [left, top] = board?.squares.corner(square) ?? [0, 0];
        const { x, y, width, height } = PLACES[at * step];
        return svg("rect", { x: left + x, y: top + y, width, height, rx: 3, class: `attack ${seat}` });
      }),
    );
  }

  /** @param {string} key @param {number} chapter @param {number} node */
  async _ask(key, chapter, node) {
    const page = this._page;
    if (key === this._asked || !page.connection.online) return;
    this._asked = key;
    const found = await orNull(
      page.connection.request({ type: "look", room: page.room, chapter, nodes: [node], attacks: true }),
    );
    const attacks = found?.positions[0]?.attacks;
    if (attacks != null) this._known.set(key, attacks);
    if (this._asked === key) this._asked = "";
    if (this._known.has(key)) page.render();
  }
}
