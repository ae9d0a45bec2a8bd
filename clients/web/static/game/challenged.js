/** Challenges that arrive while the user is at a table. */

import * as settings from "../net/settings.js";
import { clockWords } from "../text/clockwords.js";
import { VARIANTS } from "../text/words.js";
import * as sound from "../ui/sound.js";

/**
 * @typedef {object} Page what challenges need of the page @property {import("./game.js").Game} game
 * @property {(text: string, bad?: boolean) => void} say show a text, and announce it
 */

/**
 * The open challenges, by id. Other modules show the outcome of the rest.
 * @type {Map<string, import("../net/connection.js").Frames["challenge"]>}
 */
export const open = new Map();

/**
 * Announce a challenge; go to its game if none is played here.
 * @param {Page} page @param {import("../net/connection.js").Frames["challenge"]} challenge
 */
export function challenged(page, challenge) {
  const { connection, table, mine } = page.game;
  const me = connection.player;
  const { status, room, by, seats } = challenge;
  if (status === "open") open.set(challenge.challenge, challenge);
  else if (!open.delete(challenge.challenge)) return;
  const busy = table?.status === "playing" && mine !== null;
  if (status === "accepted" && room !== null && room !== page.game.room) {
    if (busy) page.say("A game from a challenge begins. It is among your games in the lobby.");
    else settings.go(`/r/${encodeURIComponent(room)}`);
  } else if (status === "open" && by !== me && seats.some((seat) => seat.player === me && seat.answer === null)) {
    const who = seats.find((seat) => seat.player === by)?.name ?? "Somebody";
    const seat = room === null ? "" : ` to a seat of ${room === page.game.room ? "this table" : "an open table"}`;
    page.say(
      `${who} challenges you${seat}: ${VARIANTS[challenge.variant]?.name ?? challenge.variant}, ` +
        `${clockWords(challenge.clock)}. Answer in the lobby.`,
    );
    sound.play("turn");
  } else if (by === me && (challenge.reason !== null || status === "expired"))
    import("../people/people.js").then(({ outcome }) => page.say(outcome(challenge, me)));
}
