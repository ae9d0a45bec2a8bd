/** Quick reactions: buttons for one's own, and a bubble on the plate of the player who reacts. */

import * as settings from "../net/settings.js";
import { button, el } from "../ui/dom.js";

/** @typedef {import("../net/connection.js").Requests["react"]["reaction"]} Reaction */

/** The words of each reaction. @type {Record<Reaction, string>} */
export const REACTIONS = {
  hello: "Hello", good_luck: "Good luck", good_move: "Good move", oops: "Oops", thanks: "Thanks",
  good_game: "Good game",
};

/** Milliseconds for which a reaction is shown. */
const SHOWN = 5000;

/** @param {string} reaction */
export const wordsOf = (reaction) =>
  REACTIONS[/** @type {Reaction} */ (reaction)] ?? reaction.replaceAll("_", " ");

/** A button for each reaction. @param {(reaction: Reaction) => void} react */
export const choices = (react) =>
  el("div", { class: "reactions", role: "group", "aria-label": "Reactions" },
    .../** @type {[Reaction, string][]} */ (Object.entries(REACTIONS)).map(([reaction, words]) =>
      button(words, () => react(reaction), { "data-focus": reaction }),
    ),
  );

/** Show a reaction on a seat's plate, unless the user hides reactions. @param {string} seat @param {string} reaction */
export function show(seat, reaction) {
  if (!settings.reacts()) return;
  const plate = document.querySelector(`.card.${seat} .in`);
  plate?.querySelector(".reaction")?.remove();
  const bubble = el("span", { class: "reaction" }, wordsOf(reaction));
  plate?.append(bubble);
  setTimeout(() => bubble.remove(), SHOWN);
}
