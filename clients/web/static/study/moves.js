/** The moves of a chapter: its main line in rounds, a column for each seat, and variations between them. */

import { childrenOf, departure, GLYPHS, mainFrom, roundOf } from "../model/tree.js";
import { capital, short } from "../text/words.js";
import { chip } from "../ui/chip.js";
import { el, renew } from "../ui/dom.js";
import { authorOf, nameOf, textOf, variationWords } from "./words.js";

/** @typedef {import("../model/tree.js").Study} Study */
/** @typedef {import("../model/tree.js").Tree} Tree */

/**
 * @typedef {object} Look
 * @property {Study} study @property {Tree} chapter @property {number} at the displayed node
 * @property {number} version changes with the study @property {Record<number, string[]>} others the users at each node
 * @property {import("./exits.js").Out} out the seats that are out after a move
 * @property {typeof import("./exits.js")|undefined} exits finds the eliminations
 * @property {(node: number) => void} pick
 */

/** @param {HTMLElement} holder @param {Look} look */
export function show(holder, look) {
  const { chapter, version, at, others, out } = look;
  const known = look.exits === undefined ? [] : [...chapter.nodes.keys()].map((node) => out(node)?.length);
  renew(holder, [version, chapter.number, at, others, known], () => {
    const start = chapter.nodes.get(0);
    return [
      el("button",
        {
          type: "button", class: "node start", "data-focus": "node 0", "aria-current": at === 0 ? "true" : null,
          onclick: () => look.pick(0),
        },
        "Start",
        ...people(others[0]),
      ),
      start?.comment ? el("p", { class: "comment" }, start.comment) : null,
      mainLine(look),
    ];
  });
  const here = /** @type {HTMLElement|null} */ (holder.querySelector("[aria-current]"));
  if (here === null) return;
  const { top, bottom } = here.getBoundingClientRect();
  const box = holder.getBoundingClientRect();
  if (top < box.top || bottom > box.bottom) holder.scrollTop += top - box.top - box.height / 2;
}

/**
 * The main line from the start, a row for each round; after comments or variations, the round's number is repeated.
 * @param {Look} look
 */
function mainLine(look) {
  const { chapter } = look;
  const grid = el("div", {
    class: chapter.seats.length > 2 ? "rounds many" : "rounds", style: `--seats: ${chapter.seats.length}`,
  });
  let shown = 0;
  for (const number of mainFrom(chapter, 0)) {
    const node = chapter.nodes.get(number);
    if (node === undefined) continue;
    const move = button(look, number);
    if (departure(node) === undefined) {
      const round = roundOf(chapter, number);
      if (round !== shown) grid.append(roundMark(chapter, node, round));
      shown = round;
      move.style.gridColumn = `${chapter.seats.indexOf(node.seat ?? "") + 2}`;
    }
    const beside = besides(look, number);
    grid.append(move, ...(look.exits?.rows(chapter, number, look.out) ?? []));
    if (beside.length > 0) {
      grid.append(el("div", { class: "between" }, ...beside));
      shown = 0;
    }
  }
  return grid;
}

/**
 * The number of a round, with dots where it is the second player's move that follows.
 * @param {Tree} chapter @param {import("../model/tree.js").Node} node @param {number} round
 */
const roundMark = ({ seats }, { seat }, round) =>
  el("span", { class: "round second" }, `${round}${seats.length === 2 && seat === seats[1] ? "…" : ""}`);

/** The comment on a move, and the variations to it. @param {Look} look @param {number} number */
function besides(look, number) {
  const { chapter, study } = look;
  const node = chapter.nodes.get(number);
  const [first, ...others] = childrenOf(chapter, node?.parent ?? 0);
  return [
    ...(node?.comment ? [el("p", { class: "comment" }, node.comment)] : []),
    ...(first === number
      ? others.map((one) =>
          el("div", { class: "variation", role: "group", "aria-label": variationWords(study, chapter, one) },
            ...variation(look, one),
          ),
        )
      : []),
  ];
}

/**
 * A variation in running text, with its own variations below; after those, the round's number is repeated.
 * @param {Look} look @param {number} number @returns {Node[]}
 */
function variation(look, number) {
  const { chapter } = look;
  /** @type {Node[]} */
  const found = [];
  let shown = 0;
  for (const one of [number, ...mainFrom(chapter, number)]) {
    const node = chapter.nodes.get(one);
    if (node === undefined) continue;
    const round = roundOf(chapter, one);
    if (round !== shown) found.push(roundMark(chapter, node, round));
    const beside =
      one !== number ? besides(look, one) : node.comment ? [el("p", { class: "comment" }, node.comment)] : [];
    found.push(button(look, one), ...(look.exits?.rows(chapter, one, look.out) ?? []), ...beside);
    shown = beside.length > 0 ? 0 : round;
  }
  return found;
}

/** A move as a button. @param {Look} look @param {number} number */
function button({ study, chapter, at, others, pick }, number) {
  const node = chapter.nodes.get(number);
  if (node === undefined) return el("span");
  const two = chapter.seats.length === 2;
  const seat = node.seat ?? "";
  const leaves = departure(node) !== undefined;
  const glyphs = (node.glyphs ?? []).flatMap((glyph) => (glyph in GLYPHS ? [GLYPHS[glyph]] : []));
  return el(
    "button",
    {
      type: "button", class: leaves ? "node exit" : "node", "data-focus": `node ${number}`,
      "aria-current": number === at ? "true" : null, title: `by ${authorOf(study, chapter, node)}`,
      onclick: () => pick(number),
    },
    two ? "" : chip(seat, leaves ? "out" : ""),
    leaves ? el("b", {}, nameOf(chapter, seat) || capital(seat)) : "",
    two ? textOf(node) : leaves ? ` ${textOf(node)}` : short(node.text),
    ...glyphs.map(([sign, words]) => el("b", { class: "glyph", title: words }, sign)),
    ...people(others[number]),
  );
}

/** The other users at a move. @param {string[]|undefined} names */
const people = (names) =>
  names === undefined
    ? []
    : names
        .slice(0, 3)
        .map((name) =>
          el("i", { class: "stands", title: `${name} is here` }, name.slice(0, 1).toUpperCase(),
            el("span", { class: "unseen" }, ` ${name} is here`),
          ),
        );
