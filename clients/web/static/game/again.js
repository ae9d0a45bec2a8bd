/** Another game of the same kind with the same players, where this room allows no rematch. */

import { orNull, refusal, trying } from "../net/connection.js";
import { remember } from "../net/owngames.js";
import * as settings from "../net/settings.js";
import { playersOf } from "../text/words.js";

/** @typedef {import("../net/connection.js").Connection} Connection */
/** @typedef {import("../model/table.js").Table} Table */

/**
 * @typedef {object} Page what another game needs of the page @property {import("./game.js").Game} game
 * @property {(text: string, bad?: boolean) => void} say show a text, and announce it
 */

/** The level of this server's computer player; null for other players. @param {string|null} player */
const level = (player) => Number(/^bot:level([1-5]):/.exec(player ?? "")?.[1]) || null;

/**
 * The seats of the next game: each player moves on by one seat. A level stands for a computer player. Of a player with
 * several seats, the first counts.
 * @param {Table} table @param {string|null} me my id
 */
function moved({ seats, variant }, me) {
  const pairs = seats
    .map(({ seat }, index) => /** @type {const} */ ([seat, seats[(index + 1) % seats.length]]))
    .filter(([seat]) => playersOf(variant).includes(seat));
  const others = pairs.filter(([, sits]) => sits.player !== me && sits.player !== null);
  return {
    seat: pairs.find(([, sits]) => sits.player === me)?.[0] ?? seats[0].seat,
    others: Object.fromEntries(
      others.map(([seat, { player }]) => [seat, level(player) ?? /** @type {string} */ (player)]),
    ),
  };
}

/** The fields of a request for a game like this one. @param {Table} table */
function kindOf({ variant, clocks, visibility, rated }) {
  const clock = clocks && { base: clocks.base, increment: clocks.increment, delay: clocks.delay };
  return {
    variant, clock, rated,
    visibility: /** @type {"public"|"private"} */ (visibility === "private" ? "private" : "public"),
  };
}

/**
 * Play again: challenge all players. If one is offline, or all others are computers, open a table instead and invite
 * those who are online.
 * @param {Page} page
 */
export async function again(page) {
  const { connection, mine, table } = page.game;
  if (table === null || mine === null) return;
  const { seat, others } = moved(table, connection.player);
  await trying(async () => {
    if (
      Object.values(others).some((one) => typeof one === "string") &&
      (await challenged(connection, table, seat, others))
    )
      return page.say("The other players get a challenge to another game.");
    const room = await opened(connection, table, seat, others);
    remember(room);
    settings.go(`/r/${encodeURIComponent(room)}`);
  }, (why) => page.say(why, true));
}

/**
 * The next game of this kind, with new players. A game for four begins at once, with computers until people come. For
 * two, the lobby finds an opponent.
 * @param {Page} page
 */
export async function next(page) {
  const { connection, table } = page.game;
  if (table === null || table.seats.length === 2) return settings.go("/#next");
  await trying(async () => {
    const { clock, variant } = kindOf(table);
    const { room } = await connection.command({ type: "seek", variant, clock, fill: table.fill || 3 });
    remember(room);
    settings.go(`/r/${encodeURIComponent(room)}`);
  }, (why) => page.say(why, true));
}

/**
 * Challenge the others; false if one is offline.
 * @param {Connection} connection @param {Table} table @param {string} seat mine
 * @param {Record<string, string|number>} others
 */
async function challenged(connection, table, seat, others) {
  try {
    await connection.command({ ...kindOf(table), type: "challenge", seat, seats: others });
    return true;
  } catch (error) {
    if (refusal(error).code !== "no_such_player") throw error;
    return false;
  }
}

/**
 * Open a table, and invite the players who are online. The other seats stay free.
 * @param {Connection} connection @param {Table} table @param {string} seat mine
 * @param {Record<string, string|number>} others
 */
async function opened(connection, table, seat, others) {
  const { room } = await connection.command({
    ...kindOf(table),
    type: "create", chat: table.chat, position: table.start,
  });
  await connection.request({ type: "join", room, seat });
  for (const [at, who] of Object.entries(others)) {
    // After a refusal, the seat stays free.
    if (typeof who === "number") await orNull(connection.request({ type: "bot", room, seat: at, level: who }));
    else await orNull(connection.command({ type: "challenge", room, seats: { [at]: who } }));
  }
  return room;
}
