/** The buttons and keys of a study's page, and events of the page itself: address, size, end. */

import * as trees from "../model/tree.js";
import { byId } from "../ui/dom.js";
import { onKeys } from "../ui/keys.js";

/**
 * @typedef {object} Page what buttons and keys need of the page
 * @property {trees.Tree} [chapter] @property {number} at the displayed node
 * @property {import("./board.js").StudyBoard} [board] @property {import("./drafts.js").Drafts} drafts
 * @property {(node: number) => void} go @property {() => void} follow go where the address says
 * @property {() => void} keep save typed comments
 * @property {() => void} flip @property {() => void} map show or hide the attack map @property {() => void} render
 */

/**
 * Let buttons and keys step through the moves of a chapter. Returns the step to the next variation.
 * @param {Pick<Page, "chapter"|"at"|"go"|"flip">} page @param {Record<string, () => void>} [more] keys
 */
export function walk(page, more = {}) {
  const at = (/** @type {(chapter: trees.Tree, node: trees.Node|undefined) => number|undefined} */ where) => () => {
    const { chapter } = page;
    const to = chapter === undefined ? undefined : where(chapter, chapter.nodes.get(page.at));
    if (to !== undefined) page.go(to);
  };
  const does = {
    first: at(() => 0),
    back: at((_, node) => node?.parent ?? 0),
    forth: at((chapter) => trees.childrenOf(chapter, page.at)[0]),
    last: at((chapter) => trees.mainFrom(chapter, page.at).pop()),
  };
  for (const id of /** @type {const} */ (["first", "back", "forth", "last"])) byId(id).onclick = does[id];
  const other = at((chapter) => trees.sibling(chapter, page.at, 1));
  onKeys({
    ArrowLeft: does.back, ArrowRight: does.forth, Home: does.first, End: does.last, ArrowDown: other,
    ArrowUp: at((chapter) => trees.sibling(chapter, page.at, -1)), f: () => page.flip(), ...more,
  });
  return other;
}

/** @param {Page} page */
export function wire(page) {
  byId("other").onclick = walk(page, { a: () => page.map() });
  byId("flip").onclick = () => page.flip();
  byId("attacks").onclick = () => page.map();
  addEventListener("hashchange", () => page.follow());
  addEventListener("pagehide", () => page.keep());
  addEventListener("beforeunload", (event) => {
    page.keep();
    if (page.drafts.of("comment").length > 0) event.preventDefault();
  });
  window.addEventListener("resize", () => page.render()); // keep the displayed move in sight
}
