/** The part of a game's text that is sent, and the remarks on the server's answer. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { essence, notes } from "../../../clients/web/static/ui/files.js";

const data = new URL("../../engine/notation/data/", import.meta.url);

test("comments, variations, glyphs and most tags are left out, lines stay", () => {
  const text = '[Event "x [y]"]\n[FEN "8/8 w"]\n\n1. e4 {two\nlines} e5 (1... c5 (2. a3) 2. Nf3) $1 2. Nf3!? ; rest\n% escaped\nNc6 1-0\n';
  assert.equal(essence(text), '\n[FEN "8/8 w"]\n\n1. e4 \ne5 Nf3 \n\nNc6 1-0\n');
});

test("only the first game is kept", () => {
  assert.equal(essence('[Event "a"]\n1. e4 *\n[Event "b"]\n1. d4 *').trim(), "1. e4 *");
  assert.equal(essence("\ufeff1. e4\r\n2. d4"), "1. e4\nd4");
});

test("real games fit in a frame", () => {
  for (const name of ["ffa.pgn4", "solo-classic-2018.pgn4"]) {
    for (const game of readFileSync(new URL(name, data), "utf8").split(/(?=\[GameNr)/)) assert.ok(essence(game).length < 8000);
  }
});

test("any text takes time in proportion", () => {
  // Tenths of a second. If it took the square of its length, this would not end within the limit of a test.
  for (const part of ["(", "{", "[", '[a "', "$", "..", "1.", "\n"]) essence(part.repeat(500_000));
});

test("what is odd is told", () => {
  const whole = { skipped: null, last: null, ended: null, stopped: null };
  assert.deepEqual(notes(whole), []);
  assert.match(notes({ ...whole, skipped: 7 })[0], /after move 7/);
  assert.match(notes({ ...whole, last: "d8h4" })[0], /d8h4, ended the game/);
  assert.match(notes({ ...whole, ended: "fifty_moves" })[0], /fifty moves/);
  const stopped = { line: 3, ply: 5, move: "Ke3", code: "x", message: "No." };
  assert.match(notes({ ...whole, stopped })[0], /^Line 3: move 5, “Ke3”, is not possible\. No\./);
});
