/** The game that a chapter was made of: who played, what their clocks showed, and its review. Pages load it once they need it. */

import { chip } from "./cards.js";
import { byId, el, renew } from "./dom.js";
import { Review } from "./review.js";
import { pathTo } from "./studytree.js";
import { capital, face } from "./words.js";

/** @typedef {import("./study.js").StudyPage} Page */
/** @typedef {import("./study.js").Looked} Looked */
/** @typedef {import("./studytree.js").Tree} Tree */

export class StudyGame {
  /** @param {Page} page */
  constructor(page) {
    this._page = page;
    this._review = new StudyReview(page.connection, () => page.render(), (ply) => this._look(ply));
  }

  /** @param {Tree} chapter @param {number} at @param {Looked} looked @param {string[]} order the seats, from the one at the foot of the board on */
  show(chapter, at, looked, order) {
    this._plates(chapter, at, looked, order);
    this._review.showOf(chapter, at);
  }

  /** @param {Tree} chapter @param {number} at @param {Looked} looked @param {string[]} order */
  _plates(chapter, at, looked, order) {
    const names = chapter.seats.map((seat) => nameOf(chapter, seat));
    /** @type {Record<string, number>} */
    const clocks = {};
    for (const { seat, clock } of pathTo(chapter, at)) if (clock != null) clocks[seat ?? ""] = clock;
    const holder = byId("plates");
    holder.hidden = names.every((name) => name === "") && Object.keys(clocks).length === 0 && looked.points == null;
    renew(holder, [chapter.number, at, names, clocks, looked.turn, looked.out, order], () =>
      order.map((seat) => {
        const out = looked.out.includes(seat);
        const points = looked.points?.[seat];
        return el(
          "div",
          { class: `plate${seat === looked.turn ? " turn" : ""}${out ? " out" : ""}`, role: "group", "aria-label": capital(seat) },
          chip(seat),
          el("span", { class: "name" }, nameOf(chapter, seat) || capital(seat)),
          out ? el("span", { class: "second" }, "out") : null,
          points === undefined ? null : el("span", { class: "second" }, `${points} points`),
          clocks[seat] === undefined ? null : el("span", { class: "clock" }, face(clocks[seat])),
        );
      }),
    );
  }

  /** @param {number} ply */
  _look(ply) {
    const { chapter } = this._page;
    const node = chapter === undefined ? undefined : played(chapter)[ply];
    if (node !== undefined) this._page.go(node);
  }
}

/** Who had a seat, as far as the chapter's tags say. @param {Tree} chapter @param {string} seat */
function nameOf(chapter, seat) {
  const name = chapter.tags[capital(seat)] ?? "";
  return name === "?" ? "" : name;
}

/** The moves of the game that a chapter was made of, by ply, the start first: they have the first numbers, each following the one before. @param {Tree} chapter @returns {number[]} */
function played(chapter) {
  const found = [0];
  for (let number = 1; chapter.nodes.get(number)?.parent === number - 1; number++) {
    if (/^[a-z]\d/.test(chapter.nodes.get(number)?.move ?? "")) found.push(number);
  }
  return found;
}

class StudyReview extends Review {
  /** The review of the chapter's game, if it is a room's that has one. @param {Tree} chapter @param {number} at */
  showOf(chapter, at) {
    const { Site: room = "", Round: round = "1" } = chapter.tags;
    if (!/^([0-9a-z]{8}|[0-9a-z]{16})$/.test(room)) {
      byId("review").hidden = true;
      return;
    }
    const nodes = played(chapter);
    const line = nodes.slice(1).map((number) => ({ move: chapter.nodes.get(number)?.move, text: chapter.nodes.get(number)?.text }));
    const way = pathTo(chapter, at).map((node) => node.number);
    const ply = nodes.filter((number) => way.includes(number)).length;
    this.show(/** @type {any} */ ({ room, game: Number(round), status: "finished", line, seats: chapter.seats.map((seat) => ({ seat })) }), ply);
    // It is that of the room's last game, and of all its moves.
    const found = this._found;
    byId("review").hidden = found === null || `${found.game}` !== round || found.plies >= nodes.length;
  }
}
