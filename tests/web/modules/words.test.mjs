import assert from "node:assert/strict";
import { test } from "node:test";
import { control, ending, face, spoken } from "../../../clients/web/static/words.js";

test("clocks have tenths under ten seconds", () => {
  assert.equal(face(3_725_000), "1:02:05");
  assert.equal(face(305_999), "5:05");
  assert.equal(face(10_000), "0:10");
  assert.equal(face(9_990), "9.9");
  assert.equal(face(-5), "0.0");
});

test("time controls", () => {
  assert.equal(control(null), "no clock");
  assert.equal(control({ base: 300_000, increment: 2_000, delay: 0 }), "5+2");
  assert.equal(control({ base: 60_000, increment: 0, delay: 15_000 }), "1+15 delay");
});

test("a move for the ear", () => {
  const step = { seat: "blue", move: "b5d6", text: "Nb5xd6", taken: "rP", check: ["red"] };
  assert.equal(spoken(step, "bN"), "Blue: knight from b5 takes pawn, to d6. Check to red.");
  assert.equal(spoken({ ...step, move: "e1g1", text: "O-O", taken: null, check: [] }, "wK"), "Blue: castles short.");
  assert.equal(spoken({ seat: "red", move: "d10d11q", text: "d10-d11=Q", taken: null, check: [] }, "rQ"), "Red: pawn from d10 to d11, becomes queen.");
});

test("ends", () => {
  assert.equal(ending({ reason: "checkmate", winners: ["white"] }), "White wins, by checkmate.");
  assert.equal(ending({ reason: "king_captured", winners: ["red", "yellow"] }), "Red and yellow win, a king was taken.");
  assert.equal(ending({ reason: "agreement", winners: [] }), "Draw: by agreement.");
});
