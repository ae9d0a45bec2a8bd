/** Reads a game of a file: its moves with variations and comments. From there one plays on, or studies it. */

import { BoardView } from "../board/board.js";
import { placeFor, setUp } from "../board/desk.js";
import { read } from "../model/fen.js";
import { rotationFor } from "../model/geometry.js";
import { squares } from "../model/table.js";
import * as trees from "../model/tree.js";
import { RequestError } from "../net/connection.js";
import { answerTo } from "../net/files.js";
import { connect } from "../net/page.js";
import * as settings from "../net/settings.js";
import { capital, VARIANTS } from "../text/words.js";
import { button, byId, el, renew, setText } from "../ui/dom.js";
import { onDrop, onPick, taken } from "../ui/handover.js";
import { walk } from "./controls.js";
import * as exits from "./exits.js";
import { FileFault, sources } from "./file.js";
import * as moves from "./moves.js";
import { fitting } from "./source.js";

/** @typedef {import("../net/connection.js").Frames["chapters"]} Chapters */

/** Games of the server that a link to this page can name. */
const PUBLISHED = /^\/engines\/[\w-]+\.pgn4?$/;

/** The first sign of a move's text that leaves the game, or passes. */
const ORDINARY = /^(?:[a-z]\d|[A-Z]@)/;

class ReaderPage {
  constructor() {
    this.name = "";
    /** The text of each game of the file. @type {string[]} */
    this.texts = [];
    this.game = 0;
    /** @type {Chapters|null} */
    this.found = null;
    /** @type {trees.Tree|undefined} */
    this.chapter = undefined;
    /** @type {Map<number, Chapters["boards"][0]>} */
    this.boards = new Map();
    this.at = 0;
    this.version = 0;
    this.turned = 0;
    /** @type {BoardView|undefined} */
    this.board = undefined;
    const { connection } = connect();
    this.connection = connection;
    this._wire();
    const published = new URLSearchParams(location.search).get("from");
    const file = published === null ? taken() : null;
    if (published !== null) void this.fetch(published);
    else if (file === null) this.say("Open a file with a game, or drop it here: PGN or PGN4.");
    else this.take(file.name, file.text);
    this.render();
  }

  // -- the file --

  /** @param {string} name @param {string} text */
  take(name, text) {
    this.name = name;
    this.texts = text.replace(/^\ufeff/, "").replace(/\r\n?/g, "\n").trim().split(/\n(?=\[Event )/);
    this.open(0);
  }

  /** Open a game that the server has. @param {string} path */
  async fetch(path) {
    const answer = PUBLISHED.test(path) ? await answerTo(path) : null;
    if (answer?.ok) this.take(path.split("/").pop() ?? "", await answer.text());
    else this.say(`The game ${path} cannot be read.`);
  }

  /** The open game, for a request. */
  async _source() {
    return fitting(this.connection, sources(this.name, this.texts[this.game], "standard")[0]);
  }

  /** Open a game of the file. @param {number} game */
  async open(game) {
    this.game = game;
    this.say("");
    const found = await this._attempt(async () =>
      this.connection.request({ type: "chapters", source: await this._source() }),
    );
    if (found === null) return;
    this.found = found;
    const { chapter, boards } = found;
    this.chapter = trees.tree(chapter);
    this.boards = new Map(boards.map((board) => [board.node, board]));
    this.at = 0;
    this.version++;
    this.board = new BoardView(placeFor(chapter.variant), { variant: chapter.variant });
    document.title = `${chapter.title} · Fourfold`;
    this.render();
  }

  /** Carry out requests; null after a refusal, which is shown. @template T @param {() => Promise<T>} does */
  async _attempt(does) {
    try {
      return await does();
    } catch (error) {
      if (!(error instanceof RequestError || error instanceof FileFault)) throw error;
      this.say(error instanceof FileFault ? error.message : `${this.name}: ${error.message}`);
      this.render();
      return null;
    }
  }

  /** @param {string} why */
  say(why) {
    setText(byId("why"), why);
  }

  // -- from here --

  /** Open a table at the displayed position, with the moves that led there. */
  async playOn() {
    const { chapter } = this;
    if (chapter === undefined) return;
    const path = trees.pathTo(chapter, this.at).map(({ move }) => move);
    const plain = path.every((move) => ORDINARY.test(move));
    const usual = chapter.seats.length === 2 && !("FEN" in chapter.tags) && plain;
    const from = plain ? { moves: path, position: chapter.position } : { position: this.boards.get(this.at)?.position };
    await this._attempt(async () => {
      const { room } = await this.connection.command({
        type: "create", variant: chapter.variant, visibility: "private", ...from, ...(usual ? { position: null } : {}),
      });
      settings.go(`/r/${room}`);
    });
  }

  /** Make a study of the game. */
  study() {
    return this._attempt(async () => {
      const { room } = await this.connection.command({ type: "study", source: await this._source() });
      settings.go(`/s/${room}#1.${this.at}`);
    });
  }

  /** Add the game to the archive, and go there. */
  archive() {
    return this._attempt(async () => {
      const { room } = await this.connection.request({ type: "import", source: await this._source() });
      settings.go(`/r/${room}`);
    });
  }

  // -- input --

  /** @param {number} node */
  go(node) {
    const { chapter } = this;
    if (chapter === undefined || !chapter.nodes.has(node)) return;
    this.at = node;
    const { text = "", comment } = chapter.nodes.get(node) ?? {};
    setText(byId("spoken"), node === 0 ? `The start. ${comment ?? ""}` : `${text}. ${comment ?? ""}`);
    this.render();
  }

  flip() {
    this.turned += this.chapter?.seats.length === 2 ? 2 : 1;
    this.render();
  }

  _wire() {
    setUp(() => this.board);
    walk(this);
    const take = async (/** @type {File} */ file) => this.take(file.name, await file.text());
    onPick(byId("file"), take);
    onDrop(take);
    byId("game").onchange = (/** @type {any} */ event) => this.open(Number(event.target.value));
  }

  // -- drawing --

  render() {
    const { chapter, found } = this;
    renew(byId("acts"), [chapter !== undefined, this.boards.has(this.at)], () => [
      ...(chapter === undefined
        ? []
        : [
            button("Play on from here", () => this.playOn(),
              { class: "primary", "data-focus": "play", disabled: !this.boards.has(this.at) },
            ),
            button("Study this", () => this.study(), { "data-focus": "study" }),
            button("Add to the archive", () => this.archive(), { "data-focus": "archive" }),
          ]),
      button(chapter ? "Another file" : "Open a file", () => byId("file").click(), { "data-focus": "file" }),
    ]);
    byId("game").hidden = this.texts.length < 2;
    renew(byId("game"), [this.texts, this.game], () =>
      this.texts.map((text, game) => el("option", { value: game, selected: game === this.game }, titleOf(text, game))),
    );
    document.body.classList.toggle("nothing-read", chapter === undefined);
    const end = chapter === undefined || trees.childrenOf(chapter, this.at).length === 0;
    for (const button of /** @type {NodeListOf<HTMLButtonElement>} */ (document.querySelectorAll(".steps button")))
      button.disabled = ["first", "back"].includes(button.id) ? this.at === 0 : end;
    if (chapter === undefined || found === null) return;
    setText(byId("about-title"), chapter.title);
    setText(byId("about"), about(chapter));
    renew(byId("notes"), found.notes, () => (found.notes ?? []).map((note) => el("p", {}, note)));
    const here = this.boards.get(this.at);
    const node = chapter.nodes.get(this.at);
    this.board?.rotate((rotationFor(chapter.variant, chapter.seats[0]) + this.turned) % 4);
    this.board?.show({
      board: read(here?.position ?? chapter.position).board, check: here?.check ?? [],
      last: node !== undefined && this.at > 0 && ORDINARY.test(node.move) ? squares(node.move) : [],
    });
    const study = /** @type {trees.Study} */ ({ names: { [chapter.by]: this.name } });
    moves.show(byId("moves"), {
      study, chapter, at: this.at, version: this.version, others: {}, exits,
      out: (one) => this.boards.get(one)?.out, pick: (one) => this.go(one),
    });
  }
}

/** A game of a file, by its tags. @param {string} text @param {number} game */
function titleOf(text, game) {
  const tag = (/** @type {string} */ name) => new RegExp(`^\\[${name}\\s+"((?:\\\\.|[^"\\\\])*)"`, "m").exec(text)?.[1];
  const names = ["White", "Red", "Black", "Blue", "Yellow", "Green"].flatMap((name) => {
    const found = tag(name);
    return found && found !== "?" ? [found] : [];
  });
  return `${game + 1}. ${names.join(" – ") || (tag("Event") ?? "Game")}`;
}

/** The facts about a game: variant, players, event, result. @param {trees.Tree} chapter */
function about({ title, variant, seats, tags }) {
  const names = seats
    .map((seat) => tags[capital(seat)])
    .filter((name) => name && name !== "?" && !title.includes(name));
  const facts = ["Event", "Site", "Date", "Result", "Termination"].map((name) => tags[name]);
  return [VARIANTS[variant]?.name ?? variant, names.join(" – "), ...facts]
    .filter((fact) => fact && !/^[?.*]+$/.test(fact))
    .join(" · ");
}

new ReaderPage();
