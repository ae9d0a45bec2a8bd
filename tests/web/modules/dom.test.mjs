// Drawing: once a frame, and not during a press.

import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";

import { Drawn } from "../../../clients/web/static/ui/dom.js";

let frames;
let pressed;
beforeEach(() => {
  frames = [];
  pressed = null;
  globalThis.document = { hidden: false, querySelector: () => pressed };
  globalThis.requestAnimationFrame = (run) => frames.push(run);
});
afterEach(() => {
  delete globalThis.document;
  delete globalThis.requestAnimationFrame;
});

const frame = () => frames.splice(0).forEach((run) => run());

let drawn;
const counted = () => {
  drawn = 0;
  return Object.assign(new Drawn(), { _draw: () => (drawn += 1) });
};

test("what changes within a frame is drawn once, and the next change again", () => {
  const page = counted();
  for (const _ of [1, 2, 3]) page.refresh();
  assert.equal(drawn, 0);
  frame();
  assert.equal(drawn, 1);
  frame();
  assert.equal(drawn, 1, "nothing has changed");
  page.refresh();
  frame();
  assert.equal(drawn, 2);
});

test("the user's own change is drawn at once, with what was due", () => {
  const page = counted();
  page.refresh();
  page.render();
  assert.equal(drawn, 1);
  frame();
  assert.equal(drawn, 1);
});

test("a change during a drawing is drawn in the frame after", () => {
  const times = [];
  const page = Object.assign(new Drawn(), {
    _draw: () => {
      times.push(frames.length);
      if (times.length === 1) page.refresh();
    },
  });
  page.refresh();
  frame();
  assert.equal(times.length, 1);
  frame();
  assert.equal(times.length, 2);
});

test("a hidden page draws at once, also if it was hidden before its frame came", () => {
  const page = counted();
  page.refresh();
  document.hidden = true;
  page.refresh();
  assert.equal(drawn, 1);
  frame();
  assert.equal(drawn, 1);
});

test("a press is waited for, because a button that is replaced meanwhile gets no click", () => {
  const page = counted();
  pressed = {};
  page.refresh();
  for (const _ of [1, 2, 3]) frame();
  assert.equal(drawn, 0);
  pressed = null;
  frame();
  assert.equal(drawn, 1);
  assert.equal(frames.length, 0);
});

test("what a press changes is drawn at once, and a long press is not waited for", () => {
  const page = counted();
  pressed = {};
  page.refresh();
  page.render();
  assert.equal(drawn, 1);
  page.refresh();
  for (let count = 0; count <= 60; count++) frame();
  assert.equal(drawn, 2);
});
