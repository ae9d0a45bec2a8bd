/** What a player can do besides moving: the buttons under the move list. */

import { el, renew } from "./dom.js";
import { seatOf } from "./table.js";

/** @typedef {import("./table.js").Table} Table */

/**
 * @typedef {object} Deeds what the buttons do
 * @property {(kind: string, more?: object) => void} propose
 * @property {() => void} resign @property {() => void} abort @property {(format: string) => void} export
 */

/** @param {HTMLElement} holder @param {Table} table @param {string|null} mine my seat @param {Deeds} deeds */
export function actions(holder, table, mine, deeds) {
  const playing = table.status === "playing" && mine !== null && seatOf(table, mine).out === null;
  const moved = new Set(table.line.map((step) => step.seat)); // null: of a move of which this client knows no more yet
  const young = playing && !moved.has(null) && !table.seats.every((seat) => seat.out !== null || moved.has(seat.seat));
  const free = playing && table.proposal === null; // one vote at a time
  const played = table.line.length;
  const formats = table.seats.length === 2 ? ["pgn", "fen", "smith"] : ["pgn4", "fen", "smith"];
  const absent = playing && table.clocks === null ? table.seats.filter((seat) => seat.out === null && !seat.online && seat.seat !== mine && seat.player !== null && !seat.stand_in).map((seat) => seat.seat) : [];
  renew(holder, [playing, young, free, played, table.redo, formats, absent], () => {
    const button = (/** @type {string} */ text, /** @type {() => void} */ does, /** @type {object} */ more = {}) =>
      el("button", { type: "button", "data-focus": text, onclick: does, ...more }, text);
    const plies = /** @type {HTMLInputElement} */ (el("input", { type: "number", min: "1", max: `${played}`, value: "1", "aria-label": "How many moves", "data-focus": "plies" }));
    return [
      free && played > 0 ? el("span", { class: "undo" }, button("Undo", () => deeds.propose("undo", { plies: Number(plies.value) || 1 })), plies) : null,
      free && table.redo > 0 ? button("Redo", () => deeds.propose("redo", { plies: 1 })) : null,
      free ? button("Draw", () => deeds.propose("draw"), { title: "Offer a draw" }) : null,
      young ? button("Call off", deeds.abort, { title: "End the game: it counts for nobody" }) : null,
      playing ? button("Resign", deeds.resign, { class: "quiet-danger" }) : null,
      ...(free ? absent : []).flatMap((seat) => [
        button(`Go on without ${seat}`, () => deeds.propose("remove", { seat })),
        button(`Bot for ${seat}`, () => deeds.propose("stand_in", { seat, level: 3 })),
      ]),
      el("details", { class: "export" }, el("summary", {}, "Export"), el("div", { class: "menu" }, ...formats.map((format) => button(format.toUpperCase(), () => deeds.export(format))))),
    ];
  });
}
