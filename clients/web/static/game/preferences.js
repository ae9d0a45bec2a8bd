/** The player's preferences, for this game or for all. This browser stores and applies them. */

import * as settings from "../net/settings.js";
import { isPair } from "../text/words.js";
import { byId, check, el, renew } from "../ui/dom.js";

/** @typedef {import("../model/table.js").Table} Table */

export class Preferences {
  /** @param {import("./game.js").Game} game @param {() => void} changed called when a preference has changed */
  constructor(game, changed) {
    this._game = game;
    this._changed = changed;
  }

  /** The game of the series in which the user refuses draw offers, if any. */
  get _name() {
    return `${this._game.room}.${this._game.table?.game}`;
  }

  /** Whether the user refuses every draw offer. */
  get quiet() {
    return this._game.mine !== null && settings.refusesDraws(this._name);
  }

  /** @param {boolean} on */
  hush(on) {
    settings.refuseDraws(this._name, on);
    this.refuseDraw();
    this._changed();
  }

  /** Whether chat and moves are hidden. */
  get zen() {
    return settings.get("zen") === "on";
  }

  set zen(on) {
    settings.set("zen", on ? "on" : "off");
    this._changed();
  }

  /** Refuse a draw offer if the user refuses all of them; whether it did. */
  refuseDraw() {
    const { first: mine, table } = this._game;
    const proposal = table?.proposal;
    if (
      !this.quiet ||
      mine === null ||
      proposal?.kind !== "draw" ||
      !proposal.electorate.includes(mine) ||
      proposal.votes[mine] !== undefined
    )
      return false;
    this._game.vote(false);
    return true;
  }

  /** @param {HTMLElement} holder @param {HTMLElement} board */
  show(holder, board) {
    const four = !isPair(/** @type {Table} */ (this._game.table).variant);
    const facing = settings.facing();
    const dark = settings.isDark();
    board.classList.toggle("facing", facing);
    document.body.classList.toggle("zen", this.zen);
    const loud = settings.loud();
    byId("sound").setAttribute("aria-pressed", String(loud));
    const reacts = settings.reacts();
    const kept = (/** @type {"sound"|"reactions"|"facing"} */ name, /** @type {string} */ words, on = false) =>
      check(name, words, on, (now) => {
        settings.set(name, now ? "on" : "off");
        this._changed();
      });
    renew(holder, [four, facing, dark, loud, reacts], () => [
      kept("sound", "Sound", loud),
      kept("reactions", "Reactions of players", reacts),
      check("dark", "Dark colours", dark, (on) => {
        settings.set("theme", on ? "dark" : "light");
        settings.applyTheme();
        this._changed();
      }),
      el("a", { href: "/preferences", target: "_blank" }, "Board, pieces and sounds…"),
      four ? kept("facing", "Pieces face their players", facing) : null,
    ]);
  }
}
