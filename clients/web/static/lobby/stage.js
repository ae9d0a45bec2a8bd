/** The live board of four at the top of the lobby, with a small plate for each player. */

import { BoardView } from "../board/board.js";
import { read } from "../model/fen.js";
import { variantOf } from "../model/geometry.js";
import { remaining, squares } from "../model/table.js";
import { roundNow } from "../text/rounds.js";
import { face, gone, ordinal, plural, VARIANTS } from "../text/words.js";
import { chip } from "../ui/chip.js";
import { el, renew, setText } from "../ui/dom.js";
import { hasPeople } from "./listings.js";

/** @typedef {import("../model/table.js").Table} Table */
/** @typedef {import("../model/table.js").Seat} Seat */

export class Stage {
  /** @param {HTMLElement} holder of the board @param {HTMLElement} about of the line below it */
  constructor(holder, about) {
    this._holder = holder;
    this._about = about;
    this._plates = el("ul", { class: "plates", "aria-label": "Players" });
    /** @type {BoardView|null} */
    this._view = null;
    /** @type {Table|null} */
    this._table = null;
  }

  /**
   * @param {import("./listings.js").Listing|null} room @param {Table|null} table @param {(seat: Seat) => string} rating
   */
  show(room, table, rating) {
    if (table === null && room !== null && this._table?.room === room.room) return;
    const variant = table?.variant ?? "survivor";
    const other = table?.room !== this._table?.room;
    if (this._view === null || (other && this._view.variant !== variant)) {
      this._holder.replaceChildren();
      this._view = new BoardView(this._holder, { variant, small: true, lively: true });
      this._holder.append(this._plates);
    }
    this._table = table;
    const last = table?.line[table.line.length - 1];
    this._view.show(
      {
        board: table?.board ?? read(variantOf(variant).start).board, last: last ? squares(last.move) : [],
        check: table?.check ?? [],
      },
      { animate: !other },
    );
    const seats = table?.seats ?? [];
    renew(this._plates,
      [seats.map((seat) => [seat.seat, seat.name, seat.out, rating(seat)]), table?.turn, table?.status],
      () => seats.map((seat) => plate(seat, /** @type {Table} */ (table), rating(seat))),
    );
    renew(this._about, [room?.room, room === null || table === null ? 0 : roundNow(table), room?.watchers], () =>
      room === null || table === null
        ? ["Four players, one board. The last king standing wins."]
        : [
            `${caption(room, roundNow(table))} · `,
            el("a", { href: `/r/${encodeURIComponent(room.room)}` }, "Watch this game"),
          ],
    );
    if (table !== null) this._round(table);
  }

  /** @param {Table} table */
  _round(table) {
    this._holder.classList.toggle("over", table.status === "finished");
  }

  /** @param {number} now by the server's clock */
  tick(now) {
    const table = this._table;
    if (table === null || table.clocks === null) return;
    for (const clock of this._plates.querySelectorAll("[data-clock]")) {
      const left = remaining(table, clock.getAttribute("data-clock") ?? "", now);
      if (left !== null) setText(clock, face(left));
    }
  }
}

/** @param {Seat} seat @param {Table} table @param {string} rating */
function plate({ seat, name, out }, table, rating) {
  const place = table.result?.standings[seat];
  const moves = table.turn === seat && table.status === "playing";
  const note = place !== undefined ? ordinal(place) : out !== null ? gone(out) : rating;
  return el(
    "li",
    {
      class: `plate ${seat} ${moves ? "to-move" : ""} ${out === null ? "" : "out"} ${place === 1 ? "won" : ""}`,
      "data-at": seat,
    },
    el("span", { class: "whose" }, chip(seat, out === null ? "" : "out"), el("span", { class: "name" }, name ?? seat)),
    el("span", { class: "note" }, note, moves ? el("span", { class: "unseen" }, ", to move") : ""),
    table.clocks !== null && out === null && place === undefined
      ? el("span", { class: "time", "data-clock": seat })
      : "",
  );
}

/** Words under the stage. @param {import("./listings.js").Listing} room @param {number} round */
const caption = (room, round) =>
  [
    `${hasPeople(room) ? "Live" : "Computers play"}: ${VARIANTS[room.variant]?.name ?? room.variant}`,
    `round ${round}`,
    ...(room.watchers ? [plural(room.watchers, "spectator")] : []),
  ].join(", ");
