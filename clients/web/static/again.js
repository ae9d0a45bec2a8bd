/** Another game of the same kind, when there can be no rematch in this room. */

import { RequestError } from "./connection.js";
import { remember } from "./owngames.js";
import * as settings from "./settings.js";

/** The level of a computer player of the service; null of others. @param {string|null} player */
const level = (player) => Number(/^bot:level([1-5]):/.exec(player ?? "")?.[1]) || null;

/**
 * Play again: with the same people, who are challenged to it at seats moved on by one; alone, in a new room.
 * @param {import("./room.js").RoomPage} page
 */
export async function again(page) {
  const { connection, mine: me, table } = page.game;
  const { variant, clocks, visibility, chat, rated, start, seats } = /** @type {import("./table.js").Table} */ (table);
  const clock = clocks && { base: clocks.base, increment: clocks.increment, delay: clocks.delay };
  const kind = { variant, clock, rated, visibility: /** @type {"public"|"private"} */ (visibility === "private" ? "private" : "public") };
  const people = seats.filter((seat) => seat.player !== null && seat.seat !== me && level(seat.player) === null);
  try {
    if (me !== null && people.length) {
      const moved = seats.map((seat, index) => /** @type {const} */ ([seat.seat, seats[(index + 1) % seats.length]]));
      const others = moved.filter(([, sits]) => sits.seat !== me).map(([seat, sits]) => [seat, level(sits.player) ?? sits.player]);
      await connection.command({ ...kind, type: "challenge", seat: moved.find(([, sits]) => sits.seat === me)?.[0], seats: Object.fromEntries(others) });
      return page.say("They are challenged to another game.");
    }
    const { room } = await connection.command({ ...kind, type: "create", chat, position: start });
    if (me !== null) await connection.request({ type: "join", room, seat: me });
    remember(room);
    settings.go(`/r/${encodeURIComponent(room)}`);
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    page.say(error.message, true);
  }
}
