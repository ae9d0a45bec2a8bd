// The move list: rounds, and who goes out.

import assert from "node:assert/strict";
import { test } from "node:test";

import { exits, roundNow, rounds } from "../../../clients/web/static/text/rounds.js";
import { after, of } from "../../../clients/web/static/model/table.js";

const SEATS = ["red", "blue", "yellow", "green"];
const seat = (name) => ({ seat: name, player: name, name: name.toUpperCase(), online: true, out: null, bot: false, invited: null, stand_in: null, score: 0 });
const START = "R-0,0,0,0-1,1,1,1-1,1,1,1-0,0,0,0-0-x,x,x,yR,yN,yB,yK,yQ,yB,yN,yR,x,x,x/14";

function played(...events) {
  let table = of({ room: "r", variant: "survivor", seq: 1, status: "playing", seats: SEATS.map(seat), start: START, position: START, moves: [], redo: 0, clocks: null, turn: "red", proposal: null, result: null, host: "red" });
  events.forEach((event, index) => (table = after(table, { seq: index + 2, time: index * 1000, events: [event].flat() })));
  return table;
}
const move = (name, ply) => ({ type: "moved", seat: name, move: "a1a2", ply, sight: { text: `${name}${ply}`, changes: {}, check: [] } });
const out = (name, reason, by = null) => ({ type: "eliminated", seat: name, reason, by });

test("who goes out has a row, with why, by whom, and at which place", () => {
  const table = played(move("red", 1), move("blue", 2), [{ type: "resigned", seat: "yellow" }, out("yellow", "resignation")], move("green", 3), move("red", 4), [out("blue", "checkmate", "red")]);
  assert.deepEqual(exits(table).map(({ seat: who, reason, by, place, round }) => [who, reason, by, place, round]), [["yellow", "resignation", null, 4, 1], ["blue", "checkmate", "red", 3, 2]]);
  const [first, second] = rounds(table);
  assert.deepEqual(first.parts.map(({ plies }) => plies), [[1, 2, null, null], [null, null, null, 3]]);
  assert.deepEqual([second.number, second.parts[0].plies, roundNow(table)], [2, [4, null, null, null], 2]);
});

test("of two who go out after one move, the first keeps the place", () => {
  const first = [move("red", 1), out("yellow", "checkmate", "red")];
  const second = [[{ type: "resigned", seat: "green" }, out("green", "resignation")]];
  const places = (table) => exits(table).map(({ seat: who, place }) => [who, place]);
  assert.deepEqual([places(played(...first)), places(played(...first, ...second))], [[["yellow", 4]], [["yellow", 4], ["green", 3]]]);
});

test("of two, a resignation is a row as well", () => {
  let table = of({ room: "r", variant: "standard", seq: 1, status: "playing", seats: ["white", "black"].map(seat), start: "8/8/8/8/8/8/8/8 w - - 0 1", position: "8/8/8/8/8/8/8/8 w - - 0 1", moves: [], redo: 0, clocks: null, turn: "white", proposal: null, result: null, host: "" });
  table = after(table, { seq: 2, time: 0, events: [move("white", 1)] });
  table = after(table, { seq: 3, time: 0, events: [{ type: "flagged", seat: "black" }] });
  assert.deepEqual(exits(table).map(({ seat: who, reason, place }) => [who, reason, place]), [["black", "time", null]]);
});

test("what a vote takes back takes its exits along", () => {
  const table = played(move("red", 1), [out("green", "time")], { type: "undone", plies: 1, ply: 0, position: START, out: {} });
  assert.deepEqual([exits(table), table.line], [[], []]);
});
