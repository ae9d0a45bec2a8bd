// Reads positions, one a line. Prints the legal moves that `reach` lacks, and the page's reading of each written move.
import { createInterface } from "node:readline";
import { read } from "../../../clients/web/static/model/fen.js";
import { meant } from "../../../clients/web/static/model/movetext.js";
import { reach } from "../../../clients/web/static/model/reach.js";
import { squares } from "../../../clients/web/static/model/table.js";

for await (const line of createInterface({ input: process.stdin })) {
  const { fen, variant, legal, text } = JSON.parse(line);
  const { board } = read(fen);
  const beyond = legal.filter((move) => {
    const [from, to] = squares(move);
    return !reach(board, from, variant).has(to);
  });
  process.stdout.write(JSON.stringify({ beyond, meant: meant(text, board, legal) }) + "\n");
}
