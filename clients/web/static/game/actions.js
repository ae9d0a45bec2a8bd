/** The actions of a player at a table, except moves: buttons, the menu "…", typed commands. */

import { Explorer } from "../analysis/explorer.js";
import * as movetext from "../model/movetext.js";
import { loaded } from "../net/loading.js";
import * as settings from "../net/settings.js";
import { Rivals } from "../people/rivals.js";
import { Strengths } from "../people/strengths.js";
import * as dialogs from "../ui/dialogs.js";
import { byId, el } from "../ui/dom.js";
import * as popover from "../ui/popover.js";
import * as about from "./about.js";
import * as commands from "./commands.js";
import * as menus from "./menus.js";
import { attempt, copy, draw, resign, study } from "./requests.js";

/** @typedef {import("./menus.js").Page & import("./invites.js").Page} Acting what menus and invitations need */

/**
 * @typedef {object} Shown the parts of the page that load after the board, and what buttons change
 * @property {import("../board/board.js").BoardView} [board]
 * @property {import("../analysis/engine.js").Engine} [engine] @property {import("../analysis/review.js").Review}
 * [review]
 * @property {Explorer} [explorer] @property {import("../people/ratings.js").Rated} [rated]
 * @property {import("../ui/slot.js").Slot} slot
 * @property {Strengths} [strengths] @property {Rivals} [rivals]
 * @property {boolean} counts whether the game may still be rated
 * @property {boolean} stays whether the eliminated user keeps watching
 * @property {string} given the name that the server gave, while the user may choose one
 * @property {() => void} decline decline the present claim
 * @property {(on: boolean) => void} preview show the position that a vote is about, or no longer
 * @property {(ply: number) => void} look display a position
 * @property {() => void} refresh draw with the next frame
 */

/** @typedef {Acting & Shown} Page */

/**
 * The actions of the slot's buttons, by name. Some take a seat.
 * @type {Record<string, (page: Page, seat: string, button: HTMLElement) => void>}
 */
export const ACTIONS = {
  retry: ({ game }) => game.connection.nudge(),
  now: (page) => page.preview(false),
  after: (page) => page.preview(true),
  agree: ({ game }) => game.vote(true),
  refuse: ({ game }) => game.vote(false),
  withdraw: ({ game }) => game.withdraw(),
  claim: ({ game }) => game.claim(),
  decline: (page) => page.decline(),
  stand_in: ({ game }, seat) => game.propose("stand_in", { seat, level: 3 }),
  remove: ({ game }, seat) => game.propose("remove", { seat }),
  resume: ({ game }) => game.propose("resume"),
  rematch: ({ game }) => game.propose("rematch"),
  again: (page) => void import("./again.js").then(({ again }) => again(page)),
  stay: (page) => (page.stays = true),
  lobby: () => settings.go("/"),
  next: (page) => void import("./again.js").then(({ next }) => next(page)),
  review: (page) => review(page),
  share: (page, _seat, button) => void loaded(() => import("./share.js")).then(({ share }) => share(page, button)),
  link: (page) => copy(page),
  name: (page) => named(page, byId("slot").querySelector("input")?.value.trim() ?? ""),
  nameless: (page) => named(page, ""),
  stand: ({ game }) => game.stand(),
  close: async ({ game }) => {
    if (await dialogs.confirm("Close this table for everybody?", "Close")) game.command({ type: "close" });
  },
  back: (page) => page.look(Infinity),
  look: (page, ply) => page.look(Number(ply)),
  try: (page, move) => attempt(page, move),
  untry: (page) => (page.tried = null),
  study: (page) => study(page, page.tried ?? undefined),
  undo: ({ game, table, counts }, _seat, button) => {
    menus.takeBack(byId("undo"), table, game.mine, counts, (plies) => {
      byId("undo").hidePopover();
      game.propose("undo", { plies });
    });
    popover.openAt(byId("undo"), button);
  },
  draw: (page) => draw(page),
  resign: (page) => resign(page),
  react: async (page, _seat, button) => {
    const { choices } = await loaded(() => import("./reactions.js"));
    const holder = byId("undo");
    const react = (/** @type {import("./reactions.js").Reaction} */ reaction) => {
      holder.hidePopover();
      page.game.ask({ type: "react", reaction });
    };
    holder.replaceChildren(el("h2", {}, "React"), choices(react));
    popover.openAt(holder, button);
  },
  more: (page, _seat, button) => {
    showMenu(page);
    popover.openAt(byId("menu"), button);
  },
};

/** The user has chosen a name, which the seat gets too. @param {Page} page @param {string} name empty: none */
function named(page, name) {
  const { game } = page;
  page.given = "";
  settings.set("named", "on");
  if (name === "") return;
  settings.set("name", name);
  game.connection.rename(name);
  if (game.mine !== null) game.sit(game.mine);
}

/** Invite a bot to a seat of the user's table. @param {Page} page @param {string} seat @param {HTMLElement} button */
const invite = (page, seat, button) => import("./invites.js").then((invites) => invites.invite(page, seat, button));

/**
 * Take a free seat. A seated user chooses a computer player or a bot for it instead.
 * @param {Page} page @param {string} seat @param {HTMLElement} button
 */
export function fill(page, seat, button) {
  const { game } = page;
  if (game.mine === null) return game.sit(seat);
  menus.levels(byId("undo"), (level) => game.ask({ type: "bot", seat, level }), () => invite(page, seat, button));
  popover.openAt(byId("undo"), button);
}

/** Carry out typed text: a move, or a command. @param {Page} page @param {string} word */
export function type(page, word) {
  const { board, game, table } = page;
  if (board === undefined || word === "") return;
  const said = commands.command(word, {
    table, describe: (square) => board.describe(square), resign: () => resign(page), draw: () => draw(page),
  });
  if (said !== null) {
    if (said) page.say(said);
  } else if (game.mine === null || table.turn !== game.mine) {
    page.say(table.status === "playing" ? "It is not your turn." : "No game is being played.");
  } else {
    const move = movetext.meant(word, table.board, game.legal);
    if (typeof move === "string") game.move(move);
    else page.say(move.why);
  }
}

/** Show the players, and the explorer for this position. @param {Page} page */
export function showAbout(page) {
  const { game, table } = page;
  page.explorer ??= new Explorer(game.connection);
  page.explorer.show(table, page.at);
  if (table.status === "finished" && page.rated === undefined) {
    import("../people/ratings.js").then(({ Rated }) => {
      page.rated ??= new Rated(game.connection, () => page.refresh());
      page.render();
    });
  }
  page.rated?.show(table);
  if (page.rivals === undefined) {
    page.rivals = new Rivals(game.connection, () => page.refresh());
    page.refresh();
  }
  page.rivals.show(table.seats);
  page.strengths ??= new Strengths(game.connection, () => page.refresh());
  page.strengths.show(table);
  about.about(byId("about"), { ...table, seats: page.strengths.named(table.seats, table.variant, table.clocks) }, {
    player: game.connection.player,
    watchers: game.watchers,
    link: location.origin + location.pathname,
    explorer: page.explorer.holder,
    rated: page.rated?.holder ?? null,
    sit: (seat) => game.sit(seat),
    bot: (seat, level) => game.ask({ type: "bot", seat, level }),
    invite: (seat, button) => invite(page, seat, button),
    kick: (seat) => game.command({ type: "kick", seat }),
    copy: () => copy(page),
  });
}

/** Show the engine and the review, once the game is over. @param {Page} page */
export function showEngine(page) {
  const { board, table } = page;
  dress(table.status === "finished");
  if (page.engine === undefined || page.review === undefined) {
    if (table.status === "finished") judge(page);
    return;
  }
  const seats = table.seats.map((seat) => seat.seat);
  const foot = (board?.squares.rotation ?? 0) / (4 / seats.length);
  page.engine.show(table, page.at, [...seats.slice(foot), ...seats.slice(0, foot)]);
  board?.suggest(page.engine.arrows);
  page.review.show(table, page.at);
}

/** @type {HTMLLinkElement|null} */
let rules = null;

/**
 * Load the rules of finished games after those of all games, and apply them once the game is over. Its card is not
 * displayed without them: its buttons would move under a click.
 * @param {boolean} over
 */
function dress(over) {
  if (rules === null && (over || document.querySelector("link[href*='/life.css']"))) {
    const href = new URL("ended.css", import.meta.url).href;
    rules = el("link", { rel: "stylesheet", href, media: over ? "all" : "not all" });
    rules.onload = rules.onerror = () => document.body.classList.add("styled");
    document.head.append(rules);
  }
  if (rules !== null && over) rules.media = "all";
}

/** Load the modules that analyse a finished game. @param {Page} page */
async function judge(page) {
  const [{ Engine, styled }, { Review }, { drawn }] = await loaded(() =>
    Promise.all([import("../analysis/engine.js"), import("../analysis/review.js"), import("../analysis/story.js")]),
  );
  await styled;
  if (page.engine !== undefined) return;
  page.engine = new Engine(page.game.connection, () => page.refresh());
  page.slot.story = drawn;
  page.review = new Review(page.game.connection, () => page.refresh(), (ply) => page.look(ply));
  page.render();
}

/** Begin the review, and show the moves with it. @param {Page} page */
async function review(page) {
  await judge(page);
  page.review?.start(page.table.room);
  page.tabs.pick("moves");
}

/** Show the menu "…". @param {Page} page */
export function showMenu(page) {
  menus.menu(byId("menu"), page);
}
