/** The wall: up to nine games at once, for a projector. With `?code=CODE`, those of a class or a club. */

import { sprite } from "../board/pieces.js";
import { isShown, ranked } from "../live/choice.js";
import { Previews } from "../live/previews.js";
import { Stage } from "../live/stage.js";
import { refusal } from "../net/connection.js";
import { connect } from "../net/page.js";
import * as settings from "../net/settings.js";
import { chip } from "../ui/chip.js";
import { byId, Drawn, el, renew, setText } from "../ui/dom.js";

/** @typedef {import("../../../../protocol/protocol.d.ts").Listing} Listing */

const MOST = 9;

/** Milliseconds between two updates of the clocks, and between two requests for the list of games. */
const TICK = 100;
const ASK = 3000;

/** Milliseconds that a finished game stays, if there is room. */
const LINGERS = 60_000;

/** Pixels between two boards, and below each for the words about its game. */
const GAP = 16;
const CAPTION = 58;

/**
 * The number of columns with which the boards are largest.
 * @param {number} boards @param {number} width in pixels @param {number} height in pixels
 */
function columnsFor(boards, width, height) {
  const side = (/** @type {number} */ columns) => {
    const rows = Math.ceil(boards / columns);
    return Math.min((width - GAP * (columns - 1)) / columns, (height - GAP * (rows - 1)) / rows - CAPTION);
  };
  const counts = Array.from({ length: Math.max(boards, 1) }, (_, index) => index + 1);
  return counts.reduce((best, columns) => (side(columns) > side(best) ? columns : best));
}

/** @typedef {{holder: HTMLElement, names: HTMLElement, stage: Stage, ended: number}} Cell */

class WallPage extends Drawn {
  constructor() {
    super();
    this.code = new URLSearchParams(location.search).get("code");
    /** @type {Listing[]} */
    this.games = [];
    this.heard = "";
    /** @type {Map<string, Cell>} */
    this.cells = new Map();
    const { connection } = connect(undefined, { welcomed: () => this.ask() });
    this.connection = connection;
    this.previews = new Previews(connection, () => this.refresh(), (room) => this._remove(room), false);
    if (this.code !== null) {
      setText(byId("title"), `Wall of ${this.code}`);
      document.title = `Wall of ${this.code} · Fourfold`;
    }
    setInterval(() => {
      for (const { stage } of this.cells.values()) stage.tick(connection.now());
    }, TICK);
    setInterval(() => connection.online && this.ask(), ASK);
    new ResizeObserver(() => this.refresh()).observe(byId("cells"));
    this.render();
  }

  async ask() {
    try {
      const { rooms } = await this.connection.request(
        this.code === null ? { type: "rooms", status: "playing", limit: 100 } : { type: "pool", code: this.code },
      );
      this.games = ranked(rooms.filter(isShown));
      this.heard = this.code === null ? "No live games right now" : "No game of this club is played right now";
    } catch (error) {
      this.heard = refusal(error).message;
    }
    this._choose();
    this.render();
  }

  /** New games take the free places, then those of games that have ended. */
  _choose() {
    const now = Date.now();
    const running = new Set(this.games.map(({ room }) => room));
    for (const [room, cell] of this.cells) {
      if (running.has(room)) cell.ended = 0;
      else cell.ended ||= now;
      if (cell.ended && now - cell.ended > LINGERS) this._remove(room);
    }
    for (const { room } of this.games) {
      if (this.cells.has(room)) continue;
      if (this.cells.size >= MOST) {
        const over = [...this.cells].find(([, cell]) => cell.ended > 0);
        if (over === undefined) break;
        this._remove(over[0]);
      }
      this._add(room);
    }
    this.previews.keep(this.cells.keys());
  }

  /** @param {string} room */
  _add(room) {
    const board = el("div", { class: "stage-board" });
    const about = el("p", { class: "second about" });
    const names = el("p", { class: "names" });
    const holder = el("div", { class: "cell" }, board, names, about);
    this.cells.set(room, { holder, names, stage: new Stage(board, about, { link: "Watch" }), ended: 0 });
    byId("cells").append(holder);
  }

  /** @param {string} room */
  _remove(room) {
    this.cells.get(room)?.holder.remove();
    this.cells.delete(room);
    this.refresh();
  }

  _draw() {
    const { clientWidth, clientHeight } = byId("cells");
    byId("cells").style.setProperty("--columns", `${columnsFor(this.cells.size, clientWidth, clientHeight)}`);
    setText(byId("state"), this.cells.size ? "" : this.heard);
    for (const [room, { stage, names }] of this.cells) {
      const table = this.previews.get(room)?.table ?? null;
      if (table === null) continue;
      stage.show({ room }, table, () => "");
      renew(names, table.seats.map(({ name, out }) => [name, out]), () =>
        table.seats.length === 2
          ? []
          : table.seats.flatMap(({ seat, name, out }) => [chip(seat, out === null ? "" : "out"), ` ${name ?? seat} `]),
      );
    }
  }
}

settings.applyTheme();
settings.themeButton(byId("theme"));
document.body.append(sprite());
new WallPage();
