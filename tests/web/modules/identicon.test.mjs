// A player's picture is always the same, symmetric, and different from other players' pictures.

import assert from "node:assert/strict";
import { test } from "node:test";

import { cells } from "../../../clients/web/static/ui/identicon.js";

test("the same id has the same picture", () => assert.deepEqual(cells("Zk3vX0aQp1sT"), cells("Zk3vX0aQp1sT")));

test("both sides are alike", () => {
  for (const id of ["a", "Zk3vX0aQp1sT", "bot:level3:x"]) {
    const filled = new Set(cells(id).map(String));
    for (const [x, y] of cells(id)) assert.ok(filled.has(`${4 - x},${y}`));
  }
});

test("few players share one", () => {
  const all = new Set(Array.from({ length: 500 }, (_, index) => JSON.stringify(cells(`player${index}`))));
  assert.ok(all.size > 480);
});
