/** The sets of pieces beside the usual one: shapes of our own, on a square of 100 by 100. Loaded by choice. */

import { svg } from "../ui/dom.js";

/** @typedef {{body: string[], lines: string[], spots?: string[]}} Shape */

const BASE = "M20 80h60v11H20z";

/** Plain geometry. @type {Record<string, Shape>} */
const BLOCKS = {
  P: { body: ["M50 19a16 16 0 0 1 10 28.5L67 80H33l7-32.5A16 16 0 0 1 50 19z", BASE], lines: [] },
  N: {
    body: ["M74 80V46L60 17 52 24 44 12 39 28 18 53l8 14 20-8-16 21z", BASE], lines: [],
    spots: ["M43 33a4 4 0 1 0 .1 0z"],
  },
  B: {
    body: ["M50 9C35 24 27 39 27 53c0 11 5 18 12 27h22c7-9 12-16 12-27 0-14-8-29-23-44z", BASE],
    lines: ["M59 24L47 41"],
  },
  R: { body: ["M22 15h14v10h7V15h14v10h7V15h14v24l-9 8 3 33H28l3-33-9-8z", BASE], lines: ["M31 47h38"] },
  Q: {
    body: [
      "M14 25l18 24 7-35h1l10 30 10-30h1l7 35 18-24-10 55H24z",
      "M14 19a6 6 0 1 0 .1 0zM39.500 8a6 6 0 1 0 .1 0zM60.500 8a6 6 0 1 0 .1 0zM86 19a6 6 0 1 0 .1 0z", BASE,
    ],
    lines: [],
  },
  K: {
    body: [
      "M44 5h12v9h9v11h-9v9c20 0 30 7 30 20 0 11-7 18-11 26H25c-4-8-11-15-11-26 0-13 10-20 30-20v-9h-9V14h9z", BASE,
    ],
    lines: ["M50 34v12"],
  },
};
// The promoted queen of free-for-all: her crown is empty.
BLOCKS.D = { ...BLOCKS.Q, lines: ["M30 58l20-9 20 9"] };

const DISC = "M50 7a43 43 0 1 0 0 86 43 43 0 0 0 0-86z";
const TILE = "M22 6h56a16 16 0 0 1 16 16v56a16 16 0 0 1-16 16H22A16 16 0 0 1 6 78V22A16 16 0 0 1 22 6z";

/** A coin that bears the usual piece. @param {string} kind @param {unknown} _ @param {string[]} usual outlines */
const coin = (kind, _, usual) => [
  svg("path", { d: DISC, class: "body" }),
  svg("g", { transform: "translate(20 11) scale(.6)" },
    ...usual.map((d) => svg("path", { d, class: "inner" })),
  ),
  ...(kind === "D" ? [svg("path", { d: "M30 70h40", class: "line" })] : []),
];

/** A tile with a letter. The promoted queen's letter is small. @param {string} kind */
function letter(kind) {
  const text = svg("text", { x: 50, y: 63, class: "letter" });
  text.textContent = kind === "D" ? "q" : kind;
  return [svg("path", { d: TILE, class: "body" }), text];
}

/**
 * The parts of each kind of piece, by set, from a function that draws a shape, and the outlines of the usual piece.
 * @type {Record<string, (kind: string, draw: (shape: Shape) => Element[], usual: string[]) => Element[]>}
 */
export const SETS = { blocks: (kind, draw) => draw(BLOCKS[kind]), coins: coin, letters: letter };
