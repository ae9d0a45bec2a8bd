/** A study as a value: chapters with trees of moves, from a snapshot and the events after it. Pure. */


/** @typedef {import("../net/connection.js").Frames["study"]} Snapshot */
/** @typedef {import("../../../../protocol/protocol.d.ts").StudyEvents} Events
 *  @typedef {Events[keyof Events]} Event */
/** @typedef {Snapshot["chapters"][0]} Chapter */
/** @typedef {Chapter["nodes"][0]} Node */
/** @typedef {import("../net/connection.js").Frames["looked"]["positions"][0]} Looked the board after a move */
/** @typedef {import("../../../../protocol/protocol.d.ts").EditRequest["change"]} Change of a study, as a request */

/**
 * @typedef {Omit<Chapter, "nodes"> & {nodes: Map<number, Node>, children: Map<number, number[]>}} Tree
 * a chapter; `children` are those of a node, the main one first
 */

/**
 * @typedef {object} Study
 * @property {string} room @property {string} title @property {Snapshot["visibility"]} visibility
 * @property {Snapshot["write"]} write
 * @property {string} owner @property {string[]} writers
 * @property {Record<string, string>} names of players, by their ids
 * @property {Tree[]} chapters @property {boolean} deleted
 */

/**
 * The numbers of PGN's glyphs, and their symbols. Glyphs without a symbol are skipped.
 * @type {Record<number, [string, string]>}
 */
export const GLYPHS = {
  1: ["!", "good move"], 2: ["?", "mistake"], 3: ["!!", "brilliant move"], 4: ["??", "blunder"],
  5: ["!?", "interesting move"], 6: ["?!", "dubious move"], 10: ["=", "equal"], 13: ["∞", "unclear"],
  14: ["+=", "White is slightly better"], 15: ["=+", "Black is slightly better"], 16: ["±", "White is better"],
  17: ["∓", "Black is better"], 18: ["+−", "White wins"], 19: ["−+", "Black wins"], 7: ["□", "only move"],
  22: ["⨀", "zugzwang"], 23: ["⨀", "zugzwang"], 32: ["↑↑", "White leads in development"],
  33: ["↑↑", "Black leads in development"], 36: ["↑", "White has the initiative"],
  37: ["↑", "Black has the initiative"], 40: ["→", "White attacks"], 41: ["→", "Black attacks"],
  44: ["=∞", "White has compensation"], 45: ["=∞", "Black has compensation"], 132: ["⇆", "White has counterplay"],
  133: ["⇆", "Black has counterplay"], 138: ["⊕", "time trouble"], 139: ["⊕", "time trouble"],
  140: ["∆", "with the idea"], 146: ["N", "novelty"],
};

/** The number of a glyph with this symbol. @param {string} mark */
export const glyphOf = (mark) => Number(Object.keys(GLYPHS).find((number) => GLYPHS[Number(number)][0] === mark));

/** @param {Snapshot} snapshot @returns {Study} */
export function of(snapshot) {
  const { room, title, visibility, write, owner, writers, names } = snapshot;
  return {
    room, title, visibility, write, owner, writers, names: { ...names }, chapters: snapshot.chapters.map(tree),
    deleted: false,
  };
}

/** @param {Chapter} chapter @returns {Tree} */
export function tree(chapter) {
  const nodes = new Map(chapter.nodes.map((node) => [node.number, node]));
  /** @type {Map<number, number[]>} */
  const children = new Map();
  for (const { number, parent } of chapter.nodes)
    if (number !== 0) children.set(parent ?? 0, [...(children.get(parent ?? 0) ?? []), number]);
  return { ...chapter, nodes, children };
}

/** The study after an event. @param {Study} study @param {Event} event @returns {Study} */
export const after = (study, event) =>
  /** @type {((study: Study, event: Event) => Study)|undefined} */ (APPLY[event.type])?.(study, event) ?? study;

/** @param {Study} study @param {number} number @param {(chapter: Tree) => Tree} change @returns {Study} */
const inChapter = (study, number, change) => ({
  ...study,
  chapters: study.chapters.map((one) => (one.number === number ? change(one) : one)),
});

/** @param {Study} study @param {Events["chapter_ordered"]} event @returns {Study} */
function ordered(study, { chapter, place }) {
  const others = study.chapters.filter((one) => one.number !== chapter);
  const moved = study.chapters.filter((one) => one.number === chapter);
  return { ...study, chapters: [...others.slice(0, place), ...moved, ...others.slice(place)] };
}

/** @param {Study} study @param {{chapter: number, node: number}} place @param {Partial<Node>} change */
const inNode = (study, { chapter, node }, change) =>
  inChapter(study, chapter, (one) => {
    const before = one.nodes.get(node);
    return before === undefined ? one : { ...one, nodes: new Map(one.nodes).set(node, { ...before, ...change }) };
  });

/** @param {Tree} chapter @param {Node} node @returns {Tree} */
function added(chapter, node) {
  const parent = node.parent ?? 0;
  return {
    ...chapter,
    nodes: new Map(chapter.nodes).set(node.number, node),
    children: new Map(chapter.children).set(parent, [...childrenOf(chapter, parent), node.number]),
  };
}

/** A chapter without a node and its descendants. @param {Tree} chapter @param {number} number @returns {Tree} */
function removed(chapter, number) {
  const nodes = new Map(chapter.nodes);
  const children = new Map(chapter.children);
  const parent = nodes.get(number)?.parent ?? 0;
  const todo = [number];
  while (todo.length > 0) {
    const one = /** @type {number} */ (todo.pop());
    todo.push(...(children.get(one) ?? []));
    nodes.delete(one);
    children.delete(one);
  }
  children.set(parent, (children.get(parent) ?? []).filter((child) => child !== number));
  return { ...chapter, nodes, children };
}

/**
 * A chapter with a node as the first child of its parent.
 * @param {Tree} chapter @param {number} number @returns {Tree}
 */
function promoted(chapter, number) {
  const parent = chapter.nodes.get(number)?.parent ?? 0;
  return {
    ...chapter,
    children: new Map(chapter.children).set(parent, [
      number,
      ...childrenOf(chapter, parent).filter((child) => child !== number),
    ]),
  };
}

/** @type {{[T in keyof Events]?: (study: Study, event: Events[T]) => Study}} */
const APPLY = {
  titled: (study, { title }) => ({ ...study, title }),
  shared: (study, { visibility }) => ({ ...study, visibility }),
  allowed: (study, { write, writers, names }) => ({ ...study, write, writers, names: { ...names, ...study.names } }),
  named: (study, { player, name }) => ({ ...study, names: { ...study.names, [player]: name } }),
  deleted: (study) => ({ ...study, deleted: true }),
  chapter_added: (study, { chapter }) => ({ ...study, chapters: [...study.chapters, tree(chapter)] }),
  chapter_removed: (study, { chapter }) => ({
    ...study,
    chapters: study.chapters.filter((one) => one.number !== chapter),
  }),
  chapter_titled: (study, { chapter, title }) => inChapter(study, chapter, (one) => ({ ...one, title })),
  chapter_ordered: ordered,
  node_added: (study, { chapter, node }) => inChapter(study, chapter, (one) => added(one, node)),
  node_removed: (study, { chapter, node }) => inChapter(study, chapter, (one) => removed(one, node)),
  promoted: (study, { chapter, node }) => inChapter(study, chapter, (one) => promoted(one, node)),
  commented: (study, event) => inNode(study, event, { comment: event.text }),
  annotated: (study, event) => inNode(study, event, { glyphs: event.glyphs }),
  drawn: (study, event) => inNode(study, event, { shapes: event.shapes }),
};

/** @param {Tree} chapter @param {number} number */
export const childrenOf = (chapter, number) => chapter.children.get(number) ?? [];

/** The nodes from the start (without it) to a node. @param {Tree} chapter @param {number} number @returns {Node[]} */
export function pathTo(chapter, number) {
  const found = [];
  for (
    let node = chapter.nodes.get(number);
    node !== undefined && node.number !== 0;
    node = chapter.nodes.get(node.parent ?? 0)
  )
    found.unshift(node);
  return found;
}

/**
 * The moves that follow a node, always the main one.
 * @param {Tree} chapter @param {number} number @returns {number[]}
 */
export function mainFrom(chapter, number) {
  const found = [];
  for (let next = childrenOf(chapter, number)[0]; next !== undefined; next = childrenOf(chapter, next)[0])
    found.push(next);
  return found;
}

/**
 * The nodes of the chapter's original game, by ply, the start first. They have the lowest numbers, each the child of
 * the one before.
 * @param {Tree} chapter @returns {number[]}
 */
export function played(chapter) {
  const found = [0];
  for (let number = 1; chapter.nodes.get(number)?.parent === number - 1; number++) {
    if (/^[a-z]\d/.test(chapter.nodes.get(number)?.move ?? "")) found.push(number);
  }
  return found;
}

/**
 * The move before or after a node among its siblings.
 * @param {Tree} chapter @param {number} number @param {number} step
 */
export function sibling(chapter, number, step) {
  if (number === 0) return 0;
  const all = childrenOf(chapter, chapter.nodes.get(number)?.parent ?? 0);
  return all[(all.indexOf(number) + step + all.length) % all.length];
}

/** The round of each move on the way to a node. @param {Tree} chapter @param {number} number */
export function roundOf(chapter, number) {
  let round = firstRound(chapter);
  let before = -1;
  for (const { seat } of pathTo(chapter, number)) {
    const at = chapter.seats.indexOf(seat ?? "");
    if (before >= 0 && at <= before) round += 1;
    before = at;
  }
  return round;
}

/** @param {Tree} chapter */
const firstRound = ({ position, seats }) => (seats.length === 2 ? Number(position.split(" ")[5]) || 1 : 1);

/** The reasons for leaving a game for four, by the first letter of such a move. @type {Record<string, string>} */
const DEPARTURES = { R: "resignation", T: "time", A: "abandonment" };

/**
 * The reason why the player to move left the game with this move; undefined for other moves.
 * @param {Node} node @returns {string|undefined}
 */
export const departure = ({ move }) => (/^[RTA][a-z]?$/.test(move) ? DEPARTURES[move[0]] : undefined);

/** Whether a node begins a variation. @param {Tree} chapter @param {number} number */
export const beginsVariation = (chapter, number) =>
  number !== 0 && childrenOf(chapter, chapter.nodes.get(number)?.parent ?? 0)[0] !== number;
