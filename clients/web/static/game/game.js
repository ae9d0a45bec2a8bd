/**
 * One game as this client follows it: table, legal moves, unacknowledged move, premoves, and requests to the server. It
 * reports changes to a page.
 */

import { carried } from "../model/castling.js";
import { after, Gap, next, of, ofRecord, squares } from "../model/table.js";
import { refusal, RequestError, trying } from "../net/connection.js";
import { late } from "../net/loading.js";

/** @typedef {import("../model/table.js").Table} Table */
/** @typedef {import("../model/table.js").Update} Update */
/** @typedef {import("../net/connection.js").Requests} Requests */
/** @typedef {import("../net/connection.js").Answers} Answers */
/** @typedef {import("../net/connection.js").Frames} Frames */
/** @typedef {import("../net/connection.js").Connection} Connection */
/** @typedef {import("../net/connection.js").Follower} Follower */

/**
 * @typedef {object} Page the page that a game reports to
 * @property {(first: boolean) => void} entered a snapshot has arrived, the first or a new one
 * @property {(update: Update, before: Table) => void} updated
 * @property {(said: Frames["said"]) => void} said a chat line has arrived
 * @property {(reacted: Frames["reacted"]) => void} reacted a player has reacted
 * @property {(text: string, bad?: boolean) => void} say show a message to the user
 * @property {(error: RequestError) => void} refused the server refused to let the user follow the room
 * @property {(welcome: Frames["welcome"]) => void} welcomed
 * @property {(online: boolean) => void} changed the connection is lost, or back
 * @property {(frame: import("../net/connection.js").Frame) => void} heard a frame of no room
 * @property {() => void} render the display must change at once @property {() => void} refresh and with the next frame
 */

const owngames = late(() => import("../net/owngames.js"));

/** Events that change the board or the turn, so that the list of legal moves is out of date. */
const BOARD_CHANGES = new Set(["moved", "undone", "redone", "resigned", "flagged", "removed", "finished", "rematched"]);

export class Game {
  /**
   * @param {string} room @param {string|undefined} password
   * @param {(listener: import("../net/page.js").Listener) => Connection} connect
   * @param {Page} page
   */
  constructor(room, password, connect, page) {
    this.room = room;
    /** @type {Table|null} */
    this.table = null;
    /** @type {string[]} the moves of my turn */
    this.legal = [];
    /** The moves of my next turns, each as two squares, or a drop. @type {string[]} */
    this.premoves = [];
    /** @type {string|null} a move that is not yet acknowledged */
    this.sent = null;
    /** @type {string[]} the claims that I may make now */
    this.claims = [];
    this.watchers = 0;
    this._page = page;
    /** @type {Update[]} updates since the snapshot, to continue the record */
    this._since = [];
    this._recording = false;
    /** @type {Follower} */
    this._follower = { seq: null, password, take: (frame) => this._take(frame), refused: page.refused };
    this.connection = connect({ welcomed: page.welcomed, changed: page.changed, heard: (frame) => this._hear(frame) });
    this.connection.follow(room, this._follower);
  }

  /** My seats. */
  get seats() {
    const me = this.connection.player;
    return this.table?.seats.filter((seat) => me !== null && seat.player === me).map((seat) => seat.seat) ?? [];
  }

  /** My first seat: the one that votes and talks. */
  get first() {
    return this.seats[0] ?? null;
  }

  /** My seat that is to move, or moves next, if I have several. A move that is on its way has been made. */
  get mine() {
    const { seats, table } = this;
    const turn = table?.status === "playing" ? table.turn : null;
    if (seats.length < 2 || !table || turn === null) return seats[0] ?? null;
    const seat = this.sent ? next(table, turn) : turn;
    return seats.includes(seat) ? seat : next(table, seat);
  }

  // -- frames of the server --

  /** @param {Parameters<Follower["take"]>[0]} frame */
  _take(frame) {
    const take = /** @type {(game: Game, frame: import("../net/connection.js").Frame) => void} */ (
      TAKE[/** @type {keyof typeof TAKE} */ (frame.type)]
    );
    take(this, frame);
    if (this.mine !== null && this.table?.status !== "finished") this._remember();
    this._page.refresh();
  }

  async _remember() {
    (await owngames()).remember(this.room);
  }

  /** Frames of no room. @param {import("../net/connection.js").Frame} frame */
  _hear(frame) {
    this._page.heard(frame);
    if (frame.type === "announced") this._page.say(frame.text);
    else if (frame.type === "error" && (frame.code === "banned" || frame.code === "origin"))
      this._page.refused(new RequestError(frame));
  }

  /** @param {Frames["room"]} snapshot */
  _enter(snapshot) {
    const first = this.table === null;
    this._since = [];
    this.watchers = snapshot.watchers;
    this.table = of(snapshot);
    this.legal = [];
    this.premoves = [];
    this.claims = this.table.claims[this.mine ?? ""] ?? [];
    this._page.entered(first);
    this._record();
  }

  /** Fetch boards and notation of all moves, so that the user can look back. */
  async _record() {
    if (this._recording || this.table === null) return;
    this._recording = true;
    try {
      const { text } = await this.connection.request({ type: "export", room: this.room, format: "json" });
      let table = ofRecord(JSON.parse(text));
      for (const update of this._since) table = after(table, update);
      if (table.seq === this.table.seq) {
        this.table = {
          ...this.table,
          line: table.line, undone: table.undone, check: table.check, gone: table.gone, began: table.began,
          ended: table.ended,
        };
        this._page.refresh();
      }
    } catch (error) {
      // Without the record, the user can look back only to moves that this client has seen. Play goes on.
      if (!(error instanceof RequestError) && !(error instanceof Gap)) throw error;
    } finally {
      this._recording = false;
    }
  }

  /** @param {Update} update */
  _update(update) {
    if (this.table === null) return;
    const before = this.table;
    this._since.push(update);
    this.table = after(before, update);
    if (this.table === before) return;
    if (update.events.some((event) => BOARD_CHANGES.has(event.type))) {
      this.legal = [];
      this.claims = [];
      this.sent = null;
      if (!update.events.some((event) => event.type === "moved")) this.premoves = [];
    }
    if (update.events.some((event) => event.type === "seated" && event.player === this.connection.player)) {
      this.watchers = Math.max(0, this.watchers - 1); // I was one of them; announced only if it lasts for a while
    }
    this._page.updated(update, before);
  }

  /** @param {Frames["turn"]} turn */
  _turn({ seq, legal, claims = [] }) {
    if (this.table === null || seq < this.table.seq) return;
    this.legal = legal;
    this.claims = claims;
    this._premoved();
  }

  /** Make the first premove, if it is my turn. */
  _premoved() {
    const { table, legal } = this;
    const [wanted, ...rest] = this.premoves;
    if (!wanted || !legal.length || this.sent || table?.paused !== null) return;
    this.premoves = [];
    const [from, to] = squares(wanted);
    const moves = carried(from, to, table.board, legal);
    const move = moves.find((one) => one === `${wanted}q`) ?? moves[0];
    if (move !== undefined) this.move(move, rest);
    else this._page.say("Your premove is not possible now.");
  }

  /** @param {Frames["presence"]} presence */
  _presence({ seat, online, since = null }) {
    if (this.table === null) return;
    this.table = {
      ...this.table,
      seats: this.table.seats.map((one) => (one.seat === seat ? { ...one, online, since } : one)),
    };
  }

  // -- requests --

  /**
   * Send a request, and show a refusal.
   * @template {keyof Requests} T @param {import("../net/connection.js").Lacking<T, "room">} request
   * @param {(reply: Answers[T]) => void} [done]
   */
  async ask(request, done) {
    try {
      const reply = await this.connection.request(
        /** @type {import("../net/connection.js").Asked<T>} */ (
          /** @type {unknown} */ ({ room: this.room, ...request })
        ),
      );
      done?.(reply);
    } catch (error) {
      const { code, message, retry } = refusal(error);
      const seconds = code === "too_soon" && retry ? Math.ceil(retry / 1000) : 0;
      this._page.say(seconds ? `You can ask again in ${seconds} s.` : message, true);
    }
  }

  /**
   * Send a command, which changes the room.
   * @template {keyof Requests} T @param {import("../net/connection.js").Lacking<T, "room" | "key">} request
   */
  command(request) {
    return this.ask(
      /** @type {import("../net/connection.js").Lacking<T, "room">} */ (
        /** @type {unknown} */ ({ key: this.connection.newKey(), ...request })
      ),
    );
  }

  /** @param {string} move in coordinate notation @param {string[]} [premoves] those after it */
  async move(move, premoves = []) {
    const { seq } = /** @type {Table} */ (this.table);
    this.sent = move;
    this.premoves = premoves;
    this._page.render();
    await trying(() => this.connection.command({ type: "move", room: this.room, move, seq }), (why) => {
      this.sent = null;
      this.premoves = [];
      this._page.say(why, true);
    });
  }

  /**
   * Make a move in my turn, after the other premoves. That may be now: the turn may have come since the page was drawn.
   * @param {string|null} move two squares, or a drop; null: drop all premoves
   */
  premove(move) {
    this.premoves = move === null ? [] : [...(this.seats.length > 1 ? [] : this.premoves), move];
    this._premoved();
  }

  /** @param {Requests["propose"]["kind"]} kind @param {Partial<Requests["propose"]>} [more] */
  propose(kind, more = {}) {
    const { seq } = /** @type {Table} */ (this.table);
    this.command({ type: "propose", kind, seq, ...more });
  }

  /** Answer the open vote. @param {boolean} accept */
  vote(accept) {
    const proposal = this.table?.proposal;
    if (proposal) this.command({ type: "vote", proposal: proposal.proposal, accept });
  }

  /** Withdraw my open proposal. */
  withdraw() {
    const proposal = this.table?.proposal;
    if (proposal) this.command({ type: "withdraw", proposal: proposal.proposal });
  }

  /** End the game by a claim. */
  claim() {
    this.claims = [];
    this.command({ type: "claim" });
  }

  /** @param {string} seat */
  sit(seat) {
    const { password } = this._follower;
    this.ask({ type: "join", seat, ...(password ? { password } : {}) });
  }

  /** Give the seat back, and watch. */
  stand() {
    this.ask({ type: "leave" }, () => this.connection.again(this.room));
  }

  /** Try again to follow the room. @param {string} password */
  unlock(password) {
    this._follower.password = password;
    this.connection.follow(this.room, this._follower);
  }
}

/**
 * The handler of each kind of frame.
 * @type {{[T in Exclude<Parameters<Follower["take"]>[0]["type"], "study" | "cursors">]: (game: Game, frame: Frames[T])
 * => void}}
 */
const TAKE = {
  room: (game, frame) => game._enter(frame),
  update: (game, frame) => game._update(frame),
  turn: (game, frame) => game._turn(frame),
  presence: (game, frame) => game._presence(frame),
  watchers: (game, { count }) => (game.watchers = count),
  said: (game, frame) => game._page.said(frame),
  reacted: (game, frame) => game._page.reacted(frame),
  error: (game, { message }) => game._page.say(message, true),
};
