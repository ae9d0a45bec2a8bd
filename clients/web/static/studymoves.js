/** The moves of a chapter: its main line in rounds, a column for each seat, and variations between them. */

import { chip } from "./cards.js";
import { el, renew } from "./dom.js";
import { authorOf, childrenOf, GLYPHS, mainFrom, roundOf, variationWords } from "./studytree.js";
import { short } from "./words.js";

/** @typedef {import("./studytree.js").Study} Study */
/** @typedef {import("./studytree.js").Tree} Tree */

/**
 * @typedef {object} Look
 * @property {Study} study @property {Tree} chapter @property {number} at the node that is looked at
 * @property {number} version changes with the study @property {Record<number, string[]>} others who stands at which node
 * @property {(node: number) => void} pick
 */

/** @param {HTMLElement} holder @param {Look} look */
export function show(holder, look) {
  const { chapter, version, at, others } = look;
  renew(holder, [version, chapter.number, at, others], () => {
    const start = chapter.nodes.get(0);
    return [
      el("button", { type: "button", class: "node start", "data-focus": "node 0", "aria-current": at === 0 ? "true" : null, onclick: () => look.pick(0) }, "Start", ...people(others[0])),
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

/** The main line from the start, a row for each round. @param {Look} look */
function mainLine(look) {
  const { chapter } = look;
  const grid = el("div", { class: chapter.seats.length > 2 ? "rounds many" : "rounds", style: `--seats: ${chapter.seats.length}` });
  let shown = 0;
  for (const number of mainFrom(chapter, 0)) {
    const node = chapter.nodes.get(number);
    if (node === undefined) continue;
    const round = roundOf(chapter, number);
    if (round !== shown) grid.append(el("span", { class: "round second" }, `${round}`));
    shown = round;
    const move = button(look, number, chapter.seats.length === 2);
    move.style.gridColumn = `${chapter.seats.indexOf(node.seat ?? "") + 2}`;
    grid.append(move);
    const beside = besides(look, number);
    if (beside.length > 0) grid.append(el("div", { class: "between" }, ...beside));
  }
  return grid;
}

/** What stands below a move of a line: its comment, and the variations to it. @param {Look} look @param {number} number */
function besides(look, number) {
  const { chapter, study } = look;
  const node = chapter.nodes.get(number);
  const [first, ...others] = childrenOf(chapter, node?.parent ?? 0);
  return [
    ...(node?.comment ? [el("p", { class: "comment" }, node.comment)] : []),
    ...(first === number ? others.map((one) => el("div", { class: "variation", role: "group", "aria-label": variationWords(study, chapter, one) }, ...variation(look, one))) : []),
  ];
}

/** A variation in running text, with its own variations below. @param {Look} look @param {number} number @returns {Node[]} */
function variation(look, number) {
  const { chapter } = look;
  /** @type {Node[]} */
  const found = [];
  let shown = 0;
  for (const one of [number, ...mainFrom(chapter, number)]) {
    const round = roundOf(chapter, one);
    if (round !== shown) found.push(el("span", { class: "round second" }, `${round}${shown === 0 && chapter.seats.length === 2 && chapter.nodes.get(one)?.seat === chapter.seats[1] ? "…" : ""}`));
    shown = round;
    found.push(button(look, one, chapter.seats.length === 2));
    if (one === number) {
      const { comment } = chapter.nodes.get(one) ?? {};
      if (comment) found.push(el("p", { class: "comment" }, comment));
    } else found.push(...besides(look, one));
  }
  return found;
}

/** A move to be pressed. @param {Look} look @param {number} number @param {boolean} two */
function button({ study, chapter, at, others, pick }, number, two) {
  const node = chapter.nodes.get(number);
  const text = node?.text ?? "";
  const glyphs = (node?.glyphs ?? []).flatMap((glyph) => (glyph in GLYPHS ? [GLYPHS[glyph]] : []));
  const moves = el(
    "button",
    { type: "button", class: "node", "data-focus": `node ${number}`, "aria-current": number === at ? "true" : null, title: node === undefined ? "" : `by ${authorOf(study, chapter, node)}`, onclick: () => pick(number) },
    two || node === undefined ? "" : chip(node.seat ?? ""),
    two ? text : short(text),
    ...glyphs.map(([sign, words]) => el("b", { class: "glyph", title: words }, sign)),
    ...people(others[number]),
  );
  return moves;
}

/** Who else stands at a move. @param {string[]|undefined} names */
const people = (names) => (names === undefined ? [] : names.slice(0, 3).map((name) => el("i", { class: "stands", title: `${name} is here` }, name.slice(0, 1).toUpperCase(), el("span", { class: "unseen" }, ` ${name} is here`))));
