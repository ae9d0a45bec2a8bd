/** The panel for a game against computer players: their number and level. */

import { trying } from "../net/connection.js";
import * as settings from "../net/settings.js";
import { playersOf } from "../text/words.js";
import { button, byId, setText } from "../ui/dom.js";
import { opened } from "./create.js";

const ABOUT = [
  "",
  "Level 1 plays any legal move.",
  "Level 2 takes and checks whenever it can.",
  "Level 3 saves its pieces and takes what is free.",
  "Level 4 knows openings and keeps control.",
  "Level 5 thinks ahead.",
];

export class Computers {
  /**
   * @param {import("../net/connection.js").Connection} connection
   * @param {(room: string) => void} go @param {(text: string) => void} complain
   */
  constructor(connection, go, complain) {
    this._connection = connection;
    this._go = go;
    this._complain = complain;
    const [opponents, level] = (settings.get("computers") ?? "").split(" ").map(Number);
    this._opponents = opponents === 1 ? 1 : 3;
    this._level = ABOUT[level] ? level : 3;
    byId("opponents").append(...[1, 3].map((count) => choice(count, () => this._choose(count, this._level))));
    byId("levels").append(
      ...[1, 2, 3, 4, 5].map((number) => choice(number, () => this._choose(this._opponents, number))),
    );
    byId("play-computers").onclick = () => this.play(this._opponents === 1 ? "standard" : "survivor", null);
    this._show();
  }

  /** @param {number} opponents @param {number} level */
  _choose(opponents, level) {
    this._opponents = opponents;
    this._level = level;
    settings.set("computers", `${opponents} ${level}`);
    this._show();
  }

  _show() {
    for (const [id, chosen] of /** @type {const} */ ([["opponents", this._opponents], ["levels", this._level]])) {
      for (const one of byId(id).children)
        one.setAttribute("aria-pressed", String(Number(one.textContent) === chosen));
    }
    setText(byId("opponents-word"), this._opponents === 1 ? "opponent" : "opponents");
    setText(byId("level-about"), ABOUT[this._level]);
  }

  /**
   * A game in which all the others are computer players.
   * @param {string} variant @param {import("./create.js").Requests["create"]["clock"]} clock
   */
  async play(variant, clock) {
    const [mine, ...others] = playersOf(variant);
    await trying(async () => {
      this._go(
        await opened(this._connection, { type: "create", variant, clock }, [mine],
          others.map((seat) => [seat, this._level]),
        ),
      );
    }, this._complain);
  }
}

/** @param {number} number @param {() => void} choose */
const choice = (number, choose) => button(String(number), choose, { "data-focus": number });
