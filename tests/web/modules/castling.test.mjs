import assert from "node:assert/strict";
import { test } from "node:test";
import { carried, castles } from "../../../clients/web/static/model/castling.js";

const USUAL = { a1: "wR", e1: "wK", h1: "wR", e8: "bK" };
const LEGAL = ["e1d1", "e1f1", "e1c1", "e1g1", "a1b1"];

test("a king that is carried onto its rook castles", () => {
  assert.deepEqual(carried("e1", "h1", USUAL, LEGAL), ["e1g1"]);
  assert.deepEqual(carried("e1", "a1", USUAL, LEGAL), ["e1c1"]);
  assert.deepEqual(carried("e1", "b1", USUAL, LEGAL), ["e1c1"]);
  assert.deepEqual(carried("e1", "g1", USUAL, LEGAL), ["e1g1"]);
  assert.deepEqual(carried("e1", "f1", USUAL, LEGAL), ["e1f1"]);
  assert.deepEqual(carried("e1", "h1", USUAL, ["e1f1"]), []);
  assert.deepEqual(carried("e1", "h4", USUAL, LEGAL), []);
});

test("in Chess960 onto the rook, or two squares towards it", () => {
  const board = { b1: "wR", c1: "wK", g1: "wR" };
  const legal = ["c1b1", "c1g1", "c1d1", "c1c2"];
  assert.deepEqual(carried("c1", "b1", board, legal), ["c1b1"]);
  assert.deepEqual(carried("c1", "e1", board, legal), ["c1g1"]);
  assert.deepEqual(carried("c1", "a1", board, legal), ["c1b1"]);
  assert.deepEqual(carried("c1", "d1", board, legal), ["c1d1"]);
  assert.ok(castles("c1b1", board) && !castles("c1d1", board));
});

test("a pawn may become several pieces, and others go where they go", () => {
  const board = { d7: "wP", a1: "wQ" };
  assert.deepEqual(carried("d7", "d8", board, ["d7d8q", "d7d8n", "a1a2"]), ["d7d8q", "d7d8n"]);
  assert.deepEqual(carried("a1", "a3", board, ["a1a2"]), []);
});
