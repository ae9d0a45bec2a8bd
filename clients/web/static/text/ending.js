/** The end of a game in words for one reader: a heading and a reason. Pure. */

import { rounds } from "./rounds.js";
import { capital, inTeams, isScored, list, namesOf, ordinal, plural, span } from "./words.js";

/** @typedef {import("../model/table.js").Table} Table */

/** Texts that follow "Bo won". @type {Record<string, string>} */
const WON = {
  checkmate: "by checkmate", resignation: "by resignation", time: "on time", abandonment: "because the others left",
  king_captured: "by taking a king", points: "on points", last_standing: "as the last king standing",
  agreement: "by agreement", stalemate: "by stalemate", king_in_center: "with the king in the middle of the board",
  three_checks: "by the third check", king_on_last_rank: "with the king on the last rank",
  no_pieces: "with the last piece captured",
};

/** Texts for the winner. @type {Record<string, string>} */
const OWN = {
  checkmate: "Checkmate", last_standing: "Last king standing", king_captured: "A king was taken",
  king_in_center: "The king stands in the middle", three_checks: "The third check",
  king_on_last_rank: "The king is on the last rank", no_pieces: "The last piece was captured",
};

/** @type {Record<string, string>} */
const DRAWN = {
  stalemate: "stalemate", insufficient_material: "nobody has enough to mate with",
  fifty_moves: "fifty moves without progress", seventyfive_moves: "seventy-five moves without progress",
  threefold: "the position came three times", fivefold: "the position came five times", agreement: "by agreement",
  points: "on points",
  king_on_last_rank: "both kings are on the last rank",
};

/** @param {string} reason @param {Record<string, string>} words */
const why = (reason, words) => words[reason] ?? DRAWN[reason] ?? WON[reason] ?? reason.replaceAll("_", " ");

/** Why a game was called off: by a player before everybody had moved, or later by the server. */
const CALLED_OFF = ["The game counts for nobody.", "Nobody came back to it, so it counts for nobody."];

/** @param {Table} table @param {string|null} mine my seat */
export function ending(table, mine) {
  const result = /** @type {import("../model/table.js").Result} */ (table.result);
  const name = namesOf(table);
  const { reason, standings } = result;
  const pair = table.seats.length === 2;
  const length = played(table);
  if (reason === "aborted")
    return { heading: "Called off", why: CALLED_OFF[Number(table.line.length >= table.seats.length)] };
  const drawn = result.winners.length === 0;
  // In a draw among four, players who were already out have lost.
  const winners = drawn ? table.seats.map(({ seat }) => seat).filter((seat) => standings[seat] === 1) : result.winners;
  const won = mine !== null && winners.includes(mine);
  const shared = winners.length > 1 && (drawn || !inTeams(table.variant));
  if ((drawn || shared) && (pair || inTeams(table.variant)))
    return { heading: "Draw", why: `${capital(why(reason, DRAWN))}.${length}` };
  const place = mine === null ? 0 : standings[mine];
  const all = list(winners.map(name));
  if (shared) {
    const first = isScored(table.variant) ? `${all} share first place` : `Draw between ${all}`;
    const heading =
      mine !== null && !won
        ? `You came ${ordinal(place)}`
        : isScored(table.variant)
          ? won
            ? "You share 1st place"
            : "Shared 1st place"
          : "Draw";
    return { heading, why: `${first}, ${why(reason, DRAWN)}.${length}` };
  }
  const heading = won
    ? "You won"
    : mine === null
      ? `${all} won`
      : pair || inTeams(table.variant)
        ? "You lost"
        : `You came ${ordinal(place)}`;
  const partners = won && winners.length > 1 ? `${all} won ${why(reason, WON)}` : null;
  const sentence = won
    ? (partners ?? OWN[reason] ?? capital(why(reason, WON)))
    : mine === null
      ? capital(why(reason, WON))
      : `${all} won ${why(reason, WON)}`;
  return { heading, why: `${sentence}.${length}` };
}

/** The duration of the game, as far as this client knows. @param {Table} table */
function played(table) {
  const count = rounds(table).length;
  if (count === 0) return "";
  const time =
    table.began === null || table.ended === null || table.ended - table.began < 1000
      ? ""
      : `, ${span(table.ended - table.began)}`;
  return ` ${capital(plural(count, table.seats.length === 2 ? "move" : "round"))}${time}.`;
}
