/**
 * The six pieces: shapes of our own on a square of 100 by 100, coloured by CSS, and the seats' marks.
 *
 * Each piece is a body (filled with the seat's colour and outlined), and lines and spots in the contrast
 * colour. Pieces for four bear their seat's mark, which tells them apart without colours. Pieces for two may have an
 * emblem there.
 */

import { variantOf } from "../model/geometry.js";
import { late } from "../net/loading.js";
import * as settings from "../net/settings.js";
import { MARKS } from "../ui/chip.js";
import { svg } from "../ui/dom.js";

/** The other sets of pieces, for users who chose one. */
const others = late(() => import("./sets.js"));

/** The sets of pieces. @typedef {"staunton"|"blocks"|"coins"|"letters"} SetName */

const FOOT = "M22 82.5h56c3.6 0 6 2.2 6 5v1.5c0 1.7-1.3 3-3 3H19c-1.7 0-3-1.3-3-3v-1.5c0-2.8 2.4-5 6-5z";

/** @typedef {{body: string[], lines: string[], spots?: string[], emblem?: string}} Shape */

/** @type {Record<string, Shape>} */
const SHAPES = {
  P: {
    body: [
      "M50 17.5c-8.4 0-15.2 6.8-15.2 15.2 0 4.7 2.1 8.8 5.4 11.6-4 .7-7.6 2.2-7.6 4.7 0 2.4 3.9 3.5 8.6 3.9-1.2 9-6 15.5-13.4 20.5-3.3 2.2-5.3 4.9-5.8 9.1h56c-.5-4.2-2.5-6.9-5.8-9.1-7.4-5-12.2-11.5-13.4-20.5 4.7-.4 8.6-1.5 8.6-3.9 0-2.5-3.6-4-7.6-4.7 3.3-2.8 5.4-6.9 5.4-11.6 0-8.4-6.8-15.2-15.2-15.2z",
      FOOT,
    ],
    lines: ["M41.5 52.8c5.5.6 11.5.6 17 0"],
  },
  N: {
    body: [
      "M76 82.5c4.5-21 2.5-41.5-8-54.5-4.5-5.5-10-9-15.5-10.3L51.5 8c-4 1.7-7 4.3-8.7 7.7-1.8-1.9-4-3.4-6.8-4.2-.4 3.9.1 7.3 1.4 10.1-4.4 3.1-7.3 7.5-9 12.9-1.9 5.9-6.7 10.7-10.8 16.7-3.7 5.4-3.3 12 1.2 14.6 2.3 1.3 4.9.9 6.7-.6 1.7 2.3 5 2 7.5-.4 4.2-4 8.4-4.9 13.2-6.2 1.3 7-3.1 11-9 15.2-4.7 3.3-8.2 6-9.2 8.7z",
      FOOT,
    ],
    lines: [
      "M53 24.5c12 6.5 18 22 16.2 49.5",
      "M46.2 58.6c3.5-1.1 6.3-3.4 8.3-7.1",
      "M25.5 65.2c.3-2 1.3-3.6 3-4.9",
    ],
    spots: [
      "M36.2 31.8c3-1.4 6.1-.8 7.6 1.1-1.7 2.4-4.9 3.1-8.2 1.9-.9-.9-.6-2.3.6-3z",
      "M20.6 55.7a2 2 0 1 0 3.3 2.3 2 2 0 0 0-3.3-2.3z",
    ],
  },
  B: {
    body: [
      "M50 7.5a6.4 6.4 0 0 0-4 11.4C36 26.5 29.5 36 29.5 46.5c0 7.3 3.3 13 8.3 16.6-2.7.8-4.3 2-4.3 3.7 0 2 2.3 3.3 5.7 4-1.3 3.4-6.5 5-11.4 6.7-2.9 1-4.7 2.6-5.3 5h55c-.6-2.4-2.4-4-5.3-5-4.9-1.7-10.1-3.3-11.4-6.7 3.4-.7 5.7-2 5.7-4 0-1.7-1.6-2.9-4.3-3.7 5-3.6 8.3-9.3 8.3-16.6C70.5 36 64 26.5 54 18.9A6.4 6.4 0 0 0 50 7.5z",
      FOOT,
    ],
    lines: ["M38.5 63.2c7.5 1.5 15.5 1.5 23 0", "M40 70.9c6.5 1 13.5 1 20 0"],
    emblem: "M50 33.5v18M42 41.5h16",
  },
  R: {
    body: [
      "M24 15.5c-1.1 0-2 .9-2 2V32c0 3 1.3 5 3.7 6.8l6.8 5.1-2.4 26.6-4.9 4c-2.5 2-3.5 4.6-3.5 8h56.6c0-3.4-1-6-3.5-8l-4.9-4-2.4-26.6 6.8-5.1C76.7 37 78 35 78 32V17.5c0-1.1-.9-2-2-2h-8.5c-1.1 0-2 .9-2 2v6.3h-8.3v-6.3c0-1.1-.9-2-2-2H44.8c-1.1 0-2 .9-2 2v6.3h-8.3v-6.3c0-1.1-.9-2-2-2z",
      FOOT,
    ],
    lines: ["M27.5 37.8h45M33 44.3h34M30.5 70.2h39"],
  },
  Q: {
    body: [
      "M50 7.8a6.3 6.3 0 0 0-2.6 12L41 42.5 31.6 23.8a6 6 0 1 0-5.1 1.8l1.6 20.9-12.3-12.9a5.8 5.8 0 1 0-3.9 2.9l14.4 32.9-1.5 5.1c-1.7 2-2.6 4.7-2.6 8h55.6c0-3.3-.9-6-2.6-8l-1.5-5.1 14.4-32.9a5.8 5.8 0 1 0-3.9-2.9L71.9 46.5l1.6-20.9a6 6 0 1 0-5.1-1.8L59 42.5l-6.4-22.7a6.3 6.3 0 0 0-2.6-12z",
      FOOT,
    ],
    lines: ["M26.8 69c15-4.2 31.4-4.2 46.4 0", "M25.3 75.2c16-3.7 33.4-3.7 49.4 0"],
  },
  K: {
    body: [
      "M46.7 5.5v5.3h-5.6v6.6h5.6v6.2c-4.2 2.7-7.2 6.5-8.6 10.8-2.9-2.2-6.5-3.3-10.6-3.3C17.8 31.1 11 38 11 46.7c0 9.8 8.3 15.6 13.6 22.5v5.9c-1.5 2.1-2.3 4.5-2.3 7.4h55.4c0-2.9-.8-5.3-2.3-7.4v-5.9C80.7 62.3 89 56.5 89 46.7c0-8.7-6.8-15.6-16.5-15.6-4.1 0-7.7 1.1-10.6 3.3-1.4-4.3-4.4-8.1-8.6-10.8v-6.2h5.6v-6.6h-5.6V5.5c0-.6-.4-1-1-1h-4.6c-.6 0-1 .4-1 1z",
      FOOT,
    ],
    lines: [
      "M25 68.8c16-4.6 34-4.6 50 0",
      "M25 75.2c16-3.9 34-3.9 50 0",
      "M50 45c-.9-6.7-5.3-9.8-11.9-10.6M50 45c.9-6.7 5.3-9.8 11.9-10.6",
    ],
    emblem: "M50 64.5V45",
  },
};
// The promoted queen of free-for-all, worth one point. It has a coronet instead of a crown.
SHAPES.D = {
  ...SHAPES.Q,
  lines: ["M26.8 69c15-4.2 31.4-4.2 46.4 0", "M29 52c5 9 9 10 12-2 3 11 15 11 18 0 3 12 7 11 12 2"],
};

/**
 * The place of the seat's mark on a piece, by set: by kind of piece, or the same for all.
 * @type {Record<SetName, Record<string, [number, number]>>}
 */
const MARK_AT = {
  staunton: { P: [50, 71], N: [56, 72], B: [50, 46], R: [50, 57.5], Q: [50, 57], K: [50, 55], D: [50, 57] },
  blocks: { P: [50, 66], N: [57, 58], B: [50, 57], R: [50, 58], Q: [50, 62], K: [50, 57], D: [50, 62] },
  coins: { all: [50, 82] },
  letters: { all: [50, 79] },
};

/** The set that the user has chosen. */
export function setName() {
  const name = settings.get("pieces") ?? "";
  return /** @type {SetName} */ (name in MARK_AT ? name : "staunton");
}

/** The values of pieces, by letter. @type {Record<string, number>} */
export const WORTH = { P: 1, N: 3, B: 3, R: 5, Q: 9, K: 0, D: 1 };

/** @typedef {{kind: string, seat: string|null, grey: boolean}} Piece */

/** Cells read so far, by variant and cell: a board reads all its cells at each move. @type {Map<string, Piece>} */
const READ = new Map();

/**
 * A cell of FEN4, such as `rP` or `drP`, in its parts.
 * @param {string} cell @param {string} variant @returns {Readonly<Piece>}
 */
export function piece(cell, variant) {
  const key = `${variant} ${cell}`;
  let known = READ.get(key);
  if (known === undefined) READ.set(key, (known = parsed(cell, variant)));
  return known;
}

/** @param {string} cell @param {string} variant @returns {Piece} */
function parsed(cell, variant) {
  const grey = cell.length > 1 && cell[0] === "d";
  const rest = grey ? cell.slice(1) : cell;
  const kind = rest[rest.length - 1];
  const seat = rest.length > 1 ? variantOf(variant).seats.find((one) => one[0] === rest[0]) : undefined;
  return { kind, seat: seat ?? null, grey };
}

/** The cell of a piece. @param {string} seat @param {string} kind */
export const cellOf = (seat, kind) => seat[0] + kind;

/** The parts of a piece. @param {Shape} shape */
const parts = ({ body, lines, spots = [], emblem }) => [
  ...body.map((d) => svg("path", { d, class: "body" })),
  ...lines.map((d) => svg("path", { d, class: "line" })),
  ...spots.map((d) => svg("path", { d, class: "spot" })),
  ...(emblem ? [svg("path", { d: emblem, class: "emblem" })] : []),
];

/**
 * Replace the parts of the pieces on the page by those of a set.
 * @param {Element} defs @param {SetName} name
 */
async function dress(defs, name) {
  const { SETS } = await others();
  for (const symbol of defs.querySelectorAll("symbol")) {
    const kind = symbol.id.slice(-1);
    symbol.replaceChildren(...SETS[name](kind, parts, SHAPES[kind].body));
  }
}

/**
 * The shapes as symbols for `<use href="#piece-N">`. Add them to the page once.
 * @param {SetName} [name] the set @param {string} [prefix] of the ids, for a second set on the page
 */
export function sprite(name = setName(), prefix = "") {
  const defs = svg("defs");
  for (const [kind, shape] of Object.entries(SHAPES)) {
    const drawn = name === "staunton" ? parts(shape) : [];
    const id = `${prefix}piece-${kind}`;
    defs.append(svg("symbol", { id, viewBox: "0 0 100 100", overflow: "visible" }, ...drawn));
  }
  if (name !== "staunton") dress(defs, name);
  const holder = svg("svg", { width: 0, height: 0, "aria-hidden": "true", class: "sprite" }, defs);
  if (prefix) return holder;
  for (const [seat, d] of Object.entries(MARKS)) {
    defs.append(svg("path", { id: `mark-${seat}`, d }));
  }
  const hatch = svg("path", { d: "M0 4h8", stroke: "#55524b", "stroke-width": 2.6 });
  const ground = svg("path", { d: "M0 0h8v8H0z", fill: "#e8e5dd", "fill-opacity": 0.45 });
  const units = { patternUnits: "userSpaceOnUse", patternTransform: "rotate(-45)" };
  defs.append(svg("pattern", { id: "hatch", width: 8, height: 8, ...units }, ground, hatch));
  return holder;
}

/**
 * One piece as a group of 100 by 100.
 * @param {string} cell @param {string} variant
 */
export function draw(cell, variant) {
  const { kind, seat, grey } = piece(cell, variant);
  const dead = grey ? (kind === "K" ? " grey fallen" : " grey") : "";
  const group = svg("g", { class: `piece ${seat ?? "nobody"}${dead}` });
  group.append(svg("use", { href: `#piece-${kind}`, width: 100, height: 100 }));
  if (!grey && seat !== null && seat in MARKS) {
    const places = MARK_AT[setName()];
    const [x, y] = places[kind] ?? places.all;
    group.classList.add("marked");
    group.append(svg("use", { href: `#mark-${seat}`, x, y, class: "mark" }));
  }
  return group;
}

/**
 * One piece as an image of its own, for lists and pickers.
 * @param {string} cell @param {string} variant
 * @param {string} [label] its label; left out where the text beside it names it
 */
export function figure(cell, variant, label) {
  /** @type {Record<string, string>} */
  const names = label === undefined ? { "aria-hidden": "true" } : { role: "img", "aria-label": label };
  return svg("svg", { viewBox: "0 0 100 100", class: "figure", ...names }, draw(cell, variant));
}
