/** Sets up a page that has one board and a column beside it, and puts a new board there. */

import { boardOf } from "../model/geometry.js";
import * as settings from "../net/settings.js";
import { byId } from "../ui/dom.js";
import { sprite } from "./pieces.js";
import { skipTo } from "./skip.js";

/** @param {() => import("./board.js").BoardView|undefined} boardNow the board that the page shows, once it does */
export function setUp(boardNow) {
  settings.applyTheme();
  settings.themeButton(byId("theme"));
  document.body.append(sprite());
  skipTo(boardNow);
}

/** The place for a new board of a variant, in the size of its squares. @param {string} variant */
export function placeFor(variant) {
  const holder = byId("board");
  byId("desk").style.setProperty("--n", `${boardOf(variant).size}`);
  holder.replaceChildren();
  return holder;
}
