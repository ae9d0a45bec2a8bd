// The story of a finished game, in one sentence, with curves that end where a player goes out.

import assert from "node:assert/strict";
import { test } from "node:test";

import { HEIGHT, storyOf } from "../../../clients/web/static/analysis/story.js";

const NAMES = { red: "Ada", blue: "Bo", yellow: "Cy", green: "Di", white: "Ada", black: "Bo" };
const table = (seats, winners, plies) => ({
  variant: seats.length === 2 ? "standard" : "survivor", gone: [], result: { winners, standings: {} }, turn: null,
  seats: seats.map((seat) => ({ seat, name: NAMES[seat], out: null })),
  line: Array.from({ length: plies }, (_, at) => ({ seat: seats[at % seats.length], move: "a1a2", text: `m${at + 1}`, gone: [] })),
});
const judged = (seats, rows, out = {}) =>
  rows.map((row, ply) => ({
    shares: Object.fromEntries(seats.map((seat, at) => [seat, row[at]])), seat: ply ? seats[(ply - 1) % seats.length] : null,
    mark: null, remark: null, out: (out[ply] ?? []).map((seat) => ({ seat, reason: "checkmate", by: null })), points: null,
  }));
const reviewed = (rows) => ({ looked: null, plies: rows.length - 1, summary: { accuracy: {}, lost: {} }, judged: rows });
const TWO = ["white", "black"];
const FOUR = ["red", "blue", "yellow", "green"];

test("the largest loss of a player who did not win decides", () => {
  const rows = judged(TWO, [[0.5, 0.5], [0.5, 0.5], [0.8, 0.2], [0.85, 0.15]]);
  const story = storyOf(reviewed(rows), table(TWO, ["white"], 3));
  assert.deepEqual([story.text, story.ply], ["Bo lost it in move 1, with m2.", 2]);
});

test("a leader who loses the lead is named as such, among four by the round", () => {
  const rows = judged(FOUR, [[0.25, 0.25, 0.25, 0.25], [0.25, 0.25, 0.25, 0.25], [0.2, 0.5, 0.2, 0.1], [0.2, 0.5, 0.2, 0.1], [0.2, 0.5, 0.2, 0.1], [0.2, 0.5, 0.2, 0.1], [0.6, 0.1, 0.2, 0.1]]);
  assert.equal(storyOf(reviewed(rows), table(FOUR, ["red"], 6)).text, "Bo led until round 2, then lost it with m6.");
});

test("without a large loss, the winner took the lead, or led from the start; a draw says so", () => {
  const slow = judged(TWO, [[0.5, 0.5], [0.45, 0.55], [0.52, 0.48], [0.6, 0.4]]);
  assert.equal(storyOf(reviewed(slow), table(TWO, ["white"], 3)).text, "Ada took the lead in move 1, and kept it.");
  assert.equal(storyOf(reviewed(judged(TWO, [[0.5, 0.5], [0.6, 0.4]])), table(TWO, ["white"], 1)).text, "Ada led from the start.");
  assert.equal(storyOf(reviewed(judged(TWO, [[0.5, 0.5], [0.5, 0.5]])), table(TWO, [], 1)).text, "Nobody got away from the others.");
  const missed = judged(TWO, [[0.5, 0.5], [0.8, 0.2], [0.8, 0.2], [0.5, 0.5]]);
  assert.equal(storyOf(reviewed(missed), table(TWO, [], 3)).text, "Ada gave the win away in move 2, with m3.");
});

test("a curve ends where its player goes out; equal chances are a quarter among four", () => {
  const rows = judged(FOUR, [[0.25, 0.25, 0.25, 0.25], [0.4, 0, 0.3, 0.3], [0.4, 0, 0.3, 0.3]], { 1: ["blue"] });
  const { curves, even } = storyOf(reviewed(rows), table(FOUR, ["red"], 2));
  assert.deepEqual(curves.map(({ d }) => d.split("L").length), [3, 2, 3, 3]);
  assert.equal(even, HEIGHT * 0.75);
});

test("while the review runs, the story says how far it is; without one there is none", () => {
  assert.equal(storyOf({ looked: 3, plies: 9, summary: null, judged: [] }, table(TWO, ["white"], 9)).text, "Reviewing: 3 of 10 positions");
  assert.equal(storyOf({ looked: null, plies: 9, summary: null, judged: [] }, table(TWO, ["white"], 9)), null);
  assert.equal(storyOf(null, table(TWO, ["white"], 9)), null);
});
