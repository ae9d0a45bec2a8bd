/* A chess server on boardgame.io and chess.js, as their documentation has it: a game is a state and the moves that
 * change it, and players come to a match by the lobby's API. The state holds the position as FEN; their own example
 * of chess replays the whole game for each move instead. A position that comes back is not noticed: the state would
 * have to hold all the positions before.
 *
 * `node boardgameio.cjs` listens at a free port of this machine, and keeps matches in memory; with FLATFILE_DIR=FOLDER
 * in files there. With LIST=1 the state says what may be played next; without, clients find that out by themselves.
 *
 * package.json holds koa-compose at 4.1.0: with 4.2.0 the API of boardgame.io 0.50 answers nothing but 404.
 */
"use strict";

const { Server } = require("boardgame.io/server");
const { INVALID_MOVE } = require("boardgame.io/core");
const { Chess } = require("chess.js");

const LIST = process.env.LIST === "1";

/** What the state says of a position. */
function situation(chess) {
  const legal = LIST ? { legal: chess.moves({ verbose: true }).map((move) => move.lan) } : {};
  return { fen: chess.fen(), over: chess.isGameOver(), ...legal };
}

const game = {
  name: "chess",
  minPlayers: 2,
  maxPlayers: 2,
  setup: () => ({ move: "", ...situation(new Chess()) }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    play: ({ G }, from, to, promotion) => {
      const chess = new Chess(G.fen);
      try {
        const { lan } = chess.move({ from, to, promotion });
        return { move: lan, ...situation(chess) };
      } catch {
        return INVALID_MOVE;
      }
    },
  },
  endIf: ({ G }) => G.over || undefined,
};

Server({ games: [game], origins: [] })
  .run({ port: { port: 0, host: "127.0.0.1" } })
  .then(({ appServer }) => console.log(`ready http://127.0.0.1:${appServer.address().port}`));
