/** The page of a room: play, watch, or look back. It joins the game and the parts of the page. */

import { actions } from "./actions.js";
import { call } from "./attention.js";
import { BoardView } from "./board.js";
import * as build from "./build.js";
import { Cards } from "./cards.js";
import { command } from "./commands.js";
import { askPassword, confirm, copy, showNothing, showText } from "./dialogs.js";
import { byId, el, renew, setText, toast } from "./dom.js";
import { Game } from "./game.js";
import { rotationFor } from "./geometry.js";
import { meant } from "./movetext.js";
import { CLOSED, news } from "./news.js";
import * as panels from "./panels.js";
import { sprite } from "./pieces.js";
import { Preferences } from "./preferences.js";
import { scene } from "./scene.js";
import * as settings from "./settings.js";
import * as sound from "./sound.js";
import { seatOf, squares } from "./table.js";
import { control, plural, spoken } from "./words.js";

/** @typedef {import("./table.js").Table} Table */

/** A restart is over in a blink; only what lasts is worth a word. Milliseconds. */
const WORTH_A_WORD = 1500;

class RoomPage {
  /** @param {string} room */
  constructor(room) {
    /** @type {number|null} the ply that is looked at; null: the latest */
    this.viewed = null;
    this.previewing = false;
    /** @type {number} how the board was turned by hand, in quarters */
    this.turned = 0;
    /** @type {Record<string, number>|null} what the clocks showed at the ply that is looked at */
    this._left = null;
    this._wasOffline = false;
    const hash = new URLSearchParams(location.hash.slice(1));
    const how = { url: settings.socketUrl(), token: settings.get("token"), name: settings.get("name"), password: hash.get("password") ?? undefined };
    this.game = new Game(room, how, this);
    this.preferences = new Preferences(this.game, () => this.render());
    this._wire();
    setInterval(() => this.tick(), 100);
  }

  // -- what the game says --

  /** @param {any} welcome */
  welcomed = (welcome) => {
    settings.set("token", welcome.token);
    build.told(welcome.build, () => this.game.table?.status !== "playing" || this.game.table.turn !== this.game.mine);
  };

  /** @param {boolean} first */
  entered(first) {
    this.viewed = null;
    if (!first) return;
    const names = this.table.seats.map((seat) => seat.seat);
    this.board = new BoardView(byId("board"), {
      players: names.length,
      onMove: (move) => this.game.move(move),
      onPremove: (move) => this.setPremove(move),
      onCancel: () => this.setPremove(null),
    });
    document.body.classList.add(`players-${names.length}`);
    this.cards = new Cards(byId("stage"), names);
    this.cards.turn(0);
  }

  /** @param {{events: import("./table.js").Event[]}} update @param {Table} before */
  updated({ events }, before) {
    const { table } = this;
    if (this.preferences.refuseDraw()) return;
    const kinds = events.map((event) => event.type);
    if (kinds.includes("moved") || (this.viewed !== null && this.viewed > table.line.length)) this.viewed = null;
    if (table.proposal?.proposal !== before.proposal?.proposal) this.previewing = false;
    if (kinds.includes("rematched")) this.turned = 0;
    const hushed = this.preferences.quiet && before.proposal?.kind === "draw";
    for (const { type, outcome } of events) if (type === "closed" && outcome !== "carried" && CLOSED[outcome] && !hushed) toast(CLOSED[outcome]);
    const told = news(events, before, table, this.game.mine);
    if (told.sound !== null) sound.play(told.sound);
    if (told.text) this.speak(told.text);
  }

  /** @param {any} said */
  said(said) {
    panels.said(byId("said"), said);
    if (said.seat !== this.game.mine) this.speak(`${said.name} says: ${said.text}`);
  }

  /** @param {string} text */
  speak(text) {
    byId("spoken").textContent = text;
  }

  /** Say something here and to screen readers. @param {string} text @param {"plain"|"bad"} [tone] */
  say(text, tone) {
    toast(text, tone);
    this.speak(text);
  }

  /** @param {boolean} online */
  changed = (online) => {
    const banner = byId("offline");
    if (online) {
      banner.hidden = true;
      if (this._wasOffline) toast("Back again.");
    } else {
      setTimeout(() => {
        if (this.game.connection.online) return;
        banner.hidden = false;
        setText(banner, "The connection is lost; trying again. Nothing is lost: what you do now is sent once you are back.");
      }, WORTH_A_WORD);
    }
    this._wasOffline = !online;
    this.render();
  };

  /** @param {import("./connection.js").RequestError} error */
  refused = (error) => {
    if (error.code === "password_needed" || error.code === "wrong_password") {
      askPassword(error.code === "wrong_password" ? error.message : "", (password) => this.game.unlock(password));
    } else showNothing(error.code === "no_such_room" ? "There is no such game." : error.message);
  };

  // -- what its user does --

  /** Of a game that has been entered. */
  get table() {
    return /** @type {Table} */ (this.game.table);
  }

  /** @param {string|null} move */
  setPremove(move) {
    this.game.premove = move;
    this.speak(move === null ? "No move ahead of your turn." : `Ahead of your turn: ${move}.`);
    this.render();
  }

  async resign() {
    if (await confirm("Give up this game?", "Resign")) this.game.command({ type: "resign" });
  }

  /** Text typed instead of a move made on the board: a move, or a command. @param {string} word */
  type(word) {
    const { board, game, table } = this;
    if (board === undefined || word === "") return;
    const said = command(word, { table, describe: (square) => board.describe(square), resign: () => this.resign(), draw: () => game.propose("draw") });
    if (said !== null) {
      if (said) this.say(said);
    } else if (game.mine === null || table.turn !== game.mine) {
      this.say(table.status === "playing" ? "It is not your turn." : "No game is being played.");
    } else {
      const move = meant(word, table.board, game.legal);
      if (typeof move === "string") game.move(move);
      else this.say(move.why);
    }
  }

  /** The ply that is shown. */
  get at() {
    return this.viewed ?? this.table.line.length;
  }

  /** @param {number} ply */
  look(ply) {
    if (this.game.table === null) return;
    const { line } = this.table;
    const wanted = Math.max(0, Math.min(line.length, ply));
    this.viewed = wanted === line.length ? null : wanted;
    this.previewing = false;
    const step = line[wanted - 1];
    this.speak(step === undefined ? "The start." : spoken(step, step.board?.[squares(step.move)[1]]));
    this.render();
  }

  flip() {
    this.turned += this.table.seats.length === 2 ? 2 : 1;
    this.render();
  }

  /** @param {string} format */
  export(format) {
    this.game.ask({ type: "export", format }, ({ text }) => {
      const name = format.toUpperCase();
      showText(text, name);
      navigator.clipboard?.writeText(text).then(() => toast(`${name} copied.`), () => {}); // shown in any case
    });
  }

  _wire() {
    settings.themeButton(byId("theme"));
    settings.soundButton(byId("sound"), () => sound.play("turn"));
    const steps = { first: () => this.look(0), back: () => this.look(this.at - 1), forth: () => this.look(this.at + 1), live: () => this.look(Infinity) };
    for (const [id, does] of Object.entries(steps)) byId(id).onclick = does;
    byId("flip").onclick = () => this.flip();
    /** @type {Record<string, () => void>} */
    const keys = { ArrowLeft: steps.back, ArrowRight: steps.forth, Home: steps.first, End: steps.live, f: () => this.flip() };
    document.addEventListener("keydown", (event) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || this.game.table === null) return;
      if (/** @type {HTMLElement} */ (event.target).matches("input, textarea, select, dialog *")) return;
      if (keys[event.key] === undefined) return;
      keys[event.key]();
      event.preventDefault();
    });
    /** Send what is in a form's input. @param {string} form @param {string} input @param {(text: string, field: HTMLInputElement) => void} send */
    const wire = (form, input, send) =>
      byId(form).addEventListener("submit", (/** @type {Event} */ event) => {
        event.preventDefault();
        send(byId(input).value.trim(), byId(input));
      });
    wire("typed", "move", (word, field) => {
      this.type(word);
      field.value = "";
    });
    wire("say", "text", (text, field) => {
      const to = byId("to").hidden ? "all" : byId("to").value;
      if (text) this.game.ask({ type: "say", text, to }, () => (field.value = ""));
    });
    addEventListener("online", () => this.game.connection.nudge());
    document.addEventListener("visibilitychange", () => document.hidden || this.game.connection.probe());
  }

  // -- what is seen --

  tick() {
    const { table, mine, connection } = this.game;
    if (table === null) return;
    const now = connection.now();
    this.cards?.tick(table, now, this._left);
    if (table.proposal !== null) this.showVote();
    call(table, mine, now);
  }

  render() {
    const { board, cards } = this;
    if (board === undefined || cards === undefined) return;
    const { table } = this;
    const { mine, connection, legal, premove } = this.game;
    const shown = scene(table, this.viewed, this.previewing);
    const rotation = (rotationFor(table.seats.map((seat) => seat.seat), mine) + this.turned) % 4;
    board.rotate(rotation);
    cards.turn(rotation);
    const live = shown.live && table.status === "playing";
    const sent = live ? this.game.sent : null;
    const free = live && sent === null;
    board.show({
      board: sent === null ? shown.board : put(shown.board, sent),
      last: sent === null ? shown.last : squares(sent),
      check: shown.check,
      legal: free && table.turn === mine ? legal : [],
      mine: free && mine !== null && seatOf(table, mine).out === null ? mine : null,
      turn: table.turn,
      premove,
      ghost: shown.ghost,
    });
    byId("board").classList.toggle("past", !shown.live);
    this._left = shown.left;
    cards.show(table, { ...shown, player: connection.player });
    this.tick();
    this.showSide(table, mine);
  }

  showVote() {
    const { game, table } = this;
    panels.vote(byId("vote"), table, game.mine, {
      now: game.connection.now(),
      previewing: this.previewing,
      vote: (accept) => game.vote(accept),
      preview: () => {
        this.previewing = !this.previewing;
        this.viewed = null;
        this.render();
      },
      never: () => this.preferences.hush(true),
    });
  }

  /** @param {Table} table @param {string|null} mine */
  showSide(table, mine) {
    const { game } = this;
    renew(byId("title"), [table.variant, table.clocks?.base, table.game, table.locked, table.visibility], () => [
      el("span", {}, panels.title(table)),
      el("span", { class: "soft" }, ` ${control(table.clocks)}${table.game > 1 ? ` · game ${table.game}` : ""}${table.visibility === "private" ? " · private" : ""}${table.locked ? " · password" : ""}`),
    ]);
    this.showVote();
    panels.seats(byId("seats"), table, {
      player: game.connection.player,
      link: location.origin + location.pathname,
      sit: (seat) => game.sit(seat),
      bot: (seat, level) => game.ask({ type: "bot", seat, level }),
      stand: () => game.stand(),
      copy: (text) => copy(text, "Link"),
    });
    panels.result(byId("result"), table, mine, () => game.propose("rematch"));
    byId("played").hidden = table.status === "open" && table.line.length === 0;
    panels.moves(byId("moves"), table, this.at, (ply) => this.look(ply));
    byId("first").disabled = byId("back").disabled = this.at === 0;
    byId("forth").disabled = byId("live").disabled = this.viewed === null;
    byId("live").classList.toggle("calls", this.viewed !== null && table.status === "playing");
    byId("typed").hidden = mine === null || table.status !== "playing";
    actions(byId("actions"), table, mine, {
      propose: (kind, more) => game.propose(kind, more),
      resign: () => this.resign(),
      abort: () => game.command({ type: "abort" }),
      export: (format) => this.export(format),
    });
    this.preferences.show(byId("preferences"), byId("gear"), byId("board"));
    byId("talk").hidden = !table.chat;
    byId("to").hidden = mine === null;
    setText(byId("watching"), game.watchers ? `${plural(game.watchers, "spectator")} watching` : "");
  }
}

/** The board with a piece where it was put; what else the move does comes with the answer. @param {Table["board"]} board @param {string} move */
function put(board, move) {
  const [from, to] = squares(move);
  const { [from]: piece, ...rest } = board;
  return piece === undefined ? board : { ...rest, [to]: piece };
}

settings.applyTheme();
document.body.append(sprite());
new RoomPage(settings.roomHere());
