/** The one game of a page that shows it inside another program: a web page, or one for streams. */

import { Previews } from "../live/previews.js";
import { connect } from "../net/page.js";
import { Redraw } from "../ui/dom.js";

/** Milliseconds between two updates of the clocks. */
const TICK = 100;

/** @typedef {import("../model/table.js").Table} Table */

/** The room in the page's address, as `/embed/ROOM`. */
export const roomHere = () => location.pathname.split("/")[2] ?? "";

/** Take the colours from the address: `?theme=dark` or `?theme=light`. */
export function themeHere() {
  const theme = new URLSearchParams(location.search).get("theme");
  if (theme === "dark" || theme === "light") document.documentElement.dataset.theme = theme;
}

/**
 * Follow a game.
 * @param {string} room
 * @param {(table: Table|null) => void} draw called with every change; null: there is no such game
 * @param {(now: number) => void} tick called with the server's time
 */
export function followGame(room, draw, tick) {
  const redraw = new Redraw(() => draw(previews.get(room)?.table ?? null));
  const { connection } = connect(room);
  const previews = new Previews(connection, () => redraw.soon(), () => draw(null), false);
  previews.keep([room]);
  setInterval(() => tick(connection.now()), TICK);
}
