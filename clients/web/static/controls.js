/** The page's buttons, keys and forms, and what each of them does at a table. */

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
  link: (page) => page.copy(),
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
  draw: (page) => page.draw(),
  resign: (page) => page.resign(),
  more: async (page, _seat, button) => {
    const { popover } = await later();
    await page.showMenu();
    popover.openAt(byId("menu"), button);
  },
};

/** @param {Page} page */
export function wire(page) {
  byId("sound").onclick = async () => {
    settings.set("sound", settings.loud() ? "off" : "on");
    page.render();
    (await later()).sound.play("turn");
  };
  byId("more").onclick = () => DEEDS.more(page, "", byId("more"));
  byId("gear").onclick = async () => (await later()).popover.openAt(byId("preferences"), byId("gear"));
  const steps = { first: () => page.look(0), back: () => page.look(page.at - 1), forth: () => page.look(page.at + 1), live: () => page.look(Infinity) };
  for (const [id, does] of Object.entries(steps)) byId(id).onclick = does;
  byId("flip").onclick = () => page.flip();
  /** @type {Record<string, () => void>} */
  const keys = { ArrowLeft: steps.back, ArrowRight: steps.forth, Home: steps.first, End: steps.live, f: () => page.flip() };
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || page.game.table === null) return;
    if (/** @type {HTMLElement} */ (event.target).matches("input, textarea, select, dialog *")) return;
    if (keys[event.key] === undefined) return;
    keys[event.key]();
    event.preventDefault();
  });
  /** Send what is in a form's input. @param {string} form @param {string} input @param {(text: string, field: HTMLInputElement) => void} send */
  const form = (form, input, send) =>
    byId(form).addEventListener("submit", (/** @type {Event} */ event) => {
      event.preventDefault();
      send(byId(input).value.trim(), byId(input));
    });
  form("typed", "move", (word, field) => {
    page.type(word);
    field.value = "";
  });
  form("say", "text", (text, field) => {
    const to = byId("to").hidden ? "all" : byId("to").value;
    if (text) page.game.ask({ type: "say", text, to }, () => (field.value = ""));
  });
  addEventListener("online", () => page.game.connection.nudge());
  addEventListener("offline", () => page.game.connection.doubt());
  document.addEventListener("visibilitychange", () => document.hidden || page.game.connection.probe());
}
