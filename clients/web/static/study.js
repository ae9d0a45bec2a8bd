/** The page of a study: its chapters, trees of moves that several people write at the same time. */

import { Connection, RequestError } from "./connection.js";
import { byId, el, renew, setText } from "./dom.js";
import { read } from "./fen.js";
import { boardOf } from "./geometry.js";
import { later } from "./lazy.js";
import { loaded } from "./loading.js";
import { sprite } from "./pieces.js";
import * as settings from "./settings.js";
import { StudyBoard } from "./studyboard.js";
import { StudyEngine, StudyExplorer } from "./studyengine.js";
import * as forms from "./studyforms.js";
import * as moves from "./studymoves.js";
import * as trees from "./studytree.js";
import { squares } from "./table.js";
import { isPair } from "./words.js";

/** @typedef {import("./connection.js").Frames["looked"]["positions"][0]} Looked the board after a move */
/** @typedef {import("../../../protocol/protocol.d.ts").EditRequest["change"]} Change */

export class StudyPage {
  /** @param {string} room */
  constructor(room) {
    this.room = room;
    /** @type {trees.Study|null} */
    this.study = null;
    /** Counts what has come, so that only what is new is drawn. */
    this.version = 0;
    this.number = 0; // the chapter's
    this.at = 0;
    this.why = "";
    this.turned = 0;
    /** Positions, by chapter and node. @type {Map<string, Looked>} */
    this.positions = new Map();
    /** @type {Set<string>} */
    this._asked = new Set();
    /** @type {import("./connection.js").Frames["cursors"]["cursors"]} */
    this.cursors = [];
    this.count = 0;
    /** Where to go as soon as it is there: behind which node, which move. @type {{after: number, move: string}|null} */
    this._coming = null;
    this._stood = "";
    /** @type {StudyBoard|undefined} */
    this.board = undefined;
    /** Whether one sees what is attacked. */
    this.attacks = false;
    /** @type {import("./attackmap.js").AttackMap|null} */
    this._map = null;
    /** The game that the chapter was made of; loaded once the board is seen. @type {import("./studygame.js").StudyGame|null|undefined} */
    this._game = undefined;
    /** The colour in which a finger draws on the board; with none it moves men. @type {import("./studyboard.js").Shape["colour"]|null} */
    this.pen = null;
    const how = {
      token: settings.get("token"), name: settings.get("name"), stored: () => settings.get("token"),
      welcomed: (/** @type {{token: string}} */ welcome) => settings.set("token", welcome.token),
      changed: (/** @type {boolean} */ online) => this._changed(online),
      heard: (/** @type {import("./connection.js").Frame} */ frame) => {
        if (frame.type === "lines") this.engine.take(frame);
      },
    };
    this.connection = new Connection(settings.socketUrl(room), how);
    settings.onToken((token) => this.connection.become(token));
    this.engine = new StudyEngine(this.connection, () => this.render());
    this.explorer = new StudyExplorer(this.connection);
    byId("explored").append(this.explorer.holder);
    this.connection.follow(room, { seq: null, take: (frame) => this._take(frame), refused: (error) => this._refused(error) });
    this._wire();
  }

  /** @param {boolean} online */
  _changed(online) {
    document.body.classList.toggle("offline", !online);
    this._stood = "";
    if (!online) this.engine.again();
    else this._asked.clear();
    this.render();
  }

  // -- what the server says --

  /** @param {any} frame of this study */
  _take(frame) {
    const { study } = this;
    if (frame.type === "study") this._begin(frame);
    else if (frame.type === "cursors") [this.cursors, this.count] = [frame.cursors, frame.count];
    else if (frame.type === "error") return this._refused(new RequestError(frame));
    else if (frame.type === "update" && study !== null) {
      for (const event of frame.events) {
        this.study = trees.after(/** @type {trees.Study} */ (this.study), event);
        if (event.type === "node_removed") this._forget(event.chapter);
      }
      this.version++;
    }
    this._settle();
    this.render();
  }

  /** @param {import("./connection.js").Frames["study"]} snapshot */
  _begin(snapshot) {
    const first = this.study === null;
    this.study = trees.of(snapshot);
    this.cursors = snapshot.cursors;
    this.count = snapshot.count;
    this.version++;
    this.why = "";
    if (!first) return;
    const [chapter, node] = location.hash.slice(1).split(".").map(Number);
    this.number = this.study.chapters.some((one) => one.number === chapter) ? chapter : (this.study.chapters[0]?.number ?? 0);
    this.at = node || 0;
  }

  /** Positions of a chapter whose nodes are gone are forgotten. @param {number} number */
  _forget(number) {
    const chapter = this.study?.chapters.find((one) => one.number === number);
    for (const key of this.positions.keys()) {
      const [of, node] = key.split(".").map(Number);
      if (of === number && !chapter?.nodes.has(node)) this.positions.delete(key);
    }
  }

  /** Keep to a chapter and a node that are there; go on to a move that was made here, once it is. */
  _settle() {
    const { study, _coming: coming } = this;
    if (study === null) return;
    if (!study.chapters.some((one) => one.number === this.number)) [this.number, this.at] = [study.chapters[0]?.number ?? 0, 0];
    const { chapter } = this;
    if (chapter === undefined) return;
    if (!chapter.nodes.has(this.at)) this.at = 0;
    const made = coming === null ? undefined : childWith(chapter, coming.after, coming.move);
    if (made !== undefined) {
      this._coming = null;
      this.go(made);
    }
  }

  /** @param {RequestError} error */
  _refused(error) {
    this.why = error.code === "no_such_room" ? "There is no such study, or it is not shared with you." : error.message;
    if (error.code === "no_such_room") this.study = null;
    this.speak(this.why);
    this.render();
  }

  // -- what its user does --

  get chapter() {
    return this.study?.chapters.find((one) => one.number === this.number);
  }

  get me() {
    return this.connection.player ?? "";
  }

  get owns() {
    return this.study?.owner === this.me;
  }

  /** Whether this user may write. */
  get writes() {
    const { study } = this;
    return study !== null && (this.owns || study.write === "everybody" || (study.write === "named" && study.writers.includes(this.me)));
  }

  /** Change the study; resolves to whether it was. @param {Change} change */
  async edit(change) {
    try {
      await this.connection.command({ type: "edit", room: this.room, change });
      return true;
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      this.say(error.message);
      return false;
    }
  }

  /** @param {string} move */
  async play(move) {
    const { chapter, at } = this;
    if (chapter === undefined) return;
    const there = childWith(chapter, at, move);
    if (there !== undefined) return this.go(there);
    if (!this.writes) {
      this.say("You may look at this study, and not write in it.");
      return this.render();
    }
    this._coming = { after: at, move };
    if (!(await this.edit({ type: "play", chapter: chapter.number, after: at, move }))) this._coming = null;
    this._settle();
    this.render();
  }

  /** @param {number} node */
  go(node) {
    const { chapter, study } = this;
    if (chapter === undefined || study === null || !chapter.nodes.has(node)) return;
    this.at = node;
    history.replaceState(history.state, "", `#${chapter.number}.${node}`);
    this.speak(this._words(study, chapter, node));
    this.render();
  }

  /** A move for the ear: what was played, by whom the variation is that it begins, and what is said of it. @param {trees.Study} study @param {trees.Tree} chapter @param {number} number */
  _words(study, chapter, number) {
    const node = chapter.nodes.get(number);
    if (number === 0 || node === undefined) return `The start. ${node?.comment ?? ""}`;
    const glyphs = (node.glyphs ?? []).map((glyph) => trees.GLYPHS[glyph]?.[1] ?? "");
    const others = trees.childrenOf(chapter, node.parent ?? 0).length;
    const begins = trees.beginsVariation(chapter, number) ? trees.variationWords(study, chapter, number) : others > 1 ? `main line, ${others - 1} more` : "";
    return [`${node.seat ?? ""} ${node.text}`, ...glyphs, begins, node.comment ?? ""].filter(Boolean).join(", ");
  }

  /** @param {number} number */
  open(number) {
    [this.number, this.at] = [number, 0];
    history.replaceState(history.state, "", `#${number}.0`);
    this.speak(`Chapter ${this.chapter?.title ?? ""}`);
    this.render();
  }

  /** @param {string} text */
  speak(text) {
    byId("spoken").textContent = text;
  }

  /** @param {string} text */
  say(text) {
    this.why = text;
    this.speak(text);
    this.render();
  }

  _wire() {
    const at = (/** @type {(chapter: trees.Tree, node: trees.Node|undefined) => number|undefined} */ where) => () => {
      const { chapter } = this;
      const to = chapter === undefined ? undefined : where(chapter, chapter.nodes.get(this.at));
      if (to !== undefined) this.go(to);
    };
    const does = {
      first: at(() => 0),
      back: at((_, node) => node?.parent ?? 0),
      forth: at((chapter) => trees.childrenOf(chapter, this.at)[0]),
      last: at((chapter) => trees.mainFrom(chapter, this.at).pop()),
      other: at((chapter) => trees.sibling(chapter, this.at, 1)),
    };
    for (const [id, act] of Object.entries(does)) byId(id).onclick = act;
    byId("flip").onclick = () => this.flip();
    byId("attacks").onclick = () => this.map();
    /** @type {Record<string, () => void>} */
    const keys = { ArrowLeft: does.back, ArrowRight: does.forth, ArrowDown: does.other, ArrowUp: at((chapter) => trees.sibling(chapter, this.at, -1)), Home: does.first, End: does.last, f: () => this.flip(), a: () => this.map() };
    window.addEventListener("resize", () => this.render()); // the move that is looked at stays in sight
    document.addEventListener("keydown", (event) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (/** @type {HTMLElement} */ (event.target).matches("input, textarea, select, dialog *") || keys[event.key] === undefined) return;
      keys[event.key]();
      event.preventDefault();
    });
  }

  flip() {
    this.turned += isPair(this.chapter?.variant ?? "standard") ? 2 : 1;
    this.render();
  }

  /** Show what is attacked, or no longer. */
  async map() {
    this.attacks = !this.attacks;
    byId("attacks").setAttribute("aria-pressed", `${this.attacks}`);
    this._map ??= new (await loaded(() => import("./attackmap.js"))).AttackMap(this);
    this.render();
  }

  /** @param {import("./studyboard.js").Shape["colour"]|null} pen */
  draw(pen) {
    this.pen = pen;
    this.board?.take(pen);
    this.speak(pen === null ? "A press moves men." : `A press draws in ${pen}.`);
    this.render();
  }

  /** Add chapters, one request after the other, and say what of them was not read. @param {import("../../../protocol/protocol.d.ts").Source[]} sources */
  async add(sources) {
    /** @type {string[]} */
    const notes = [];
    try {
      for (const source of sources) {
        const fits = await forms.fitting(this.connection, source);
        const done = /** @type {{notes?: string[]}} */ (await this.connection.command({ type: "edit", room: this.room, change: { type: "add_chapters", source: fits } }));
        notes.push(...(done.notes ?? []));
      }
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      notes.push(error.message);
    }
    if (notes.length > 0) this.say(notes.join(" "));
  }

  // -- what is seen --

  /** Have the positions around the one that is looked at. @param {trees.Tree} chapter */
  async _look(chapter) {
    const node = chapter.nodes.get(this.at);
    const around = [this.at, ...trees.mainFrom(chapter, this.at).slice(0, 6), ...trees.childrenOf(chapter, this.at), node?.parent ?? 0, ...trees.childrenOf(chapter, node?.parent ?? 0)];
    const wanted = [...new Set(around)].filter((one) => !this._asked.has(`${chapter.number}.${one}`) && !this.positions.has(`${chapter.number}.${one}`)).slice(0, 40);
    if (wanted.length === 0 || !this.connection.online) return;
    for (const one of wanted) this._asked.add(`${chapter.number}.${one}`);
    try {
      const { positions } = await this.connection.request({ type: "look", room: this.room, chapter: chapter.number, nodes: wanted });
      for (const one of positions) this.positions.set(`${chapter.number}.${one.node}`, one);
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      this.why = error.message;
    }
    this.render();
  }

  /** Tell the others where one stands. @param {trees.Tree} chapter */
  async _stand(chapter) {
    const place = `${chapter.number}.${this.at}`;
    if (place === this._stood || !this.connection.online) return;
    this._stood = place;
    try {
      await this.connection.request({ type: "stand", room: this.room, chapter: chapter.number, node: this.at });
    } catch (error) {
      if (!(error instanceof RequestError)) throw error; // the others see where one was before
    }
  }

  render() {
    const { study, chapter } = this;
    byId("desk").classList.toggle("empty", study === null);
    if (study === null || study.deleted) return this._none(study?.deleted ? "This study was deleted." : this.why);
    setText(byId("title"), study.title);
    document.title = `${study.title} · Fourfold`;
    forms.chapters(byId("chapters"), this);
    forms.people(byId("people"), this);
    forms.sharing(byId("sharing"), this);
    if (chapter === undefined) return;
    this._look(chapter);
    this._stand(chapter);
    moves.show(byId("moves"), { study, chapter, at: this.at, version: this.version, others: this._others(), pick: (node) => this.go(node) });
    forms.remarks(byId("remarks"), this);
    const looked = this.positions.get(`${chapter.number}.${this.at}`);
    if (looked !== undefined) this._board(chapter, looked);
  }

  /** Who else stands where, in this chapter. @returns {Record<number, string[]>} */
  _others() {
    /** @type {Record<number, string[]>} */
    const found = {};
    for (const { player, name, chapter, node } of this.cursors) {
      if (player !== this.me && chapter === this.number && node !== null) (found[node] ??= []).push(name);
    }
    return found;
  }

  /** @param {trees.Tree} chapter @param {Looked} looked */
  _board(chapter, looked) {
    const holder = byId("board");
    if (this.board?.variant !== chapter.variant) {
      holder.replaceChildren();
      const { size } = boardOf(chapter.variant);
      byId("desk").style.setProperty("--n", `${size}`);
      this.board = new StudyBoard(holder, chapter.variant, (move) => this.play(move), (shapes) => this.edit({ type: "draw", chapter: this.number, node: this.at, shapes }));
      this.board.take(this.pen);
      this._complete(this.board, holder);
    }
    const { board, at } = this;
    const node = chapter.nodes.get(at);
    board.rotate(this.turned % 4);
    const { board: men } = read(looked.position);
    board.show({ board: men, last: node?.move && !node.move.startsWith("-") && node.move.length > 2 ? squares(node.move) : [], check: looked.check, legal: looked.legal, mine: looked.turn, turn: looked.turn });
    board.draw(node?.shapes ?? []);
    const foot = (board.squares.rotation ?? 0) / (4 / chapter.seats.length);
    const order = [...chapter.seats.slice(foot), ...chapter.seats.slice(0, foot)];
    this.engine.showAt(chapter.variant, looked.position, order, looked.turn === null);
    board.suggest(this.engine.arrows);
    this._map?.show(this.attacks, chapter.number, at, order);
    this._game?.show(chapter, at, looked, order);
    if (this._game === undefined) this._played();
    this.explorer.showAt(chapter.variant, looked.position, chapter.nodes.get(trees.childrenOf(chapter, at)[0])?.move ?? undefined);
  }

  async _played() {
    this._game = null;
    this._game = new (await loaded(() => import("./studygame.js"))).StudyGame(this);
    this.render();
  }

  /** @param {StudyBoard} board @param {HTMLElement} holder */
  async _complete(board, holder) {
    const { zoom } = await later();
    board.zoom = new zoom.Zoom(board, holder, () => document.body.classList.toggle("zoomed", board.zoom?.open));
  }

  /** There is nothing to be seen. @param {string} why */
  _none(why) {
    setText(byId("title"), "Study");
    renew(byId("sharing"), why, () => [el("p", {}, why || "Looking for the study…"), el("p", {}, el("a", { href: "/studies" }, "My studies"))]);
  }
}

/** The child of a node that a move leads to. @param {trees.Tree} chapter @param {number} after @param {string} move */
const childWith = (chapter, after, move) => trees.childrenOf(chapter, after).find((one) => chapter.nodes.get(one)?.move === move);

settings.applyTheme();
settings.themeButton(byId("theme"));
document.body.append(sprite());
new StudyPage(settings.roomHere());
