// Reads records (`export` as `json`), one a line, and writes what the page's own fold makes of each.
import { createInterface } from "node:readline";
import { of, ofRecord, outOf } from "../../../clients/web/static/table.js";

const seen = (table) => ({
  seq: table.seq, status: table.status, game: table.game, board: table.board, turn: table.status === "playing" ? table.turn : null,
  check: table.check, points: table.points, moves: table.line.map((step) => step.move), redo: table.redo,
  proposal: table.proposal, result: table.result, clocks: table.clocks, out: outOf(table),
});

for await (const line of createInterface({ input: process.stdin })) {
  const record = JSON.parse(line);
  const folded = ofRecord(record);
  process.stdout.write(JSON.stringify({ folded: seen(folded), snapshot: seen(of(record.room)), unknown: folded.line.filter((step) => step.board === null).length }) + "\n");
}
