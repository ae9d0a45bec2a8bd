// A table as one who was there from the start holds it.

import assert from "node:assert/strict";
import { test } from "node:test";

import { after, Gap, of, remaining } from "../../../clients/web/static/model/table.js";

const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const AFTER_E4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";

/** @param {string} position @param {string[]} moves */
const open = (position, moves) =>
  of({
    room: "r", variant: "standard", seq: 1, status: "open", start: START, position, moves, redo: 0, turn: null,
    seats: ["white", "black"].map((seat) => ({ seat, player: null, name: null, online: false, out: null })),
    proposal: null, result: null, clocks: null,
  });

const started = { seq: 2, time: 0, events: [{ type: "started" }] };

test("the first seat begins", () => assert.equal(after(open(START, []), started).turn, "white"));

test("a game that was read from a file goes on with whoever is to move in it", () =>
  assert.equal(after(open(AFTER_E4, ["e2e4"]), started).turn, "black"));

test("an update is the next one, or is there already, or is refused", () => {
  const table = open(START, []);
  assert.equal(after(table, { seq: 1, time: 0, events: [{ type: "started" }] }), table);
  assert.equal(after(table, started).seq, 2);
  for (const seq of [3, 4, 9]) assert.throws(() => after(table, { ...started, seq }), Gap);
});

test("a clock without time for the game shows what is left for the move", () => {
  const clocks = { base: 0, increment: 0, delay: 30_000, left: { white: 0, black: 0 }, since: null };
  const table = after({ ...open(START, []), clocks }, { seq: 2, time: 1000, events: [{ type: "started" }] });
  assert.equal(remaining(table, "white", 11_000), 20_000);
  assert.equal(remaining(table, "white", 99_000), 0);
  assert.equal(remaining(table, "black", 11_000), 30_000);
});
