/** The lobby's lists of games and of tables with free seats. */

import { variantOf } from "../model/geometry.js";
import { clockWords } from "../text/clockwords.js";
import { control, inTeams, partners, playersOf, plural, VARIANTS } from "../text/words.js";
import { chip } from "../ui/chip.js";
import { el, svg } from "../ui/dom.js";
import { named } from "../ui/names.js";

/** @typedef {import("../../../../protocol/protocol.d.ts").Listing} Listing */

/** The clock, and whether the game changes ratings. @param {Listing} room */
const terms = (room) => `${control(room.clock)} · ${room.rated === false ? "casual" : "rated"}`;

/** @param {Listing} room */
const called = (room) => VARIANTS[room.variant]?.name ?? room.variant;

/** @param {Listing["seats"][0]} seat */
const isFree = (seat) => seat.name === null && !seat.bot;

/** The first seat of each player. @param {Listing} room */
const places = ({ seats, variant }) => seats.filter(({ seat }) => playersOf(variant).includes(seat));

/** @param {Listing} room */
export const freeSeats = (room) => places(room).filter(isFree);

/**
 * A running game: its board, its players, and the number of watchers.
 * @param {Listing} room @param {HTMLElement} holder of its board
 */
export const liveCard = (room, holder) =>
  el("a", { class: "live-card panel", href: `/r/${encodeURIComponent(room.room)}`, "data-focus": room.room },
    holder,
    el("span", { class: "line" },
      el("span", { class: "game", title: `${called(room)}, ${clockWords(room.clock)}` },
        el("b", {}, called(room)),
        el("span", { class: "second" }, ` ${terms(room)}`),
      ),
      room.watchers
        ? el("span", { class: "second watchers", title: `${room.watchers} watching` },
            picture("M2 12s4-6.5 10-6.5S22 12 22 12s-4 6.5-10 6.5S2 12 2 12zM12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6z"),
            String(room.watchers),
            el("span", { class: "unseen" }, "watching"),
          )
        : null,
    ),
    el("span", { class: "people second" }, ...people(room)),
  );

/** @param {Listing} room */
function people(room) {
  const names = places(room).map((seat) => seat.name ?? (seat.bot ? "computer" : "nobody"));
  if (!inTeams(room.variant) || names.length < room.seats.length) return named(names, " · ");
  const { teams } = variantOf(room.variant);
  return [...new Set(teams)].flatMap((team, index) => [
    index ? " · " : "",
    ...named(names.filter((_, seat) => teams[seat] === team), " & ",
    ),
  ]);
}

/** A table with free seats. @param {Listing} room @param {(room: Listing, seat: string) => void} sit */
export function openRow(room, sit) {
  const free = freeSeats(room);
  const offered = free[0]?.seat;
  return el("div", { class: "open-row" },
    el("div", { class: "told" },
      el("span", { class: "line" },
        el("a", { class: "name", href: `/r/${encodeURIComponent(room.room)}` }, called(room)),
        el("span", { class: "second", title: clockWords(room.clock) }, terms(room)),
        room.locked
          ? el("span", { class: "lock", title: "Needs a password" },
              picture("M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3"),
              el("span", { class: "unseen" }, "password"),
            )
          : null,
      ),
      el("p", { class: "second people" }, ...waiting(room, free.length)),
    ),
    el("span", { class: "seats" }, ...room.seats.filter((seat) => !isFree(seat)).map((seat) => chip(seat.seat))),
    offered
      ? el(
          "button",
          {
            type: "button", "data-focus": room.room,
            "aria-label": `Sit at ${offered}, ${called(room)} ${control(room.clock)}`,
            onclick: () => sit(room, offered),
          },
          chip(offered), "Sit",
        )
      : null,
  );
}

/** @param {Listing} room @param {number} free */
function waiting(room, free) {
  const there = places(room).filter((seat) => !isFree(seat)).map((seat) => seat.name ?? "computer");
  if (inTeams(room.variant) && free === 1 && places(room).length === room.seats.length) {
    const at = room.seats.findIndex(isFree);
    return [
      "your partner: ",
      ...named(partners(room.variant, at).map((partner) => room.seats[partner].name ?? "computer")),
    ];
  }
  if (!there.length) return ["nobody yet"];
  return [...named(there), free > 1 ? `, ${plural(free, "more seat")} free` : ""];
}

/** @param {string} d */
const picture = (d) =>
  svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true", class: "picture" }, svg("path", { d }));
