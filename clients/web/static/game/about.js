/** The panel about a table: its players and its game. While seats are free, it offers ways to fill them. */

import { SUMMARIES } from "../model/summaries.js";
import { capital, control, half } from "../text/words.js";
import { chip } from "../ui/chip.js";
import { button, el, renew } from "../ui/dom.js";
import { qr } from "../ui/qr.js";
import { title } from "./panels.js";

/** @typedef {import("../model/table.js").Table} Table */

/**
 * Show players, game and watchers. While seats are free, offer ways to fill them. After the game, show the explorer and
 * the rating changes.
 * @param {HTMLElement} holder @param {Table} table
 * @param {{player: string|null, watchers: number, link: string, explorer: HTMLElement, rated: HTMLElement|null, sit:
 * (seat: string) => void, bot: (seat: string, level: number) => void, invite: (seat: string, button: HTMLElement) =>
 * void, kick: (seat: string) => void, copy: (text: string) => void}} how
 */
export function about(holder, table, { player, watchers, link, explorer, rated, sit, bot, invite, kick, copy }) {
  const seated = table.seats.some((seat) => seat.player === player);
  const hosted = table.host === player;
  const open = table.status === "open";
  renew(holder,
    [
      table.seats.map(({ online: _online, since: _since, ...seat }) => seat), seated, hosted, open, watchers,
      table.game, table.points, table.imported, table.rated, rated !== null,
    ],
    () => [
      explorer, rated,
      el("div", { class: "head" },
        el("h2", {}, open ? "Seats" : "Table"),
        open ? null : button("Copy the link", () => copy(link)),
      ),
      el("p", { class: "second" },
        [
          `${title(table)}, ${control(table.clocks)}. ${SUMMARIES[table.variant] ?? ""}`,
          table.visibility === "private" ? " Private." : "",
          table.locked ? " With a password." : "",
          table.imported ? " Imported: it was played elsewhere." : "",
        ].join(""),
      ),
      el("ul", { class: "people" },
        ...table.seats.map((seat) => {
          const free = seat.player === null;
          return el("li", {}, chip(seat.seat, seat.out ? "out" : ""),
            el("span", { class: "name" },
              free
                ? seat.invited
                  ? `Computer ${seat.invited} is coming`
                  : `${capital(seat.seat)}, free`
                : `${seat.name}${seat.player === player ? " (you)" : ""}`,
            ),
            !free && seat.player === table.host
              ? el("span", { class: "tag", title: "opened this table" }, "host")
              : null,
            table.game > 1 ? el("b", { title: "games won" }, half(seat.score)) : null,
            open && free && !seated
              ? button("Sit", () => sit(seat.seat), { class: "primary", "data-focus": `sit-${seat.seat}` })
              : null,
            open && free && hosted ? levels(seat.seat, bot, invite) : null,
            open && hosted && (!free || seat.invited) && seat.player !== player
              ? button("Remove", () => kick(seat.seat), {
                  class: "danger", "data-focus": `kick-${seat.seat}`,
                  "aria-label": `Remove ${seat.name ?? seat.seat}`,
                })
              : null,
          );
        }),
      ),
      open
        ? el("div", { class: "invite" },
            el("div", { class: "qr" }, qr(link)),
            el("div", { class: "link" },
              el("p", {}, "Send this link, or let a phone read the code."),
              el("label", { class: "unseen", for: "link" }, "Link to this game"),
              el("input", { id: "link", readonly: true, value: link }),
              button("Copy the link", () => copy(link)),
            ),
          )
        : null,
      watchers ? el("p", { class: "second" }, `${watchers} watching.`) : null,
    ],
  );
}

/**
 * @param {string} seat @param {(seat: string, level: number) => void} bot
 * @param {(seat: string, button: HTMLElement) => void} invite
 */
function levels(seat, bot, invite) {
  const choice = el("select", { "aria-label": `Computer at ${seat}` },
    el("option", { value: "" }, "Computer…"),
    ...[1, 2, 3, 4, 5].map((level) => el("option", { value: level }, `Level ${level}`)),
    el("option", { value: "bot" }, "A bot…"),
  );
  choice.onchange = () => {
    const { value } = choice;
    choice.value = "";
    if (value === "bot") invite(seat, choice);
    else if (value) bot(seat, Number(value));
  };
  return choice;
}
