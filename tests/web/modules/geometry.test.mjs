import assert from "node:assert/strict";
import { test } from "node:test";
import { CROSS_14, dark, place, rotationFor, SQUARE_8, squareAt } from "../../../clients/web/static/geometry.js";

test("the boards have their squares", () => {
  assert.equal(SQUARE_8.squares.length, 64);
  assert.equal(CROSS_14.squares.length, 160);
  assert.ok(CROSS_14.squares.includes("d1") && !CROSS_14.squares.includes("c3") && !CROSS_14.squares.includes("n12"));
  assert.ok(dark("a1") && !dark("h1"));
});

test("a square is drawn where it is found again, however the board is turned", () => {
  for (const geometry of [SQUARE_8, CROSS_14]) {
    for (let rotation = 0; rotation < 4; rotation++) {
      const seen = new Set();
      for (const square of geometry.squares) {
        const [column, row] = place(geometry, rotation, square);
        assert.equal(squareAt(geometry, rotation, column, row), square);
        seen.add(`${column} ${row}`);
      }
      assert.equal(seen.size, geometry.squares.length);
    }
  }
});

test("one's own seat is at the bottom, the next one to the left", () => {
  const four = ["red", "blue", "yellow", "green"];
  const homes = { red: "h1", blue: "a7", yellow: "g14", green: "n8" };
  for (const seat of four) {
    const rotation = rotationFor(four, seat);
    assert.equal(place(CROSS_14, rotation, homes[seat])[1], 13, seat);
    const left = four[(four.indexOf(seat) + 1) % 4];
    assert.equal(place(CROSS_14, rotation, homes[left])[0], 0, `${left} beside ${seat}`);
  }
  assert.equal(place(SQUARE_8, rotationFor(["white", "black"], "black"), "e8")[1], 7);
  assert.equal(rotationFor(four, null), 0);
});
