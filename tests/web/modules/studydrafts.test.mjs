import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { Drafts } from "../../../clients/web/static/study/drafts.js";

/** A field of a form. */
class Field {
  dataset = {};
  value = "";
  addEventListener(_, heard) {
    this.heard = heard;
  }
  type(text) {
    this.value = text;
    this.heard();
  }
}

let drafts;
let field;
beforeEach(() => {
  drafts = new Drafts();
  field = new Field();
  drafts.show(field, "comment 1.2", "Old.");
});

test("a field shows what is stored, until something is typed", () => {
  drafts.show(field, "comment 1.2", "Other.");
  assert.equal(field.value, "Other.");
  field.type("Mine");
  drafts.show(field, "comment 1.2", "Theirs.");
  assert.equal(field.value, "Mine");
  assert.ok(drafts.isLate("comment 1.2"));
  const again = new Field(); // after one was elsewhere
  drafts.show(again, "comment 1.2", "Theirs.");
  assert.equal(again.value, "Mine");
});

test("what is sent is sent once, and then the field follows the study", async () => {
  field.type("Mine ");
  const sent = [];
  let answer;
  const send = (text) => sent.push(text) && new Promise((resolve) => (answer = resolve));
  const done = drafts.send("comment 1.2", send);
  drafts.send("comment 1.2", send);
  assert.deepEqual(sent, ["Mine"]);
  answer(true);
  await done;
  assert.equal(field.value, "Mine ", "not what was stored before");
  drafts.show(field, "comment 1.2", "Old.");
  assert.equal(field.value, "Mine ", "the study's answer is not here yet");
  drafts.show(field, "comment 1.2", "Mine");
  assert.equal(field.value, "Mine");
  assert.deepEqual(drafts.of("comment"), []);
});

test("what is refused stays, and so does what is typed while something is sent", async () => {
  field.type("Mine");
  await drafts.send("comment 1.2", async () => false);
  assert.deepEqual(drafts.of("comment"), ["comment 1.2"]);
  await drafts.send("comment 1.2", async () => {
    field.type("Mine and more");
    return true;
  });
  drafts.show(field, "comment 1.2", "Mine");
  assert.equal(field.value, "Mine and more");
  assert.ok(!drafts.isLate("comment 1.2"));
  assert.equal(drafts.drop("comment 1.2"), "Mine and more");
});
