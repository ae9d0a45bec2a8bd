/** Percents add up to 100, however they are rounded. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { percents } from "../../../clients/web/static/model/shares.js";

test("halves are not both rounded up", () => {
  assert.deepEqual(percents({ white: 0.535, black: 0.465 }), { white: 54, black: 46 });
});

test("what is left over goes to the largest remainders", () => {
  assert.deepEqual(percents({ red: 0.255, blue: 0.2549, yellow: 0.2455, green: 0.2446 }), { red: 26, blue: 25, yellow: 25, green: 24 });
  assert.deepEqual(percents({ red: 1 / 3, blue: 1 / 3, yellow: 1 / 3, green: 0 }), { red: 34, blue: 33, yellow: 33, green: 0 });
});

test("every pair and four adds up to 100", () => {
  for (let one = 0; one <= 1000; one++) {
    const shares = { white: one / 1000, black: 1 - one / 1000 };
    assert.equal(Object.values(percents(shares)).reduce((sum, share) => sum + share), 100);
    const four = [one / 2000, one / 3000, one / 7000].concat(1 - one / 2000 - one / 3000 - one / 7000);
    assert.equal(Object.values(percents({ ...four })).reduce((sum, share) => sum + share), 100);
  }
});
