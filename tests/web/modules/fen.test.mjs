import assert from "node:assert/strict";
import { test } from "node:test";
import { read, write } from "../../../clients/web/static/model/fen.js";

const FOUR =
  "Y-0,1,0,1-0,0,0,0-0,1,0,0-61,3,20,30-0-x,x,x,8,x,x,x/x,x,x,yR,2,dgB,yB,2,yP,x,x,x/x,x,x,1,yK,yP,yP,1,yP,2,x,x,x/dbR,dbP,1,yP,yP,yN,7,dgR/1,dbP,10,dgP,1/dbB,2,dbP,10/1,dbP,4,dbQ,dgP,1,dgR,4/dbK,9,dgP,3/1,dbP,9,dgP,2/dbR,1,dbP,1,rR,1,rR,3,dgN,1,rQ,dgK/6,rP,3,rP,1,dgP,1/x,x,x,2,rP,2,rN,2,x,x,x/x,x,x,rP,3,rP,rP,2,x,x,x/x,x,x,4,rK,rB,2,x,x,x";

test("FEN", () => {
  const { board, turn } = read("r3k2r/8/8/3pP3/8/8/8/R3K2R b KQkq d6 0 1");
  assert.equal(turn, "b");
  assert.deepEqual(board, { a8: "bR", e8: "bK", h8: "bR", d5: "bP", e5: "wP", a1: "wR", e1: "wK", h1: "wR" });
});

test("FEN4, with grey pieces, points and who is out", () => {
  const { board, turn, points, dead } = read(FOUR);
  assert.equal(turn, "y");
  assert.deepEqual(points, [61, 3, 20, 30]);
  assert.deepEqual(dead, [false, true, false, true]);
  assert.equal(board.h1, "rK");
  assert.equal(board.e12, "yK");
  assert.equal(board.a7, "dbK");
  assert.equal(board.n5, "dgK");
});

test("hands and promoted pieces are read and written", () => {
  const fen = "4k3/8/8/8/8/8/8/R2Q~K3[PPq] w Q - 0 1";
  const { board, turn, hands, promoted } = read(fen);
  assert.deepEqual([hands, promoted, board.d1], [["pp", "q"], ["d1"], "wQ"]);
  assert.equal(write(board, turn, { w: "Q" }, "crazyhouse", hands, promoted), fen);
  assert.equal(write(board, turn, { w: "Q" }, "crazyhouse", ["", ""]), "4k3/8/8/8/8/8/8/R2QK3[] w Q - 0 1");
});

test("what is written is read as it was", () => {
  const two = { e1: "wK", e8: "bK", a1: "wR", h7: "bP" };
  assert.equal(write(two, "w", { w: "Q", b: "" }, "standard"), "4k3/7p/8/8/8/8/8/R3K3 w Q - 0 1");
  const four = { h1: "rK", a7: "bK", d5: "drP", n8: "gQ" };
  const text = write(four, "b", { r: "K" }, "ffa");
  assert.match(text, /^B-0,0,1,0-1,0,0,0-0,0,0,0-0,0,0,0-0-x,x,x,8,x,x,x\//);
  assert.deepEqual(read(text).board, four);
});
