// Reads games, one a line: the updates, and after each of them the server's snapshot and the server's line. Writes for each game where the page's own fold differs.
import { isDeepStrictEqual } from "node:util";
import { createInterface } from "node:readline";
import { read } from "../../../clients/web/static/model/fen.js";
import { after, of, ofRecord, outOf } from "../../../clients/web/static/model/table.js";

const seen = (table) => ({
  seq: table.seq, status: table.status, game: table.game, board: table.board, turn: table.status === "playing" ? table.turn : null,
  check: table.line.length ? table.check : [], // no event says who is in check in the start position
  points: table.points, moves: table.line.map((step) => step.move), redo: table.redo,
  proposal: table.proposal, result: table.result, clocks: table.clocks, out: outOf(table), unrated: table.unrated,
});
const step = ({ seat, move, text, board, check, points, out }) => ({ seat, move, text, board, check, points, out });
const told = ({ position, ...one }) => ({ ...one, board: read(position).board });

for await (const input of createInterface({ input: process.stdin })) {
  const { updates, snapshots, lines } = JSON.parse(input);
  const faults = [];
  const hold = (seq, what, found, wanted) => isDeepStrictEqual(found, wanted) || faults.push({ seq, what, found, wanted });
  let live = null;
  snapshots.forEach((room, index) => {
    live = live === null ? of(room) : after(live, updates[index]);
    const record = ofRecord({ room, updates: updates.slice(0, index + 1) });
    hold(room.seq, "live", seen(live), seen(of(room)));
    hold(room.seq, "record", seen(record), seen(of(room)));
    hold(room.seq, "line", record.line.map(step), lines[index].map(told));
  });
  process.stdout.write(JSON.stringify(faults.slice(0, 1)) + "\n");
}
