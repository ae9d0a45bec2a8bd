import assert from "node:assert/strict";
import { test } from "node:test";
import { command } from "../../../clients/web/static/game/commands.js";
import { news } from "../../../clients/web/static/text/news.js";
import { scene } from "../../../clients/web/static/model/scene.js";
import { after, of } from "../../../clients/web/static/model/table.js";

const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const seat = (name) => ({ seat: name, player: name, name: `P ${name}`, online: true, out: null, bot: false, invited: null, stand_in: null, score: 0 });
const begun = of({
  room: "r", variant: "standard", seq: 3, status: "playing", seats: [seat("white"), seat("black")], start: START, position: START, moves: [], redo: 0,
  clocks: { base: 60_000, increment: 0, delay: 0, left: { white: 60_000, black: 60_000 }, since: 0 }, turn: "white", proposal: null, result: null, host: "white",
});
const E4 = { type: "moved", seat: "white", move: "e2e4", ply: 1, tick: { spent: 5_000, lag: 0, gained: 0, left: 55_000 }, sight: { text: "e4", changes: { e2: null, e4: "wP" }, check: [] } };
const moved = after(begun, { seq: 4, time: 5_000, events: [E4] });

test("a move is told to both, and to one that it is their turn", () => {
  assert.deepEqual(news([E4], begun, moved, null), { text: "P white: pawn from e2 to e4.", sound: "move" });
  assert.deepEqual(news([E4], begun, moved, "black"), { text: "P white: pawn from e2 to e4. Your turn, 1 minute.", sound: "turn" });
});

test("one's own proposal is no news; another's is heard, and said by the slot alone", () => {
  const asked = { type: "proposed", kind: "draw", seat: "black", plies: null };
  assert.deepEqual(news([asked], moved, moved, "black"), { text: "", sound: null });
  assert.deepEqual(news([asked], moved, moved, "white"), { text: "", sound: "turn" });
  assert.equal(news([{ ...asked, kind: "rematch" }], moved, moved, "white").text, "P black would like a rematch.");
  assert.equal(news([{ type: "closed", outcome: "refused" }], moved, moved, null).text, "");
});

test("looking back shows the board and the clocks as they were", () => {
  const now = scene(moved, null, false);
  assert.deepEqual([now.live, now.last, now.left], [true, ["e2", "e4"], null]);
  const start = scene(moved, 0, false);
  assert.deepEqual([start.live, start.board.e2, start.left, start.out], [false, "wP", { white: 60_000, black: 60_000 }, {}]);
  const [last] = [scene(moved, 1, false)];
  assert.deepEqual([last.board.e4, last.left], ["wP", { white: 55_000, black: 60_000 }]);
});

test("what a vote is on is shown before it is decided", () => {
  const proposal = { proposal: 1, kind: "undo", seat: "white", plies: 1, ply: 0, position: START, electorate: ["white", "black"], votes: {}, deadline: 0, absentee: null, level: null };
  const shown = scene({ ...moved, proposal }, null, true);
  assert.deepEqual([shown.changed.sort(), shown.line.length, shown.live], [["e2", "e4"], 0, false]);
});

test("words are typed instead of moves", () => {
  const did = [];
  const typist = { table: moved, describe: (square) => moved.board[square] ?? "empty", resign: () => did.push("resign"), draw: () => did.push("draw") };
  assert.equal(command("clocks", typist), "P white 55 seconds, P black 1 minute");
  assert.equal(command("p k", typist), "bK e8, wK e1");
  assert.equal(command("s E4", typist), "e4: wP");
  assert.equal(command("last", typist), "P white: pawn from e2 to e4.");
  assert.equal(command("resign", typist), "");
  assert.equal(command("e4", typist), null);
  assert.equal(command("s9", typist), null);
  assert.deepEqual(did, ["resign"]);
});

test("who was removed has left the game", () => {
  const seats = ["red", "blue", "yellow", "green"].map((seat) => ({ seat, name: { green: "Di" }[seat] ?? seat, out: null }));
  const table = { variant: "survivor", seats, line: [], turn: "red", check: [], points: null, result: null };
  assert.ok(news([{ type: "removed", seat: "green" }], table, table, "red").text.includes("Di left the game."));
});
