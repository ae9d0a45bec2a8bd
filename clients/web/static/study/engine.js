/** The engine and the explorer beside a study. They ask about a position, not about the ply of a game. */

import { Engine } from "../analysis/engine.js";
import { Explorer } from "../analysis/explorer.js";
import { byId } from "../ui/dom.js";

export class StudyEngine extends Engine {
  /**
   * @param {string} variant @param {string} position
   * @param {string[]} order the seats, clockwise from the bottom of the board
   * @param {boolean} over whether the game is over there
   */
  showAt(variant, position, order, over) {
    byId("engine").hidden = false;
    document.body.classList.toggle("judged", this.on);
    const place = this.on && !over ? `${variant} ${position}` : "";
    this._home = "the study";
    if (place !== this._place) this._look(place, { variant, position });
    this._draw(order);
  }
}

export class StudyExplorer extends Explorer {
  /** @param {import("../net/connection.js").Connection} connection */
  constructor(connection) {
    super(connection);
    this.holder.removeAttribute("aria-labelledby"); // the section around it has a label
  }

  /**
   * @param {string} variant @param {string} position @param {string|undefined} next the move that is played from there
   */
  showAt(variant, position, next) {
    clearTimeout(this._timer);
    this.holder.hidden = false;
    const key = `${variant} ${position}`;
    this._wanted = key;
    /** @type {any} a game of one move */
    const table = { line: [{ move: next }], variant, position };
    const found = this._known.get(key);
    if (found === undefined) this._timer = window.setTimeout(() => this._ask(key, table, 0), 250);
    else this._draw(table, 0, found);
  }

  /** @param {any} table @returns {any} */
  _question(table) {
    return { type: "explore", variant: table.variant, position: table.position };
  }
}
