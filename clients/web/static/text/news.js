/** Events as sentences for screen readers, and their sounds. Pure. */

import { isOf, remaining, squares } from "../model/table.js";
import { ending } from "./ending.js";
import { capital, gone, list, motion, namesOf, NOUNS, span } from "./words.js";

/** @typedef {import("../model/table.js").Table} Table */
/** @typedef {"move"|"take"|"turn"|"check"|"end"|"win"} Sound */
/** @typedef {{text?: string, sound?: Sound}} Item */

/** @typedef {import("../model/table.js").Events} Events */
/** @typedef {import("../model/table.js").Event} Event */
/**
 * @template {Event} E
 * @typedef {(event: E, table: Table, mine: string|null, name: (seat: string) => string, before: Table) => Item} Tell
 */

/**
 * The sentence for each kind of event. The slot announces votes and results.
 * @type {{[T in keyof Events]?: Tell<Events[T]>}}
 */
const TELL = {
  moved: (event, table, _mine, name) => {
    const step = table.line[event.ply - 1];
    if (step === undefined) return {};
    return {
      text: spoken(step, table.board[squares(step.move)[1]], name),
      sound: step.check.length ? "check" : step.taken ? "take" : "move",
    };
  },
  started: () => ({ text: "The game begins.", sound: "turn" }),
  eliminated: (event, _table, _mine, name) => ({
    text: `${name(event.seat)} is out: ${gone(event.reason, event.by && name(event.by))}.`,
  }),
  paused: () => ({ text: "The game is paused." }),
  resumed: () => ({ text: "The game goes on." }),
  gave: (event, _table, mine, name) => ({
    text: `${name(event.seat)} gives ${event.to === mine ? "you" : name(event.to)} 15 seconds.`,
  }),
  berserked: (event, _table, _mine, name) => ({ text: `${name(event.seat)} gives up half of the time.` }),
  renamed: (event, _table, mine) =>
    event.seat === mine ? {} : { text: `${capital(event.seat)} is now ${event.name}.` },
  resigned: (event, _table, _mine, name) => ({ text: `${name(event.seat)} resigns.` }),
  flagged: (event, _table, _mine, name) => ({ text: `${name(event.seat)} is out of time.` }),
  removed: (event, _table, _mine, name) => ({ text: `${name(event.seat)} left the game.` }),
  seated: (event, _table, _mine, _name, before) => ({
    text:
      before.status === "playing"
        ? `${event.name} takes over at ${event.seat}.`
        : `${event.name} sits at ${event.seat}.`,
  }),
  unseated: (event) => ({ text: `${event.seat} is free.` }),
  proposed: (event, table, mine, name) =>
    isOf(table, event.seat, mine)
      ? {}
      : {
          text: event.kind === "rematch" ? `${name(event.seat)} ${motion(event, table.variant, name)}.` : "",
          sound: "turn",
        },
  finished: (event, table, mine) => ({
    text: table.result === event.result ? ending(table, mine).why : "",
    sound: mine !== null && event.result.winners.includes(mine) ? "win" : "end",
  }),
  rematched: () => ({ text: "The next game begins." }),
};

/**
 * @param {Event[]} events of one update @param {Table} before @param {Table} table after it
 * @param {string|null} mine the reader's seat
 * @returns {{text: string, sound: Sound|null}}
 */
export function news(events, before, table, mine) {
  const name = namesOf(table);
  const items = events.map(
    (event) => /** @type {Tell<Event>|undefined} */ (TELL[event.type])?.(event, table, mine, name, before) ?? {},
  );
  let sound = items.reduce((/** @type {Sound|null} */ latest, item) => item.sound ?? latest, null);
  if (mine !== null && table.turn === mine && table.status === "playing" && before.turn !== mine) {
    const left = table.clocks?.left[mine];
    items.push({ text: left === undefined ? "Your turn." : `Your turn, ${span(left)}.` });
    if (sound === "move") sound = "turn";
  }
  return { text: items.flatMap(({ text }) => text || []).join(" "), sound };
}

/**
 * A move for the ear: "Bo: knight from b5 takes pawn, to d6. Check to Ada."
 * @param {{seat: string|null, move: string, text: string, taken: string|null, check: string[]}} step
 * @param {string|undefined} cell the moved piece, after the move
 * @param {(seat: string) => string} [name] the names to use
 */
export function spoken(step, cell, name = capital) {
  const [, from, to, promotion] = /^([a-z]\d{1,2})([a-z]\d{1,2})(\w?)/.exec(step.move) ?? ["", "", step.move, ""];
  const who = step.seat === null ? "" : `${name(step.seat)}: `;
  const check = step.check.length ? ` Check to ${list(step.check.map(name))}.` : "";
  if (step.text.startsWith("O-O-O")) return `${who}castles long.${check}`;
  if (step.text.startsWith("O-O")) return `${who}castles short.${check}`;
  const noun = promotion ? "pawn" : cell ? NOUNS[cell[cell.length - 1]] : "piece";
  const takes = step.taken ? ` takes ${NOUNS[step.taken[step.taken.length - 1]]},` : "";
  const becomes = promotion ? `, becomes ${NOUNS[promotion.toUpperCase()]}` : "";
  return `${who}${noun} from ${from}${takes} to ${to}${becomes}.${check}`;
}

/** Seconds left at which the user's clock is read out. */
const READ_OUT = [60, 20, 10];

/**
 * The last of these marks that a player's running clock has passed; 0 if none.
 * @param {Table} table @param {string|null} mine @param {number} now by the server's clock
 */
export function mark(table, mine, now) {
  const left = mine === null || table.turn !== mine || table.status !== "playing" ? null : remaining(table, mine, now);
  return left === null ? 0 : (READ_OUT.filter((seconds) => left <= seconds * 1000).pop() ?? 0);
}
