/** The page's title and icon. They show the user's turn, even from another tab. */

import { remaining } from "../model/table.js";
import { ending } from "../text/ending.js";
import { face } from "../text/words.js";
import { byId } from "../ui/dom.js";
import { title } from "./panels.js";

/**
 * @param {import("../model/table.js").Table} table @param {string|null} mine my seat @param {number} now by the
 * server's clock
 */
export function call(table, mine, now) {
  const myTurn = table.status === "playing" && mine !== null && table.turn === mine;
  const state =
    table.status === "finished" && table.result ? ending(table, mine).heading : title(table);
  const text = `${myTurn ? turn(table, mine, now) : state} · Fourfold`;
  if (document.title !== text) document.title = text;
  const icon = new URL(myTurn ? "../icon-turn.svg" : "../icon.svg", import.meta.url).pathname;
  const link = byId("icon");
  if (link.getAttribute("href") !== icon) link.setAttribute("href", icon);
}

/** @param {import("../model/table.js").Table} table @param {string} mine @param {number} now */
function turn(table, mine, now) {
  if (document.hidden && Math.floor(now / 1000) % 2 === 0) return "● Your turn!";
  const left = remaining(table, mine, now);
  return left === null ? "Your turn" : `Your turn (${face(left)})`;
}
