/** The outcomes of votes, in words for the slot. Pure. */

import { isScored, list, namesOf, plural } from "../text/words.js";

/**
 * The outcome of a vote, for the slot; null where the next frames show it.
 * @param {string} outcome @param {import("../model/table.js").Proposal} proposal the proposal with all its answers
 * @param {import("../model/table.js").Table} table @param {string|null} mine
 * @returns {import("./cases.js").Note|null}
 */
export function outcomeOf(outcome, proposal, table, mine) {
  const name = namesOf(table);
  const who = (/** @type {string[]} */ seats) => list(seats.map((seat) => (seat === mine ? "You" : name(seat))));
  const what = matter(proposal, table.variant, name);
  const asker = proposal.seat === mine ? "You" : name(proposal.seat);
  const again = "The game goes on.";
  const silent = proposal.electorate.filter((seat) => proposal.votes[seat] === undefined);
  const against = proposal.electorate.filter((seat) => proposal.votes[seat] === false);
  switch (outcome) {
    case "refused":
      return {
        heading: `${who(against) || "Somebody"} refused ${what}`,
        text: proposal.kind === "rematch" ? `${who(against) || "Somebody"} refused the rematch.` : again,
        seat: against[0],
      };
    case "expired":
      return {
        heading: `No answer from ${list(silent.map((seat) => (seat === mine ? "you" : name(seat)))) || "somebody"}`,
        text: proposal.kind === "rematch" ? "Not everybody answered: no rematch." : again, seat: silent[0],
      };
    case "withdrawn":
      return { heading: `${asker} took the proposal back`, text: "The game goes on.", seat: proposal.seat };
    case "carried":
      if (proposal.kind === "undo")
        return { heading: `All agreed: ${plural(proposal.plies ?? 1, "move")} taken back`, text: "" };
      if (proposal.kind === "redo")
        return { heading: `All agreed: ${plural(proposal.plies ?? 1, "move")} redone`, text: "" };
      if (proposal.kind === "stand_in")
        return {
          heading: "All agreed: a computer comes",
          text: `It plays for ${name(proposal.absentee ?? "")} until they are back.`,
        };
      return null;
    default:
      return null;
  }
}

/**
 * A change of what others count on, for the slot: somebody takes over from a computer, or clocks change.
 * @param {import("../model/table.js").Event[]} events @param {import("../model/table.js").Table} table
 * @returns {import("./cases.js").Note|null}
 */
export function changeOf(events, table) {
  const name = namesOf(table);
  for (const event of events) {
    if (event.type === "seated")
      return {
        heading: `${event.name} joins the game`, text: "They take over from a computer. This game is casual.",
        seat: event.seat,
      };
    if (event.type === "gave")
      return { heading: `${name(event.seat)} gives ${name(event.to)} 15 seconds`, text: "", seat: event.seat };
    if (event.type === "berserked")
      return {
        heading: `${name(event.seat)} goes berserk`, text: "Half of the time, and no increment.", seat: event.seat,
      };
  }
  return null;
}

/**
 * The subject of a vote, to follow "agreed" or "refused": "to take back 3 moves".
 * @param {{kind: string, plies?: number|null, absentee?: string|null}} proposal @param {string} variant
 * @param {(seat: string) => string} name
 */
function matter({ kind, plies, absentee }, variant, name) {
  /** @type {Record<string, string>} */
  const words = {
    undo: `to take back ${plural(plies ?? 1, "move")}`, redo: `to redo ${plural(plies ?? 1, "move")}`,
    draw: isScored(variant) ? "to end now" : "the draw", rematch: "the rematch",
    pause: "the pause", resume: "to go on",
    stand_in: `a computer for ${absentee ? name(absentee) : ""}`,
    remove: `to go on without ${absentee ? name(absentee) : ""}`,
  };
  return words[kind] ?? kind;
}
