/** The slot of a study: a lost connection, a refusal, or the displayed move. Loaded after the board. */

import { departure, roundOf } from "../model/tree.js";
import { capital } from "../text/words.js";
import { byId, el } from "../ui/dom.js";
import { offline, Slot } from "../ui/slot.js";
import { authorOf, nameOf, textOf } from "./words.js";

/**
 * @typedef {object} Notice a refusal or an event; shown until the user's next action
 * @property {string} heading @property {string} text @property {boolean} bad whether it is an error
 * @property {import("../ui/slot.js").Button[]} buttons
 */

/**
 * @typedef {object} Page what the slot needs of the page
 * @property {import("../net/connection.js").Connection} connection
 * @property {import("../net/page.js").Outage} outage
 * @property {import("../model/tree.js").Study|null} study @property {import("../model/tree.js").Tree} [chapter]
 * @property {number} at the displayed node @property {Notice|null} notice
 * @property {(change: import("../model/tree.js").Change) => Promise<boolean>} edit resolves to whether it was done
 * @property {(text: string, how?: Partial<Notice>) => void} say show a notice
 */

/** Milliseconds between two drawings of a countdown. */
const TICK = 250;

export class StudySlot {
  /** @param {Page} page */
  constructor(page) {
    this._page = page;
    document.head.append(el("link", { rel: "stylesheet", href: new URL("../ui/slot.css", import.meta.url).href }));
    this._slot = new Slot(byId("slot"), (what) => this._do(what));
    /** The next attempt to connect that the slot shows. @type {number|undefined} */
    this._retry = undefined;
    setInterval(() => this._tick(), TICK);
    this.show();
  }

  /** Count down to the next attempt to connect. */
  _tick() {
    const { connection, outage } = this._page;
    const retry = outage.now?.retry;
    if (retry !== this._retry) this.show();
    else if (retry !== undefined) this._slot.tick(connection.now());
  }

  show() {
    const { connection, outage } = this._page;
    this._retry = outage.now?.retry;
    const shown = offline({ offline: outage.now, kept: null }) ?? this._case();
    if (shown !== null) this._slot.show(shown, connection.now(), shown.kind !== "offline");
  }

  /** @returns {import("../ui/slot.js").Case|null} */
  _case() {
    const { study, chapter, at, notice } = this._page;
    if (study === null || chapter === undefined) return null;
    if (notice !== null) return { kind: "notice", tone: notice.bad ? "alarms" : undefined, ...notice };
    const node = chapter.nodes.get(at);
    if (node === undefined || at === 0) return { kind: "move", heading: "Start", text: chapter.title, buttons: [] };
    const two = chapter.seats.length === 2;
    const who = departure(node) === undefined ? "" : `${nameOf(chapter, node.seat) || capital(node.seat)} `;
    const dots = two ? (node.seat === chapter.seats[1] ? "…" : ".") : "";
    return {
      kind: "move", seat: two ? null : node.seat, heading: `${roundOf(chapter, at)}${dots} ${who}${textOf(node)}`,
      text: `by ${authorOf(study, chapter, node)}`, buttons: [],
    };
  }

  /** Carry out a button's action. @param {string} what */
  async _do(what) {
    const { connection } = this._page;
    if (what === "retry") connection.nudge();
    else if (await this._page.edit({ type: "share", visibility: "link" }))
      this._page.say("Anybody with the link can see this study now.", { bad: false });
  }
}
