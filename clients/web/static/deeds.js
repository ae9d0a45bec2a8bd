/** What a player does at a table besides moving: by the slot's buttons, by "…", by what is typed. */

import { byId, later } from "./dom.js";
import * as settings from "./settings.js";

/** @typedef {import("./room.js").RoomPage} Page */

/** What the slot's buttons do, by name; some are about a seat. @type {Record<string, (page: Page, seat: string, button: HTMLElement) => void>} */
export const DEEDS = {
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
  rematch: ({ game }) => game.propose("rematch"),
  lobby: () => settings.go("/"),
  link: (page) => copy(page),
  stand: ({ game }) => game.stand(),
  close: async ({ game }) => {
    if (await (await later()).dialogs.confirm("Close this table for everybody?", "Close")) game.command({ type: "close" });
  },
  back: (page) => page.look(Infinity),
  undo: async ({ game, table }, _seat, button) => {
    const { actions, popover } = await later();
    actions.takeBack(byId("undo"), table, game.mine, (plies) => {
      byId("undo").hidePopover();
      game.propose("undo", { plies });
    });
    popover.openAt(byId("undo"), button);
  },
  draw: (page) => draw(page),
  resign: (page) => resign(page),
  more: async (page, _seat, button) => {
    const { popover } = await later();
    await showMenu(page);
    popover.openAt(byId("menu"), button);
  },
};

/** A free seat is to be taken: by oneself, or by a computer that one asks in. @param {Page} page @param {string} seat @param {HTMLElement} button */
export async function fill({ game }, seat, button) {
  if (game.mine === null) return game.sit(seat);
  const { actions, popover } = await later();
  actions.levels(byId("undo"), (level) => game.ask({ type: "bot", seat, level }));
  popover.openAt(byId("undo"), button);
}

/** Offer a draw; where points count, end now: by right if it is one, else by vote. @param {Page} page */
export async function draw({ game }) {
  if (!game.claims.includes("points")) game.propose("draw");
  else if (await (await later()).dialogs.confirm("End the game now? You win on points.", "End on points")) game.claim();
}

/** @param {Page} page */
export async function resign({ game }) {
  if (await (await later()).dialogs.confirm("Give up this game?", "Resign")) game.command({ type: "resign" });
}

/** The address of this table, to be sent to somebody. @param {Page} page */
export async function copy(page) {
  const link = location.origin + location.pathname;
  try {
    await navigator.clipboard.writeText(link);
    page.say("The link is copied.");
  } catch (error) {
    if (!(error instanceof DOMException) && !(error instanceof TypeError)) throw error;
    (await later()).dialogs.showText(link, "Link"); // without the right to the clipboard, at least to be selected
  }
}

/** Text typed instead of a move made on the board: a move, or a command. @param {Page} page @param {string} word */
export async function type(page, word) {
  const { board, game, table } = page;
  if (board === undefined || word === "") return;
  const { commands, movetext } = await later();
  const said = commands.command(word, { table, describe: (square) => board.describe(square), resign: () => resign(page), draw: () => draw(page) });
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

/** The game as a text, to be copied or saved. @param {Page} page @param {string} format @param {string} name what it is called */
export async function write(page, format, name) {
  const { dialogs, files } = await later();
  const { connection, room } = page.game;
  page.game.ask({ type: "export", format }, ({ text }) => {
    dialogs.showText(text, name, () => files.save(connection, room, format));
    navigator.clipboard?.writeText(text).then(() => page.say(`${name} copied.`), () => {}); // shown in any case
  });
}

/** Who sits where. @param {Page} page */
export async function showAbout(page) {
  const { about } = await later();
  const { game, table } = page;
  about.about(byId("about"), table, {
    player: game.connection.player,
    watchers: game.watchers,
    link: location.origin + location.pathname,
    sit: (seat) => game.sit(seat),
    bot: (seat, level) => game.ask({ type: "bot", seat, level }),
    kick: (seat) => game.command({ type: "kick", seat }),
    copy: () => copy(page),
  });
}

/** What is under "…". @param {Page} page */
export async function showMenu(page) {
  const { actions } = await later();
  actions.menu(byId("menu"), page);
}
