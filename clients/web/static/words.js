/** What is said in words: variants, clocks, moves, ends. Pure. */

import { NOUNS } from "./pieces.js";

/** @type {Record<string, {name: string, players: number, about: string}>} */
export const VARIANTS = {
  standard: { name: "Chess", players: 2, about: "Two players, the game you know." },
  survivor: { name: "Survivor", players: 4, about: "Four players; the last king standing wins." },
  ffa: { name: "Free-for-all", players: 4, about: "Four players; most points win." },
  teams: { name: "Teams", players: 4, about: "Red and yellow against blue and green." },
};

/** @param {string} variant */
export const playersOf = (variant) => VARIANTS[variant]?.players ?? 4;

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

/** @param {{base: number, increment: number, delay: number}|null} clock */
export function control(clock) {
  if (!clock) return "no clock";
  const minutes = clock.base / 60_000;
  const base = minutes >= 1 ? `${Number(minutes.toFixed(1))}` : `${clock.base / 1000}s`;
  return clock.delay ? `${base}+${clock.delay / 1000} delay` : `${base}+${clock.increment / 1000}`;
}

/** The same in full: "1 min + 15 s delay". @param {{base: number, increment: number, delay: number}|null} clock */
export function clockWords(clock) {
  if (!clock) return "no clock";
  const base = clock.base % 60_000 ? `${clock.base / 1000} s` : `${clock.base / 60_000} min`;
  const bonus = clock.delay ? `${clock.delay / 1000} s delay` : clock.increment ? `${clock.increment / 1000} s each move` : "";
  return bonus ? `${base} + ${bonus}` : `${base} for the game`;
}

/** How long something has lasted: minutes and seconds. @param {number} milliseconds */
export const lasted = (milliseconds) => `${Math.floor(milliseconds / 60_000)}:${String(Math.floor(milliseconds / 1000) % 60).padStart(2, "0")}`;

/** The names of a variant's seats, in turn order. @param {string} variant */
export const seatsOf = (variant) => (playersOf(variant) === 2 ? ["white", "black"] : ["red", "blue", "yellow", "green"]);

/** A span of time for the ear. @param {number} milliseconds */
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
export const list = (names) => (names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names[names.length - 1]}`);

/** @type {Record<string, string>} */
const REASONS = {
  checkmate: "by checkmate", stalemate: "by stalemate", insufficient_material: "nobody has enough to mate with",
  fifty_moves: "fifty moves without progress", seventyfive_moves: "seventy-five moves without progress",
  threefold: "the position came three times", fivefold: "the position came five times", agreement: "by agreement",
  resignation: "by resignation", time: "on time", abandonment: "the opponent left", king_captured: "a king was taken",
  points: "on points", last_standing: "last one standing", aborted: "the game was called off",
};

/** @type {Record<string, string>} */
const GONE = {
  checkmate: "checkmated", stalemate: "stalemated", resignation: "resigned", time: "out of time",
  abandonment: "left", king_captured: "king taken", set_up: "not in this game",
};

/** Why a seat is out. @param {string} reason */
export const gone = (reason) => GONE[reason] ?? reason.replaceAll("_", " ");

/** How a game ended. @param {{reason: string, winners: string[]}} result */
export function ending(result) {
  const why = REASONS[result.reason] ?? result.reason.replaceAll("_", " ");
  if (result.reason === "aborted") return "The game was called off.";
  if (result.winners.length === 0) return `Draw: ${why}.`;
  const verb = result.winners.length > 1 ? "win" : "wins";
  return `${capital(list(result.winners))} ${verb}, ${why}.`;
}

/**
 * A move for the ear: "Blue: knight from b5 takes pawn, to d6. Check to red."
 * @param {{seat: string|null, move: string, text: string, taken: string|null, check: string[]}} step
 * @param {string|undefined} cell what moved, as it stands after the move
 */
export function spoken(step, cell) {
  const [, from, to, promotion] = /^([a-n]\d{1,2})([a-n]\d{1,2})(\w?)/.exec(step.move) ?? ["", "", step.move, ""];
  const who = step.seat === null ? "" : `${capital(step.seat)}: `;
  const check = step.check.length ? ` Check to ${list(step.check)}.` : "";
  if (step.text.startsWith("O-O-O")) return `${who}castles long.${check}`;
  if (step.text.startsWith("O-O")) return `${who}castles short.${check}`;
  const noun = promotion ? "pawn" : cell ? NOUNS[cell[cell.length - 1]] : "piece";
  const takes = step.taken ? ` takes ${NOUNS[step.taken[step.taken.length - 1]]},` : "";
  const becomes = promotion ? `, becomes ${NOUNS[promotion.toUpperCase()]}` : "";
  return `${who}${noun} from ${from}${takes} to ${to}${becomes}.${check}`;
}

/** What a vote is on. @param {import("./table.js").Proposal} proposal */
export function motion(proposal) {
  const who = capital(proposal.seat);
  switch (proposal.kind) {
    case "undo":
      return `${who} asks to take back ${plural(proposal.plies ?? 1, "move")}`;
    case "redo":
      return `${who} asks to play ${plural(proposal.plies ?? 1, "move")} again`;
    case "draw":
      return `${who} offers a draw`;
    case "rematch":
      return `${who} would like a rematch`;
    case "stand_in":
      return `${who} asks that a level ${proposal.level} bot stands in for ${proposal.absentee}`;
    case "remove":
      return `${who} asks to go on without ${proposal.absentee}`;
    default:
      return `${who} proposes: ${proposal.kind}`;
  }
}
