/** The sign of a seat: its colour and mark. And the row about a player who goes out. */

import { gone, ordinal, putOut } from "../text/words.js";
import { el, svg } from "./dom.js";

/**
 * The marks that tell the seats apart besides colour, around the origin: a disc, a square, a triangle, a diamond.
 * @type {Record<string, string>}
 */
export const MARKS = {
  red: "M0-7.5a7.5 7.5 0 1 0 0 15 7.5 7.5 0 0 0 0-15z",
  blue: "M-6.5-6.5h13v13h-13z",
  yellow: "M0-8.5l8 14.5H-8z",
  green: "M0-9l8 9-8 9-8-9z",
};

/** A seat's colour and mark. @param {string} seat @param {string} [state] `out` or `free`: hollow */
export function chip(seat, state = "") {
  const mark =
    seat in MARKS
      ? svg("svg", { viewBox: "-13 -13 26 26", "aria-hidden": "true" }, svg("path", { d: MARKS[seat], class: "mark" }))
      : "";
  return el("span", { class: `chip ${seat} ${state}`.trim(), "aria-hidden": "true" }, mark);
}

/**
 * A player goes out.
 * @param {import("../model/table.js").Gone & {place: number|null}} gone @param {(seat: string) => string} name
 */
export function exit({ seat, reason, by, place }, name) {
  const whom = putOut(reason) ? by : null;
  return el("p", { class: "exit" },
    chip(seat, "out"),
    el("b", {}, name(seat)),
    el("span", {}, whom === null ? ` ${gone(reason)}` : ` out, ${gone(reason)} by `),
    whom === null ? null : chip(whom),
    el("span", { class: "why" }, `${whom === null ? "" : name(whom)}${place === null ? "" : ` · ${ordinal(place)}`}`),
  );
}
