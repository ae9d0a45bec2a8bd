/** The requests that several controls of a table share: resign, draw, its link, its game as a text. */

import { refusal } from "../net/connection.js";
import { loaded } from "../net/loading.js";
import * as dialogs from "../ui/dialogs.js";
import * as files from "../ui/files.js";

/**
 * @typedef {import("../analysis/gamestudy.js").Page & {
 *   game: import("./game.js").Game, viewed: number|null, tried: string|null, render: () => void,
 * }} Page what requests need of the page
 */

/**
 * Offer a draw. Where points count, ask to end the game: by a claim if possible, otherwise by vote.
 * @param {Page} page
 */
export async function draw({ game }) {
  if (!game.claims.includes("points")) game.propose("draw");
  else if (await dialogs.confirm("End the game now? You win on points.", "End on points")) game.claim();
}

/** @param {Page} page */
export async function resign({ game }) {
  if (await dialogs.confirm("Give up this game?", "Resign")) game.command({ type: "resign" });
}

/**
 * Report a player to the moderators.
 * @param {Page} page @param {import("../model/table.js").Table["seats"]} seats the seats of players who can be reported
 */
export async function report(page, seats) {
  const found = await dialogs.askReport(seats.map((seat) => [seat.player ?? "", seat.name ?? seat.seat]));
  if (found) page.game.ask({ type: "report", ...found }, () => page.say("The moderators have your report."));
}

/**
 * Go to the study of the game, at the displayed position.
 * @param {Page} page @param {string} [move] a move tried there
 */
export async function study(page, move) {
  (await loaded(() => import("../analysis/gamestudy.js"))).open(page, move);
}

/**
 * Try a move after the end of the game. If it is legal, the page offers to study it.
 * @param {Page} page @param {string} move
 */
export async function attempt(page, move) {
  const { connection, room } = page.game;
  const { at } = page;
  try {
    await connection.request({ type: "explore", room, ply: at, moves: [move] });
  } catch (error) {
    const { code, message } = refusal(error);
    if (code === "promotion_missing") return attempt(page, `${move}q`);
    return page.say(message, true);
  }
  if (at !== page.at || page.table.status !== "finished") return;
  page.tried = move;
  page.render();
}

/**
 * Copy the address of this table, or of the position after a move.
 * @param {Pick<Page, "say">} page @param {number|null} [ply]
 */
export async function copy(page, ply = null) {
  const link = location.origin + location.pathname + (ply === null ? "" : `#${ply}`);
  if (await dialogs.copyText(link, "Link")) page.say("The link is copied.");
}

/**
 * The game or the displayed position as a text, to copy or save.
 * @param {Page} page @param {string} format @param {string} name its title
 */
export function write(page, format, name) {
  const { connection, room } = page.game;
  const ply = format === "fen" ? page.viewed : null;
  page.game.ask({ type: "export", format, ...(ply === null ? {} : { ply }) }, ({ text }) => {
    dialogs.showText(text, name, () => files.save(connection, room, format, ply));
    navigator.clipboard?.writeText(text).then(() => page.say(`${name} copied.`), () => {}); // shown even without it
  });
}
