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
import { taken } from "../ui/handover.js";
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
    /** @type {trees.Tree|null} */
    this.chapter = null;
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

  /** The source of a game. @param {number} game @returns {import("./source.js").Source} */
  source(game) {
    return sources(this.name, this.texts[game], "standard")[0];
  }

  /** Open a game of the file. @param {number} game */
  async open(game) {
    this.game = game;
    this.say("");
    try {
      const source = await fitting(this.connection, this.source(game));
      this.found = await this.connection.request({ type: "chapters", source });
    } catch (error) {
      this._refused(error);
      return;
    }
    const { chapter, boards } = this.found;
    this.chapter = trees.tree(chapter);
    this.boards = new Map(boards.map((board) => [board.node, board]));
    this.at = 0;
    this.version++;
    this.board = new BoardView(placeFor(chapter.variant), { variant: chapter.variant });
    document.title = `${chapter.title} · Fourfold`;
    this.render();
  }

  /** @param {unknown} error */
  _refused(error) {
    if (!(error instanceof RequestError || error instanceof FileFault)) throw error;
    this.say(error instanceof FileFault ? error.message : `${this.name}: ${error.message}`);
    this.render();
  }

  /** @param {string} why */
  say(why) {
    setText(byId("why"), why);
  }

  // -- from here --

  /** Open a table at the displayed position, with the moves that led there. */
  async playOn() {
    const { chapter } = this;
    if (chapter === null) return;
    const path = trees.pathTo(chapter, this.at).map(({ move }) => move);
    const plain = path.every((move) => ORDINARY.test(move));
    const usual = chapter.seats.length === 2 && !("FEN" in chapter.tags) && plain;
    const from = plain ? { moves: path, position: chapter.position } : { position: this.boards.get(this.at)?.position };
    try {
      const { room } = await this.connection.command({
        type: "create", variant: chapter.variant, visibility: "private", ...from, ...(usual ? { position: null } : {}),
      });
      settings.go(`/r/${room}`);
    } catch (error) {
      this._refused(error);
    }
  }

  /** Make a study of the game. */
  async study() {
    try {
      const source = await fitting(this.connection, this.source(this.game));
      const { room } = await this.connection.command({ type: "study", source });
      settings.go(`/s/${room}#1.${this.at}`);
    } catch (error) {
      this._refused(error);
    }
  }

  /** Add the game to the archive, and go there. */
  async archive() {
    try {
      const source = await fitting(this.connection, this.source(this.game));
      const { room } = await this.connection.request({ type: "import", source });
      settings.go(`/r/${room}`);
    } catch (error) {
      this._refused(error);
    }
  }

  // -- input --

  /** @param {number} node */
  go(node) {
    const { chapter } = this;
    if (chapter === null || !chapter.nodes.has(node)) return;
    this.at = node;
    const { text = "", comment } = chapter.nodes.get(node) ?? {};
    setText(byId("spoken"), node === 0 ? `The start. ${comment ?? ""}` : `${text}. ${comment ?? ""}`);
    this.render();
  }

  _wire() {
    const at = (/** @type {(chapter: trees.Tree) => number|undefined} */ where) => () => {
      const to = this.chapter === null ? undefined : where(this.chapter);
      if (to !== undefined) this.go(to);
    };
    const does = {
      first: at(() => 0),
      back: at((chapter) => chapter.nodes.get(this.at)?.parent ?? 0),
      forth: at((chapter) => trees.childrenOf(chapter, this.at)[0]),
      last: at((chapter) => trees.mainFrom(chapter, this.at).pop()),
    };
    for (const id of /** @type {const} */ (["first", "back", "forth", "last"])) byId(id).onclick = does[id];
    /** @type {Record<string, () => void>} */
    const keys = {
      ArrowLeft: does.back, ArrowRight: does.forth, Home: does.first, End: does.last,
      ArrowDown: at((chapter) => trees.sibling(chapter, this.at, 1)),
      ArrowUp: at((chapter) => trees.sibling(chapter, this.at, -1)),
      f: () => {
        this.turned += this.chapter?.seats.length === 2 ? 2 : 1;
        this.render();
      },
    };
    document.addEventListener("keydown", (event) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      const target = /** @type {HTMLElement} */ (event.target);
      if (target.matches("input, textarea, select") || keys[event.key] === undefined) return;
      keys[event.key]();
      event.preventDefault();
    });
    setUp(() => this.board);
    const input = byId("file");
    input.onchange = async () => {
      const file = input.files?.[0];
      input.value = ""; // lets the user pick the same file again
      if (file) this.take(file.name, await file.text());
    };
    document.addEventListener("dragover", (event) => {
      if (event.dataTransfer?.types.includes("Files")) event.preventDefault();
    });
    document.addEventListener("drop", async (event) => {
      const file = event.dataTransfer?.files[0];
      if (!file) return;
      event.preventDefault();
      this.take(file.name, await file.text());
    });
    byId("game").onchange = (/** @type {any} */ event) => this.open(Number(event.target.value));
  }

  // -- drawing --

  render() {
    const { chapter, found } = this;
    renew(byId("acts"), [chapter !== null, this.boards.has(this.at)], () => [
      ...(chapter === null
        ? []
        : [
            button("Play on from here", () => this.playOn(),
              { class: "primary", "data-focus": "play", disabled: !this.boards.has(this.at) },
            ),
            button("Study this", () => this.study(), { "data-focus": "study" }),
            button("Add to the archive", () => this.archive(), { "data-focus": "archive" }),
          ]),
      button(chapter === null ? "Open a file" : "Another file", () => byId("file").click(), { "data-focus": "file" }),
    ]);
    byId("game").hidden = this.texts.length < 2;
    renew(byId("game"), [this.texts, this.game], () =>
      this.texts.map((text, game) => el("option", { value: game, selected: game === this.game }, titleOf(text, game))),
    );
    document.body.classList.toggle("nothing-read", chapter === null);
    if (chapter === null || found === null) return;
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
    const end = trees.childrenOf(chapter, this.at).length === 0;
    for (const button of /** @type {NodeListOf<HTMLButtonElement>} */ (document.querySelectorAll(".steps button")))
      button.disabled = ["first", "back"].includes(button.id) ? this.at === 0 : end;
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
