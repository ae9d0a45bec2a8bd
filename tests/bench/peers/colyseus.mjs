/* A chess server on Colyseus and chess.js, as their documentation has it: a room keeps a game, its state is a schema,
 * a client sends messages, and who may come to a room is asked of the matchmaker. A patch goes out with each move
 * instead of every 50 ms, as the documentation describes for games in turns. It keeps nothing.
 *
 * `node colyseus.mjs` listens at a free port of this machine. With LIST=1 it tells who is to move what they may play;
 * without, clients find that out by themselves.
 */
import { Room, Server } from "@colyseus/core";
import { schema } from "@colyseus/schema";
import { WebSocketTransport } from "@colyseus/ws-transport";
import { Chess } from "chess.js";

const LIST = process.env.LIST === "1";

const Game = schema({ fen: "string", move: "string", over: "boolean" });

class ChessRoom extends Room {
  maxClients = 2;
  patchRate = null;
  state = new Game();
  chess = new Chess();

  messages = {
    move: (client, { from, to, promotion }) => {
      if (client.userData.color !== this.chess.turn() || this.state.over) {
        client.send("refused", "It is not your turn.");
        return;
      }
      try {
        this.state.move = this.chess.move({ from, to, promotion }).lan;
      } catch (error) {
        client.send("refused", error.message);
        return;
      }
      this.state.fen = this.chess.fen();
      this.state.over = this.chess.isGameOver();
      this.broadcastPatch();
      this.list();
    },
  };

  onCreate() {
    this.state.fen = this.chess.fen();
    this.state.move = "";
    this.state.over = false;
  }

  onJoin(client) {
    client.userData = { color: "wb"[this.clients.length - 1] };
    if (this.clients.length === 2) this.list();
  }

  list() {
    if (!LIST) return;
    const next = this.clients.find((client) => client.userData.color === this.chess.turn());
    next?.send("legal", this.chess.moves({ verbose: true }).map((move) => move.lan));
  }
}

const transport = new WebSocketTransport();
const server = new Server({ transport, greet: false });
server.define("chess", ChessRoom);
await server.listen(0, "127.0.0.1");
console.log(`ready http://127.0.0.1:${transport.server.address().port}`);
