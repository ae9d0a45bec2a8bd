/** Small boards of others' games, or of the user's. Each follows its room as a preview, without being listed there. */

import { after, Gap, of, squares } from "../model/table.js";
import { el } from "../ui/dom.js";

/** @typedef {import("../model/table.js").Table} Table */
/** Boards load after the page, which is useful without them. */
const boards = import("../board/board.js");

/**
 * @typedef {{view: import("../board/board.js").BoardView|null, holder: HTMLElement, table: Table|null, mine:
 * string|null}}
 * Preview
 */

export class Previews {
  /**
   * @param {import("../net/connection.js").Connection} connection
   * @param {(room: string) => void} changed called when a room has changed
   * @param {(room: string) => void} gone called when a room can no longer be followed
   * @param {boolean} [drawn] whether each has a small board
   */
  constructor(connection, changed, gone, drawn = true) {
    this._connection = connection;
    this._changed = changed;
    this._gone = gone;
    this._drawn = drawn;
    /** @type {Map<string, Preview>} */
    this._all = new Map();
  }

  /** @param {string} room */
  get(room) {
    return this._all.get(room);
  }

  /** Follow exactly these rooms. @param {Iterable<string>} rooms */
  keep(rooms) {
    const wanted = new Set(rooms);
    for (const room of this._all.keys()) if (!wanted.has(room)) this._stop(room);
    for (const room of wanted) if (!this._all.has(room)) this._start(room);
  }

  /** @param {string} room */
  _start(room) {
    /** @type {Preview} */
    const preview = { view: null, holder: el("span", { class: "mini" }), table: null, mine: null };
    this._all.set(room, preview);
    this._connection.follow(room, {
      seq: null,
      preview: true,
      take: (frame) => this._take(room, preview, frame),
      refused: () => {
        this._stop(room);
        this._gone(room);
      },
    });
  }

  /** @param {string} room @param {Preview} preview @param {import("../net/connection.js").Frame} frame */
  _take(room, preview, frame) {
    try {
      if (frame.type === "room") preview.table = of(frame);
      else if (frame.type === "update" && preview.table !== null) preview.table = after(preview.table, frame);
      else return;
    } catch (error) {
      if (!(error instanceof Gap)) throw error;
      this._connection.again(room);
    }
    const { table } = preview;
    if (table === null) return;
    const me = this._connection.player;
    const own = table.seats.filter((seat) => me !== null && seat.player === me).map((seat) => seat.seat);
    preview.mine = own.find((seat) => seat === table.turn) ?? own[0] ?? null;
    if (this._drawn) this._draw(preview);
    this._changed(room);
  }

  /** @param {Preview} preview */
  async _draw(preview) {
    const { BoardView } = await boards;
    const { table, holder } = preview;
    if (table === null) return;
    preview.view ??= new BoardView(holder, { variant: table.variant, small: true });
    const last = table.line[table.line.length - 1];
    preview.view.show({ board: table.board, last: last ? squares(last.move) : [], check: table.check });
  }

  /** @param {string} room */
  _stop(room) {
    this._all.delete(room);
    this._connection.unfollow(room);
  }
}
