/** What is written into a study beside its moves: comments, glyphs, chapters, and who may see and write it. */

import { RequestError } from "./connection.js";
import { el, renew } from "./dom.js";
import { keep } from "./files.js";
import { later } from "./lazy.js";
import { loaded } from "./loading.js";
import { typed, written } from "./studyboard.js";
import * as trees from "./studytree.js";
import { isPair, plural, VARIANTS } from "./words.js";

/** Of a text up to so many characters, each six bytes at most, no piece need be sent ahead. */
const SHORT = 1200;

/** @typedef {import("./study.js").StudyPage} Page */

/** The glyphs that may be given to a move, in the order of their buttons. */
const OFFERED = [1, 2, 3, 4, 5, 6];

/** @type {Record<string, string>} */
const VISIBLE = { private: "Only me and the writers", link: "Whoever has the link", public: "Everybody" };

/** @type {Record<string, string>} */
const WRITERS = { owner: "Only me", named: "Those I name", everybody: "Everybody who sees it" };

/** A form whose one text goes somewhere. @param {string} label @param {string} name @param {string} value @param {string} button @param {(text: string) => void} send @param {Record<string, string>} [more] */
function line(label, name, value, button, send, more = {}) {
  const input = /** @type {HTMLInputElement} */ (el("input", { id: name, value, "data-focus": name, autocomplete: "off", maxlength: "200", ...more }));
  return el("form", { class: "line-form", onsubmit: (/** @type {Event} */ event) => {
    event.preventDefault();
    send(input.value.trim());
  } }, el("label", { for: name }, label), input, el("button", {}, button));
}

/** A choice among words. @param {string} label @param {string} name @param {Record<string, string>} words @param {string} value @param {(value: string) => void} pick */
const choice = (label, name, words, value, pick) =>
  el("p", { class: "line-form" }, el("label", { for: name }, label), el("select", { id: name, "data-focus": name, onchange: (/** @type {any} */ event) => pick(event.target.value) }, ...Object.entries(words).map(([key, text]) => el("option", { value: key, selected: key === value }, text))));

/** What is said of the move that is looked at, and what may be done with it. @param {HTMLElement} holder @param {Page} page */
export function remarks(holder, page) {
  const { chapter, at, study, writes } = page;
  const node = chapter?.nodes.get(at);
  if (chapter === undefined || node === undefined || study === null) return;
  const place = { chapter: chapter.number, node: at };
  const glyphs = node.glyphs ?? [];
  const names = { main: trees.beginsVariation(chapter, at) || trees.pathTo(chapter, at).some((one) => trees.beginsVariation(chapter, one.number)) };
  renew(holder, [page.version, place, writes, page.why, page.pen], () => [
    page.why ? el("p", { class: "bad" }, page.why) : null,
    at === 0 ? null : el("p", { class: "second" }, `${node.seat ?? ""} ${node.text}, by ${trees.authorOf(study, chapter, node)}`),
    !writes ? null : el("div", { class: "buttons", role: "group", "aria-label": "What is thought of the move" }, ...(at === 0 ? [] : OFFERED.map((glyph) =>
      el("button", { type: "button", class: "small", "data-focus": `glyph ${glyph}`, "aria-pressed": `${glyphs.includes(glyph)}`, "aria-label": trees.GLYPHS[glyph][1], title: trees.GLYPHS[glyph][1], onclick: () => page.edit({ type: "annotate", ...place, glyphs: glyphs.includes(glyph) ? glyphs.filter((one) => one !== glyph) : [...glyphs.filter((one) => one > 6), glyph] }) }, trees.GLYPHS[glyph][0]),
    ))),
    !writes ? null : comment(page, place, node.comment ?? ""),
    !writes ? null : line("Arrows", "shapes", written(node.shapes ?? []), "Draw", (text) => {
      const shapes = typed(text);
      if (shapes === null) page.say("Write arrows and squares as: e2e4 green, f7 red");
      else page.edit({ type: "draw", ...place, shapes });
    }, { placeholder: "e2e4 green, f7 red" }),
    !writes ? null : pens(page),
    !writes || at === 0 ? null : el(
      "div",
      { class: "buttons" },
      names.main ? el("button", { type: "button", "data-focus": "promote", onclick: () => page.edit({ type: "promote", ...place, whole: false }) }, "Promote variation") : null,
      el("button", { type: "button", class: "danger", "data-focus": "remove", onclick: () => remove(page, place) }, "Remove from here"),
    ),
  ]);
}

/** @type {import("./studyboard.js").Shape["colour"][]} */
const PENS = ["green", "red", "yellow", "blue"];

/** To draw with a finger: which colour it has, if it draws. @param {Page} page */
const pens = (page) =>
  el("div", { class: "pens", role: "group", "aria-label": "Draw on the board" }, el("span", { class: "second" }, "Draw"), ...PENS.map((pen) =>
    el("button", { type: "button", "data-focus": `pen ${pen}`, "aria-pressed": `${page.pen === pen}`, "aria-label": `Draw in ${pen}`, title: `Draw in ${pen}`, onclick: () => page.draw(page.pen === pen ? null : pen) }, el("i", { class: `pen-${pen}` })),
  ));

/** @param {Page} page @param {{chapter: number, node: number}} place @param {string} text */
function comment(page, place, text) {
  const area = /** @type {HTMLTextAreaElement} */ (el("textarea", { id: "comment", rows: "2", maxlength: "5000", "data-focus": "comment", placeholder: "What is to be said here" }, text));
  return el("form", { class: "line-form", onsubmit: (/** @type {Event} */ event) => {
    event.preventDefault();
    page.edit({ type: "comment", ...place, text: area.value.trim() });
  } }, el("label", { for: "comment" }, "Comment"), area, el("button", {}, "Keep"));
}

/** @param {Page} page @param {{chapter: number, node: number}} place */
async function remove(page, place) {
  const { chapter } = page;
  const parent = chapter?.nodes.get(place.node)?.parent ?? 0;
  const { confirm } = (await later()).dialogs;
  if (!(await confirm("Remove this move and all that follows it?", "Remove"))) return;
  if (await page.edit({ type: "remove", ...place })) page.go(parent);
}

/** The chapters, and how to add one. @param {HTMLElement} holder @param {Page} page */
export function chapters(holder, page) {
  const { study, number, writes } = page;
  if (study === null) return;
  renew(holder, [page.version, number, writes], () => [
    el("h2", {}, "Chapters"),
    el("ol", { class: "chapters" }, ...study.chapters.map((one, place) =>
      el(
        "li",
        {},
        el("button", { type: "button", class: "chapter", "data-focus": `chapter ${one.number}`, "aria-current": one.number === number ? "true" : null, onclick: () => page.open(one.number) }, `${place + 1}. ${one.title}`),
        !writes || one.number !== number ? null : el("button", { type: "button", class: "icon", "data-focus": `up ${one.number}`, "aria-label": "Move the chapter up", disabled: place === 0 ? "" : null, onclick: () => page.edit({ type: "order_chapter", chapter: one.number, place: place - 1 }) }, "↑"),
        !writes || one.number !== number ? null : el("button", { type: "button", class: "icon", "data-focus": `down ${one.number}`, "aria-label": "Move the chapter down", disabled: place + 1 === study.chapters.length ? "" : null, onclick: () => page.edit({ type: "order_chapter", chapter: one.number, place: place + 1 }) }, "↓"),
        !writes || one.number !== number ? null : el("button", { type: "button", class: "icon", "data-focus": `gone ${one.number}`, "aria-label": "Remove the chapter", disabled: study.chapters.length === 1 ? "" : null, onclick: () => removeChapter(page, one.number) }, "×"),
      ),
    )),
    !writes ? null : line("Title", "chapter-title", page.chapter?.title ?? "", "Rename", (title) => title && page.edit({ type: "title_chapter", chapter: number, title })),
    !writes ? null : el("details", {}, el("summary", { "data-focus": "add" }, "Add a chapter"), source("add-", "Add", (made) => page.add(made), (why) => page.say(why))),
  ]);
}

/** @param {Page} page @param {number} chapter */
async function removeChapter(page, chapter) {
  const { confirm } = (await later()).dialogs;
  if (await confirm("Remove this chapter with all its moves?", "Remove")) page.edit({ type: "remove_chapter", chapter });
}

/**
 * A form for what chapters are made of: a start, a position, a text of games, a game of a room, or a file.
 * @param {string} prefix of the ids @param {string} button @param {(sources: import("../../../protocol/protocol.d.ts").Source[]) => void} send @param {(why: string) => void} complain
 */
export function source(prefix, button, send, complain) {
  const variant = /** @type {HTMLSelectElement} */ (el("select", { id: `${prefix}variant` }, ...Object.entries(VARIANTS).map(([name, known]) => el("option", { value: name }, known.name))));
  const text = /** @type {HTMLTextAreaElement} */ (el("textarea", { id: `${prefix}text`, rows: "3", maxlength: "67500", placeholder: "nothing: the usual start; or FEN, FEN4, moves, PGN, PGN4, or the link of a game" }));
  return el("form", { class: "source", onsubmit: (/** @type {Event} */ event) => {
    event.preventDefault();
    send([meant(text.value.trim(), variant.value)]);
  } }, el("label", { for: `${prefix}variant` }, "Variant"), variant, el("label", { for: `${prefix}text` }, "From"), text, el("div", { class: "buttons" }, el("button", {}, button), file(variant, send, complain)));
}

/** A button that picks a file, of which chapters are made at once. @param {HTMLSelectElement} variant @param {(sources: import("../../../protocol/protocol.d.ts").Source[]) => void} send @param {(why: string) => void} complain */
function file(variant, send, complain) {
  const input = /** @type {HTMLInputElement} */ (el("input", { type: "file", hidden: "", accept: ".pgn,.pgn4,.fen,.fen4,text/plain", onchange: async () => {
    const picked = input.files?.[0];
    input.value = ""; // so that the same file can be picked again
    if (picked === undefined) return;
    const { FileFault, sources } = await loaded(() => import("./studyfile.js"));
    try {
      send(sources(picked.name, await picked.text(), variant.value));
    } catch (error) {
      if (!(error instanceof FileFault)) throw error;
      complain(error.message);
    }
  } }));
  return el("span", {}, el("button", { type: "button", onclick: () => input.click() }, "A file…"), input);
}

/** A source whose text fits into one request: what is too long of it has been sent. @param {import("./connection.js").Connection} connection @param {import("../../../protocol/protocol.d.ts").Source} source */
export async function fitting(connection, source) {
  if ((source.text ?? "").length <= SHORT) return source;
  return (await loaded(() => import("./studyfile.js"))).ahead(connection, source);
}

/** What a text means as the source of chapters. @param {string} text @param {string} variant @returns {import("../../../protocol/protocol.d.ts").Source} */
export function meant(text, variant) {
  const game = /(?:^|\/r\/)([0-9a-z]{8}|[0-9a-z]{16})(?:\.svg)?(?:[?#].*)?$/.exec(text);
  if (text === "") return { variant };
  if (game !== null) return { game: game[1] };
  return /^(?:[RBYG]-|[1-8pnbrqk]+\/)\S+( .*)?$/i.test(text) ? { variant, position: text } : { variant, text };
}

/** Who is here. @param {HTMLElement} holder @param {Page} page */
export function people(holder, page) {
  const { cursors, count, study } = page;
  renew(holder, [cursors, count, page.version], () => [
    el("h2", {}, "Here"),
    el("ul", { class: "here" }, ...cursors.map(({ name, player, chapter, node, writes }) => {
      const where = study?.chapters.find((one) => one.number === chapter)?.nodes.get(node ?? -1);
      return el("li", {}, el("span", { class: "name" }, name), el("span", { class: "second" }, `${player === page.me ? " you" : ""}${writes ? " writes" : ""}${where === undefined ? "" : where.number === 0 ? ", at the start" : `, at ${where.text}`}`));
    })),
    count > cursors.length ? el("p", { class: "second" }, `and ${count - cursors.length} more`) : null,
  ]);
}

/** Who may see and write, and the study as a text. @param {HTMLElement} holder @param {Page} page */
export function sharing(holder, page) {
  const { study, owns } = page;
  if (study === null) return;
  renew(holder, [page.version, owns, page.me], () => [
    el("h2", {}, "Share"),
    el("p", { class: "second" }, `By ${study.names[study.owner] ?? "somebody"}. `, owns ? "" : `${VISIBLE[study.visibility]} may see it.`),
    !owns ? null : line("Title", "study-title", study.title, "Rename", (title) => title && page.edit({ type: "retitle", title })),
    !owns ? null : choice("May see it", "visibility", VISIBLE, study.visibility, (visibility) => page.edit({ type: "share", visibility: /** @type {any} */ (visibility) })),
    !owns ? null : choice("May write", "write", WRITERS, study.write, (write) => page.edit({ type: "allow", write: /** @type {any} */ (write), writers: study.writers })),
    !owns || study.write !== "named" ? null : el("ul", { class: "here" }, ...study.writers.map((one) => el("li", {}, el("span", { class: "name" }, study.names[one] ?? one), el("button", { type: "button", class: "small", "data-focus": `not ${one}`, onclick: () => page.edit({ type: "allow", write: "named", writers: study.writers.filter((other) => other !== one) }) }, "Take away")))),
    !owns || study.write !== "named" ? null : line("Name an account, or a player who is here", "writer", "", "Let write", (name) => {
      const here = page.cursors.find((one) => one.name === name)?.player;
      if (name) page.edit({ type: "allow", write: "named", writers: [...study.writers, here ?? name] });
    }),
    el(
      "div",
      { class: "buttons" },
      el("button", { type: "button", "data-focus": "link", onclick: () => copy(page) }, "Copy the link"),
      el("button", { type: "button", "data-focus": "export", onclick: () => save(page) }, "Save as a file"),
      owns ? el("button", { type: "button", class: "danger", "data-focus": "delete", onclick: () => destroy(page) }, "Delete") : null,
    ),
  ]);
}

/** @param {Page} page */
async function copy(page) {
  const { showText } = (await later()).dialogs;
  const link = location.href;
  try {
    await navigator.clipboard.writeText(link);
    page.speak("The link is copied.");
  } catch (error) {
    if (!(error instanceof DOMException) && !(error instanceof TypeError)) throw error; // it is not allowed, or there is no clipboard
    showText(link, "The link");
  }
}

/** All chapters of the kind of the one that is open, as PGN or PGN4. @param {Page} page */
async function save(page) {
  const format = isPair(page.chapter?.variant ?? "standard") ? "pgn" : "pgn4";
  try {
    const { text } = await page.connection.request({ type: "export", room: page.room, format });
    keep(text, `${page.room}.${format}`);
    page.speak(`Saved, ${plural(text.length, "character")}.`);
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    page.say(error.message);
  }
}

/** @param {Page} page */
async function destroy(page) {
  const { confirm } = (await later()).dialogs;
  if (await confirm("Delete this study for everybody, for good?", "Delete")) page.edit({ type: "delete" });
}
