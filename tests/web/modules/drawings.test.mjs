// Marks on a board: arrows between two squares, circles on one.

import assert from "node:assert/strict";
import { before, test } from "node:test";

const CORNERS = { e2: [400, 600], f3: [500, 500] };

let Drawings;
before(async () => {
  const element = (name) => ({
    name, setAttribute(key, value) { this[key] = value; }, append() {},
  });
  globalThis.document = { createElementNS: (_, name) => element(name), createElement: element, head: element("head") };
  ({ Drawings } = await import("../../../clients/web/static/board/drawings.js"));
});

/** What suggested moves draw. */
const drawn = (...moves) => {
  const layer = { parts: [], append(part) { this.parts.push(part); }, replaceChildren() { this.parts = []; } };
  new Drawings(layer, (square) => CORNERS[square] ?? [0, 0]).suggest(moves);
  return layer.parts;
};

test("a move is an arrow", () => {
  assert.deepEqual(drawn("e2f3").map(({ name }) => name), ["path", "path"]);
});

test("a drop is a circle on its square", () => {
  const [{ name, cx, cy }, ...others] = drawn("N@f3");
  assert.deepEqual([name, cx, cy, others.length], ["circle", "550", "550", 0]);
});

test("what names no square draws nothing", () => {
  assert.deepEqual(drawn("resign"), []);
});
