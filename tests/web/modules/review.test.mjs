// The review that the user waits for: it goes on until it is there, or until nobody has time for it.

import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";

import { Review } from "../../../clients/web/static/analysis/review.js";

let timers;
beforeEach(() => {
  timers = [];
  globalThis.document = { hidden: false };
  globalThis.window = { setTimeout: (run) => timers.push(run) };
});
afterEach(() => {
  delete globalThis.document;
  delete globalThis.window;
});

const answered = () => new Promise((done) => setImmediate(done));

/** A review whose server gives these answers, and the requests that it gets: whether each starts a review. */
function asking(answers) {
  const starts = [];
  const request = async ({ start }) => {
    starts.push(start);
    return { looked: answers.length ? answers.shift() : null, summary: null };
  };
  return { starts, review: new Review({ request }, () => {}, () => {}) };
}

async function wait(times) {
  for (let time = 0; time < times; time++) {
    await answered();
    timers.splice(0).forEach((run) => run());
  }
  await answered();
}

test("a review that ended without results begins again", async () => {
  const { starts, review } = asking([0, 0, null, 0, 3]);
  review.start("room");
  await wait(4);
  assert.deepEqual(starts, [true, false, false, true, false]);
  assert.equal(review._why, "");
});

test("the page gives up if there is no progress, and the user may try again", async () => {
  const { starts, review } = asking([0, 1, 2]);
  review.start("room");
  await wait(60);
  assert.equal(starts.length, 3 + 21);
  assert.match(review._why, /^No computer player/);
  review.start("room");
  assert.equal(review._why, "");
  await answered();
  assert.equal(timers.length, 1);
});

test("a review that proceeds is waited for, however long it takes", async () => {
  const { starts, review } = asking(Array.from({ length: 500 }, (_, count) => Math.floor(count / 10)));
  review.start("room");
  await wait(400);
  assert.equal(starts.length, 401);
  assert.equal(review._why, "");
});
