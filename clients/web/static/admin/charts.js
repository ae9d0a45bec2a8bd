/** Small charts of the last hour. */

import { el, svg } from "../ui/dom.js";

/** @typedef {import("../net/connection.js").Frames["status"]["samples"][0]} Sample */

const HOUR = 3_600_000;
const WIDTH = 240;
const HEIGHT = 44;

/** @param {number} value */
const whole = (value) => Math.round(value).toLocaleString();

/** @param {number} value */
const fine = (value) => value.toLocaleString(undefined, { maximumFractionDigits: value < 10 ? 1 : 0 });

/**
 * The charts: a title, the value of a sample (null: there was nothing), and a value in words.
 * @type {[string, (sample: Sample) => number|null, (value: number) => string][]}
 */
const CHARTS = [
  ["Connections", (sample) => sample.connections, whole],
  ["Games being played", (sample) => sample.playing, whole],
  ["Moves a second", (sample) => sample.moves, fine],
  ["Slowest 1 % of saves", (sample) => sample.append, (value) => `${fine(value)} ms`],
  ["Memory", (sample) => sample.memory / 1e6, (value) => `${whole(value)} MB`],
  ["Errors", (sample) => sample.errors, whole],
];

/** @param {Sample[]} samples oldest first @param {number} now @returns {HTMLElement[]} */
export const charts = (samples, now) =>
  CHARTS.map(([title, value, words]) =>
    chart(title, samples.map((one) => [one.at, value(one)]), words, now,
    ),
  );

/**
 * @param {string} title @param {[number, number|null][]} points time and value @param {(value: number) => string} words
 * @param {number} now
 */
function chart(title, points, words, now) {
  const known = points.flatMap(([, value]) => (value === null ? [] : [value]));
  const last = points.at(-1)?.[1] ?? null;
  const most = Math.max(...known, 0);
  const told = known.length === 0 ? "nothing yet" : `at most ${words(most)}`;
  return el("figure", { class: "panel vital" },
    el("figcaption", {}, el("span", { class: "named" }, title), el("b", {}, last === null ? "–" : words(last))),
    curve(points, most, `${title} in the last hour: now ${last === null ? "nothing" : words(last)}, ${told}`, now),
    el("small", {}, `Hour: ${told}`),
  );
}

/**
 * A line over the hour; gaps where there was nothing.
 * @param {[number, number|null][]} points @param {number} most @param {string} label @param {number} now
 */
function curve(points, most, label, now) {
  /** @type {string[][]} */
  const lines = [[]];
  for (const [at, value] of points) {
    if (value === null) lines.push([]);
    else
      lines[lines.length - 1].push(
        [
          (WIDTH * (1 - (now - at) / HOUR)).toFixed(1),
          (HEIGHT - 2 - (HEIGHT - 4) * (most === 0 ? 0 : value / most)).toFixed(1),
        ].join(","),
      );
  }
  return svg("svg",
    { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "img", "aria-label": label },
    ...lines
      .filter((line) => line.length > 0)
      .map((line) => svg("polyline", { points: (line.length === 1 ? [...line, ...line] : line).join(" ") })),
  );
}
