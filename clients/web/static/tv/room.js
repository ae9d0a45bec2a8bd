/** The one game of a page that shows it inside another program: a web page, or one for streams. */

import { Previews } from "../live/previews.js";
import { connect } from "../net/page.js";
import * as settings from "../net/settings.js";
import { Drawn } from "../ui/dom.js";

/** Milliseconds between two updates of the clocks. */
const TICK = 100;

/** @typedef {import("../model/table.js").Table} Table */

/** Take the colours from the address: `?theme=dark` or `?theme=light`. */
function themeHere() {
  const theme = new URLSearchParams(location.search).get("theme");
  if (theme === "dark" || theme === "light") document.documentElement.dataset.theme = theme;
}

/**
 * Follow the game that the page's address names, as `/embed/ROOM`.
 * @param {(room: string, table: Table|null) => void} draw called after every change; the table is null if the
 *   server has no such game
 * @param {(now: number) => void} tick called with the server's time
 */
export function followGame(draw, tick) {
  settings.applyTheme();
  themeHere();
  const room = location.pathname.split("/")[2] ?? "";
  const page = Object.assign(new Drawn(), { _draw: () => draw(room, previews.get(room)?.table ?? null) });
  const { connection } = connect(room);
  const previews = new Previews(connection, () => page.refresh(), () => draw(room, null), false);
  previews.keep([room]);
  setInterval(() => tick(connection.now()), TICK);
}
