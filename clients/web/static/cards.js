/** The players at the board: who they are, what they have taken, and their clocks. */

import { el, setText } from "./dom.js";
import { cellOf, figure, MARKS, svg, WORTH } from "./pieces.js";
import { material, remaining, seatOf } from "./table.js";
import { capital, face, gone, half } from "./words.js";

/** A seat's colour and mark. @param {string} seat */
export function chip(seat) {
  const mark = seat in MARKS ? svg("svg", { viewBox: "-16 -16 32 32", "aria-hidden": "true" }, svg("path", { d: MARKS[seat], class: "mark" })) : "";
  return el("span", { class: `chip ${seat}`, "aria-hidden": "true" }, mark);
}

export class Cards {
  /** @param {HTMLElement} stage around the board @param {string[]} seats in turn order */
  constructor(stage, seats) {
    /** @type {Map<string, {card: HTMLElement, name: HTMLElement, clock: HTMLElement, note: HTMLElement, prey: HTMLElement, score: HTMLElement, online: HTMLElement, key: string}>} */
    this._cards = new Map();
    for (const seat of seats) {
      const parts = {
        name: el("span", { class: "name" }),
        clock: el("span", { class: "clock", role: "timer" }),
        note: el("span", { class: "note" }),
        prey: el("span", { class: "prey" }),
        score: el("span", { class: "score" }),
        online: el("span", { class: "presence" }),
      };
      const card = el(
        "section",
        { class: `card ${seat}`, "aria-label": capital(seat) },
        el("span", { class: "who" }, chip(seat), parts.name, parts.online, parts.score),
        el("span", { class: "more" }, parts.note, parts.prey),
        parts.clock,
      );
      stage.append(card);
      this._cards.set(seat, { card, ...parts, key: "" });
    }
    this._seats = seats;
  }

  /** Put the cards where their seats are. @param {number} rotation */
  turn(rotation) {
    const quarters = this._seats.length === 2 ? rotation / 2 : rotation;
    this._seats.forEach((seat, index) => {
      const { card } = this._get(seat);
      const at = (index - quarters + 2 * this._seats.length) % this._seats.length;
      card.dataset.at = this._seats.length === 2 ? (at < 1 ? "bottom" : "top") : ["bottom", "left", "top", "right"][at];
    });
  }

  /** @param {string} seat */
  _get(seat) {
    const card = this._cards.get(seat);
    if (card === undefined) throw new Error(`no seat ${seat}`);
    return card;
  }

  /**
   * @param {import("./table.js").Table} table
   * @param {{board: import("./fen.js").Board, line: import("./table.js").Step[], points: Record<string, number>|null, out: Record<string, string>|null, player: string|null}} shown
   */
  show(table, shown) {
    const players = table.seats.length;
    const worth = material(shown.board, table.seats, WORTH);
    const best = players === 2 ? Math.min(...Object.values(worth)) : 0;
    for (const seat of table.seats) {
      const parts = this._get(seat.seat);
      const { card } = parts;
      const yours = seat.player !== null && seat.player === shown.player;
      const name = seat.name ?? (seat.invited ? `Bot ${seat.invited} is coming` : "free");
      const prey = shown.line.filter((step) => step.seat === seat.seat && step.taken !== null).map((step) => /** @type {string} */ (step.taken));
      const out = shown.out === null || seat.out === "set_up" ? seat.out : (shown.out[seat.seat] ?? null);
      const result = table.result;
      const won = result !== null && result.winners.includes(seat.seat);
      const key = JSON.stringify([seat, out, prey, worth[seat.seat], best, shown.points, yours, won, table.turn, table.status, table.check]);
      if (key === parts.key) continue;
      parts.key = key;
      setText(parts.name, seat.stand_in === null ? name : `${name} (bot plays)`);
      parts.name.title = name;
      parts.online.className = `presence ${seat.player === null ? "nobody" : seat.online ? "online" : "offline"}`;
      parts.online.title = seat.player === null ? "" : seat.online ? "here" : "away";
      parts.online.replaceChildren(el("span", { class: "unseen" }, seat.player === null ? "" : seat.online ? "here" : "away"));
      setText(parts.score, table.game > 1 ? `${half(seat.score)} won` : "");
      const note = won ? "won" : out !== null ? gone(out) : table.status === "playing" && table.check.includes(seat.seat) ? "in check" : yours ? "you" : "";
      setText(parts.note, note);
      const points = shown.points?.[seat.seat];
      const lead = worth[seat.seat] - best;
      const figures = prey.sort((one, other) => WORTH[other[other.length - 1]] - WORTH[one[one.length - 1]]).map((cell) => figure(cell, players));
      parts.prey.replaceChildren(
        points === undefined ? "" : el("b", { class: "points", title: "points" }, `${points} ${points === 1 ? "pt" : "pts"}`),
        players === 4 && points === undefined && out === null && table.status !== "open" ? el("span", { class: "army", title: "what the pieces are worth" }, figure(cellOf(seat.seat, "P"), players), `${worth[seat.seat]}`) : "",
        el("span", { class: "taken", role: "img", "aria-label": prey.length ? `has taken ${prey.length}` : "has taken nothing" }, ...figures),
        players === 2 && lead > 0 ? el("span", { class: "lead" }, `+${lead}`) : "",
      );
      card.classList.toggle("to-move", table.turn === seat.seat && table.status === "playing");
      card.classList.toggle("out", out !== null);
      card.classList.toggle("over", table.status === "finished");
      card.classList.toggle("won", won);
      card.classList.toggle("yours", yours);
      card.setAttribute("aria-label", `${capital(seat.seat)}: ${name}${yours ? ", you" : ""}${table.turn === seat.seat && table.status === "playing" ? ", to move" : ""}`);
    }
  }

  /** The clocks' faces. @param {import("./table.js").Table} table @param {number} now by the server's clock @param {Record<string, number>|null} past what they showed at the move that is looked at */
  tick(table, now, past) {
    for (const seat of table.seats) {
      const { clock } = this._get(seat.seat);
      const left = past?.[seat.seat] ?? remaining(table, seat.seat, now);
      clock.hidden = left === null;
      if (left === null) continue;
      setText(clock, face(left));
      clock.classList.toggle("short", left < 20_000 && seatOf(table, seat.seat).out === null);
      clock.classList.toggle("running", past === null && table.turn === seat.seat && table.clocks?.since !== null && table.status === "playing");
    }
  }
}

