/** The tabs moves, chat and table, where there is no room for all at once; and the count of unread chat lines. */

import { byId, setText } from "../ui/dom.js";

export class Tabs {
  /** @param {HTMLElement} table the page's grid: its `data-tab` says which one @param {() => void} changed */
  constructor(table, changed) {
    this._table = table;
    this._changed = changed;
    this._unread = 0;
    for (const button of this._buttons()) button.onclick = () => this.pick(button.dataset.tab ?? "moves");
    new ResizeObserver(() => this._mark()).observe(table);
    this._mark();
  }

  /** @returns {NodeListOf<HTMLElement>} */
  _buttons() {
    return document.querySelectorAll(".tab");
  }

  get shown() {
    return this._table.dataset.tab ?? "moves";
  }

  /** Whether chat and table lie over the board, as on a phone. */
  get covers() {
    return matchMedia("(width < 640px)").matches;
  }

  /** Whether chat can be seen now. */
  get _chatting() {
    return byId("chat").checkVisibility();
  }

  /** @param {string} tab `moves`, `chat`, `about`; `result` on a phone, once the game is over */
  pick(tab) {
    // On an open sheet, its own tab closes it. The result is under the moves.
    const ended = document.body.classList.contains("ended");
    if (tab === this.shown && getComputedStyle(this._table).getPropertyValue("--tabs").trim() === "3")
      tab = ended && tab === "moves" ? "result" : "moves";
    this._table.dataset.tab = tab;
    this._mark();
    this._changed();
  }

  /** A chat line has arrived. */
  said() {
    if (!this._chatting) this._unread += 1;
    this._mark();
  }

  _mark() {
    if (this._chatting) this._unread = 0;
    const three = getComputedStyle(this._table).getPropertyValue("--tabs").trim() === "3";
    const shown = !three ? (this.shown === "about" ? "about" : "chat") : this.shown === "result" ? "moves" : this.shown;
    for (const button of this._buttons()) button.setAttribute("aria-pressed", String(button.dataset.tab === shown));
    const count = byId("unread");
    count.hidden = this._unread === 0;
    setText(count, `${this._unread}`);
  }
}
