/** The user's games in the lobby: the turn, the opponents, and a link back. */

import { variantOf } from "../model/geometry.js";
import { isRated, remaining } from "../model/table.js";
import { clockWords } from "../text/clockwords.js";
import { control, face, inTeams, partners, playersOf, plural, VARIANTS } from "../text/words.js";
import { chip } from "../ui/chip.js";
import { el, setText } from "../ui/dom.js";
import { named } from "../ui/names.js";

/** @typedef {import("../model/table.js").Table} Table */
/** @typedef {{room: string, table: Table, mine: string, holder: HTMLElement}} Own */

/** Sorted: running games first, and among them the user's turn first. @param {Own[]} games */
export const sorted = (games) => [...games].sort((one, other) => rank(other) - rank(one));

/** @param {Own} game */
const rank = ({ table, mine }) => (table.status !== "playing" ? 0 : table.turn === mine ? 2 : 1);

/** The data of a card. While it is the same, the card stays. @param {Own} game */
export const key = ({ room, table, mine }) => [
  room, mine, table.status, table.turn, table.seats.map((seat) => [seat.name, seat.out, seat.invited]),
  isRated(table),
];

/** @param {Own} game */
export function card({ room, table, mine, holder }) {
  const { status, turn } = table;
  const myTurn = status === "playing" && turn === mine;
  return el("article", { class: `own-card panel ${myTurn ? `my-turn ${mine}` : ""}`, "data-room": room },
    holder,
    el("div", { class: "told" },
      tag(table, mine),
      el("h3", { title: clockWords(table.clocks) },
        [VARIANTS[table.variant]?.name ?? table.variant, table.clocks === null ? "" : control(table.clocks)]
          .filter(Boolean)
          .join(" "),
        el("span", { class: "soft" }, isRated(table) ? " · rated" : " · casual"),
      ),
      el("p", { class: "second" }, ...who(table, mine)),
      el("a",
        { class: `button ${myTurn ? "primary" : ""}`, href: `/r/${encodeURIComponent(room)}`, "data-focus": room },
        "Go to the table",
      ),
    ),
  );
}

/** @param {Table} table @param {string} mine */
function tag(table, mine) {
  const { status, turn, seats } = table;
  if (status !== "playing" || turn === null) {
    const players = playersOf(table.variant);
    const free = seats.filter(({ seat, name, invited }) => !name && invited === null && players.includes(seat)).length;
    return el("span", { class: "turn-tag" }, free ? `Waiting: ${plural(free, "free seat")}` : "Waiting");
  }
  if (turn === mine)
    return el("span", { class: `turn-tag mine ${mine}` }, chip(mine), "Your turn ", el("b", { class: "left" }));
  const seat = seats.find((one) => one.seat === turn);
  return el("span", { class: "turn-tag" }, chip(turn), el("span", { class: "name" }, `${seat?.name ?? turn} to move`));
}

/** Opponents, partners, and eliminated players. @param {Table} table @param {string} mine */
function who({ variant, seats }, mine) {
  const me = seats.findIndex((seat) => seat.seat === mine);
  const names = (/** @type {typeof seats} */ those) =>
    those.map((seat) => seat.name ?? (seat.invited === null ? "a free seat" : `Computer ${seat.invited}`));
  const there = seats.filter((seat, index) => index !== me && seat.out === null);
  if (inTeams(variant)) {
    const mine = partners(variant, me).map((index) => seats[index]);
    const { players } = variantOf(variant);
    if (players) // the partner is the user
      return ["against ", ...named(names(there.filter((seat) => players.includes(seat.seat) && !mine.includes(seat))))];
    return [
      "with ",
      ...named(names(mine)),
      " against ",
      ...named(names(there.filter((seat) => !mine.includes(seat))), ", ", " and "),
    ];
  }
  const gone = seats.filter((seat, index) => index !== me && seat.out !== null && seat.out !== "set_up");
  return [
    ...(there.length ? ["against ", ...named(names(there))] : []),
    ...(gone.length ? ["; ", ...named(names(gone), ", ", " and "), gone.length > 1 ? " are out" : " is out"] : []),
    seats[me].out === null ? "" : "; you are out",
  ];
}

/** Show the user's own clock. @param {HTMLElement} card @param {Own} game @param {number} now by the server's clock */
export function tick(card, { table, mine }, now) {
  const clock = card.querySelector(".left");
  const left = clock === null ? null : remaining(table, mine, now);
  if (clock !== null) setText(clock, left === null ? "" : face(left));
}
