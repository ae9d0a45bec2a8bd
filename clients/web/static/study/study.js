/** The page of a study: its chapters, trees of moves that several people write at the same time. */

import { Engine } from "../analysis/engine.js";
import { Explorer } from "../analysis/explorer.js";
import { placeFor, setUp } from "../board/desk.js";
import { read } from "../model/fen.js";
import { squares } from "../model/table.js";
import * as trees from "../model/tree.js";
import { orNull, refusal, RequestError, trying } from "../net/connection.js";
import { late } from "../net/loading.js";
import { connect } from "../net/page.js";
import * as settings from "../net/settings.js";
import { isPair } from "../text/words.js";
import { byId, Drawn, setText, speak } from "../ui/dom.js";
import { StudyBoard } from "./board.js";
import { wire } from "./controls.js";
import { Drafts } from "./drafts.js";
import * as forms from "./forms.js";
import * as moves from "./moves.js";
import { fitting } from "./source.js";
import { textOf, variationWords } from "./words.js";

/** @typedef {import("../model/tree.js").Change} Change */
/** @typedef {import("../model/tree.js").Looked} Looked */

/** Milliseconds that a position is displayed before the explorer is asked. */
const EXPLORED = 250;

const attackmap = late(() => import("./attackmap.js"));
const exits = late(() => import("./exits.js"));
const game = late(() => import("./game.js"));
const slot = late(() => import("./slot.js"));
const zoom = late(() => import("../board/zoom.js"));

class StudyPage extends Drawn {
  /** @param {string} room */
  constructor(room) {
    super();
    this.room = room;
    /** @type {trees.Study|null} */
    this.study = null;
    /** The number of answers so far, so that only new ones are drawn. */
    this.version = 0;
    this.number = 0; // the chapter's
    this.at = 0;
    /** The reason why the study cannot be shown. */
    this.why = "";
    /** The slot's notice, until the user's next action. @type {import("./slot.js").Notice|null} */
    this.notice = null;
    this.drafts = new Drafts();
    /** The displayed version, with this page's own edits. */
    this.seq = 0;
    this.turned = 0;
    /** Positions, by chapter and node. @type {Map<string, Looked>} */
    this.positions = new Map();
    /** @type {Set<string>} */
    this._asked = new Set();
    /** @type {import("../net/connection.js").Frames["cursors"]["cursors"]} */
    this.cursors = [];
    this.count = 0;
    /**
     * The node to display as soon as it exists: the move after which node.
     * @type {{after: number, move: string}|null}
     */
    this._coming = null;
    /** Whether this page is adding a chapter, to open it as soon as it exists. */
    this._adding = false;
    this._stood = "";
    /** @type {StudyBoard|undefined} */
    this.board = undefined;
    /** Whether the attack map is on. */
    this.attacks = false;
    /** @type {import("./attackmap.js").AttackMap|null} */
    this._map = null;
    /** The chapter's game; loaded after the board. @type {import("./game.js").StudyGame|null|undefined} */
    this._game = undefined;
    /** The slot; loaded after the board. @type {import("./slot.js").StudySlot|undefined} */
    this._slot = undefined;
    /** Loaded once there is a chapter of four. @type {typeof import("./exits.js")|undefined} */
    this._exits = undefined;
    /**
     * The colour in which a finger draws on the board; null: it moves pieces.
     * @type {import("./board.js").Shape["colour"]|null}
     */
    this.pen = null;
    setUp(() => this.board);
    const { connection, outage } = connect(room, {
      changed: (online) => this._changed(online),
      heard: (frame) => {
        if (frame.type === "lines") this.engine.take(frame);
        else if (frame.type === "error") this._refused(new RequestError(frame));
      },
      lasting: () => this._slot?.show(),
    });
    this.connection = connection;
    this.outage = outage;
    this.engine = new Engine(this.connection, () => this.refresh());
    this.explorer = new Explorer(this.connection);
    this.explorer.holder.removeAttribute("aria-labelledby"); // the section around it has a label
    byId("explored").append(this.explorer.holder);
    this.connection.follow(room, {
      seq: null, take: (frame) => this._take(frame), refused: (error) => this._refused(error),
    });
    wire(this);
  }

  /** @param {boolean} online */
  _changed(online) {
    document.body.classList.toggle("offline", !online);
    this._stood = "";
    if (!online) this.engine.again();
    else this._asked.clear();
    this.refresh();
  }

  // -- frames of the server --

  /** @param {any} frame of this study */
  _take(frame) {
    const { study, chapter } = this;
    const way = chapter === undefined ? [] : trees.pathTo(chapter, this.at).map(({ number }) => number);
    if (frame.type === "study") this._begin(frame);
    else if (frame.type === "cursors") [this.cursors, this.count] = [frame.cursors, frame.count];
    else if (frame.type === "error") return this._refused(new RequestError(frame));
    else if (frame.type === "update" && study !== null) {
      for (const event of frame.events) {
        this.study = trees.after(/** @type {trees.Study} */ (this.study), event);
        if (event.type === "node_removed") this._forget(event.chapter);
        if (event.type === "chapter_added" && this._adding && frame.by === this.me) {
          const { notice } = this; // the notice about unreadable parts may come before the chapters
          this._adding = false;
          this.open(event.chapter.number);
          this.notice = notice;
        }
      }
      this.version++;
      this.seq = Math.max(this.seq, frame.seq);
    }
    this._settle(way, frame.by === this.me ? "" : (study?.names[frame.by] ?? "Somebody"));
    this.refresh();
  }

  /** @param {import("../net/connection.js").Frames["study"]} snapshot */
  _begin(snapshot) {
    const first = this.study === null;
    this.study = trees.of(snapshot);
    this.cursors = snapshot.cursors;
    this.count = snapshot.count;
    this.version++;
    this.seq = snapshot.seq;
    this.why = "";
    if (!first) return;
    this.notice = null;
    this.number = this.study.chapters[0]?.number ?? 0;
    this.follow();
  }

  /** Go where the address says, if it names a place. */
  follow() {
    const { study } = this;
    const named = /^#(\d+)(?:\.(\d+))?$/.exec(location.hash);
    if (study === null || named === null) return;
    const [number, node] = [Number(named[1]), Number(named[2] ?? 0)];
    const chapter = study.chapters.find((one) => one.number === number);
    this.keep();
    if (chapter !== undefined) [this.number, this.at] = [number, chapter.nodes.has(node) ? node : 0];
    this._stay();
    if (chapter === undefined) this.say(`There is no chapter ${number} in this study; it may have been removed.`);
    else if (!chapter.nodes.has(node))
      this.say(`There is no move ${node} in this chapter; it may have been removed. This is the start.`);
    else this._arrived();
  }

  /** Positions of a chapter whose nodes are gone are forgotten. @param {number} number */
  _forget(number) {
    const chapter = this.study?.chapters.find((one) => one.number === number);
    for (const key of this.positions.keys()) {
      const [of, node] = key.split(".").map(Number);
      if (of === number && !chapter?.nodes.has(node)) this.positions.delete(key);
    }
  }

  /**
   * Keep to a chapter and a node that exist; go on to a move of this page once it exists.
   * @param {number[]} [way] the nodes that led to the displayed one
   * @param {string} [by] the name of the player who may have removed it; undefined if this page did
   */
  _settle(way = [], by = "") {
    const { study, _coming: coming } = this;
    if (study === null) return;
    const before = `${this.number}.${this.at}`;
    if (!study.chapters.some((one) => one.number === this.number)) {
      [this.number, this.at] = [study.chapters[0]?.number ?? 0, 0];
      this._stay();
      if (by)
        this.say(
          `${by} removed the chapter that you were viewing. ` +
            `This is ${this.chapter?.title ?? "another"}.${this._unkept(before)}`,
        );
    }
    const { chapter } = this;
    if (chapter === undefined) return;
    if (!chapter.nodes.has(this.at)) {
      this.at = way.filter((number) => chapter.nodes.has(number)).pop() ?? 0;
      this._stay();
      if (by)
        this.say(
          `${by} removed the move that you were viewing. ` +
            `This is ${this.at === 0 ? "the start" : "the last move before it"}.${this._unkept(before)}`,
        );
    }
    const made = coming === null ? undefined : childWith(chapter, coming.after, coming.move);
    if (made !== undefined) {
      this._coming = null;
      this.go(made);
    }
  }

  /** The drafts of a deleted move, in words. @param {string} place */
  _unkept(place) {
    const text = this.drafts.drop(`comment ${place}`);
    return text === "" ? "" : ` You had typed: “${text}”`;
  }

  /** @param {RequestError} error */
  _refused(error) {
    this.why = error.code === "no_such_room" ? "There is no such study, or it is not shared with you." : error.message;
    if (error.code === "no_such_room") this.study = null;
    this.say(this.why);
  }

  // -- input --

  get chapter() {
    return this.study?.chapters.find((one) => one.number === this.number);
  }

  get me() {
    return this.connection.player ?? "";
  }

  get owns() {
    return this.study?.owner === this.me;
  }

  /** Whether this user may edit. */
  get writes() {
    const { study } = this;
    return (
      study !== null &&
      (this.owns || study.write === "everybody" || (study.write === "named" && study.writers.includes(this.me)))
    );
  }

  /** Change the study; resolves to whether it was. @param {Change} change */
  async edit(change) {
    const command = () => this.connection.command({ type: "edit", room: this.room, change });
    const done = await trying(command, (why) => this.say(why));
    if (done === null) return false;
    this.seq = Math.max(this.seq, done.seq ?? 0);
    this.notice = null;
    this.render();
    return true;
  }

  /**
   * Save typed comments. If one would replace text that another player has just written, the user decides.
   * @param {string} [decided] the draft that the user has decided on
   */
  keep(decided) {
    for (const of of this.drafts.of("comment")) {
      if (of !== decided && this.drafts.isLate(of)) continue;
      const [chapter, node] = of.slice("comment ".length).split(".").map(Number);
      this.drafts.send(of, async (text) => {
        const why = forms.tooLong(text);
        if (why === null) return this.edit({ type: "comment", chapter, node, text, seq: this.seq });
        this.say(why);
        return false;
      });
    }
  }

  /** Drop a draft. @param {string} of */
  forget(of) {
    this.drafts.drop(of);
    this.render();
  }

  /** @param {string} move */
  async play(move) {
    const { chapter, at } = this;
    if (chapter === undefined) return;
    const there = childWith(chapter, at, move);
    if (there !== undefined) return this.go(there);
    if (!this.writes) return this.say("You can view this study, but not edit it.");
    this._coming = { after: at, move };
    if (!(await this.edit({ type: "play", chapter: chapter.number, after: at, move }))) this._coming = null;
    this._settle();
    this.render();
  }

  /** @param {number} node */
  go(node) {
    const { chapter, study } = this;
    if (chapter === undefined || study === null || !chapter.nodes.has(node)) return;
    this.keep();
    this.at = node;
    this._arrived();
  }

  /** The displayed node has changed. */
  _arrived() {
    const { chapter, study } = this;
    this.notice = null;
    this._stay();
    if (chapter !== undefined && study !== null) speak(this._words(study, chapter, this.at));
    this.render();
  }

  /** Put the displayed node into the address. */
  _stay() {
    history.replaceState(history.state, "", `#${this.number}.${this.at}`);
  }

  /**
   * A move for screen readers: the move, the author of a variation that begins with it, and its comment.
   * @param {trees.Study} study @param {trees.Tree} chapter @param {number} number
   */
  _words(study, chapter, number) {
    const node = chapter.nodes.get(number);
    if (number === 0 || node === undefined) return `The start. ${node?.comment ?? ""}`;
    const glyphs = (node.glyphs ?? []).map((glyph) => trees.GLYPHS[glyph]?.[1] ?? "");
    const others = trees.childrenOf(chapter, node.parent ?? 0).length;
    const begins = trees.beginsVariation(chapter, number)
      ? variationWords(study, chapter, number)
      : others > 1
        ? `main line, ${others - 1} more`
        : "";
    return [`${node.seat ?? ""} ${textOf(node)}`, ...glyphs, begins, node.comment ?? ""].filter(Boolean).join(", ");
  }

  /** @param {number} number */
  open(number) {
    this.keep();
    [this.number, this.at] = [number, 0];
    this._arrived();
    speak(`Chapter ${this.chapter?.title ?? ""}`);
  }

  /**
   * Show a notice in the slot, and announce it to screen readers.
   * @param {string} text @param {Partial<import("./slot.js").Notice>} [how]
   */
  say(text, how = {}) {
    this.notice = { heading: how.bad === false ? "Done" : "Not done", text, bad: true, buttons: [], ...how };
    speak(text);
    this.render();
  }

  flip() {
    this.turned += isPair(this.chapter?.variant ?? "standard") ? 2 : 1;
    this.render();
  }

  /** Show or hide the attack map. */
  async map() {
    this.attacks = !this.attacks;
    byId("attacks").setAttribute("aria-pressed", `${this.attacks}`);
    this._map ??= new (await attackmap()).AttackMap(this);
    this.render();
  }

  /** @param {import("./board.js").Shape["colour"]|null} pen */
  draw(pen) {
    this.pen = pen;
    this.board?.take(pen);
    speak(pen === null ? "A press moves pieces." : `A press draws in ${pen}.`);
    this.render();
  }

  /**
   * Add chapters, one request after the other. Opens the first, and shows the unreadable parts. Resolves to whether all
   * were added.
   * @param {import("../../../../protocol/protocol.d.ts").Source[]} sources
   */
  async add(sources) {
    /** @type {string[]} */
    const notes = [];
    this._adding = true;
    this.notice = null;
    try {
      for (const source of sources) {
        const fits = await fitting(this.connection, source);
        const done = /** @type {{notes?: string[]}} */ (
          await this.connection.command({
            type: "edit", room: this.room, change: { type: "add_chapters", source: fits },
          })
        );
        notes.push(...(done.notes ?? []));
      }
    } catch (error) {
      this._adding = false;
      this.say([...notes, refusal(error).message].join(" "));
      return false;
    }
    if (notes.length > 0) this.say(notes.join(" "), { heading: "Some parts were not read" });
    this.render();
    return true;
  }

  // -- drawing --

  /** Fetch the positions around the displayed one. @param {trees.Tree} chapter */
  async _look(chapter) {
    const node = chapter.nodes.get(this.at);
    const around = [
      this.at,
      ...trees.mainFrom(chapter, this.at).slice(0, 6),
      ...trees.childrenOf(chapter, this.at),
      node?.parent ?? 0,
      ...trees.childrenOf(chapter, node?.parent ?? 0),
    ];
    if (chapter.seats.length > 2) {
      this._exits ??= await exits();
      around.push(
        ...this._exits.wanted([0, ...trees.mainFrom(chapter, 0)],
          (one) => this.positions.get(`${chapter.number}.${one}`)?.out,
        ),
      );
    }
    const wanted = [...new Set(around)]
      .filter((one) => !this._asked.has(`${chapter.number}.${one}`) && !this.positions.has(`${chapter.number}.${one}`))
      .slice(0, 40);
    if (wanted.length === 0 || !this.connection.online) return;
    for (const one of wanted) this._asked.add(`${chapter.number}.${one}`);
    await trying(async () => {
      const { positions } = await this.connection.request({
        type: "look", room: this.room, chapter: chapter.number, nodes: wanted,
      });
      for (const one of positions) this.positions.set(`${chapter.number}.${one.node}`, one);
    }, (why) => this.say(why));
    this.refresh();
  }

  /** Send the displayed node to the other users. @param {trees.Tree} chapter */
  async _stand(chapter) {
    const place = `${chapter.number}.${this.at}`;
    if (place === this._stood || !this.connection.online) return;
    this._stood = place;
    // After a refusal, the others keep seeing the previous node.
    await orNull(
      this.connection.request({ type: "stand", room: this.room, chapter: chapter.number, node: this.at }),
    );
  }

  _draw() {
    const { study, chapter } = this;
    byId("desk").classList.toggle("empty", study === null);
    if (study === null || study.deleted) return this._none(study?.deleted ? "This study was deleted." : this.why);
    setText(byId("title"), study.title);
    document.title = `${study.title} · Fourfold`;
    forms.chapters(byId("chapters"), this);
    forms.people(byId("people"), this);
    forms.sharing(byId("sharing"), this);
    if (chapter === undefined) return;
    this._slot?.show();
    this._look(chapter);
    this._stand(chapter);
    moves.show(byId("moves"), {
      study, chapter, at: this.at, version: this.version, others: this._others(), exits: this._exits,
      out: (node) => this.positions.get(`${chapter.number}.${node}`)?.out, pick: (node) => this.go(node),
    });
    forms.remarks(byId("remarks"), this);
    const looked = this.positions.get(`${chapter.number}.${this.at}`);
    if (looked !== undefined) this._board(chapter, looked);
  }

  /** The nodes that the other users display in this chapter. @returns {Record<number, string[]>} */
  _others() {
    /** @type {Record<number, string[]>} */
    const found = {};
    for (const { player, name, chapter, node, bot } of this.cursors) {
      if (player !== this.me && chapter === this.number && node !== null)
        (found[node] ??= []).push(bot ? `${name} (bot)` : name);
    }
    return found;
  }

  /** @param {trees.Tree} chapter @param {Looked} looked */
  _board(chapter, looked) {
    if (this.board?.variant !== chapter.variant) {
      const holder = placeFor(chapter.variant);
      const made = new StudyBoard(holder, chapter.variant, (move) => this.play(move),
        (shapes) => this.edit({ type: "draw", chapter: this.number, node: this.at, shapes }),
      );
      made.take(this.pen);
      zoom().then(({ Zoom }) => (made.zoom = new Zoom(made, holder)));
      this.board = made;
    }
    const { board, at } = this;
    const node = chapter.nodes.get(at);
    board.rotate(this.turned % 4);
    const { board: men } = read(looked.position);
    board.show(
      this.engine.preview ?? {
        board: men, last: node?.move && !node.move.startsWith("-") && node.move.length > 2 ? squares(node.move) : [],
        check: looked.check, legal: looked.legal, mine: looked.turn, turn: looked.turn,
      },
    );
    board.draw(node?.shapes ?? []);
    const foot = (board.squares.rotation ?? 0) / (4 / chapter.seats.length);
    const order = [...chapter.seats.slice(foot), ...chapter.seats.slice(0, foot)];
    const { position, turn } = looked;
    const { variant } = chapter;
    const key = `${variant} ${position}`;
    byId("engine").hidden = false;
    document.body.classList.toggle("judged", this.engine.on);
    this.engine.look(this.engine.on && turn !== null ? key : "", { variant, position }, "the study", order);
    board.suggest(this.engine.arrows);
    this._map?.show(this.attacks, chapter.number, at, order);
    this._game?.show(chapter, at, looked, order);
    if (this._game === undefined) this._rest();
    const next = chapter.nodes.get(trees.childrenOf(chapter, at)[0])?.move;
    this.explorer.look(key, { type: "explore", variant, position }, next, EXPLORED);
  }

  /** Load the modules that the first paint of a study does not need. */
  async _rest() {
    this._game = null;
    this._slot = new (await slot()).StudySlot(this);
    this._game = new (await game()).StudyGame(this);
    this.render();
  }

  /** The study cannot be shown. @param {string} why */
  _none(why) {
    setText(byId("title"), "Study");
    forms.missing(byId("sharing"), why || "Looking for the study…");
  }
}

/** The child of a node that a move leads to. @param {trees.Tree} chapter @param {number} after @param {string} move */
const childWith = (chapter, after, move) =>
  trees.childrenOf(chapter, after).find((one) => chapter.nodes.get(one)?.move === move);

new StudyPage(settings.roomHere());
