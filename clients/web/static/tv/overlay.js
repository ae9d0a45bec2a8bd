/** The players and clocks of a game on a transparent ground, for programs that stream: `/overlay/ROOM`. */

import { remaining } from "../model/table.js";
import { face, gone, ordinal } from "../text/words.js";
import { chip } from "../ui/chip.js";
import { byId, el, renew, setText } from "../ui/dom.js";
import { followGame } from "./room.js";

/** @typedef {import("../model/table.js").Table} Table */

/** @type {Table|null} */
let shown = null;

/** @param {Table|null} table */
function draw(table) {
  shown = table;
  const seats = table?.seats ?? [];
  renew(byId("players"), [seats.map(({ name, out }) => [name, out]), table?.turn, table?.status, table?.result], () =>
    table === null ? [el("li", {}, "There is no such game.")] : seats.map((seat) => player(seat, table)),
  );
}

/** @param {import("../model/table.js").Seat} seat @param {Table} table */
function player({ seat, name, out }, table) {
  const moves = table.turn === seat && table.status === "playing";
  const place = table.result?.standings[seat];
  return el("li", { class: `${seat} ${moves ? "to-move" : ""} ${out === null ? "" : "out"}` },
    chip(seat, out === null ? "" : "out"),
    el("span", { class: "name" }, name ?? seat),
    moves ? el("span", { class: "unseen" }, "to move") : "",
    place !== undefined
      ? el("span", { class: "time" }, ordinal(place))
      : out !== null
        ? el("span", {}, gone(out))
        : el("span", { class: "time", "data-clock": seat }),
  );
}

/** @param {number} now by the server's clock */
function tick(now) {
  if (shown === null) return;
  for (const clock of document.querySelectorAll("[data-clock]")) {
    const left = remaining(shown, clock.getAttribute("data-clock") ?? "", now);
    setText(clock, left === null ? "" : face(left));
  }
}

followGame((_room, table) => draw(table), tick);
