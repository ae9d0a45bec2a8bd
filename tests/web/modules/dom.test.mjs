// Drawing: once a frame.

import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";

import { onceAFrame } from "../../../clients/web/static/ui/dom.js";

let frames;
beforeEach(() => {
  frames = [];
  globalThis.document = { hidden: false };
  globalThis.requestAnimationFrame = (run) => frames.push(run);
});
afterEach(() => {
  delete globalThis.document;
  delete globalThis.requestAnimationFrame;
});

const frame = () => frames.splice(0).forEach((run) => run());

test("what changes within a frame is drawn once, and the next change again", () => {
  let drawn = 0;
  const draw = onceAFrame(() => (drawn += 1));
  for (const _ of [1, 2, 3]) draw();
  assert.equal(drawn, 0);
  frame();
  assert.equal(drawn, 1);
  frame();
  assert.equal(drawn, 1, "nothing has changed");
  draw();
  frame();
  assert.equal(drawn, 2);
});

test("a change during a drawing is drawn in the frame after", () => {
  let drawn = 0;
  const draw = onceAFrame(() => {
    drawn += 1;
    if (drawn === 1) draw();
  });
  draw();
  frame();
  assert.equal(drawn, 1);
  frame();
  assert.equal(drawn, 2);
});

test("a hidden page draws at once, also if it was hidden before its frame came", () => {
  let drawn = 0;
  const draw = onceAFrame(() => (drawn += 1));
  draw();
  document.hidden = true;
  draw();
  assert.equal(drawn, 1);
});
