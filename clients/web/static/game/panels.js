/** The list of moves beside the board. */

import { rounds } from "../text/rounds.js";
import { namesOf, short, VARIANTS } from "../text/words.js";
import { chip, exit } from "../ui/chip.js";
import { el, renew } from "../ui/dom.js";

/** @typedef {import("../model/table.js").Table} Table */

/** Pixels. A narrower list of four players' moves uses the short form. */
const NARROW = 390;

/**
 * The move list: a column for each seat, and a row for each elimination.
 * @param {HTMLElement} holder @param {Table} table
 * @param {{viewed: number, until: number, marks: Record<number, string>}} at the displayed ply; `until` is the last ply
 * that an open vote would keep; `marks` has the bad moves
 * @param {(ply: number) => void} pick
 */
export function moves(holder, table, { viewed, until, marks }, pick) {
  const names = table.seats.map((seat) => seat.seat);
  const four = names.length > 2;
  const narrow = four && holder.clientWidth < NARROW;
  const bottom = holder.scrollHeight - holder.scrollTop - holder.clientHeight < 40;
  const out = table.seats.map((seat) => seat.out !== null);
  const key = [
    table.seats.map((seat) => seat.name), out, table.line.map((step) => [step.seat, step.text, step.gone]), viewed,
    until, narrow, table.result?.standings, marks,
  ];
  renew(holder, key, () => {
    const name = namesOf(table);
    const rows = el("div", { class: `rows of-${four ? 4 : 2}${narrow ? " narrow" : ""}` });
    rows.style.setProperty("--seats", `${names.length}`);
    if (four) {
      rows.append(el("span", { class: "head" }));
      names.forEach((seat, index) =>
        rows.append(
          el("span", { class: "head" }, chip(seat, out[index] ? "out" : ""), el("span", { class: "name" }, name(seat))),
        ),
      );
    }
    if (table.line.length === 0) return [rows, el("p", { class: "empty" }, "No moves yet.")];
    for (const { number, parts } of rounds(table)) {
      parts.forEach((part, index) => {
        rows.append(el("span", { class: "round" }, index ? "" : four ? `${number}` : `${number}.`));
        part.plies.forEach((ply, column) => {
          if (ply === null) return void rows.append(el("span", { class: "gap" }));
          const step = table.line[ply - 1];
          rows.append(
            el("button",
              {
                type: "button", tabindex: "-1", class: `ply ${names[column]}${ply > until ? " withdrawn" : ""}`,
                "aria-current": ply === viewed ? "true" : null, onclick: () => pick(ply),
              },
              narrow ? short(step.text) : step.text, marks[ply] ? el("span", { class: "glyph" }, marks[ply]) : "",
            ),
          );
        });
        for (const one of part.gone) rows.append(exit(one, name));
      });
    }
    return [rows];
  });
  const current = /** @type {HTMLElement|null} */ (holder.querySelector("[aria-current]"));
  if (viewed === table.line.length) {
    if (bottom || current !== null) holder.scrollTop = holder.scrollHeight;
  } else if (current !== null) {
    const [top, end] = [current.offsetTop, current.offsetTop + current.offsetHeight];
    const rows = Math.floor(holder.clientHeight / 2 / current.offsetHeight); // whole ones: none above is cut off
    if (top - 30 < holder.scrollTop || end > holder.scrollTop + holder.clientHeight)
      holder.scrollTop = top - rows * current.offsetHeight;
  }
}

/** @param {Table} table */
export const title = (table) => VARIANTS[table.variant]?.name ?? table.variant;
