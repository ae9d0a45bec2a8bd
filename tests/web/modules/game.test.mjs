// A game as its follower's page holds it: what a late frame must not do.

import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";

const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const seat = (name) => ({ seat: name, player: name, name, online: true, out: null, bot: false, invited: null, stand_in: null, score: 0 });
const ROOM = {
  type: "room", room: "r", variant: "standard", seq: 5, status: "playing", seats: [seat("white"), seat("black")], start: START, position: START, moves: [],
  redo: 0, clocks: null, turn: "white", proposal: null, result: null, host: "white", watchers: 0,
};
const moved = (seq, by, move) => ({ type: "update", room: "r", seq, time: 0, events: [{ type: "moved", seat: by, move, ply: seq - 5 }] });

/** A socket whose other end is the test. */
class Wire {
  constructor() {
    this.readyState = 0;
    this.said = [];
    Wire.last = this;
  }
  send(text) {
    this.said.push(JSON.parse(text));
  }
  close() {
    this.readyState = 3;
  }
  tell(frame) {
    this.onmessage({ data: JSON.stringify(frame) });
  }
  heard(type) {
    return this.said.filter((frame) => frame.type === type);
  }
}

let game;
let said;
beforeEach(async () => {
  globalThis.WebSocket = Wire;
  globalThis.location = { hash: "" };
  globalThis.window = { localStorage: { getItem: () => null, setItem() {}, removeItem() {} } };
  const { Game } = await import("../../../clients/web/static/game/game.js");
  const { Connection } = await import("../../../clients/web/static/net/connection.js");
  said = [];
  const nothing = () => {};
  const page = { entered: nothing, updated: nothing, said: nothing, say: (text) => said.push(text), refused: assert.fail, welcomed: nothing, changed: nothing, render: nothing, refresh: nothing };
  game = new Game("r", undefined, (how) => new Connection("ws://test/ws", how), page);
  Wire.last.readyState = 1;
  Wire.last.onopen();
  Wire.last.tell({ type: "welcome", id: 0, player: "black", name: "black", token: "secret", time: 0 });
  Wire.last.tell(ROOM);
});
afterEach(() => game.connection.close());

test("a turn of an earlier version plays nothing that was chosen ahead", () => {
  Wire.last.tell(moved(6, "white", "e2e4"));
  game.premoves = ["e7e5"];
  Wire.last.tell({ type: "turn", room: "r", seq: 5, seat: "black", legal: ["e7e5", "e7e6"] });
  assert.deepEqual([Wire.last.heard("move"), game.premoves, game.legal, said], [[], ["e7e5"], [], []]);
  Wire.last.tell({ type: "turn", room: "r", seq: 6, seat: "black", legal: ["e7e5", "e7e6"] });
  const [sent, ...more] = Wire.last.heard("move");
  assert.deepEqual([sent.move, sent.seq, more, game.premoves], ["e7e5", 6, [], []]);
});

test("a turn of a version that the table has not reached yet counts", () => {
  game.premoves = ["e7e5"];
  Wire.last.tell({ type: "turn", room: "r", seq: 6, seat: "black", legal: ["e7e5"] });
  assert.equal(Wire.last.heard("move").length, 1);
});

test("what was chosen ahead and is not possible is dropped, and told", () => {
  Wire.last.tell(moved(6, "white", "e2e4"));
  game.premoves = ["e7e4", "g8f6"];
  Wire.last.tell({ type: "turn", room: "r", seq: 6, seat: "black", legal: ["e7e5"] });
  assert.deepEqual([Wire.last.heard("move"), game.premoves, said], [[], [], ["Your premove is not possible now."]]);
});

test("premoves are sent one a turn, in order; a pause keeps them", () => {
  game.premoves = ["e7e5", "g8f6", "f8c5"];
  Wire.last.tell(moved(6, "white", "e2e4"));
  Wire.last.tell({ type: "turn", room: "r", seq: 6, seat: "black", legal: ["e7e5"] });
  assert.deepEqual([Wire.last.heard("move").map(({ move }) => move), game.premoves], [["e7e5"], ["g8f6", "f8c5"]]);
  Wire.last.tell(moved(7, "black", "e7e5"));
  Wire.last.tell(moved(8, "white", "g1f3"));
  game.table = { ...game.table, paused: 1000 };
  Wire.last.tell({ type: "turn", room: "r", seq: 8, seat: "black", legal: ["g8f6"] });
  assert.deepEqual(game.premoves, ["g8f6", "f8c5"]);
  game.table = { ...game.table, paused: null };
  Wire.last.tell({ type: "turn", room: "r", seq: 8, seat: "black", legal: ["g8f6"] });
  assert.deepEqual([Wire.last.heard("move").map(({ move }) => move), game.premoves], [["e7e5", "g8f6"], ["f8c5"]]);
});

test("a premove that comes after the turn is made at once, and one while a move is on its way waits", () => {
  Wire.last.tell(moved(6, "white", "e2e4"));
  game.premove("e7e5");
  assert.deepEqual([Wire.last.heard("move"), game.premoves], [[], ["e7e5"]]);
  game.premoves = [];
  Wire.last.tell({ type: "turn", room: "r", seq: 6, seat: "black", legal: ["e7e5", "g8f6"] });
  game.premove("e7e5");
  game.premove("g8f6");
  Wire.last.tell({ type: "turn", room: "r", seq: 6, seat: "black", legal: ["e7e5", "g8f6"] }); // after a reconnection
  assert.deepEqual([Wire.last.heard("move").map(({ move }) => move), game.premoves], [["e7e5"], ["g8f6"]]);
});

test("one update that is missing is missed: the room is asked for anew, and nothing is played meanwhile", () => {
  const asked = Wire.last.heard("watch").length;
  Wire.last.tell(moved(7, "black", "e7e5"));
  assert.deepEqual([game.table.seq, game.table.line], [5, []]);
  const again = Wire.last.heard("watch").slice(asked);
  assert.deepEqual(again.map(({ since }) => since), [undefined]);
  Wire.last.tell({ ...ROOM, seq: 7, moves: ["e2e4", "e7e5"] });
  assert.deepEqual([game.table.seq, game.table.line.length], [7, 2]);
});

test("of two seats, mine is the one that is to move, or moves next; the first votes", () => {
  const seats = ["red", "blue", "yellow", "green"].map((name, index) => ({ ...seat(name), player: index % 2 ? "black" : "white" }));
  const at = (turn, more = {}) => {
    Wire.last.tell({ ...ROOM, variant: "selfpartner", seats, turn, seq: 6, ...more });
    return [game.mine, game.first];
  };
  assert.deepEqual(at("blue"), ["blue", "blue"]);
  assert.deepEqual(at("yellow"), ["green", "blue"]);
  assert.deepEqual(at("green"), ["green", "blue"]);
  assert.deepEqual(at("red"), ["blue", "blue"]);
  at("blue");
  game.sent = "b7b6";
  assert.equal(game.mine, "green", "the move of blue is on its way");
  game.sent = null;
  assert.deepEqual(at(null, { status: "open" }), ["blue", "blue"]);
  assert.deepEqual(at("yellow", { variant: "survivor", seats: seats.map((one) => ({ ...one, player: one.seat })) }), [null, null]);
});
