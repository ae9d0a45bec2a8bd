/** Words: names of variants, clocks, moves, reasons. Pure. */

import { variantOf } from "../model/geometry.js";
import { VARIANTS } from "../model/variants.js";

export { VARIANTS };

/** The names of pieces, by letter. @type {Record<string, string>} */
export const NOUNS = { P: "pawn", N: "knight", B: "bishop", R: "rook", Q: "queen", K: "king", D: "queen" };

/** Whether a variant is for two players. @param {string} variant */
export const isPair = (variant) => variantOf(variant).seats.length === 2;

/** Whether its players are partners. @param {string} variant */
export function inTeams(variant) {
  const { teams } = variantOf(variant);
  return new Set(teams).size < teams.length;
}

/** The partners of a seat, by their numbers in turn order. @param {string} variant @param {number} seat */
export function partners(variant, seat) {
  const { teams } = variantOf(variant);
  return teams.flatMap((team, index) => (team === teams[seat] && index !== seat ? [index] : []));
}

/** Whether points decide. @param {string} variant */
export const isScored = (variant) => variantOf(variant).scored;

/** @param {string} text */
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** A clock's face: tenths under ten seconds. @param {number} milliseconds */
export function face(milliseconds) {
  if (milliseconds < 10_000) return (Math.max(0, Math.floor(milliseconds / 100)) / 10).toFixed(1);
  const seconds = Math.floor(milliseconds / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const two = (/** @type {number} */ number) => String(number).padStart(2, "0");
  return hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

/** A remaining time, in minutes and seconds. @param {number} milliseconds */
export function countdown(milliseconds) {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** @param {{base: number, increment: number, delay: number}|null} clock */
export function control(clock) {
  if (!clock) return "no clock";
  if (clock.base === 0) return `${clock.delay / 1000} s a move`;
  const minutes = clock.base / 60_000;
  const base = minutes >= 1 ? `${Number(minutes.toFixed(1))}` : `${clock.base / 1000}s`;
  return clock.delay ? `${base}+${clock.delay / 1000} delay` : `${base}+${clock.increment / 1000}`;
}

/** The names of a variant's seats, in turn order. @param {string} variant */
export const seatsOf = (variant) => variantOf(variant).seats;

/** The first seat of each player: all seats, unless one player has a team. @param {string} variant */
export const playersOf = (variant) => variantOf(variant).players ?? seatsOf(variant);

/** A duration for screen readers. @param {number} milliseconds */
export function span(milliseconds) {
  const seconds = Math.round(milliseconds / 1000);
  if (seconds < 60) return plural(seconds, "second");
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? plural(minutes, "minute") : plural(Math.round(minutes / 60), "hour");
}

/** @param {number} count @param {string} noun */
export const plural = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;

/** A score as chess players write it. @param {number} score */
export const half = (score) => (score % 1 ? `${score < 1 ? "" : Math.floor(score)}½` : `${score}`);

/** @param {string[]} names */
export const list = (names) =>
  names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names[names.length - 1]}`;

/**
 * The players' names at a table: with the colour if two have the same name, or the colour alone without a name.
 * @param {import("../model/table.js").Table} table @returns {(seat: string) => string}
 */
export function namesOf({ seats }) {
  const names = seats.map((seat) => seat.name);
  const called = Object.fromEntries(
    seats.map(({ seat, name }) => [
      seat, !name ? capital(seat) : names.filter((other) => other === name).length > 1 ? `${name} (${seat})` : name,
    ]),
  );
  return (seat) => called[seat] ?? capital(seat);
}

/** A place in a final order: 1st, 2nd. @param {number} place */
export const ordinal = (place) =>
  `${place}${["th", "st", "nd", "rd"][place % 10 < 4 && Math.floor(place / 10) % 10 !== 1 ? place % 10 : 0]}`;

/** The reasons for being out of the game. Some can be followed by "by" and a name. @type {Record<string, string>} */
const GONE = {
  checkmate: "mated", stalemate: "stalemated", resignation: "resigned", time: "out of time",
  abandonment: "left the game", king_captured: "king taken", set_up: "not in this game",
};

/** Whether a reason means that another player eliminated the seat. @param {string} reason */
export const putOut = (reason) => ["checkmate", "king_captured", "stalemate"].includes(reason);

/**
 * The reason why a seat is out, and the player who eliminated it.
 * @param {string} reason @param {string|null} [by] a name
 */
export const gone = (reason, by = null) =>
  (GONE[reason] ?? reason.replaceAll("_", " ")) + (by !== null && putOut(reason) ? ` by ${by}` : "");

/** The short form of a move: `Qxf14+` for `Qk14xNf14+`. Short moves stay unchanged. @param {string} text */
export const short = (text) =>
  text.replace(/^([KQRBND]?)([a-z])\d{1,2}([-x])[KQRBND]?([a-z]\d{1,2})/,
    (_, kind, file, sign, to) => `${kind}${sign === "x" ? (kind ? "x" : `${file}x`) : ""}${to}`,
  );

/**
 * The subject of a vote: the proposer, and the rest of the sentence.
 * @param {{kind: string, plies?: number|null, absentee?: string|null, level?: number|null}} proposal
 * @param {string} variant @param {(seat: string) => string} name the names to use
 * @param {boolean} [mine] whether it is the user's proposal
 */
export function motion({ kind, plies, absentee, level }, variant, name, mine = false) {
  const s = mine ? "" : "s";
  const away = absentee ? name(absentee) : "";
  /** @type {Record<string, string>} */
  const words = {
    undo: `ask${s} to take back ${plural(plies ?? 1, "move")}`,
    redo: `ask${s} to redo ${plural(plies ?? 1, "move")}`,
    draw: isScored(variant) ? `ask${s} to end now, on points` : `offer${s} a draw`,
    rematch: "would like a rematch",
    stand_in: `ask${s} for a computer of level ${level} for ${away}`,
    remove: `ask${s} to go on without ${away}`,
    pause: `ask${s} for a pause`,
    resume: `ask${s} to go on`,
  };
  return words[kind] ?? `propose${s}: ${kind}`;
}
