/** A running game to look at: its board, with a plate for each player. */

import { BoardView } from "../board/board.js";
import { read } from "../model/fen.js";
import { variantOf } from "../model/geometry.js";
import { remaining, squares } from "../model/table.js";
import { roundNow } from "../text/rounds.js";
import { control, face, gone, isPair, ordinal, plural, VARIANTS } from "../text/words.js";
import { chip } from "../ui/chip.js";
import { el, renew, setText } from "../ui/dom.js";
import { hasPeople } from "./choice.js";

/** @typedef {import("../../../../protocol/protocol.d.ts").Listing} Listing */
/** @typedef {import("../model/table.js").Table} Table */
/** @typedef {import("../model/table.js").Seat} Seat */

export class Stage {
  /**
   * @param {HTMLElement} holder of the board @param {HTMLElement} about of the line below it
   * @param {{link?: string, nothing?: string}} [words] the words of the link to the game, and those without a game
   */
  constructor(holder, about, words = {}) {
    this._holder = holder;
    this._about = about;
    this._words = {
      link: "Watch this game", nothing: "Four players, one board. The last king standing wins.", ...words,
    };
    this._plates = el("ul", { class: "plates", "aria-label": "Players" });
    /** @type {BoardView|null} */
    this._view = null;
    /** @type {Table|null} */
    this._table = null;
  }

  /**
   * @param {Listing|{room: string}|null} room @param {Table|null} table @param {(seat: Seat) => string} rating
   */
  show(room, table, rating) {
    if (table === null && room !== null && this._table?.room === room.room) return;
    const variant = table?.variant ?? "survivor";
    const other = table?.room !== this._table?.room;
    if (this._view === null || (other && this._view.variant !== variant)) {
      const frame = el("div", { class: "stage-frame" });
      this._holder.classList.toggle("pair", isPair(variant));
      this._holder.replaceChildren(frame, this._plates);
      this._view = new BoardView(frame, { variant, small: true, lively: true });
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
    const watchers = room !== null && "watchers" in room ? room.watchers : 0;
    renew(this._about, [room?.room, table?.room, table === null ? 0 : roundNow(table), table?.status, watchers], () =>
      room === null || table === null
        ? [this._words.nothing]
        : [
            `${caption(room, table)} · `,
            el("a", { href: `/r/${encodeURIComponent(room.room)}`, target: self === top ? null : "_blank" },
              this._words.link,
            ),
          ],
    );
    this._holder.classList.toggle("over", table?.status === "finished");
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

/** Words under the stage. @param {Listing|{room: string}} room @param {Table} table */
function caption(room, table) {
  const listed = "seats" in room ? room : null;
  const live = listed === null ? "" : hasPeople(listed) ? "Live: " : "Computers play: ";
  return [
    `${live}${VARIANTS[table.variant]?.name ?? table.variant}`, control(table.clocks),
    table.status === "finished" ? "over" : `round ${roundNow(table)}`,
    ...(listed?.watchers ? [plural(listed.watchers, "spectator")] : []),
  ].join(", ");
}
