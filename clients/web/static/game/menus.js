/** The menus: the number of moves to undo, the level of a computer player, and the menu "…". */

import { isOf, seatOf } from "../model/table.js";
import { isPair, partners, plural } from "../text/words.js";
import { button, byId, check, el, renew } from "../ui/dom.js";
import { formats } from "../ui/files.js";
import * as popover from "../ui/popover.js";
import { copy, report, resign, study, write } from "./requests.js";

/** @typedef {import("../model/table.js").Table} Table */

/**
 * @typedef {import("./requests.js").Page & {
 *   preferences: import("./preferences.js").Preferences, tabs: import("./tabs.js").Tabs,
 *   board?: {zoom: {useful: boolean, turn: () => void}|null}, do: (what: string, button?: HTMLElement) => void,
 * }} Page what the menu "…" needs of the page
 */

/**
 * Ask for the number of moves to undo.
 * @param {HTMLElement} holder @param {Table} table @param {string|null} mine my seat
 * @param {boolean} counts whether the game may still be rated @param {(plies: number) => void} ask
 */
export function takeBack(holder, table, mine, counts, ask) {
  const played = table.line.length;
  const own = played - table.line.map((step) => isOf(table, step.seat, mine)).lastIndexOf(true);
  const plies = /** @type {HTMLInputElement} */ (
    el("input", {
      type: "number", min: "1", max: `${played}`, value: `${own > played ? 1 : own}`, "aria-label": "How many moves",
    })
  );
  const item = (/** @type {string} */ text, /** @type {() => number} */ count, kind = "") =>
    button(text, () => ask(count()), { class: `item ${kind}` });
  holder.replaceChildren(
    el("h2", {}, "Take back"),
    own > 1 && own <= played ? item(`Take back ${plural(own, "move")}, to my last turn`, () => own) : "",
    item("Take back 1 move", () => 1),
    el("div", { class: "buttons" }, plies,
      item("Moves", () => Math.max(1, Math.min(played, Number(plies.value) || 1))),
    ),
    el("p", { class: "second" },
      `Every player still in the game must agree. ${plural(played, "move")} played.` +
        (counts ? " The game is then no longer rated." : ""),
    ),
  );
}

/**
 * Ask for the level of a computer player, or for a bot.
 * @param {HTMLElement} holder @param {(level: number) => void} ask @param {() => void} invite
 */
export function levels(holder, ask, invite) {
  holder.replaceChildren(
    el("h2", {}, "Add a computer"),
    el("div", { class: "buttons" },
      ...[1, 2, 3, 4, 5].map((level) =>
        popover.item(holder, `${level}`, () => ask(level), { class: null, "aria-label": `Level ${level}` }),
      ),
    ),
    el("p", { class: "second" }, "From 1, the weakest, to 5."),
    button("Invite a bot…", invite, { class: "item" }),
  );
}

/** The seats still in the game that play against the user's. @param {Table} table @param {string|null} mine */
function opponents({ seats, variant }, mine) {
  const own = seats.findIndex(({ seat }) => seat === mine);
  const partner = own < 0 ? [] : partners(variant, own);
  return seats.filter(({ out }, at) => out === null && at !== own && !partner.includes(at));
}

/**
 * Show the menu "…".
 * @param {HTMLElement} holder @param {Page} page
 */
export function menu(holder, page) {
  const { table, game: { mine }, preferences: { quiet, zen } } = page;
  const zoomable = page.board?.zoom?.useful ?? false;
  const playing = table.status === "playing" && mine !== null && seatOf(table, mine).out === null;
  const moved = new Set(table.line.map((step) => step.seat)); // null: this client does not know the move yet
  const young = playing && !moved.has(null) && !table.seats.every((seat) => seat.out !== null || moved.has(seat.seat));
  const free = playing && table.proposal === null; // one vote at a time
  const asked = playing && !free; // the slot has no room for them
  const kinds = formats(isPair(table.variant));
  const { viewed } = page;
  const others = table.seats.filter((seat) => seat.player !== null && seat.player !== page.game.connection.player);
  const timed = (table.clocks?.base ?? 0) > 0;
  const began = [null, ...page.game.seats].some((seat) => moved.has(seat));
  const halves = playing && timed && !began && !seatOf(table, mine).berserk;
  const given = timed && (isPair(table.variant) || !table.rated) ? opponents(table, mine) : [];
  renew(holder,
    [
      table.paused, halves, given.map(({ seat, name }) => [seat, name]), table.clocks !== null, table.chat,
      table.status, playing, young, free, table.redo, quiet, zen, zoomable, mine, viewed,
      others.map((seat) => seat.player),
    ],
    () => {
      const item = (/** @type {string} */ text, /** @type {() => void} */ does, kind = "") =>
        popover.item(holder, text, does, { class: `item ${kind}`, "data-focus": text });
      return [
        playing
          ? item("Type a move", () => {
              page.tabs.pick("moves");
              byId("move").focus();
            })
          : null,
        free && table.redo > 0
          ? item(`Redo ${plural(table.redo, "move")}`, () => page.game.propose("redo", { plies: table.redo }))
          : null,
        free && table.clocks !== null && table.paused === null
          ? item("Ask for a pause", () => page.game.propose("pause"))
          : null,
        halves ? item("Go berserk: half the time", () => page.game.command({ type: "berserk" })) : null,
        ...(playing ? given : []).map(({ seat, name }) =>
          item(`Give ${name ?? seat} 15 seconds`, () => page.game.command({ type: "give", seat })),
        ),
        young ? item("Call off the game", () => page.game.command({ type: "abort" })) : null,
        asked ? item("Resign", () => resign(page), "danger") : null,
        viewed === null ? null : item("Copy the link to this position", () => copy(page, viewed)),
        mine !== null && table.chat ? item("React", () => page.do("react", byId("more"))) : null,
        table.status === "finished" && table.line.length > 0 ? item("Review", () => page.do("review")) : null,
        table.status === "finished" ? item("Share", () => page.do("share", byId("more"))) : null,
        table.status === "finished" ? item("Study this game", () => study(page)) : null,
        el("a", { class: "item button", href: `/learn/${encodeURIComponent(table.variant)}`, target: "_blank" },
          "Rules of this game",
        ),
        zoomable ? item("Zoom", () => page.board?.zoom?.turn()) : null,
        playing ? check("quiet", "Refuse all draw offers", quiet, (on) => page.preferences.hush(on)) : null,
        others.length ? item("Report a player", () => report(page, others)) : null,
        check("zen", "Zen mode", zen, (on) => (page.preferences.zen = on)),
        el("div", { class: "buttons", role: "group", "aria-label": "Export" },
          ...kinds.map(([format, name]) => item(name, () => write(page, format, name))),
        ),
      ];
    },
  );
}
