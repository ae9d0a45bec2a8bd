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
    this.look(this.on && !over ? `${variant} ${position}` : "", { variant, position }, "the study", order);
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
    this.look(`${variant} ${position}`, { type: "explore", variant, position }, next, 250);
  }
}
