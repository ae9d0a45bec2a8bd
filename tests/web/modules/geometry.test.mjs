import assert from "node:assert/strict";
import { test } from "node:test";
import { boardOf, dark, place, rotationFor, squareAt } from "../../../clients/web/static/model/geometry.js";
import { VARIANTS } from "../../../clients/web/static/model/variants.js";

const SQUARE_8 = boardOf("standard");
const CROSS_14 = boardOf("ffa");
const FOUR = ["red", "blue", "yellow", "green"];
const FORWARD = [[0, 1], [1, 0], [0, -1], [-1, 0]];

/** A variant for a number of players on a board. */
function added(name, players, board) {
  VARIANTS[name] = { ...VARIANTS.survivor, seats: FOUR.slice(0, players), forward: FORWARD.slice(0, players), board };
  return boardOf(name);
}

test("the boards have their squares", () => {
  assert.equal(SQUARE_8.squares.length, 64);
  assert.equal(CROSS_14.squares.length, 160);
  assert.ok(CROSS_14.squares.includes("d1") && !CROSS_14.squares.includes("c3") && !CROSS_14.squares.includes("n12"));
  assert.ok(dark("a1") && !dark("h1"));
  assert.deepEqual([SQUARE_8.size, SQUARE_8.corner, CROSS_14.size, CROSS_14.corner], [8, 0, 14, 3]);
});

test("boards of other shapes lie in a square field, whose corners have room for the plates of more than two", () => {
  const wide = added("wide", 2, { files: 10, ranks: 8, missing: [] });
  assert.deepEqual([wide.size, wide.left, wide.below], [10, 0, 1]);
  assert.deepEqual(place(wide, 0, "a1"), [0, 8]);
  assert.deepEqual([squareAt(wide, 0, 0, 9), squareAt(wide, 0, 0, 0), squareAt(wide, 0, 9, 1)], [null, null, "j8"]);
  const full = added("full", 4, { files: 8, ranks: 8, missing: [] });
  assert.deepEqual([full.size, full.corner, full.left, full.below], [14, 3, 3, 3]);
  const cross = Object.values(CROSS_14.squares).length;
  assert.equal(added("three", 3, VARIANTS.ffa.board).squares.length, cross);
});

test("a square is drawn where it is found again, however the board is turned", () => {
  for (const geometry of [SQUARE_8, CROSS_14, added("oblong", 4, { files: 9, ranks: 12, missing: ["c4", "i12"] })]) {
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
  const homes = { red: "h1", blue: "a7", yellow: "g14", green: "n8" };
  for (const seat of FOUR) {
    const rotation = rotationFor("ffa", seat);
    assert.equal(place(CROSS_14, rotation, homes[seat])[1], 13, seat);
    const left = FOUR[(FOUR.indexOf(seat) + 1) % 4];
    assert.equal(place(CROSS_14, rotation, homes[left])[0], 0, `${left} beside ${seat}`);
  }
  assert.equal(place(SQUARE_8, rotationFor("standard", "black"), "e8")[1], 7);
  assert.equal(rotationFor("ffa", null), 0);
});
