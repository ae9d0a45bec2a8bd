/** The page of a room: play, watch, or look back. It joins the game and the parts of the page. */

import { BoardView } from "../board/board.js";
import { sprite } from "../board/pieces.js";
import { put } from "../model/castling.js";
import { boardOf, rotationFor } from "../model/geometry.js";
import { scene } from "../model/scene.js";
import { isRated, seatOf, squares } from "../model/table.js";
import { late } from "../net/loading.js";
import { connect } from "../net/page.js";
import * as settings from "../net/settings.js";
import { control, isPair, namesOf } from "../text/words.js";
import { byId, Drawn, el, renew, setText, speak } from "../ui/dom.js";
import { Slot } from "../ui/slot.js";
import { Cards } from "./cards.js";
import { caseOf, changesAt } from "./cases.js";
import { wire } from "./controls.js";
import { Game } from "./game.js";
import * as panels from "./panels.js";
import * as permalink from "./permalink.js";
import { Preferences } from "./preferences.js";
import { Tabs } from "./tabs.js";

/** @typedef {import("../model/table.js").Table} Table */

const actions = late(() => import("./actions.js"));
const attention = late(() => import("./attention.js"));
const build = late(() => import("../net/build.js"));
const celebration = late(() => import("./celebrate.js"));
const challenges = late(() => import("./challenged.js"));
const chatlog = late(() => import("./chatlog.js"));
const dialogs = late(() => import("../ui/dialogs.js"));
const news = late(() => import("../text/news.js"));
const outcomes = late(() => import("./outcomes.js"));
const reactions = late(() => import("./reactions.js"));
const plates = late(() => import("./plates.js"));
const skip = late(() => import("../board/skip.js"));
const sound = late(() => import("../ui/sound.js"));
const zoom = late(() => import("../board/zoom.js"));

/** Events that change what others count on: seats or clocks. */
const CHANGES = new Set(["seated", "gave", "berserked"]);

class RoomPage extends Drawn {
  /** @param {string} room */
  constructor(room) {
    super();
    /** @type {number|null} the displayed ply; null: the latest */
    this.viewed = null;
    this.previewing = false;
    /** A move tried after the end of the game, while the page offers to study it. @type {string|null} */
    this.tried = null;
    /** @type {number} the user's turn of the board, in quarters */
    this.turned = 0;
    /** @type {Record<string, number>|null} the clocks at the displayed ply */
    this._left = null;
    /** The outcome of the last vote or request, for the slot. @type {import("./cases.js").Note|null} */
    this.note = null;
    /** The explorer, for the displayed position. @type {import("../analysis/explorer.js").Explorer|undefined} */
    this.explorer = undefined;
    /** The rating changes of the game. @type {import("../people/ratings.js").Rated|undefined} */
    this.rated = undefined;
    /** @type {import("../people/strengths.js").Strengths|undefined} */
    this.strengths = undefined;
    /** @type {import("../people/rivals.js").Rivals|undefined} */
    this.rivals = undefined;
    /** The engine, for the displayed position. @type {import("../analysis/engine.js").Engine|undefined} */
    this.engine = undefined;
    /** @type {import("../analysis/review.js").Review|undefined} */
    this.review = undefined;
    /** The name that the server gave, while the user may choose one. */
    this.given = "";
    /** The declined claim. */
    this._declined = "";
    /** Whether the eliminated user keeps watching. */
    this.stays = false;
    this._own = false;
    /** When the slot's case changes by the clock alone, and the next attempt to connect that it shows. */
    this._changesAt = Infinity;
    /** @type {number|undefined} */
    this._retry = undefined;
    this._read = 0;
    /** Loaded after the board. @type {typeof import("./attention.js")|undefined} */
    this._attention = undefined;
    /** @type {typeof import("../text/news.js")|undefined} */
    this._news = undefined;
    const password = new URLSearchParams(location.hash.slice(1)).get("password") ?? undefined;
    this.game = new Game(room, password, (listener) => this._connect(room, listener), this);
    this.preferences = new Preferences(this.game, () => this.render());
    this.slot = new Slot(byId("slot"), (what, button) => this.do(what, button));
    this.tabs = new Tabs(byId("table"), () => this.render());
    wire(this);
    setInterval(() => this.tick(), 100);
  }

  /** @param {string} room @param {import("../net/page.js").Listener} listener */
  _connect(room, listener) {
    const { connection, outage } = connect(room, { ...listener, lasting: () => this.refresh() });
    this.outage = outage;
    return connection;
  }

  // -- news of the game --

  /** @param {import("../net/connection.js").Frames["welcome"]} welcome */
  welcomed = async (welcome) => {
    const { told } = await build();
    this.given = welcome.account || settings.get("name") || settings.get("named") ? "" : welcome.name;
    told(welcome.build, () => this.game.table?.status !== "playing" || this.game.table.turn !== this.game.mine);
  };

  /** @param {boolean} first */
  entered(first) {
    this.viewed = null;
    this._vote(this.table.proposal, this.game.first);
    if (!first) return void this._recall();
    const ply = permalink.plyHere();
    if (ply !== null) this._go(ply);
    addEventListener("hashchange", () => this.look(permalink.plyHere() ?? Infinity));
    document.body.classList.add(`players-${isPair(this.table.variant) ? 2 : 4}`);
    const { size, corner } = boardOf(this.table.variant);
    byId("table").style.setProperty("--n", `${size}`);
    byId("table").style.setProperty("--corner", `${corner / size}`);
    byId("board").replaceChildren();
    this.board = new BoardView(byId("board"), {
      variant: this.table.variant, confirms: true,
      onMove: (move) => {
        this.board?.zoom?.close();
        this.game.move(move);
      },
      onPremove: (move) => (this.table.status === "finished" ? this.do(`try ${move}`) : this.setPremove(move)),
      onCancel: () => this.setPremove(null),
    });
    this.cards = new Cards({ table: byId("table"), arena: byId("arena"), clocks: byId("clocks") }, this.table.variant,
      async (seat, button) => (await actions()).fill(this, seat, button),
      (kind) => this.board?.select(`${kind}@`),
    );
    this.cards.turn(0);
    if (this.table.status === "open" && (this.game.mine !== null || !this.tabs.covers)) this.tabs.pick("about");
    // An archived game has no chat, so the explorer takes its place.
    if (this.table.status === "finished" && (ply === null || !this.tabs.covers))
      this.tabs.pick(this.table.archived && !this.tabs.covers ? "about" : "result");
    new ResizeObserver(() => this.refresh()).observe(byId("moves"));
    this._complete(this.board);
  }

  /** Load the modules that the first paint of a board does not need. @param {BoardView} board */
  async _complete(board) {
    [this._attention, this._news] = await Promise.all([attention(), news()]);
    document.head.append(el("link", { rel: "stylesheet", href: new URL("life.css", import.meta.url).href }));
    const [{ skipTo }, { Zoom }] = await Promise.all([skip(), zoom()]);
    plates().then(({ watch }) => watch(document.querySelectorAll(".card")));
    this._recall();
    skipTo(() => this.board);
    board.zoom = new Zoom(board, byId("board"));
    this.refresh();
  }

  /** Show the chat from before the user came, or was back. */
  async _recall() {
    const { connection, room } = this.game;
    if (this.table.chat && !this.table.archived) await (await chatlog()).recall(byId("said"), connection, room);
  }

  /** @param {{events: import("../model/table.js").Event[]}} update @param {Table} before */
  updated({ events }, before) {
    const { table, game: { first, mine } } = this;
    if (this.preferences.refuseDraw()) return;
    const has = (/** @type {string[]} */ ...kinds) => events.some(({ type }) => kinds.includes(type));
    if (has("moved") || (this.viewed !== null && this.viewed > table.line.length)) this.viewed = null;
    if (has("moved", "eliminated", "rematched", "finished")) this.note = null;
    if (table.proposal?.proposal !== before.proposal?.proposal) this._vote(table.proposal, first);
    if (has("rematched")) [this.turned, this.stays] = [0, false];
    if (has("started", "rematched")) this.tabs.pick("moves");
    if (has("finished")) {
      this.viewed = null;
      this.tabs.pick("result");
      this._celebrate(table);
    }
    this._outcome(events, before);
    this._tell(events, before, table, mine);
  }

  /** Let the winners' pieces celebrate. @param {Table} table */
  async _celebrate({ result }) {
    if (result === null || result.winners.length === 0) return;
    const { celebrate } = await celebration();
    requestAnimationFrame(() => celebrate(byId("table"), result.winners)); // after the last move is drawn
  }

  /**
   * Announce events to screen readers, and play their sounds.
   * @param {import("../model/table.js").Event[]} events @param {Table} before @param {Table} table @param {string|null}
   * mine
   */
  async _tell(events, before, table, mine) {
    const [tidings, { play }] = await Promise.all([news(), sound()]);
    const told = tidings.news(events, before, table, mine);
    if (told.sound !== null) play(told.sound);
    if (told.text) speak(told.text);
  }

  /**
   * A vote begins or ends. Players who must answer see the position that it is about.
   * @param {import("../model/table.js").Proposal|null} proposal @param {string|null} mine
   */
  _vote(proposal, mine) {
    this.previewing =
      proposal?.position != null &&
      mine !== null &&
      proposal.seat !== mine &&
      proposal.electorate.includes(mine) &&
      proposal.votes[mine] === undefined;
    if (proposal !== null) this.note = null;
    if (this.previewing) this.viewed = null;
  }

  /**
   * Show what players have changed, or the outcome of a vote.
   * @param {import("../model/table.js").Event[]} events @param {Table} before
   */
  async _outcome(events, before) {
    if (before.status === "playing" && events.some(({ type }) => CHANGES.has(type))) {
      this.note = (await outcomes()).changeOf(events, this.table) ?? this.note;
      return this.refresh();
    }
    const closed = events.find((event) => event.type === "closed");
    if (closed === undefined || before.proposal === null) return;
    if (this.preferences.quiet && before.proposal.kind === "draw") return;
    const answers = events.filter((event) => event.type === "voted").map((event) => [event.seat, event.accept]);
    const proposal = { ...before.proposal, votes: { ...before.proposal.votes, ...Object.fromEntries(answers) } };
    const { table, game: { first } } = this;
    const { outcomeOf } = await outcomes();
    this.note = outcomeOf(closed.outcome, proposal, table, first) ?? this.note;
    this.refresh();
  }

  /** @param {import("../net/connection.js").Frames["said"]} said */
  async said(said) {
    this.tabs.said();
    if (said.seat !== this.game.first || said.seat === null) speak(`${said.name} says: ${said.text}`);
    (await chatlog()).said(byId("said"), said);
  }

  /** @param {import("../net/connection.js").Frames["reacted"]} reacted */
  async reacted({ seat, name, reaction }) {
    const { show, wordsOf } = await reactions();
    show(seat, reaction);
    if (seat !== this.game.first && settings.reacts()) speak(`${name}: ${wordsOf(reaction)}`);
  }

  /** Show a text, and announce it to screen readers. @param {string} text @param {boolean} [bad] */
  say(text, bad) {
    this.note = { text, bad };
    speak(text);
    this.render();
  }

  /** @param {import("../net/connection.js").Frame} frame */
  heard = async (frame) => {
    if (frame.type === "lines") this.engine?.take(frame);
    else if (frame.type === "challenge") (await challenges()).challenged(this, frame);
  };

  /** @param {boolean} online */
  changed = (online) => {
    if (!online) this.engine?.again();
    this.refresh();
  };

  /** @param {import("../net/connection.js").RequestError} error */
  refused = async (error) => {
    const { askPassword, showNothing } = await dialogs();
    if (error.code === "password_needed" || error.code === "wrong_password") {
      askPassword(error.code === "wrong_password" ? error.message : "", (password) => this.game.unlock(password));
    } else showNothing(error.code === "no_such_room" ? "There is no such game." : error.message);
  };

  // -- input --

  /** Of a game that has been entered. */
  get table() {
    return /** @type {Table} */ (this.game.table);
  }

  /** Whether the game may still be rated, as far as known. */
  get counts() {
    const { table, strengths } = this;
    return isRated(table) && (strengths?.all(table.seats, table.variant, table.clocks) ?? true);
  }

  /** The actions of the slot's buttons. @param {string} what @param {HTMLElement} [button] */
  async do(what, button = byId("more")) {
    const [verb, seat] = what.split(" ");
    const { ACTIONS } = await actions();
    this._own = true;
    ACTIONS[verb]?.(this, seat, button);
    this.render();
    this._own = false;
  }

  /** Decline the present claim. */
  decline() {
    this._declined = this.game.claims.join();
  }

  /** @param {boolean} on whether to show the position that a vote is about */
  preview(on) {
    this.previewing = on;
    this.viewed = null;
  }

  /** Add a premove after the others. @param {string|null} move null: drop all */
  setPremove(move) {
    const { game } = this;
    game.premove(move);
    const number = game.premoves.length;
    speak(move === null ? "Premoves cancelled." : `Premove${number > 1 ? ` ${number}` : ""}: ${move}.`);
    this.render();
  }

  /** The displayed ply. */
  get at() {
    return this.viewed ?? this.table.line.length;
  }

  /** Display a position without announcing it. @param {number|null} ply null: the latest */
  _go(ply) {
    const { length } = this.table.line;
    this.viewed = ply === null || ply >= length ? null : Math.max(0, ply);
    this.previewing = false;
    this.tried = null;
  }

  /** @param {number} ply */
  look(ply) {
    if (this.game.table === null) return;
    this._go(ply);
    const step = this.table.line[this.at - 1];
    news().then(({ spoken }) =>
      speak(
        step === undefined ? "The start." : spoken(step, step.board?.[squares(step.move)[1]], namesOf(this.table)),
      ),
    );
    this.render();
  }

  flip() {
    this.turned += isPair(this.table.variant) ? 2 : 1;
    this.render();
  }

  // -- drawing --

  /** Show the time on clocks and countdowns. */
  tick() {
    const { table, connection } = this.game;
    if (table === null) return;
    const now = connection.now();
    if (now >= this._changesAt || this.outage?.now?.retry !== this._retry) this.showSlot();
    else this.slot.tick(now);
    if (table.status === "playing") this._time(table, now);
  }

  /**
   * Show the time on the clocks and in the title, and read the user's own clock out.
   * @param {Table} table @param {number} now by the server's clock
   */
  _time(table, now) {
    const { mine } = this.game;
    this.cards?.tick(table, now, this._left);
    this._attention?.call(table, mine, now);
    const mark = this._news?.mark(table, mine, now) ?? 0;
    if (mark !== 0 && mark < (this._read || Infinity)) speak(`${mark} seconds.`);
    this._read = mark;
  }

  _draw() {
    const { board, cards, game } = this;
    const { table, mine, connection, legal } = game;
    if (!board || !cards || !table) return;
    const shown = scene(table, this.viewed, this.previewing, mine);
    const rotation = (rotationFor(table.variant, game.first) + this.turned) % 4;
    const over = table.status === "finished";
    if (!over) this.tried = null;
    document.body.classList.toggle("ended", over);
    document.body.classList.toggle("past", this.viewed !== null && this.tried === null);
    document.body.classList.toggle("waiting", table.status === "open" && table.line.length === 0);
    board.rotate(rotation);
    cards.turn(rotation);
    const live = shown.live && table.status === "playing";
    const sent = live ? game.sent : this.tried;
    const free = live && table.paused === null;
    // A move that is chosen while one is on its way, or before the legal moves are known, is a premove.
    const turn = over || sent || (free && table.turn === mine && !legal.length) ? null : table.turn;
    const premoves = live ? game.premoves : [];
    board.show(
      this.engine?.preview ?? {
        board: [sent ?? [], premoves].flat().reduce(put, shown.board),
        last: sent ? squares(sent) : shown.last, since: sent ? [] : shown.since,
        check: shown.check, legal: free && turn === mine ? legal : [],
        mine:
          over && !sent
            ? moverAt(table, this.at)
            : live && mine !== null && seatOf(table, mine).out === null
              ? mine
              : null,
        hand: mine === null ? "" : shown.hands?.[mine], turn, premoves,
        changed: shown.changed,
        preview: this.previewing && table.proposal !== null,
      },
    );
    this._left = shown.left;
    const drops = free && mine !== null && (turn !== mine || legal.some((move) => move[1] === "@"));
    cards.show(table, {
      ...shown,
      turn, drops, player: connection.player, mine, host: table.host === connection.player,
      facts: this.rivals?.of(table.seats) ?? {},
    });
    this._time(table, connection.now());
    this.showSlot();
    this.showSide(table, mine);
  }

  /** @param {boolean} menu whether the menu "…" is open */
  async _showLater(menu) {
    const { showAbout, showEngine, showMenu } = await actions();
    showAbout(this);
    showEngine(this);
    if (menu) showMenu(this);
  }

  showSlot() {
    const { game, table } = this;
    const { connection, mine } = game;
    const now = connection.now();
    const claims = game.claims.join() === this._declined ? [] : game.claims;
    const offline = this.outage?.now ?? null;
    this._retry = offline?.retry;
    this._changesAt = changesAt({ table, mine, now });
    this.slot.show(
      caseOf({
        table, mine, first: game.first, seated: game.first !== null, host: table.host === connection.player, now,
        claims, note: this.note,
        offline,
        given: this.given, strength: this.strengths?.of(connection.player, table.variant, table.clocks),
        counts: this.counts,
        rated: this.rated?.known ?? null, story: this.review?.story(table) ?? null, stays: this.stays, kept: game.sent,
        previewing: this.previewing,
        viewed: this.viewed, tried: this.tried,
      }),
      now,
      this._own,
    );
  }

  /** @param {Table} table @param {string|null} mine */
  showSide(table, mine) {
    const { game, preferences } = this;
    renew(byId("title"),
      [table.variant, table.clocks?.base, table.game, table.locked, table.visibility, table.imported, this.counts],
      () => [
        el("span", {}, panels.title(table)),
        ...[
          control(table.clocks), table.imported ? "" : this.counts ? "· rated" : "· casual",
          table.visibility === "private" ? "· private" : "", table.locked ? "· password" : "",
          table.imported ? "· imported" : "",
        ]
          .filter(Boolean)
          .map((fact) => el("span", { class: "soft" }, ` ${fact}`)),
      ],
    );
    const until = this.previewing ? (table.proposal?.ply ?? table.line.length) : table.line.length;
    permalink.name(this.viewed);
    panels.moves(byId("moves"), table,
      { viewed: this.previewing ? until : this.at, until, marks: this.review?.marks ?? {} }, (ply) => this.look(ply),
    );
    const [back, live] = /** @type {HTMLButtonElement[]} */ ([byId("back"), byId("live")]);
    byId("first").disabled = back.disabled = this.at === 0;
    byId("forth").disabled = live.disabled = this.viewed === null;
    live.classList.toggle("calls", this.viewed !== null && table.status === "playing");
    byId("typed").hidden = mine === null || table.status !== "playing";
    this._showLater(byId("menu").matches(":popover-open"));
    preferences.show(byId("preferences"), byId("board"));
    document.body.classList.toggle("hushed", !table.chat);
    byId("to").hidden = byId("react").hidden = mine === null;
    setText(byId("watching"), game.watchers ? `${game.watchers} watching` : "");
  }
}

/** The player to move after a number of moves of a finished game. @param {Table} table @param {number} ply */
function moverAt({ line, opens, seats }, ply) {
  const names = seats.map((seat) => seat.seat);
  return line[ply]?.seat ?? (ply ? names[(names.indexOf(line[ply - 1].seat ?? "") + 1) % names.length] : opens);
}

settings.applyTheme();
document.body.append(sprite());
new RoomPage(settings.roomHere());
