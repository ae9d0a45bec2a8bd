import assert from "node:assert/strict";
import { test } from "node:test";
import { clockWords } from "../../../clients/web/static/text/clockwords.js";
import { spoken } from "../../../clients/web/static/text/news.js";
import { control, countdown, face, namesOf, ordinal, short } from "../../../clients/web/static/text/words.js";

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

test("time controls in full", () => {
  assert.equal(clockWords(null), "no clock");
  assert.equal(clockWords({ base: 60_000, increment: 0, delay: 15_000 }), "1 min + 15 s delay");
  assert.equal(clockWords({ base: 180_000, increment: 2_000, delay: 0 }), "3 min + 2 s each move");
  assert.equal(clockWords({ base: 0, increment: 0, delay: 30_000 }), "30 s for each move");
  assert.equal(control({ base: 0, increment: 0, delay: 30_000 }), "30 s a move");
  assert.equal(clockWords({ base: 30_000, increment: 0, delay: 0 }), "30 s for the game");
});

test("a move for the ear", () => {
  const step = { seat: "blue", move: "b5d6", text: "Nb5xd6", taken: "rP", check: ["red"] };
  assert.equal(spoken(step, "bN"), "Blue: knight from b5 takes pawn, to d6. Check to Red.");
  assert.equal(spoken({ ...step, move: "e1g1", text: "O-O", taken: null, check: [] }, "wK"), "Blue: castles short.");
  assert.equal(spoken({ seat: "red", move: "d10d11q", text: "d10-d11=Q", taken: null, check: [] }, "rQ"), "Red: pawn from d10 to d11, becomes queen.");
});

test("everybody is called by name, who has the same name as another by colour as well", () => {
  const name = namesOf({ seats: [{ seat: "red", name: "Bo" }, { seat: "blue", name: "Bo" }, { seat: "yellow", name: null }, { seat: "green", name: "Di" }] });
  assert.deepEqual(["red", "blue", "yellow", "green"].map(name), ["Bo (red)", "Bo (blue)", "Yellow", "Di"]);
});

test("moves of four in short", () => {
  const pairs = { "Qk14xNf14+": "Qxf14+", "h2-h4": "h4", "i3xj4": "ixj4", "m10xBl9": "mxl9", "d10-d11=Q": "d11=Q", "O-O": "O-O", "Kh11-h12": "Kh12", Nf3: "Nf3", "exd5": "exd5" };
  for (const [long, brief] of Object.entries(pairs)) assert.equal(short(long), brief);
});

test("places", () => assert.deepEqual([1, 2, 3, 4, 11, 12, 21, 113].map(ordinal), ["1st", "2nd", "3rd", "4th", "11th", "12th", "21st", "113th"]));

test("what runs down is in minutes and seconds", () => assert.deepEqual([46_500, 60_000, 1, -5].map(countdown), ["0:47", "1:00", "0:01", "0:00"]));
