import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { Connection, RequestError } from "../../../clients/web/static/net/connection.js";

/** A socket whose other end is the test. */
class Wire {
  static all = [];
  constructor() {
    this.readyState = 0;
    this.said = [];
    Wire.all.push(this);
  }
  static get last() {
    return Wire.all[Wire.all.length - 1];
  }
  send(text) {
    this.said.push(JSON.parse(text));
  }
  close() {
    this.readyState = 3;
  }
  /** It opens, and the server welcomes. */
  open() {
    this.readyState = 1;
    this.onopen();
    this.tell({ type: "welcome", id: 0, player: "me", name: "Ada", token: "secret", time: 5_000 });
  }
  tell(frame) {
    this.onmessage({ data: JSON.stringify(frame) });
  }
  lose() {
    this.readyState = 3;
    this.onclose();
  }
  heard(type) {
    return this.said.filter((frame) => frame.type === type);
  }
}

/** A clock that only the test advances. */
const time = {
  real: { setTimeout, clearTimeout, setInterval, clearInterval, now: Date.now },
  start() {
    let now = 1_000;
    let last = 0;
    const due = new Map();
    const plan = (work, wait, every) => due.set(++last, { work, at: now + wait, every }) && last;
    globalThis.setTimeout = (work, wait) => plan(work, wait, null);
    globalThis.setInterval = (work, wait) => plan(work, wait, wait);
    globalThis.clearTimeout = globalThis.clearInterval = (id) => due.delete(id);
    Date.now = () => now;
    this.pass = (milliseconds) => {
      for (const end = now + milliseconds; ; ) {
        const [id, next] = [...due].sort(([, one], [, other]) => one.at - other.at)[0] ?? [];
        if (next === undefined || next.at > end) {
          now = end;
          return;
        }
        now = next.at;
        if (next.every === null) due.delete(id);
        else next.at += next.every;
        next.work();
      }
    };
  },
  stop() {
    const { now, ...timers } = this.real;
    Object.assign(globalThis, timers);
    Date.now = now;
  },
};

let connection;
beforeEach(() => {
  time.start();
  Wire.all = [];
  connection = new Connection("ws://test/ws", { name: "Ada", Socket: Wire });
});
afterEach(() => {
  connection.close();
  time.stop();
});

test("says hello first, and its token when it comes back", () => {
  Wire.last.open();
  assert.deepEqual(Wire.last.said[0], { type: "hello", id: 0, name: "Ada" });
  Wire.last.lose();
  time.pass(200);
  Wire.last.open();
  assert.equal(Wire.all.length, 2);
  assert.deepEqual(Wire.last.said[0], { type: "hello", id: 0, token: "secret", name: "Ada" });
});

test("the key of a registration without an answer goes with the token of its guest", () => {
  let stored = { token: null, key: null };
  const guest = new Connection("ws://test/ws", { stored: () => stored, Socket: Wire });
  const hello = () => {
    Wire.last.lose();
    time.pass(5_000);
    Wire.last.open();
    return Wire.last.said[0];
  };
  Wire.last.open();
  assert.equal(Wire.last.said[0].key, undefined);
  stored = { token: "secret", key: "random" };
  assert.deepEqual(hello(), { type: "hello", id: 0, token: "secret", name: "Ada", key: "random" });
  stored = { token: "another", key: "random" };
  assert.equal(hello().key, undefined);
  stored = { token: "secret", key: "" };
  assert.equal(hello().key, undefined);
  guest.close();
});

test("what is asked on being welcomed is asked once", () => {
  const eager = new Connection("ws://test/ws", {
    Socket: Wire,
    welcomed: () => {
      eager.request({ type: "rooms", follow: true });
      eager.follow("r", { seq: null, take() {}, refused() {} });
    },
  });
  for (const _ of [1, 2]) {
    Wire.last.open();
    // What is not answered is asked again on another socket, beside what is asked there.
    assert.deepEqual(Wire.last.heard("rooms").map(({ id }) => id).sort(), [...new Set(Wire.last.heard("rooms").map(({ id }) => id))].sort());
    Wire.last.lose();
    time.pass(200);
  }
  assert.equal(Wire.all[1].heard("rooms").length, 1);
  assert.equal(Wire.all[1].heard("watch").length, 1);
  eager.close();
});

test("an unanswered command is said again with the same key, until it is answered", async () => {
  Wire.last.open();
  const done = connection.command({ type: "move", room: "r", move: "e2e4", seq: 3 });
  const [first] = Wire.last.heard("move");
  Wire.last.lose();
  time.pass(200);
  Wire.last.open();
  const [second] = Wire.last.heard("move");
  assert.deepEqual(second, first);
  Wire.last.tell({ type: "ok", id: second.id, room: "r", seq: 4 });
  assert.equal((await done).seq, 4);
  Wire.last.lose();
  time.pass(400);
  Wire.last.open();
  assert.deepEqual(Wire.last.heard("move"), []);
});

test("what is asked while away is sent on return", () => {
  connection.command({ type: "resign", room: "r" });
  Wire.last.open();
  assert.equal(Wire.last.heard("resign").length, 1);
});

test("a room is resumed where it was", () => {
  const taken = [];
  connection.follow("r", { seq: null, take: (frame) => taken.push(frame), refused: assert.fail });
  Wire.last.open();
  assert.deepEqual(Wire.last.heard("watch").map(({ since }) => since), [undefined]);
  Wire.last.tell({ type: "room", id: Wire.last.heard("watch")[0].id, room: "r", seq: 7 });
  Wire.last.tell({ type: "update", room: "r", seq: 8, events: [] });
  Wire.last.lose();
  time.pass(200);
  Wire.last.open();
  assert.equal(Wire.last.heard("watch")[0].since, 8);
  Wire.last.tell({ type: "update", room: "r", seq: 11, events: [] }); // a gap: from the beginning, then
  assert.equal(Wire.last.heard("watch")[1].since, undefined);
  assert.deepEqual(taken.map(({ seq }) => seq), [7, 8]);
});

test("who resumes says when what it knows was decided", () => {
  connection.follow("r", { seq: null, take: () => {}, refused: assert.fail });
  Wire.last.open();
  Wire.last.tell({ type: "room", id: Wire.last.heard("watch")[0].id, room: "r", seq: 7, decided: 70 });
  for (const last of [{ seq: 7, decided: 70 }, { seq: 8, decided: 80 }]) {
    Wire.last.lose();
    time.pass(200);
    Wire.last.open();
    assert.deepEqual(Wire.last.heard("watch").map(({ since, decided }) => ({ seq: since, decided })), [last]);
    Wire.last.tell({ type: "update", room: "r", seq: 8, time: 80, events: [] });
  }
});

test("a single update that is missing is noticed, and one that comes twice is none", () => {
  const taken = [];
  connection.follow("r", { seq: 7, take: (frame) => taken.push(frame), refused: assert.fail });
  Wire.last.open();
  Wire.last.tell({ type: "update", room: "r", seq: 8, events: [] });
  Wire.last.tell({ type: "update", room: "r", seq: 8, events: [] });
  assert.equal(Wire.last.heard("watch").length, 1);
  Wire.last.tell({ type: "update", room: "r", seq: 10, events: [] });
  assert.deepEqual(Wire.last.heard("watch").map(({ since }) => since), [7, undefined]);
  assert.deepEqual(taken.map(({ seq }) => seq), [8, 8]);
});

test("a refusal has its code", async () => {
  Wire.last.open();
  const asked = connection.request({ type: "join", room: "r" });
  Wire.last.tell({ type: "error", id: Wire.last.heard("join")[0].id, kind: "refused", code: "seat_taken", message: "Taken." });
  await assert.rejects(asked, (error) => error instanceof RequestError && error.code === "seat_taken");
});

test("while the store is away it asks again", async () => {
  Wire.last.open();
  const asked = connection.command({ type: "resign", room: "r" });
  const [{ id }] = Wire.last.heard("resign");
  Wire.last.tell({ type: "error", id, kind: "refused", code: "unavailable", message: "Away." });
  time.pass(3_000);
  assert.equal(Wire.last.heard("resign").length, 2);
  Wire.last.tell({ type: "ok", id, seq: 9 });
  assert.equal((await asked).seq, 9);
});

test("pings when idle, and gives up a silent socket", () => {
  Wire.last.open();
  const before = Wire.last.heard("ping").length;
  time.pass(4_000);
  assert.ok(Wire.last.heard("ping").length > before);
  time.pass(7_000);
  time.pass(200);
  assert.equal(Wire.all.length, 2);
});

test("has the server's time", () => {
  Wire.last.open();
  const [{ id }] = Wire.last.heard("ping");
  Wire.last.tell({ type: "pong", id, time: Date.now() + 60_000 });
  assert.equal(connection.now(), Date.now() + 60_000);
});

test("what no server would read is not sent, and refused with a sentence", async () => {
  Wire.last.open();
  const edit = (text) => connection.command({ type: "edit", room: "r", change: { type: "comment", chapter: 1, node: 1, text } });
  await assert.rejects(edit("好".repeat(2800)), (error) => error instanceof RequestError && error.code === "too_long" && error.message === "This is too long to be sent.");
  Wire.last.lose();
  time.pass(200);
  Wire.last.open();
  assert.deepEqual(Wire.last.heard("edit"), []);
  edit("好".repeat(2600));
  assert.equal(Wire.last.heard("edit").length, 1);
});
