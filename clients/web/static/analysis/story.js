/** The story of a game: the curves of its players' chances, and one sentence about what decided it. */

import { rounds } from "../text/rounds.js";
import { namesOf } from "../text/words.js";
import { el, svg } from "../ui/dom.js";

/** @typedef {import("../net/connection.js").Frames["reviewed"]} Reviewed */
/** @typedef {import("../model/table.js").Table} Table */

/**
 * @typedef {import("../ui/slot.js").Story} Story `text` is about the moment `ply`; the curves are paths in a box of
 * `WIDTH` by `HEIGHT`, and `even` is the height of equal chances
 */

export const WIDTH = 400;
export const HEIGHT = 64;

/** The smallest loss of chances that decides a game, as a share of 1. */
const LARGE = 0.15;

/** @param {Reviewed|null} found @param {Table} table @returns {Story|null} null if nobody has asked for a review */
export function storyOf(found, table) {
  if (found === null) return null;
  const even = HEIGHT * (1 - 1 / table.seats.length);
  if (found.summary !== null) {
    const { text, ply } = told(found, table);
    return { text, ply, curves: curvesOf(found, table), even };
  }
  if (found.looked === null) return null;
  const text = `Reviewing: ${found.looked} of ${found.plies + 1} positions`;
  return { text, ply: null, curves: [], even };
}

/** A curve for each seat, as long as its player is in the game. @param {Reviewed} found @param {Table} table */
function curvesOf({ judged }, { seats }) {
  const last = Math.max(1, judged.length - 1);
  return seats.map(({ seat }) => {
    const gone = judged.findIndex(({ out }) => out.some((one) => one.seat === seat));
    const points = judged
      .slice(0, gone < 0 ? undefined : gone + 1)
      .map(({ shares }, ply) => `${((ply / last) * WIDTH).toFixed(1)} ${((1 - shares[seat]) * HEIGHT).toFixed(1)}`);
    return { seat, d: `M${points.join("L")}` };
  });
}

/** The sentence, and the move it is about. @param {Reviewed} found @param {Table} table */
function told({ judged }, table) {
  const name = namesOf(table);
  const winners = table.result?.winners ?? [];
  const moves = table.line.filter((step) => step.move !== null);
  const drops = judged.flatMap(({ seat, shares }, ply) =>
    seat === null || ply === 0 || winners.includes(seat)
      ? []
      : [{ seat, ply, before: judged[ply - 1].shares, drop: judged[ply - 1].shares[seat] - shares[seat] }],
  );
  const worst = drops.reduce((one, other) => (other.drop > (one?.drop ?? LARGE) ? other : one),
    /** @type {typeof drops[0]|null} */ (null),
  );
  const pair = table.seats.length === 2;
  const when = (/** @type {number} */ ply) => `${pair ? "move" : "round"} ${roundOf(table, ply)}`;
  if (worst !== null) {
    const { seat, ply, before } = worst;
    const move = `${moves[ply - 1]?.text ?? ""}${judged[ply].mark ?? ""}`.replaceAll("-", "\u2011"); // stays in a line
    const led = before[seat] > 1 / table.seats.length + LARGE && before[seat] === Math.max(...Object.values(before));
    if (winners.length === 0) return { text: `${name(seat)} gave the win away in ${when(ply)}, with ${move}.`, ply };
    return led
      ? { text: `${name(seat)} led until ${when(ply)}, then lost it with ${move}.`, ply }
      : { text: `${name(seat)} lost it in ${when(ply)}, with ${move}.`, ply };
  }
  const [first] = winners;
  if (first === undefined) return { text: "Nobody got away from the others.", ply: null };
  const behind = judged.map(({ shares }) => shares[first] < Math.max(...Object.values(shares))).lastIndexOf(true);
  if (behind < 0) return { text: `${name(first)} led from the start.`, ply: null };
  const ply = Math.min(behind + 1, judged.length - 1);
  return { text: `${name(first)} took the lead in ${when(ply)}, and kept it.`, ply };
}

/** The number of the round in which a move was made. @param {Table} table @param {number} ply */
const roundOf = (table, ply) =>
  rounds(table).find(({ parts }) => parts.some(({ plies }) => plies.includes(ply)))?.number ?? 1;

/** A curve in a seat's colour, with its rim. @param {string} seat @param {string} d */
export const curve = (seat, d) => ["curve-rim", "curve"].map((kind) => svg("path", { d, class: `${kind} ${seat}` }));

/**
 * A graph over the moves of a game, of the width `WIDTH`.
 * @param {number} height @param {Record<string, string>} how its class, and its label if it has one
 * @param {Element[]} parts
 */
export const graph = (height, how, ...parts) =>
  svg("svg", { viewBox: `0 -4 ${WIDTH} ${height + 8}`, preserveAspectRatio: "none", ...how }, ...parts);

/** @param {Story} story @param {import("../ui/slot.js").Slot["_button"]} button */
export function drawn({ text, ply, curves, even }, button) {
  const shown = graph(HEIGHT, { class: "graph", "aria-hidden": "true" },
    svg("path", { d: `M0 ${even}H${WIDTH}`, class: "even" }),
    ...curves.flatMap(({ seat, d }) => curve(seat, d)),
  );
  const moment = ply === null ? "" : button({ does: `look ${ply}`, words: "See the moment" });
  return el("div", { class: "story" }, shown, el("p", { class: "text", title: text }, text), moment);
}
