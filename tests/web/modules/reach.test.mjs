import assert from "node:assert/strict";
import { test } from "node:test";
import { reach } from "../../../clients/web/static/model/reach.js";

const from = (cell, square, variant) => [...reach({ [square]: cell }, square, variant)].sort().join(" ");
const has = (cell, square, variant, to) => reach({ [square]: cell }, square, variant).has(to);

test("pawns go ahead of their seat", () => {
  assert.equal(from("wP", "e2", "standard"), "d3 e3 e4 f3");
  assert.equal(from("bP", "e5", "standard"), "d4 e4 f4");
  assert.equal(from("rP", "h2", "ffa"), "g3 h3 h4 i3");
  assert.equal(from("bP", "b7", "ffa"), "c6 c7 c8 d7");
  assert.equal(from("yP", "g13", "ffa"), "f12 g11 g12 h12");
  assert.equal(from("gP", "m8", "ffa"), "k8 l7 l8 l9");
});

test("nothing goes over the cut corners", () => {
  assert.equal(from("rN", "d1", "ffa"), "e3 f2");
  assert.ok(!has("rB", "d4", "ffa", "c3"));
  assert.ok(!has("rR", "c4", "ffa", "c2"));
});

test("a king castles from where kings begin", () => {
  assert.ok(has("wK", "e1", "standard", "g1") && has("bK", "e8", "standard", "c8"));
  assert.ok(!has("wK", "e2", "standard", "g2") && !has("wK", "d1", "standard", "f1"));
  assert.ok(has("bK", "a7", "ffa", "a9") && has("rK", "h1", "ffa", "f1"));
});

test("a king castles by going onto its rook", () => {
  const board = { b1: "wK", g1: "wR", h2: "wR", a8: "bR", e8: "bK" };
  assert.equal([...reach(board, "b1", "chess960")].sort().join(" "), "a1 a2 b2 c1 c2 g1");
  assert.ok(reach(board, "e8", "standard").has("a8") && reach(board, "e8", "standard").has("c8"));
});

test("grey pieces go nowhere", () => assert.equal(from("drQ", "h7", "ffa"), ""));
