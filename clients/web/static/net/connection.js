/**
 * A connection to the server that outlives its sockets. It sends requests and returns their replies, keeps the token
 * of an identity, and sends pings.
 *
 * When a socket is lost, it opens another, proves the same identity, resumes every followed room, and repeats every
 * unanswered request. Commands keep their keys, so the server carries out none of them twice.
 */

/**
 * @typedef {import("../../../../protocol/protocol.d.ts").Requests} Requests by their types
 * @typedef {import("../../../../protocol/protocol.d.ts").Answers} Answers by the types of the requests
 * @typedef {import("../../../../protocol/protocol.d.ts").Frames} Frames by their types
 * @typedef {import("../../../../protocol/protocol.d.ts").Request} Request
 * @typedef {import("../../../../protocol/protocol.d.ts").Frame} Frame
 * @typedef {Frames["room" | "study" | "update" | "turn" | "presence" | "watchers" | "said" | "reacted" |
 * "cursors"]} Pushed the
 * frames for followers of a room
 */

/** @template {keyof Requests} T @typedef {Requests[T] & {type: T}} Asked a request of one type */
/**
 * @template {keyof Requests} T @template {string} K
 * @typedef {Omit<Requests[T], K> & {type: T}} Lacking a request without some of its fields
 */

/**
 * @typedef {object} Follower a follower of a room
 * @property {number|null} seq the last version held; null asks for the snapshot
 * @property {number} [decided] when that version was decided
 * @property {string} [password]
 * @property {boolean} [preview] follow without being counted or shown as a watcher
 * @property {(frame: Pushed | Frames["error"]) => void} take
 * @property {(error: RequestError) => void} refused
 */

/** A request was refused; `code` is stable, `message` a sentence for people. */
export class RequestError extends Error {
  /** @param {Frames["error"]} error */
  constructor(error) {
    super(error.message);
    this.code = error.code;
    this.kind = error.kind;
    this.retry = error.retry;
  }
}

/** The refusal of a request, from a `catch`. Any other error goes on. @param {unknown} error */
export function refusal(error) {
  if (error instanceof RequestError) return error;
  throw error;
}

/** An answer; null if the server refuses. Any other error goes on. @template T @param {Promise<T>} answer */
export const orNull = (answer) =>
  answer.catch((error) => {
    refusal(error);
    return null;
  });

/**
 * Carry out requests; null after a refusal, whose words `complain` gets. Any other error goes on.
 * @template T @param {() => Promise<T>} does @param {(why: string) => void} complain @returns {Promise<T|null>}
 */
export async function trying(does, complain) {
  try {
    return await does();
  } catch (error) {
    complain(refusal(error).message);
    return null;
  }
}

const PROTOCOL = "fourfold.v1+json";
const MAX_FRAME = 8192; // bytes
/** Idle beats before a ping, and beats without a frame before the socket counts as dead. */
const BEAT = 1000; // milliseconds
const IDLE = 3;
const SILENCE = 9;
/** The shortest and longest pause between two attempts, in milliseconds, before jitter. */
const SHORTEST_WAIT = 100;
const LONGEST_WAIT = 3000;

export class Connection {
  /**
   * @param {string} url of the socket
   * @param {object} options
   * @param {string|null} [options.token] @param {string|null} [options.name]
   * @param {(welcome: Frames["welcome"]) => void} [options.welcomed]
   * @param {(online: boolean) => void} [options.changed] the connection is lost, or back
   * @param {(frame: Frame) => void} [options.heard] frames that are neither replies nor of a followed room
   * @param {() => {token: string|null, key: string|null}} [options.stored] the token that this browser has now: another
   * page may have signed in; and the key of a registration of its player that has no answer yet
   * @param {typeof WebSocket} [options.Socket] the class of sockets
   */
  constructor(url, { token = null, name = null, welcomed, changed, heard, stored, Socket = globalThis.WebSocket } = {},
  ) {
    this.url = url;
    this.token = token;
    this.name = name;
    /** @type {string|null} */
    this.player = null;
    this.online = false;
    /** The time of the next attempt while offline, by this machine's clock. */
    this.retryAt = 0;
    /** The server's clock minus this machine's, in milliseconds. */
    this.offset = 0;
    this._welcomed = welcomed;
    this._changed = changed;
    this._heard = heard;
    this._stored = stored;
    this._Socket = Socket;
    this._nextId = 1;
    this._nextKey = 1;
    this._prefix = Math.random().toString(36).slice(2, 10) + Date.now().toString(36);
    /**
     * @type {Map<number, {request: Request, resolve: (frame: any) => void, reject: (error: Error) => void, lasting:
     * boolean}>}
     */
    this._unanswered = new Map();
    /** @type {Map<string, Follower>} */
    this._followers = new Map();
    /** @type {WebSocket|null} */
    this._socket = null;
    this._beats = 0; // beats since the last frame
    this._idle = 0; // beats since the last request
    this._bestTrip = Infinity;
    this._wait = SHORTEST_WAIT;
    this._closed = false;
    this._denied = ""; // why the server refuses this page, as shown to the user
    /** @type {ReturnType<typeof setTimeout>|undefined} */
    this._retry = undefined;
    this._beat = setInterval(() => this._onBeat(), BEAT);
    this._open();
  }

  /** The server's time now, in milliseconds since 1970. */
  now() {
    return Date.now() + this.offset;
  }

  /** A key that no other command shares. */
  newKey() {
    return `${this._prefix}.${this._nextKey++}`;
  }

  /**
   * Send a request. The promise of its reply survives lost sockets. It is rejected with `RequestError` if the server
   * refuses.
   * @template {keyof Requests} T @param {Asked<T>} request @returns {Promise<Answers[T]>}
   */
  request(request) {
    return new Promise((resolve, reject) => this._post(request, resolve, reject, true));
  }

  /**
   * A request that changes a room, with a key of its own.
   * @template {keyof Requests} T @param {Lacking<T, "key">} request
   */
  command(request) {
    return this.request(/** @type {Asked<T>} */ (/** @type {unknown} */ ({ key: this.newKey(), ...request })));
  }

  /**
   * Follow a room, from its snapshot or from the update after `seq`.
   * @param {string} room @param {Follower} follower
   */
  follow(room, follower) {
    this._followers.set(room, follower);
    if (this.online) this._watch(room, follower);
  }

  /** Stop following a room. @param {string} room */
  unfollow(room) {
    if (this._followers.delete(room) && this.online) this._post({ type: "leave", room }, () => {}, () => {}, false);
  }

  /** Change the name. This opens a new connection, because only `hello` carries the name. @param {string} name */
  rename(name) {
    this.name = name || null;
    if (this._socket !== null) this._lose(this._socket);
  }

  /**
   * Use another token from now on. If it belongs to another player, this opens a new connection.
   * @param {string} token
   */
  become(token) {
    const same = token.split(".")[0] === this.player;
    this.token = token;
    if (!same && this._socket !== null) this._lose(this._socket);
  }

  /** Ask for a room again from its snapshot. @param {string} room */
  again(room) {
    const follower = this._followers.get(room);
    if (follower === undefined) return;
    follower.seq = null;
    if (this.online) this._watch(room, follower);
  }

  /** Try to connect at once, if offline: the network may be back. */
  nudge() {
    if (this.online || this._closed || this._socket !== null) return;
    clearTimeout(this._retry);
    this._wait = SHORTEST_WAIT;
    this._open();
  }

  /** The browser reports that it is offline. Check whether it still reaches the server. */
  doubt() {
    if (this._socket !== null) this._lose(this._socket);
  }

  /** Send a ping: after a sleep the socket may be dead without notice. */
  probe() {
    if (this.online) this._ping();
    else this.nudge();
  }

  close() {
    this._closed = true;
    clearInterval(this._beat);
    clearTimeout(this._retry);
    this._socket?.close();
  }

  /** @param {string} room @param {Follower} follower */
  _watch(room, follower) {
    /** @type {Requests["watch"]} */
    const request = { type: "watch", room };
    if (follower.seq !== null) {
      request.since = follower.seq;
      if (follower.decided) request.decided = follower.decided;
    }
    if (follower.password) request.password = follower.password;
    if (follower.preview) request.preview = true;
    const refused = (/** @type {Error} */ error) => {
      if (!(error instanceof RequestError)) return;
      if (error.code === "ahead") this.again(room);
      else if (error.code === "unavailable") setTimeout(() => this.online && this._watch(room, follower), LONGEST_WAIT);
      else follower.refused(error);
    };
    // Not repeated: every new socket sends it again.
    this._post(request, () => {}, refused, false);
  }

  /**
   * @template {keyof Requests} T
   * @param {Asked<T>} request @param {(frame: Answers[T]) => void} resolve @param {(error: Error) => void} reject
   * @param {boolean} lasting whether to repeat it on another socket
   */
  _post(request, resolve, reject, lasting) {
    const id = this._nextId++;
    const numbered = { ...request, id };
    if (new Blob([JSON.stringify(numbered)]).size > MAX_FRAME)
      return reject(
        new RequestError({ type: "error", kind: "refused", code: "too_long", message: "This is too long to be sent." }),
      );
    this._unanswered.set(id, { request: numbered, resolve, reject, lasting });
    if (this.online) this._send(numbered);
  }

  /** @param {Request} request */
  _send(request) {
    if (this._socket?.readyState !== 1) return;
    this._idle = 0;
    this._socket.send(JSON.stringify(request));
  }

  _ping() {
    const sent = Date.now();
    this._post({ type: "ping" }, (pong) => {
      const trip = Date.now() - sent;
      if (trip <= this._bestTrip) {
        this._bestTrip = trip;
        this.offset = pong.time - (sent + trip / 2);
      }
    }, () => {}, false);
  }

  _onBeat() {
    if (this._socket === null) return;
    this._beats += 1;
    this._idle += 1;
    // Beats, not seconds: a sleeping tab has few beats, so an answer still gets its time.
    if (this._beats >= SILENCE) this._lose(this._socket);
    else if (this.online && this._idle >= IDLE) this._ping();
  }

  _open() {
    const socket = new this._Socket(this.url, PROTOCOL);
    this._socket = socket;
    this._beats = 0;
    let opened = false;
    socket.onopen = () => {
      opened = true;
      /** @type {Requests["hello"]} */
      const hello = { type: "hello", id: 0 };
      if (this.token) hello.token = this.token;
      const stored = this._stored?.();
      if (this.token && stored?.key && stored.token === this.token) hello.key = stored.key;
      if (this.name) hello.name = this.name;
      this._send(hello);
    };
    socket.onmessage = (event) => {
      if (socket === this._socket) this._take(JSON.parse(event.data));
    };
    socket.onclose = () => {
      if (!opened && globalThis.location !== undefined) this._ask(location.origin);
      this._lose(socket);
    };
  }

  /**
   * Ask whether the server refuses the pages of this origin. A browser hides why a socket was refused.
   * @param {string} origin
   */
  async _ask(origin) {
    try {
      const answer = await fetch(`/origin?page=${encodeURIComponent(origin)}`);
      const message = answer.ok ? await answer.text() : "";
      if (message === "" || message === this._denied || this.online) return;
      this._denied = message;
      this._heard?.({ type: "error", kind: "refused", code: "origin", message });
    } catch (error) {
      if (!(error instanceof TypeError)) throw error; // a TypeError: the server is unreachable
    }
  }

  /** @param {WebSocket} socket */
  _lose(socket) {
    if (socket !== this._socket) return;
    this._socket = null;
    socket.onclose = socket.onmessage = socket.onopen = null;
    socket.close();
    const was = this.online;
    this.online = false;
    for (const [id, { lasting }] of this._unanswered) if (!lasting) this._unanswered.delete(id);
    if (was) this._changed?.(false);
    if (this._closed) return;
    const pause = this._wait * (1 + Math.random() / 2);
    this.retryAt = Date.now() + pause;
    this._retry = setTimeout(() => this._open(), pause);
    this._wait = Math.min(2 * this._wait, LONGEST_WAIT);
  }

  /** @param {Frame} frame */
  _take(frame) {
    this._beats = 0;
    const id = "id" in frame ? frame.id : undefined;
    if (id === 0 && !this.online) {
      if (frame.type === "welcome") this._greeted(frame);
      else if (frame.type === "error") this._rejected(frame);
      return;
    }
    const room = "room" in frame ? (frame.room ?? undefined) : undefined;
    const follower = room === undefined ? undefined : this._followers.get(room);
    if (follower !== undefined && (isPushed(frame) || (frame.type === "error" && id === undefined))) {
      if (frame.type === "room" || frame.type === "study")
        [follower.seq, follower.decided] = [frame.seq, frame.decided];
      if (frame.type === "update") {
        if (follower.seq !== null && frame.seq > follower.seq + 1) return this.again(frame.room);
        if (frame.seq > (follower.seq ?? 0)) [follower.seq, follower.decided] = [frame.seq, frame.time];
      }
      follower.take(frame);
    } else if (frame.type === "closing") {
      this._wait = frame.retry;
    } else if (id === undefined) {
      this._heard?.(frame);
    }
    if (id === undefined) return;
    const waiting = this._unanswered.get(id);
    if (waiting === undefined) return;
    if (frame.type === "error" && frame.code === "unavailable" && waiting.lasting) {
      setTimeout(() => this.online && this._send(waiting.request), LONGEST_WAIT);
      return;
    }
    this._unanswered.delete(id);
    if (frame.type === "error") waiting.reject(new RequestError(frame));
    else waiting.resolve(frame);
  }

  /** @param {Frames["error"]} error the error that answered `hello` */
  _rejected(error) {
    if (error.code === "bad_token") {
      const other = this._stored?.().token ?? null;
      this.token = other === this.token ? null : other; // null: become a new guest
    }
    if (error.code === "banned") {
      this.close();
      this._heard?.(error);
      return;
    }
    const socket = this._socket;
    if (socket !== null) this._lose(socket);
  }

  /** @param {Frames["welcome"]} welcome */
  _greeted(welcome) {
    this.online = true;
    this._denied = "";
    this._wait = SHORTEST_WAIT;
    this.player = welcome.player;
    this.token = welcome.token;
    this.name = welcome.name;
    if (this._bestTrip === Infinity) this.offset = welcome.time - Date.now();
    // Before `welcomed`, whose own requests are sent at once: they must not be sent twice.
    const unanswered = [...this._unanswered.values()].filter(({ lasting }) => lasting);
    for (const [room, follower] of this._followers) this._watch(room, follower);
    for (const { request } of unanswered) this._send(request);
    this._welcomed?.(welcome);
    this._ping();
    this._changed?.(true);
  }
}

const PUSHED = /^(room|study|update|turn|presence|watchers|said|reacted|cursors)$/;

/** Whether a frame is one for the followers of its room. @param {Frame} frame @returns {frame is Pushed} */
const isPushed = (frame) => PUSHED.test(frame.type);
