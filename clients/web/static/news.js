/** What has just happened at a table, for the ear: sentences, and which sound goes with them. Pure. */

import { squares } from "./table.js";
import { capital, ending, gone, motion, plural, span, spoken } from "./words.js";

/** @typedef {import("./table.js").Table} Table */
/** @typedef {import("./sound.js").Sound} Sound */
/** @typedef {{text?: string, sound?: Sound}} Item */

/** How a vote that is over is told; nothing where what follows tells it. @type {Record<string, string>} */
export const CLOSED = { carried: "All agreed.", refused: "That was refused.", expired: "Not everybody answered: the vote is over.", superseded: "" };

/** What each kind of event is worth saying. @type {Record<string, (event: import("./table.js").Event, table: Table, mine: string|null) => Item>} */
const TELL = {
  moved: (event, table) => {
    const step = table.line[event.ply - 1];
    if (step === undefined) return {};
    return { text: spoken(step, table.board[squares(step.move)[1]]), sound: step.check.length ? "check" : step.taken ? "take" : "move" };
  },
  started: () => ({ text: "The game begins.", sound: "turn" }),
  eliminated: (event) => ({ text: `${capital(event.seat)} is out: ${gone(event.reason)}.` }),
  resigned: (event) => ({ text: `${capital(event.seat)} resigns.` }),
  flagged: (event) => ({ text: `${capital(event.seat)} is out of time.` }),
  seated: (event) => ({ text: `${event.name} sits at ${event.seat}.` }),
  proposed: (event, _table, mine) => (event.seat === mine ? {} : { text: `${motion(/** @type {any} */ (event))}.`, sound: "turn" }),
  closed: (event) => ({ text: CLOSED[event.outcome] }),
  undone: (event) => ({ text: `${plural(event.plies, "move")} taken back.` }),
  redone: (event) => ({ text: `${plural(event.plies, "move")} played again.` }),
  finished: (event) => ({ text: ending(event.result), sound: "end" }),
  rematched: () => ({ text: "The next game begins." }),
};

/**
 * @param {import("./table.js").Event[]} events of one update @param {Table} before @param {Table} table after it
 * @param {string|null} mine the seat of who is told
 * @returns {{text: string, sound: Sound|null}}
 */
export function news(events, before, table, mine) {
  const items = events.map((event) => TELL[event.type]?.(event, table, mine) ?? {});
  let sound = items.reduce((/** @type {Sound|null} */ latest, item) => item.sound ?? latest, null);
  if (mine !== null && table.turn === mine && table.status === "playing" && before.turn !== mine) {
    const left = table.clocks?.left[mine];
    items.push({ text: left === undefined ? "Your turn." : `Your turn, ${span(left)}.` });
    if (sound === "move") sound = "turn";
  }
  return { text: items.flatMap(({ text }) => text || []).join(" "), sound };
}
