/** The game of a chapter: its players, clocks and review. Loaded on demand. */

import { Review } from "../analysis/review.js";
import { boardOf } from "../model/geometry.js";
import { percents } from "../model/shares.js";
import { pathTo, played } from "../model/tree.js";
import { capital, face } from "../text/words.js";
import { chip } from "../ui/chip.js";
import { byId, el, renew } from "../ui/dom.js";
import { nameOf } from "./words.js";

/** @typedef {import("../model/tree.js").Looked} Looked */
/** @typedef {import("../model/tree.js").Tree} Tree */

/**
 * @typedef {object} Page what the game needs of the page
 * @property {import("../net/connection.js").Connection} connection
 * @property {Tree} [chapter] @property {import("../analysis/engine.js").Engine} engine
 * @property {(node: number) => void} go display a move @property {() => void} render
 */

/** The places of four plates, clockwise from the bottom of the board. */
const CORNERS = ["bottom", "left", "top", "right"];

/** The smallest width of a cut corner with room for a plate, in squares. */
const ROOM = 3;

export class StudyGame {
  /** @param {Page} page */
  constructor(page) {
    this._page = page;
    document.head.append(el("link", { rel: "stylesheet", href: new URL("../ui/plates.css", import.meta.url).href }));
    this._review = new StudyReview(page.connection, () => page.render(), (ply) => this._look(ply));
  }

  /**
   * @param {Tree} chapter @param {number} at @param {Looked} looked
   * @param {string[]} order the seats, clockwise from the bottom of the board
   */
  show(chapter, at, looked, order) {
    this._review.showOf(chapter, at);
    this._plates(chapter, at, looked, order, this._page.engine.shares ?? this._review.shares);
  }

  /**
   * The players, with their chances in place of the clocks once known. For four players, in the empty corners of the
   * board.
   * @param {Tree} chapter @param {number} at @param {Looked} looked @param {string[]} order
   * @param {Record<string, number>|null} shares
   */
  _plates(chapter, at, looked, order, shares) {
    const names = chapter.seats.map((seat) => nameOf(chapter, seat));
    /** @type {Record<string, number>} */
    const clocks = {};
    for (const { seat, clock } of pathTo(chapter, at)) if (clock != null) clocks[seat ?? ""] = clock;
    const holder = byId("plates");
    const { corner, size } = boardOf(chapter.variant);
    const corners = order.length === 4 && corner >= ROOM;
    const place = corners ? byId("board").parentElement : byId("side");
    if (holder.parentElement !== place) corners ? place?.append(holder) : byId("engine").after(holder);
    holder.className = corners ? "players-4 corners" : "panel plates";
    byId("desk").style.setProperty("--corner", `${corner / size}`);
    holder.hidden =
      !corners &&
      shares === null &&
      names.every((name) => name === "") &&
      Object.keys(clocks).length === 0 &&
      looked.points == null;
    renew(holder, [chapter.number, at, names, clocks, looked.turn, looked.out, looked.points, order, shares], () =>
      order.map((seat, nth) => {
        const out = looked.out.includes(seat);
        const turn = seat === looked.turn;
        const name = nameOf(chapter, seat) || capital(seat);
        const points = looked.points?.[seat];
        const time = clocks[seat] === undefined ? null : face(clocks[seat]);
        const share = shares === null || out ? null : `${percents(shares)[seat]} %`;
        const label = [
          capital(seat), name === capital(seat) ? "" : name, turn ? "to move" : "", out ? "out" : "",
          points === undefined ? "" : `${points} points`, share === null ? "" : `share ${share}`,
          time === null ? "" : `clock ${time}`,
        ]
          .filter(Boolean)
          .join(", ");
        const how = { role: "group", "aria-label": label };
        if (!corners) {
          return el("div", { class: `plate${turn ? " turn" : ""}${out ? " out" : ""}`, ...how },
            chip(seat),
            el("span", { class: "name" }, name),
            out ? el("span", { class: "second" }, "out") : null,
            points === undefined ? null : el("span", { class: "second" }, `${points} points`),
            share === null ? null : el("span", { class: "share" }, share),
            time === null ? null : el("span", { class: share === null ? "clock" : "second" }, time),
          );
        }
        return el(
          "div",
          { class: `card ${seat}${turn ? " to-move" : ""}${out ? " out" : ""}`, "data-at": CORNERS[nth], ...how },
          el("div", { class: "in" },
            el("span", { class: "who" }, chip(seat, out ? "out" : ""),
              el("span", { class: "name", title: name }, name),
            ),
            el("span", { class: "note" }, share === null ? "" : (time ?? "")),
            el("span", { class: "prey" },
              points === undefined ? null : el("b", { class: "points" }, `${points} ${points === 1 ? "pt" : "pts"}`),
            ),
            el("span", { class: "clock wide" }, out ? "out" : (share ?? time ?? "")),
          ),
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

class StudyReview extends Review {
  /** The chances of each seat at the displayed move, if the review has it. @type {Record<string, number>|null} */
  _shares = null;

  get shares() {
    return this._shares;
  }

  /**
   * The review of the chapter's game, if the game is a reviewed one of a room.
   * @param {Tree} chapter @param {number} at
   */
  showOf(chapter, at) {
    const { Site: room = "", Round: round = "1" } = chapter.tags;
    this._shares = null;
    if (!/^([0-9a-z]{8}|[0-9a-z]{16})$/.test(room)) {
      byId("review").hidden = true;
      return;
    }
    const nodes = played(chapter);
    const line = nodes.slice(1).map((number) => ({ ...chapter.nodes.get(number), gone: [] }));
    const way = pathTo(chapter, at).map((node) => node.number);
    const ply = nodes.filter((number) => way.includes(number)).length;
    this.show(
      /** @type {any} */ ({
        room, game: Number(round), status: "finished", line, gone: [],
        seats: chapter.seats.map((seat) => ({ seat, name: nameOf(chapter, seat) })),
      }),
      ply,
    );
    // The review is of the room's last game, with all its moves.
    const found = this._found;
    byId("review").hidden = found === null || `${found.game}` !== round || found.plies >= nodes.length;
    if (found !== null && !byId("review").hidden && (at === 0 || nodes.includes(at)))
      this._shares = found.judged[ply]?.shares ?? null;
  }
}
