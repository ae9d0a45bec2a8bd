/**
 * The players at the board: a plate or strip for each, with name, clock and captured pieces, and the strips along the
 * armies' homes.
 */

import { cellOf, figure, WORTH } from "../board/pieces.js";
import { rotationFor } from "../model/geometry.js";
import { material, remaining, seatOf } from "../model/table.js";
import { exits } from "../text/rounds.js";
import {
  capital, countdown, face, gone, half, inTeams, isPair, namesOf, NOUNS, ordinal, seatsOf, span,
} from "../text/words.js";
import { chip, MARKS } from "../ui/chip.js";
import { el, setText } from "../ui/dom.js";

/** @typedef {import("../model/table.js").Table} Table */

/** The sides of the field, clockwise. */
const SIDES = ["bottom", "left", "top", "right"];

/** The most captured pieces that a card draws; further ones become a number. */
const DRAWN = 8;

/**
 * @typedef {object} Shown the visible state of the table
 * @property {import("../model/fen.js").Board} board @property {import("../model/table.js").Step[]} line
 * @property {Record<string, number>|null} points @property {Record<string, string>|null} hands
 * @property {string|null} turn the seat to move; null also while the user's move is on its way
 * @property {Record<string, string>|null} out @property {boolean} drops whether the player may drop a piece now
 * @property {string|null} player @property {string|null} mine
 * @property {boolean} host whether the table is the player's
 * @property {Record<string, string>} facts about players, by seat: the score against the user, wins in a row
 */

export class Cards {
  /**
   * @param {{table: HTMLElement, arena: HTMLElement, clocks: HTMLElement}} places @param {string} variant
   * @param {(seat: string, button: HTMLElement) => void} fill called to fill a free seat
   * @param {(kind: string) => void} hold called to drop a piece of this kind next
   */
  constructor({ table, arena, clocks }, variant, fill, hold) {
    /** @type {Map<string, ReturnType<Cards["_make"]>>} */
    this._cards = new Map();
    this._variant = variant;
    this._hold = hold;
    this._seats = seatsOf(variant);
    for (const seat of this._seats) {
      const parts = this._make(seat);
      (isPair(variant) ? table : arena).append(parts.card);
      if (!isPair(variant)) arena.append(parts.strip);
      clocks.append(parts.row);
      parts.sit.onclick = () => fill(seat, parts.sit);
      this._cards.set(seat, parts);
    }
  }

  /** @param {string} seat */
  _make(seat) {
    const parts = {
      swatch: el("span", { class: "swatch" }),
      name: el("span", { class: "name" }),
      note: el("span", { class: "note" }),
      prey: el("span", { class: "prey" }),
      online: el("span", { class: "presence nobody" }),
      clock: el("span", { class: "clock", role: "timer", "aria-live": "off" }),
      sit: /** @type {HTMLButtonElement} */ (
        el("button", { type: "button", class: "sit primary", "aria-label": `Sit here, at ${seat}`, hidden: true },
          "Sit here",
        )
      ),
      away: el("span", { class: "away", hidden: true }, el("i")),
      strip: el("span", { class: `strip ${seat}`, "aria-hidden": "true" }),
      time: el("span", {}),
      mark: el("span", { class: "swatch" }),
      key: "",
    };
    const four = seat in MARKS;
    const who = el("span", { class: "who" }, parts.swatch, parts.name, four ? parts.online : parts.note,
      four ? "" : parts.online,
    );
    const within = four ? [who, parts.note, parts.prey] : [who, parts.prey];
    const card = el("section", { class: `card ${seat}`, "aria-label": capital(seat) },
      el("div", { class: "in" }, ...within, parts.clock, parts.sit, parts.away),
    );
    if (!four) /** @type {Element} */ (card.firstElementChild).prepend(parts.swatch);
    return { ...parts, card, row: el("li", { class: seat }, parts.mark, parts.time) };
  }

  /** Put the cards where their seats are. @param {number} rotation */
  turn(rotation) {
    for (const seat of this._seats) {
      const { card, strip } = this._get(seat);
      card.dataset.at = strip.dataset.at = SIDES[(rotationFor(this._variant, seat) - rotation + 4) % 4];
    }
  }

  /** @param {string} seat */
  _get(seat) {
    const card = this._cards.get(seat);
    if (card === undefined) throw new Error(`no seat ${seat}`);
    return card;
  }

  /** @param {Table} table @param {Shown} shown */
  show(table, shown) {
    const worth = material(shown.board, table.seats, WORTH);
    const least = table.seats.length === 2 ? Math.min(...Object.values(worth)) : Infinity;
    for (const seat of table.seats) {
      const parts = this._get(seat.seat);
      const out = shown.out === null || seat.out === "set_up" ? seat.out : (shown.out[seat.seat] ?? null);
      const taken = shown.line
        .filter((step) => step.seat === seat.seat && step.taken !== null)
        .map((step) => /** @type {string} */ (step.taken));
      const state = stateOf(table, seat, out, shown);
      const lead = worth[seat.seat] - least;
      const hand = shown.hands?.[seat.seat];
      const drops = shown.drops && shown.mine === seat.seat;
      const key = JSON.stringify([
        seat, state, taken, lead, hand, drops, shown.points, table.game, shown.mine === null, shown.host,
      ]);
      if (key === parts.key) continue;
      parts.key = key;
      this._draw(parts, table, seat, state, shown);
      if (hand !== undefined) {
        parts.prey.replaceChildren(...this._hand(hand, seat.seat, drops));
        continue;
      }
      const points = shown.points?.[seat.seat];
      const best = taken.sort((one, other) => WORTH[other.slice(-1)] - WORTH[one.slice(-1)]);
      const drawn = points === undefined ? DRAWN : DRAWN - 3;
      const rest = best.length - drawn;
      parts.prey.replaceChildren(
        el("span",
          { class: "taken", role: "img", "aria-label": best.length ? `has taken ${best.length}` : "has taken nothing" },
          ...best.slice(0, drawn).map((cell) => figure(cell, table.variant)),
        ),
        rest > 0 ? el("span", { class: "rest" }, `+${rest}`) : "",
        points === undefined ? "" : el("b", { class: "points" }, `${points} ${points === 1 ? "pt" : "pts"}`),
        lead > 0 && lead < Infinity ? el("span", { class: "lead" }, `+${lead}`) : "",
      );
    }
  }

  /** The pieces in hand: a button for each kind. @param {string} hand @param {string} seat @param {boolean} drops */
  _hand(hand, seat, drops) {
    return [...new Set(hand)].map((letter) => {
      const [kind, count] = [letter.toUpperCase(), hand.split(letter).length - 1];
      const label = `${count} ${NOUNS[kind]}${count === 1 ? "" : "s"} in hand`;
      return el(
        "button",
        {
          type: "button", class: "held", "data-kind": kind, disabled: !drops,
          "aria-label": drops ? `Drop a ${NOUNS[kind]}: ${label}` : label, onclick: () => this._hold(kind),
        },
        figure(cellOf(seat, kind), this._variant), count > 1 ? `${count}` : "",
      );
    });
  }

  /**
   * @param {ReturnType<Cards["_make"]>} parts @param {Table} table @param {import("../model/table.js").Seat} seat
   * @param {ReturnType<typeof stateOf>} state @param {Shown} shown
   */
  _draw(parts, table, seat, state, shown) {
    const { card, strip, row } = parts;
    const name = seat.name ?? (seat.invited ? `Computer ${seat.invited}` : "Free");
    setText(parts.name, name);
    parts.name.title = name;
    parts.online.className = `presence ${seat.player === null ? "nobody" : seat.online ? "online" : "offline"}`;
    setText(parts.note, state.note);
    parts.note.title = state.note;
    const asks = shown.mine !== null;
    parts.sit.hidden = !state.free || (asks && !shown.host);
    parts.sit.classList.toggle("primary", !asks);
    parts.sit.replaceChildren(asks ? "Add…" : "Sit", asks ? "" : el("span", { class: "here" }, " here"));
    parts.sit.setAttribute("aria-label", asks ? `Add a computer at ${seat.seat}` : `Sit here, at ${seat.seat}`);
    const hollow = state.out ? "out" : "";
    parts.swatch.replaceChildren(chip(seat.seat, hollow));
    parts.mark.replaceChildren(chip(seat.seat, hollow));
    for (const [kind, on] of Object.entries(state.is)) {
      card.classList.toggle(kind, on);
      strip.classList.toggle(kind, on);
      row.classList.toggle(kind, on);
    }
    parts.clock.classList.toggle("place", state.place !== "");
    if (state.place !== "") for (const element of [parts.clock, parts.time]) setText(element, state.place);
    parts.clock.hidden = state.free;
    const turn = state.is["to-move"] ? ", to move" : "";
    const left =
      table.clocks === null || state.place !== "" || state.free ? "" : `, ${span(table.clocks.left[seat.seat])}`;
    card.setAttribute("aria-label",
      [
        `${capital(seat.seat)}, ${name}${state.is.yours ? ", you" : ""}${turn}`,
        state.place ? `, ${state.place}` : "",
        left,
        seat.player !== null && !seat.online ? ", away" : "",
      ].join(""),
    );
  }

  /**
   * Draw the clocks.
   * @param {Table} table @param {number} now by the server's clock
   * @param {Record<string, number>|null} past the clocks at the displayed move
   */
  tick(table, now, past) {
    for (const seat of table.seats) {
      const { clock, time, card, away, note } = this._get(seat.seat);
      this._absent({ away, note, card }, table, seat, now);
      if (clock.classList.contains("place") || clock.hidden) continue;
      const left = past?.[seat.seat] ?? remaining(table, seat.seat, now);
      const text = left === null ? "" : face(left);
      setText(clock, text);
      setText(time, text || (seat.name ?? ""));
      const running = past === null && table.turn === seat.seat && table.status === "playing" && table.paused === null;
      clock.classList.toggle("wide", text.length === 5);
      clock.classList.toggle("long", text.length > 5);
      clock.classList.toggle("short",
        left !== null && left < 20_000 && seatOf(table, seat.seat).out === null && table.status === "playing",
      );
      clock.classList.toggle("running", running);
    }
  }

  /**
   * The time since a player left.
   * @param {{away: HTMLElement, note: HTMLElement, card: HTMLElement}} parts @param {Table} table
   * @param {import("../model/table.js").Seat} seat @param {number} now
   */
  _absent({ away, note, card }, table, seat, now) {
    const counts =
      table.status === "playing" &&
      seat.player !== null &&
      !seat.online &&
      seat.since !== null &&
      seat.out === null &&
      !seat.stand_in;
    if (away.hidden === counts) away.hidden = !counts;
    if (!counts || seat.since === null) return;
    const left = Math.max(0, seat.since + table.absence - now);
    /** @type {HTMLElement} */ (away.firstElementChild).style.transform =
      `scaleX(${Math.min(1, left / table.absence || 0)})`;
    if (!card.classList.contains("out")) setText(note, left > 0 ? `away ${countdown(left)}` : "away");
  }
}

/**
 * The look and the text of a plate.
 * @param {Table} table @param {import("../model/table.js").Seat} seat @param {string|null} out @param {Shown} shown
 */
function stateOf(table, seat, out, shown) {
  const { result } = table;
  const name = namesOf(table);
  const over = table.status === "finished" && result !== null && result.reason !== "aborted" && shown.out === null;
  const won = over && result.winners.includes(seat.seat);
  const yours = seat.player !== null && seat.player === shown.player;
  const free = seat.player === null && table.status === "open";
  const moves = shown.turn === seat.seat && table.status === "playing";
  const left = exits(table).find((one) => one.seat === seat.seat);
  const pair = table.seats.length === 2;
  let place = "";
  if (over)
    place =
      pair || inTeams(table.variant)
        ? result.winners.length === 0
          ? "½"
          : pair
            ? won
              ? "1"
              : "0"
            : won
              ? "Won"
              : "Lost"
        : ordinal(result.standings[seat.seat]);
  else if (out !== null && !pair) place = left?.place ? ordinal(left.place) : "out";
  let note = "";
  if (out !== null && !won) note = gone(out, left?.by ? name(left.by) : null);
  else if (table.status === "playing" && table.check.includes(seat.seat) && shown.out === null) note = "in check";
  else if (seat.stand_in !== null) note = "a computer plays";
  else if (yours) note = "you";
  else if (free) note = `plays ${["first", "second", "third", "fourth"][table.seats.indexOf(seat)]}`;
  else if (seat.invited && seat.player === null) note = "is coming";
  else note = shown.facts[seat.seat] ?? "";
  const flags = [
    seat.berserk ? "half the time" : "", seat.bot ? "bot" : "",
    seat.player !== null && seat.player === table.host ? "host" : "", table.game > 1 ? `${half(seat.score)} won` : "",
  ];
  return {
    free: free && !seat.invited, out: out !== null && !won, place, note: [note, ...flags].filter(Boolean).join(" · "),
    is: { "to-move": moves, out: out !== null && !won, won, yours, free, over },
  };
}
