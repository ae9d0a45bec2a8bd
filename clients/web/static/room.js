/** The page of a room: play, watch, or look back. It joins the connection, the table and the parts of the page. */

import { BoardView } from "./board.js";
import { Cards } from "./cards.js";
import { Connection, RequestError } from "./connection.js";
import { byId, confirm, el, renew, setText, toast } from "./dom.js";
import { read } from "./fen.js";
import { rotationFor } from "./geometry.js";
import * as panels from "./panels.js";
import { sprite } from "./pieces.js";
import * as settings from "./settings.js";
import * as sound from "./sound.js";
import { after, Gap, of, ofRecord, remaining, seatOf, squares } from "./table.js";
import { capital, control, ending, face, gone, motion, plural, span, spoken } from "./words.js";

/** @typedef {import("./table.js").Table} Table */

class RoomPage {
  /** @param {string} room */
  constructor(room) {
    this.room = room;
    /** @type {Table|null} */
    this.table = null;
    /** @type {string[]} the moves of my turn */
    this.legal = [];
    /** @type {string|null} */
    this.premove = null;
    /** @type {string|null} a move that is on its way */
    this.sent = null;
    /** @type {number|null} the ply that is looked at; null: the latest */
    this.viewed = null;
    this.previewing = false;
    this.watchers = 0;
    /** @type {number} how the board was turned by hand, in quarters */
    this.turned = 0;
    /** @type {any[]} updates since the snapshot, for the record to be continued with */
    this._since = [];
    this._recording = false;
    const hash = new URLSearchParams(location.hash.slice(1));
    this.follower = {
      seq: /** @type {number|null} */ (null),
      password: hash.get("password") ?? undefined,
      take: (/** @type {any} */ frame) => this.take(frame),
      refused: (/** @type {RequestError} */ error) => this.refused(error),
    };
    this.connection = new Connection(settings.socketUrl(), {
      token: settings.get("token"),
      name: settings.get("name"),
      welcomed: (welcome) => {
        settings.set("token", welcome.token);
        byId("offline").hidden = true;
      },
      changed: (online) => this.changed(online),
    });
    this.connection.follow(room, this.follower);
    this._wire();
    setInterval(() => this.tick(), 100);
  }

  // -- what the server says --

  /** @param {any} frame */
  take(frame) {
    switch (frame.type) {
      case "room":
        this._since = [];
        this.watchers = frame.watchers;
        this.enter(of(frame));
        this.record();
        break;
      case "update":
        this.update(frame);
        break;
      case "turn":
        if (this.table !== null && frame.seq >= this.table.seq) {
          this.legal = frame.legal;
          this.firePremove(frame);
        }
        break;
      case "presence":
        if (this.table !== null) {
          const seats = this.table.seats.map((seat) => (seat.seat === frame.seat ? { ...seat, online: frame.online } : seat));
          this.table = { ...this.table, seats };
        }
        break;
      case "watchers":
        this.watchers = frame.count;
        break;
      case "said":
        panels.said(byId("said"), frame);
        if (frame.seat !== this.mine) this.speak(`${frame.name} says: ${frame.text}`);
        break;
      case "error":
        toast(frame.message, "bad");
        break;
    }
    this.render();
  }

  /** @param {Table} table */
  enter(table) {
    const first = this.table === null;
    this.table = table;
    this.legal = [];
    this.premove = null;
    this.viewed = null;
    if (first) {
      const names = table.seats.map((seat) => seat.seat);
      this.board = new BoardView(byId("board"), {
        players: names.length,
        onMove: (move) => this.move(move),
        onPremove: (move) => this.setPremove(move),
        onCancel: () => this.setPremove(null),
      });
      document.body.classList.add(`players-${names.length}`);
      this.cards = new Cards(byId("stage"), names);
      this.cards.turn(0);
    }
  }

  /** The moves' boards and notation from the beginning, so that one can look back. */
  async record() {
    if (this._recording || this.table === null) return;
    this._recording = true;
    try {
      const { text } = await this.connection.request({ type: "export", room: this.room, format: "json" });
      let table = ofRecord(JSON.parse(text));
      for (const update of this._since) table = after(table, update);
      if (this.table !== null && table.seq === this.table.seq) {
        this.table = { ...this.table, line: table.line };
        this.render();
      }
    } catch (error) {
      // Without it one cannot look back beyond what one has seen; play goes on.
      if (!(error instanceof RequestError) && !(error instanceof Gap)) throw error;
    } finally {
      this._recording = false;
    }
  }

  /** @param {any} update */
  update(update) {
    if (this.table === null) return;
    const before = this.table;
    this._since.push(update);
    this.table = after(before, update);
    if (this.table === before) return;
    const { line } = this.table;
    const kinds = update.events.map((/** @type {any} */ event) => event.type);
    if (kinds.some((/** @type {string} */ kind) => BOARD_CHANGES.has(kind))) {
      this.legal = [];
      this.sent = null;
      if (kinds.includes("moved") || this.viewed !== null && this.viewed > line.length) this.viewed = null;
      if (!kinds.includes("moved")) this.premove = null;
    }
    if (this.table.proposal?.proposal !== before.proposal?.proposal) this.previewing = false;
    if (update.events.some((/** @type {any} */ event) => event.type === "seated" && event.player === this.connection.player)) {
      this.watchers = Math.max(0, this.watchers - 1); // I was one of them, which is told only where it stays so for a while
    }
    if (kinds.includes("redone")) this.record();
    if (kinds.includes("rematched")) this.turned = 0;
    this.tell(update, before);
  }

  /** Let the page say, and sound, what has happened. @param {any} update @param {Table} before */
  tell(update, before) {
    const table = /** @type {Table} */ (this.table);
    const sentences = [];
    let noise = /** @type {sound.Sound|null} */ (null);
    for (const event of update.events) {
      switch (event.type) {
        case "moved": {
          const step = table.line[event.ply - 1];
          if (step === undefined) break;
          sentences.push(spoken(step, table.board[squares(step.move)[1]]));
          noise = step.check.length ? "check" : step.taken ? "take" : "move";
          break;
        }
        case "started":
          sentences.push("The game begins.");
          noise = "turn";
          break;
        case "eliminated":
          sentences.push(`${capital(event.seat)} is out: ${gone(event.reason)}.`);
          break;
        case "resigned":
          sentences.push(`${capital(event.seat)} resigns.`);
          break;
        case "flagged":
          sentences.push(`${capital(event.seat)} is out of time.`);
          break;
        case "seated":
          sentences.push(`${event.name} sits at ${event.seat}.`);
          break;
        case "proposed":
          if (event.seat !== this.mine) {
            sentences.push(`${motion(event)}.`);
            noise = "turn";
          }
          break;
        case "closed":
          sentences.push(CLOSED[event.outcome] ?? "");
          if (event.outcome === "refused" || event.outcome === "expired") toast(CLOSED[event.outcome]);
          break;
        case "undone":
          sentences.push(`${plural(event.plies, "move")} taken back.`);
          break;
        case "redone":
          sentences.push(`${plural(event.plies, "move")} played again.`);
          break;
        case "finished":
          sentences.push(ending(event.result));
          noise = "end";
          break;
        case "rematched":
          sentences.push("The next game begins.");
          break;
      }
    }
    const myTurn = this.mine !== null && table.turn === this.mine && table.status === "playing";
    if (myTurn && before.turn !== this.mine) {
      const left = table.clocks?.left[/** @type {string} */ (this.mine)];
      sentences.push(left === undefined ? "Your turn." : `Your turn, ${span(left)}.`);
      if (noise === "move") noise = "turn";
    }
    if (noise !== null) sound.play(noise);
    if (sentences.length) this.speak(sentences.filter(Boolean).join(" "));
  }

  /** @param {string} text */
  speak(text) {
    byId("spoken").textContent = text;
  }

  /** @param {boolean} online */
  changed(online) {
    const banner = byId("offline");
    if (online) {
      banner.hidden = true;
      if (this._wasOffline) toast("Back again.");
      this._wasOffline = false;
    } else {
      this._wasOffline = true;
      // A restart is over in a blink; only what lasts is worth a word.
      setTimeout(() => {
        if (this.connection.online) return;
        banner.hidden = false;
        setText(banner, "The connection is lost; trying again. Nothing is lost: what you do now is sent once you are back.");
        }, 1500);
    }
    this.render();
  }

  /** @param {RequestError} error */
  refused(error) {
    if (error.code === "password_needed" || error.code === "wrong_password") {
      this.askPassword(error.code === "wrong_password" ? error.message : "");
      return;
    }
    const board = byId("board");
    board.replaceChildren(
      el("div", { class: "nothing" }, el("h2", {}, error.code === "no_such_room" ? "There is no such game." : error.message), el("p", {}, el("a", { href: "/" }, "Back to the lobby"))),
    );
  }

  /** @param {string} why */
  askPassword(why) {
    const input = /** @type {HTMLInputElement} */ (el("input", { type: "password", id: "password", maxlength: "64", autocomplete: "off", required: true }));
    const form = el(
      "form",
      { class: "nothing" },
      el("h2", {}, "This game has a password."),
      why ? el("p", { class: "bad" }, why) : null,
      el("label", { for: "password" }, "Password"),
      input,
      el("button", { class: "primary" }, "Enter"),
    );
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      byId("board").replaceChildren();
      this.follower.password = input.value;
      this.connection.follow(this.room, this.follower);
    });
    byId("board").replaceChildren(form);
    input.focus();
  }

  // -- what its user does --

  /** My seat, or the one I hold for somebody. */
  get mine() {
    const me = this.connection.player;
    return this.table?.seats.find((seat) => me !== null && (seat.player === me || seat.stand_in === me))?.seat ?? null;
  }

  /**
   * Ask for something; what is refused is said.
   * @param {any} request @param {(reply: any) => void} [done]
   */
  async ask(request, done) {
    try {
      const reply = await this.connection.request({ room: this.room, ...request });
      done?.(reply);
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      toast(error.message, "bad");
      this.speak(error.message);
    }
  }

  /** @param {string} move in coordinate notation */
  async move(move) {
    const table = /** @type {Table} */ (this.table);
    this.sent = move;
    this.premove = null;
    this.render();
    try {
      await this.connection.command({ type: "move", room: this.room, move, seq: table.seq });
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      this.sent = null;
      toast(error.message, "bad");
      this.speak(error.message);
      this.board?.select(null);
    }
    this.render();
  }

  /** @param {string|null} move */
  setPremove(move) {
    this.premove = move;
    if (move !== null) this.speak(`Ahead of your turn: ${move}.`);
    this.render();
  }

  /** It is my turn: make the move that I chose ahead, if it is legal now. @param {any} turn */
  firePremove(turn) {
    if (this.premove === null) return;
    const wanted = this.premove;
    this.premove = null;
    const move = turn.legal.find((/** @type {string} */ one) => one === wanted || one === `${wanted}q`);
    if (move !== undefined) this.move(move);
    else toast("The move you chose ahead is not possible now.");
  }

  /** @param {string} kind @param {object} [more] */
  propose(kind, more = {}) {
    const table = /** @type {Table} */ (this.table);
    this.ask({ type: "propose", kind, seq: table.seq, key: this.connection.newKey(), ...more });
  }

  /** @param {string} seat */
  sit(seat) {
    /** @type {any} */
    const request = { type: "join", seat };
    if (this.follower.password) request.password = this.follower.password;
    this.ask(request);
  }

  async resign() {
    if (await confirm("Give up this game?", "Resign")) this.ask({ type: "resign", key: this.connection.newKey() });
  }

  /** Text typed instead of a move made on the board: a move, or a command. @param {string} text */
  type(text) {
    const table = this.table;
    if (table === null || text === "") return;
    const word = text.trim();
    const command = COMMANDS[word.toLowerCase()];
    if (command !== undefined) {
      this.speak(command(this, table));
      return;
    }
    const [, letter] = /^p\s+([a-z])$/i.exec(word) ?? [];
    if (letter !== undefined) {
      const found = Object.entries(table.board).filter(([, cell]) => cell.endsWith(letter.toUpperCase()) && cell.length === 2);
      this.say(found.map(([square]) => `${this.board?.describe(square)} ${square}`).join(", ") || "None.");
      return;
    }
    if (table.turn !== this.mine || this.mine === null) {
      this.say(table.status === "playing" ? "It is not your turn." : "No game is being played.");
      return;
    }
    const move = this.meant(word);
    if (typeof move === "string") this.move(move);
    else this.say(move.why);
  }

  /** Say something here and to screen readers. @param {string} text */
  say(text) {
    toast(text);
    this.speak(text);
  }

  /**
   * The legal move that a text means: coordinates (`e2e4`, `e7e8q`) or the usual notation (`Nf3`, `exd5`, `O-O`, `e8=Q`).
   * @param {string} text @returns {string|{why: string}}
   */
  meant(text) {
    const table = /** @type {Table} */ (this.table);
    const plain = text.replace(/[+#!?\s]/g, "");
    const exact = plain.toLowerCase().replace(/[-x:=]/g, "");
    if (this.legal.includes(exact)) return exact;
    const castles = { "O-O": 1, "0-0": 1, "O-O-O": 2, "0-0-0": 2 }[plain.toUpperCase()];
    const kindOf = (/** @type {string} */ move) => {
      const kind = table.board[squares(move)[0]]?.slice(-1) ?? "";
      return kind === "D" ? "Q" : kind;
    };
    /** @type {string[]} */
    let found = [];
    if (castles !== undefined) {
      found = this.legal.filter((move) => {
        const [from, to] = squares(move);
        const steps = from[0] === to[0] ? Math.abs(Number(from.slice(1)) - Number(to.slice(1))) : Math.abs(from.charCodeAt(0) - to.charCodeAt(0));
        return kindOf(move) === "K" && steps === 2;
      });
      // The rook is nearer on the short side.
      const side = (/** @type {string} */ move) => (kingside(move, table) ? 1 : 2);
      found = found.filter((move) => side(move) === castles);
    } else {
      const match = /^([KQRBN])?([a-n]?\d{0,2})[-x:]?[KQRBN]?([a-n]\d{1,2})=?([QRBNqrbn])?$/.exec(plain);
      if (match === null) return { why: `“${text}” is not a move such as e2e4, Nf3 or O-O.` };
      const [, kind = "P", from, to, promotion = ""] = match;
      found = this.legal.filter((move) => {
        const [source, target] = squares(move);
        const becomes = move.slice((source + target).length);
        return kindOf(move) === kind && target === to && (source === from || source.includes(from)) && becomes === promotion.toLowerCase();
      });
    }
    if (found.length === 1) return found[0];
    return { why: found.length ? `Which one? ${found.join(" or ")}` : `“${text}” is not possible now.` };
  }

  /** @param {number} ply */
  look(ply) {
    const table = this.table;
    if (table === null) return;
    const wanted = Math.max(0, Math.min(table.line.length, ply));
    this.viewed = wanted === table.line.length ? null : wanted;
    this.previewing = false;
    const step = table.line[wanted - 1];
    this.speak(step === undefined ? "The start." : spoken(step, step.board?.[squares(step.move)[1]]));
    this.render();
  }

  /** @param {string} text @param {string} what */
  async copy(text, what) {
    try {
      await navigator.clipboard.writeText(text);
      toast(`${what} copied.`);
    } catch (error) {
      if (!(error instanceof DOMException) && !(error instanceof TypeError)) throw error;
      this.showText(text, what); // without the right to the clipboard, at least to be selected
    }
  }

  /** @param {string} text @param {string} what */
  showText(text, what) {
    const area = el("textarea", { readonly: true, rows: "12", "aria-label": what }, text);
    const dialog = /** @type {HTMLDialogElement} */ (
      el("dialog", { class: "ask text" }, el("h2", {}, what), area, el("form", { method: "dialog", class: "buttons" }, el("button", { class: "primary" }, "Close")))
    );
    dialog.addEventListener("close", () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
    /** @type {HTMLTextAreaElement} */ (area).select();
  }

  /** @param {string} format */
  export(format) {
    this.ask({ type: "export", format }, ({ text }) => {
      const name = format.toUpperCase();
      this.showText(text, name);
      navigator.clipboard?.writeText(text).then(() => toast(`${name} copied.`), () => {}); // shown in any case
    });
  }

  _wire() {
    settings.themeButton(byId("theme"));
    const soundButton = byId("sound");
    const hear = () => soundButton.setAttribute("aria-pressed", String(sound.enabled()));
    hear();
    soundButton.onclick = () => {
      settings.set("sound", sound.enabled() ? "off" : "on");
      hear();
      sound.play("turn");
    };
    const flip = () => {
      const two = this.table?.seats.length === 2;
      this.turned += two ? 2 : 1;
      this.render();
    };
    byId("flip").onclick = flip;
    const latest = () => this.table?.line.length ?? 0;
    const at = () => this.viewed ?? latest();
    byId("first").onclick = () => this.look(0);
    byId("back").onclick = () => this.look(at() - 1);
    byId("forth").onclick = () => this.look(at() + 1);
    byId("live").onclick = () => this.look(latest());
    document.addEventListener("keydown", (event) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      const target = /** @type {HTMLElement} */ (event.target);
      if (target.matches("input, textarea, select, dialog *")) return;
      const does = /** @type {Record<string, () => void>} */ ({
        ArrowLeft: () => this.look(at() - 1),
        ArrowRight: () => this.look(at() + 1),
        Home: () => this.look(0),
        End: () => this.look(latest()),
        f: flip,
      })[event.key];
      if (does === undefined) return;
      does();
      event.preventDefault();
    });
    byId("typed").addEventListener("submit", (/** @type {Event} */ event) => {
      event.preventDefault();
      const input = byId("move");
      this.type(input.value.trim());
      input.value = "";
    });
    byId("say").addEventListener("submit", (/** @type {Event} */ event) => {
      event.preventDefault();
      const input = byId("text");
      const text = input.value.trim();
      if (text) this.ask({ type: "say", text }, () => (input.value = ""));
    });
    addEventListener("online", () => this.connection.nudge());
    document.addEventListener("visibilitychange", () => document.hidden || this.connection.probe());
  }

  // -- what is seen --

  tick() {
    const { table } = this;
    if (table === null) return;
    const now = this.connection.now();
    this.cards?.tick(table, now);
    if (table.proposal !== null) this.showVote();
    const myTurn = table.status === "playing" && table.turn === this.mine && this.mine !== null;
    const flash = myTurn && document.hidden && Math.floor(now / 1000) % 2 === 0;
    const names = panels.title(table);
    const left = myTurn ? remaining(table, /** @type {string} */ (this.mine), now) : null;
    const clock = left === null ? "" : ` (${face(left)})`;
    const text = myTurn ? (flash ? "● Your turn!" : `Your turn${clock}`) : table.status === "finished" && table.result ? ending(table.result) : names;
    const full = `${text} · Fourfold`;
    if (document.title !== full) document.title = full;
    const icon = `/static/${myTurn ? "icon-turn" : "icon"}.svg`;
    const link = byId("icon");
    if (link.getAttribute("href") !== icon) link.setAttribute("href", icon);
  }

  /** What is on the board now: the latest position, a past one, or the one that a vote is on. */
  shown() {
    const table = /** @type {Table} */ (this.table);
    const { line, proposal } = table;
    if (this.previewing && proposal?.position) {
      const there = read(proposal.position);
      return { board: there.board, last: [], check: [], line: line.slice(0, proposal.ply ?? line.length), points: table.points, live: false };
    }
    if (this.viewed !== null) {
      const step = line[this.viewed - 1];
      const past = this.viewed === 0 ? read(table.start).board : step.board;
      if (past !== null) {
        return { board: past, last: step ? squares(step.move) : [], check: step?.check ?? [], line: line.slice(0, this.viewed), points: step?.points ?? table.points, live: false };
      }
    }
    const last = line[line.length - 1];
    return { board: table.board, last: last ? squares(last.move) : [], check: table.check, line, points: table.points, live: true };
  }

  render() {
    const { table, board, cards, mine } = this;
    if (table === null || board === undefined || cards === undefined) return;
    const shown = this.shown();
    const names = table.seats.map((seat) => seat.seat);
    const rotation = (rotationFor(names, mine) + this.turned) % 4;
    board.rotate(rotation);
    cards.turn(rotation);
    let view = shown.board;
    const live = shown.live && table.status === "playing";
    const waiting = live && this.sent !== null;
    if (waiting) {
      // The piece is shown where it was put; what else the move does comes with the answer.
      const [from, to] = squares(/** @type {string} */ (this.sent));
      const { [from]: gone, ...rest } = view;
      if (gone !== undefined) view = { ...rest, [to]: gone };
    }
    const proposal = table.proposal;
    board.show({
      board: view,
      last: waiting ? squares(/** @type {string} */ (this.sent)) : shown.last,
      check: shown.check,
      legal: live && !waiting && table.turn === mine ? this.legal : [],
      mine: live && !waiting && mine !== null && seatOf(table, mine).out === null ? mine : null,
      turn: table.turn,
      premove: this.premove,
      ghost: this.previewing && proposal?.position ? differences(table.board, shown.board) : [],
    });
    byId("board").classList.toggle("past", !shown.live);
    cards.show(table, { board: shown.board, line: shown.line, points: shown.points, mine, player: this.connection.player });
    this.tick();
    this.showSide(table, mine);
  }

  showVote() {
    const { table } = this;
    if (table === null) return;
    panels.vote(byId("vote"), table, this.mine, {
      now: this.connection.now(),
      previewing: this.previewing,
      vote: (accept) => this.ask({ type: "vote", proposal: table.proposal?.proposal, accept, key: this.connection.newKey() }),
      preview: () => {
        this.previewing = !this.previewing;
        this.viewed = null;
        this.render();
      },
    });
  }

  /** @param {Table} table @param {string|null} mine */
  showSide(table, mine) {
    renew(byId("title"), [table.variant, table.clocks?.base, table.game, table.locked, table.visibility], () => [
      el("span", {}, panels.title(table)),
      el("span", { class: "soft" }, ` ${control(table.clocks)}${table.game > 1 ? ` · game ${table.game}` : ""}${table.visibility === "private" ? " · private" : ""}${table.locked ? " · password" : ""}`),
    ]);
    this.showVote();
    const hosted = (settings.get("hosted") ?? "").split(" ").includes(this.room);
    panels.seats(byId("seats"), table, {
      player: this.connection.player,
      hosted,
      link: location.origin + location.pathname,
      sit: (seat) => this.sit(seat),
      bot: (seat, level) => this.ask({ type: "bot", seat, level }),
      stand: () => this.ask({ type: "leave" }, () => this.connection.again(this.room)),
      copy: (text) => this.copy(text, "Link"),
    });
    panels.result(byId("result"), table, mine, () => this.propose("rematch"));
    panels.moves(byId("moves"), table, this.viewed ?? table.line.length, (ply) => this.look(ply));
    const at = this.viewed ?? table.line.length;
    byId("first").disabled = byId("back").disabled = at === 0;
    byId("forth").disabled = byId("live").disabled = this.viewed === null;
    byId("live").classList.toggle("calls", this.viewed !== null && table.status === "playing");
    byId("typed").hidden = mine === null || table.status !== "playing";
    this.showActions(table, mine);
    byId("talk").hidden = !table.chat;
    setText(byId("watching"), this.watchers ? `${plural(this.watchers, "spectator")} watching` : "");
  }

  /** @param {Table} table @param {string|null} mine */
  showActions(table, mine) {
    const playing = table.status === "playing" && mine !== null && seatOf(table, mine).out === null;
    const moved = new Set(table.line.map((step) => step.seat));
    const young = playing && !table.seats.every((seat) => seat.out !== null || moved.has(seat.seat));
    const busy = table.proposal !== null;
    const formats = table.seats.length === 2 ? ["pgn", "fen", "smith"] : ["pgn4", "fen", "smith"];
    const absent = playing && table.clocks === null ? table.seats.filter((seat) => seat.out === null && !seat.online && seat.seat !== mine && seat.player !== null && !seat.stand_in) : [];
    renew(byId("actions"), [playing, young, busy, table.line.length > 0, table.redo, formats, absent.map((seat) => seat.seat)], () => {
      const button = (/** @type {string} */ text, /** @type {() => void} */ does, /** @type {object} */ more = {}) =>
        el("button", { type: "button", "data-focus": text, onclick: does, ...more }, text);
      /** @type {HTMLInputElement} */
      const plies = /** @type {HTMLInputElement} */ (el("input", { type: "number", min: "1", max: String(table.line.length), value: "1", "aria-label": "How many moves", "data-focus": "plies" }));
      return [
        playing && table.line.length > 0 && !busy
          ? el("span", { class: "undo" }, button("Undo", () => this.propose("undo", { plies: Number(plies.value) || 1 })), plies)
          : null,
        playing && table.redo > 0 && !busy ? button("Redo", () => this.propose("redo", { plies: 1 })) : null,
        playing && !busy ? button("Draw", () => this.propose("draw"), { title: "Offer a draw" }) : null,
        young ? button("Call off", () => this.ask({ type: "abort", key: this.connection.newKey() })) : null,
        playing ? button("Resign", () => this.resign(), { class: "quiet-danger" }) : null,
        ...(busy ? [] : absent.map((seat) => button(`Go on without ${seat.seat}`, () => this.propose("remove", { seat: seat.seat })))),
        ...(busy ? [] : absent.map((seat) => button(`Bot for ${seat.seat}`, () => this.propose("stand_in", { seat: seat.seat, level: 3 })))),
        el(
          "details",
          { class: "export" },
          el("summary", {}, "Export"),
          el("div", { class: "menu" }, ...formats.map((format) => button(format.toUpperCase(), () => this.export(format)))),
        ),
      ];
    });
  }
}

/** @param {string} move @param {Table} table whether a castling goes to the side of the nearer rook */
function kingside(move, table) {
  const [from, to] = squares(move);
  const along = from[0] !== to[0];
  const value = (/** @type {string} */ square) => (along ? square.charCodeAt(0) : Number(square.slice(1)));
  const step = Math.sign(value(to) - value(from));
  const king = table.board[from];
  for (let distance = 1; distance < 8; distance++) {
    const at = value(from) + step * distance;
    const square = along ? String.fromCharCode(at) + from.slice(1) : from[0] + at;
    if (table.board[square] === `${king[0]}R`) return distance === 3;
  }
  return false;
}

/** Squares on which two boards differ. @param {Table["board"]} one @param {Table["board"]} other */
const differences = (one, other) => [...new Set([...Object.keys(one), ...Object.keys(other)])].filter((square) => one[square] !== other[square]);

const BOARD_CHANGES = new Set(["moved", "undone", "redone", "resigned", "flagged", "removed", "finished", "rematched"]);

/** @type {Record<string, string>} */
const CLOSED = { carried: "All agreed.", refused: "That was refused.", expired: "Not everybody answered: the vote is over.", superseded: "" };

/** What can be typed besides moves: each says something. @type {Record<string, (page: RoomPage, table: Table) => string>} */
const COMMANDS = {
  clocks: (page, table) => {
    const text = table.clocks === null ? "No clocks here." : table.seats.map((seat) => `${seat.seat} ${span(/** @type {any} */ (table.clocks).left[seat.seat])}`).join(", ");
    toast(text);
    return text;
  },
  last: (_page, table) => {
    const step = table.line[table.line.length - 1];
    return step === undefined ? "No moves yet." : spoken(step, table.board[squares(step.move)[1]]);
  },
  resign: (page) => {
    page.resign();
    return "";
  },
  draw: (page) => {
    page.propose("draw");
    return "Draw offered.";
  },
  help: (page) => {
    const text = "Type a move such as e2e4 or Nf3; or: p n (where knights are), last, clocks, draw, resign.";
    toast(text);
    return text;
  },
};
COMMANDS["?"] = COMMANDS.help;

settings.applyTheme();
document.body.append(sprite());
new RoomPage(decodeURIComponent(location.pathname.slice(3)));
