/** What a player has chosen for this game, or for all: kept in this browser, and done here. */

import { el, renew } from "./dom.js";
import * as settings from "./settings.js";

/** @typedef {import("./table.js").Table} Table */

export class Preferences {
  /** @param {import("./game.js").Game} game @param {() => void} changed something else was chosen */
  constructor(game, changed) {
    this._game = game;
    this._changed = changed;
  }

  /** Where draw offers are refused, if they are: this game of the series. */
  get _name() {
    return `${this._game.room}.${this._game.table?.game}`;
  }

  /** Whether every draw offer is refused. */
  get quiet() {
    return this._game.mine !== null && settings.refusesDraws(this._name);
  }

  /** @param {boolean} on */
  hush(on) {
    settings.refuseDraws(this._name, on);
    this.refuseDraw();
    this._changed();
  }

  /** Answer a draw offer with the no that was said once for all; whether there was one. */
  refuseDraw() {
    const { mine, table } = this._game;
    const proposal = table?.proposal;
    if (!this.quiet || mine === null || proposal?.kind !== "draw" || !proposal.electorate.includes(mine) || proposal.votes[mine] !== undefined) return false;
    this._game.vote(false);
    return true;
  }

  /** @param {HTMLElement} holder @param {HTMLElement} opener the button that shows it @param {HTMLElement} board */
  show(holder, opener, board) {
    const table = /** @type {Table} */ (this._game.table);
    const four = table.seats.length === 4;
    const playing = this._game.mine !== null && table.status === "playing";
    const facing = settings.facing();
    opener.hidden = !four && !playing;
    board.classList.toggle("facing", facing);
    renew(holder, [four, playing, facing, this.quiet], () => [
      four ? box("facing", "Pieces face their players", facing, (on) => {
        settings.set("facing", on ? "on" : "off");
        this._changed();
      }) : null,
      playing ? box("quiet", "Refuse every draw offer in this game", this.quiet, (on) => this.hush(on)) : null,
    ]);
  }
}

/** @param {string} name @param {string} words @param {boolean} checked @param {(on: boolean) => void} change */
const box = (name, words, checked, change) =>
  el("label", { class: "check" }, el("input", { type: "checkbox", "data-focus": name, checked, onchange: (/** @type {any} */ event) => change(event.target.checked) }), el("span", {}, words));
