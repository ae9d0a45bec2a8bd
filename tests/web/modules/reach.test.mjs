import assert from "node:assert/strict";
import { test } from "node:test";
import { reach } from "../../../clients/web/static/reach.js";

const from = (cell, square, players) => [...reach(cell, square, players)].sort().join(" ");

test("pawns go ahead of their seat", () => {
  assert.equal(from("wP", "e2", 2), "d3 e3 e4 f3");
  assert.equal(from("bP", "e5", 2), "d4 e4 f4");
  assert.equal(from("rP", "h2", 4), "g3 h3 h4 i3");
  assert.equal(from("bP", "b7", 4), "c6 c7 c8 d7");
  assert.equal(from("yP", "g13", 4), "f12 g11 g12 h12");
  assert.equal(from("gP", "m8", 4), "k8 l7 l8 l9");
});

test("nothing goes over the cut corners", () => {
  assert.equal(from("rN", "d1", 4), "e3 f2");
  assert.ok(!reach("rB", "d4", 4).has("c3"));
  assert.ok(!reach("rR", "c4", 4).has("c2"));
});

test("a king castles from where kings begin", () => {
  assert.ok(reach("wK", "e1", 2).has("g1") && reach("bK", "e8", 2).has("c8"));
  assert.ok(!reach("wK", "e2", 2).has("g2") && !reach("wK", "d1", 2).has("f1"));
  assert.ok(reach("bK", "a7", 4).has("a9") && reach("rK", "h1", 4).has("f1"));
});

test("grey pieces go nowhere", () => assert.equal(from("drQ", "h7", 4), ""));
