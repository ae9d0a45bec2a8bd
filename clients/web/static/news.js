/** Events as sentences for screen readers, and their sounds. Pure. */

import { ending } from "./ending.js";
import { squares } from "./table.js";
import { gone, motion, namesOf, span, spoken } from "./words.js";

/** @typedef {import("./table.js").Table} Table */
/** @typedef {import("./sound.js").Sound} Sound */
/** @typedef {{text?: string, sound?: Sound}} Item */

/** @typedef {import("./table.js").Events} Events */
/** @typedef {import("./table.js").Event} Event */
/** @template {Event} E @typedef {(event: E, table: Table, mine: string|null, name: (seat: string) => string) => Item} Tell */

/** What is said of each kind of event; the slot says votes and results. @type {{[T in keyof Events]?: Tell<Events[T]>}} */
const TELL = {
  moved: (event, table, _mine, name) => {
    const step = table.line[event.ply - 1];
    if (step === undefined) return {};
    return { text: spoken(step, table.board[squares(step.move)[1]], name), sound: step.check.length ? "check" : step.taken ? "take" : "move" };
  },
  started: () => ({ text: "The game begins.", sound: "turn" }),
  eliminated: (event, _table, _mine, name) => ({ text: `${name(event.seat)} is out: ${gone(event.reason, event.by && name(event.by))}.` }),
  resigned: (event, _table, _mine, name) => ({ text: `${name(event.seat)} resigns.` }),
  flagged: (event, _table, _mine, name) => ({ text: `${name(event.seat)} is out of time.` }),
  removed: (event, _table, _mine, name) => ({ text: `The game goes on without ${name(event.seat)}.` }),
  seated: (event) => ({ text: `${event.name} sits at ${event.seat}.` }),
  unseated: (event) => ({ text: `${event.seat} is free.` }),
  proposed: (event, table, mine, name) => (event.seat === mine ? {} : { text: event.kind === "rematch" ? `${name(event.seat)} ${motion(event, table.variant, name)}.` : "", sound: "turn" }),
  finished: (event, table, mine) => ({ text: table.result === event.result ? ending(table, mine).why : "", sound: "end" }),
  rematched: () => ({ text: "The next game begins." }),
};

/**
 * @param {Event[]} events of one update @param {Table} before @param {Table} table after it
 * @param {string|null} mine the seat of who is told
 * @returns {{text: string, sound: Sound|null}}
 */
export function news(events, before, table, mine) {
  const name = namesOf(table);
  const items = events.map((event) => /** @type {Tell<Event>|undefined} */ (TELL[event.type])?.(event, table, mine, name) ?? {});
  let sound = items.reduce((/** @type {Sound|null} */ latest, item) => item.sound ?? latest, null);
  if (mine !== null && table.turn === mine && table.status === "playing" && before.turn !== mine) {
    const left = table.clocks?.left[mine];
    items.push({ text: left === undefined ? "Your turn." : `Your turn, ${span(left)}.` });
    if (sound === "move") sound = "turn";
  }
  return { text: items.flatMap(({ text }) => text || []).join(" "), sound };
}
