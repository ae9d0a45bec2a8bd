/** The forms of a study: comments, glyphs, chapters, visibility and writers. */

import * as trees from "../model/tree.js";
import { trying } from "../net/connection.js";
import { late } from "../net/loading.js";
import { isPair, list, plural } from "../text/words.js";
import { choice, form } from "../ui/controls.js";
import { button, el, renew } from "../ui/dom.js";
import { keep } from "../ui/files.js";
import { typed, written } from "./board.js";
import { source } from "./source.js";
import { textOf } from "./words.js";

const dialogs = late(() => import("../ui/dialogs.js"));

/**
 * @typedef {object} Page what the forms need of the page
 * @property {string} room @property {import("../net/connection.js").Connection} connection
 * @property {trees.Study|null} study @property {trees.Tree} [chapter] @property {number} number the chapter's
 * @property {number} at the displayed node
 * @property {string} me this player @property {boolean} owns @property {boolean} writes whether this user may edit
 * @property {import("../net/connection.js").Frames["cursors"]["cursors"]} cursors @property {number} count
 * @property {import("./board.js").Shape["colour"]|null} pen the colour in which a finger draws
 * @property {import("./drafts.js").Drafts} drafts
 * @property {(change: trees.Change) => Promise<boolean>} edit resolves to whether it was done
 * @property {(sources: import("../../../../protocol/protocol.d.ts").Source[]) => Promise<boolean>} add chapters
 * @property {(decided?: string) => void} keep save typed comments @property {(of: string) => void} forget a draft
 * @property {(pen: import("./board.js").Shape["colour"]|null) => void} draw
 * @property {(number: number) => void} open a chapter @property {(node: number) => void} go display a move
 * @property {(text: string, how?: Partial<import("./slot.js").Notice>) => void} say show a notice
 */

/** The most bytes of a comment in one request, whose frame has room for 8192. */
const LONGEST = 7500;

/** The glyphs for moves, in the order of their buttons; and for positions, the first two also among four players. */
const OF_MOVES = [1, 2, 3, 4, 5, 6];
const OF_POSITIONS = [10, 13, 14, 15, 16, 17, 18, 19];

/** @type {Record<string, string>} */
const VISIBLE = { private: "Only me and the writers", link: "Anybody with the link", public: "Everybody" };

/** @type {Record<string, string>} */
const WRITERS = { owner: "Only me", named: "Players I name", everybody: "Everybody who sees it" };

/**
 * A part of a panel that is redrawn by itself, so that changes elsewhere keep its form input.
 * @param {HTMLElement} holder @param {string} name @returns {HTMLElement}
 */
function part(holder, name) {
  const found = /** @type {HTMLElement|null} */ (holder.querySelector(`:scope > [data-part="${name}"]`));
  if (found !== null) return found;
  const made = el("div", { class: "part", "data-part": name });
  holder.append(made);
  return made;
}

/**
 * A part with a form of one text; null hides the form.
 * @param {HTMLElement} holder @param {Page} page
 * @param {{label: string, name: string, of: string, words: string, more?: Record<string, string>}} how `of` is the
 * text's place, as in `Drafts`; `words` are those of the button
 * @param {string|null} stored
 * @param {(text: string) => Promise<boolean>} send resolves to whether the study has accepted it
 */
function line(holder, page, { label, name, of, words, more = {} }, stored, send) {
  const here = part(holder, name);
  renew(here, [of, stored === null], () => {
    if (stored === null) return [];
    const input = el("input", { id: name, "data-focus": name, autocomplete: "off", maxlength: "200", ...more });
    return [
      form(() => page.drafts.send(of, send), { class: "line-form" },
        el("label", { for: name }, label), input, el("button", {}, words),
      ),
    ];
  });
  if (stored !== null) page.drafts.show(/** @type {HTMLInputElement} */ (here.querySelector("input")), of, stored);
}

/**
 * A choice among words, with a label.
 * @param {string} label @param {string} name @param {Record<string, string>} words @param {string} value
 * @param {(value: string) => void} pick
 */
const labelled = (label, name, words, value, pick) =>
  el("p", { class: "line-form" },
    el("label", { for: name }, label), choice(words, value, pick, { id: name, "data-focus": name }),
  );

/** The comment on the displayed move, and the actions on it. @param {HTMLElement} holder @param {Page} page */
export function remarks(holder, page) {
  const { chapter, at, writes } = page;
  const node = chapter?.nodes.get(at);
  if (chapter === undefined || node === undefined) return;
  const place = { chapter: chapter.number, node: at };
  const here = `${place.chapter}.${at}`;
  holder.hidden = !writes;
  given(holder, page, place, node.glyphs ?? []);
  comment(holder, page, place, writes ? (node.comment ?? "") : null);
  const more = { placeholder: "e2e4 green, f7 red" };
  line(holder, page, { label: "Arrows", name: "shapes", of: `shapes ${here}`, words: "Draw", more },
    writes ? written(node.shapes ?? []) : null,
    async (text) => {
      const shapes = typed(text);
      if (shapes !== null) return page.edit({ type: "draw", ...place, shapes });
      page.say("Write arrows and squares as: e2e4 green, f7 red");
      return false;
    },
  );
  renew(part(holder, "pens"), [writes, page.pen], () => (writes ? [pens(page)] : []));
  const varies = trees.pathTo(chapter, at).some((one) => trees.beginsVariation(chapter, one.number));
  renew(part(holder, "line"), [here, writes, varies], () => [
    !writes || at === 0
      ? null
      : el("div", { class: "buttons" },
          varies
            ? button("Promote variation", () => page.edit({ type: "promote", ...place, whole: false }),
                { "data-focus": "promote" },
              )
            : null,
          button("Remove from here", () => remove(page, place), { class: "danger", "data-focus": "remove" }),
        ),
  ]);
}

/**
 * The glyphs of a move: those of the move first, those of the position on demand.
 * @param {HTMLElement} holder @param {Page} page @param {{chapter: number, node: number}} place
 * @param {number[]} glyphs
 */
function given(holder, page, place, glyphs) {
  const offered = page.writes && place.node !== 0;
  const row = (/** @type {number[]} */ codes, /** @type {string} */ words) =>
    el("div", { class: "buttons", role: "group", "aria-label": words },
      ...codes.map((code) => {
        const [sign, meaning] = trees.GLYPHS[code];
        const others = glyphs.filter((one) => !codes.includes(one));
        const after = glyphs.includes(code) ? others : [code, ...others].sort((one, other) => one - other);
        return button(sign, () => page.edit({ type: "annotate", ...place, glyphs: after }), {
          class: "small", "data-focus": `glyph ${code}`, "aria-pressed": `${glyphs.includes(code)}`,
          "aria-label": meaning, title: meaning,
        });
      }),
    );
  renew(part(holder, "of-move"), [offered, place, glyphs], () => (offered ? [row(OF_MOVES, "Judge the move")] : []));
  const codes = page.chapter?.seats.length === 2 ? OF_POSITIONS : OF_POSITIONS.slice(0, 2);
  const more = part(holder, "of-position");
  renew(more, offered, () =>
    offered ? [el("details", {}, el("summary", { "data-focus": "more glyphs" }, "More glyphs"), el("div"))] : [],
  );
  if (offered)
    renew(/** @type {HTMLElement} */ (more.querySelector("div")), [place, codes, glyphs], () => [
      row(codes, "Judge the position"),
    ]);
}

/** @type {import("./board.js").Shape["colour"][]} */
const PENS = ["green", "red", "yellow", "blue"];

/** Drawing with a finger: the colour, if it draws. @param {Page} page */
const pens = (page) =>
  el("div", { class: "pens", role: "group", "aria-label": "Draw on the board" },
    el("span", { class: "second" }, "Draw"),
    ...PENS.map((pen) =>
      button(el("i", { class: `pen-${pen}` }), () => page.draw(page.pen === pen ? null : pen), {
        "data-focus": `pen ${pen}`, "aria-pressed": `${page.pen === pen}`, "aria-label": `Draw in ${pen}`,
        title: `Draw in ${pen}`,
      }),
    ),
  );

/**
 * The field of a comment: its text is saved when the field loses the focus.
 * @param {HTMLElement} holder @param {Page} page @param {{chapter: number, node: number}} place
 * @param {string|null} stored null if the user may not edit
 */
function comment(holder, page, place, stored) {
  const of = `comment ${place.chapter}.${place.node}`;
  const here = part(holder, "comment");
  renew(here, [of, stored === null], () => {
    if (stored === null) return [];
    const area = el("textarea", {
      id: "comment", rows: "2", maxlength: "5000", "data-focus": "comment", placeholder: "Your comment",
      onblur: () => page.keep(),
    });
    return [
      form(() => page.keep(of), { class: "line-form" },
        el("label", { for: "comment" }, "Comment"), area, el("button", {}, "Keep"),
      ),
    ];
  });
  if (stored === null) return;
  page.drafts.show(/** @type {HTMLTextAreaElement} */ (here.querySelector("textarea")), of, stored);
  const late = page.drafts.isLate(of) ? stored : null;
  renew(part(holder, "meanwhile"), [of, late], () =>
    late === null
      ? []
      : [
          el("p", { class: "second" },
            late === "" ? "Somebody has removed this comment meanwhile." : `Somebody has written meanwhile: “${late}”`,
          ),
          el("div", { class: "buttons" },
            button("Replace with mine", () => page.keep(of), { "data-focus": "keep mine" }),
            button("Discard mine", () => page.forget(of), { "data-focus": "drop mine" }),
          ),
        ],
  );
}

/** The error of a comment that is too long to send. @param {string} text */
export function tooLong(text) {
  const size = new TextEncoder().encode(JSON.stringify(text)).length - 2;
  return size <= LONGEST
    ? null
    : `This comment is too long: ${size} bytes, of at most ${LONGEST}. Your text stays here; shorten it.`;
}

/** @param {Page} page @param {{chapter: number, node: number}} place */
async function remove(page, place) {
  const { chapter } = page;
  const parent = chapter?.nodes.get(place.node)?.parent ?? 0;
  const { confirm } = await dialogs();
  if (!(await confirm("Remove this move and all that follows it?", "Remove"))) return;
  if (await page.edit({ type: "remove", ...place })) page.go(parent);
}

/** The chapters, and a form to add one. @param {HTMLElement} holder @param {Page} page */
export function chapters(holder, page) {
  const { study, number, writes } = page;
  if (study === null) return;
  renew(part(holder, "list"), [study.chapters.map((one) => [one.number, one.title]), number, writes], () => [
    el("h2", {}, "Chapters"),
    el("ol", { class: "chapters" }, ...study.chapters.map((one, place) => chapter(page, study, one, place))),
  ]);
  line(holder, page, { label: "Title", name: "chapter-title", of: `chapter-title ${number}`, words: "Rename" },
    writes ? (page.chapter?.title ?? "") : null,
    async (title) => title !== "" && page.edit({ type: "title_chapter", chapter: number, title }),
  );
  renew(part(holder, "add"), writes, () => {
    if (!writes) return [];
    const add = async (/** @type {import("./source.js").Source[]} */ made) => {
      if (!(await page.add(made))) return;
      sources.reset();
      if (added.contains(document.activeElement)) summary.focus();
      added.removeAttribute("open");
    };
    const sources = source("add-", "Add", add, (why) => page.say(why));
    const summary = el("summary", { "data-focus": "add" }, "Add a chapter");
    const added = el("details", {}, summary, sources);
    return [added];
  });
}

/**
 * A chapter in the list; that of the displayed move with what its writers can do with it.
 * @param {Page} page @param {trees.Study} study @param {trees.Study["chapters"][0]} one @param {number} place
 */
function chapter(page, study, { number, title }, place) {
  const here = number === page.number;
  const act = (
    /** @type {string} */ sign, /** @type {string} */ focus, /** @type {string} */ label,
    /** @type {boolean} */ disabled, /** @type {() => void} */ does,
  ) => button(sign, does, { class: "icon", "data-focus": `${focus} ${number}`, "aria-label": label, disabled });
  const move = (/** @type {number} */ to) => () => page.edit({ type: "order_chapter", chapter: number, place: to });
  const [first, last] = [place === 0, place + 1 === study.chapters.length];
  return el("li", {},
    button(`${place + 1}. ${title}`, () => page.open(number), {
      class: "chapter", "data-focus": `chapter ${number}`, "aria-current": here ? "true" : null,
    }),
    ...(page.writes && here
      ? [
          act("↑", "up", "Move the chapter up", first, move(place - 1)),
          act("↓", "down", "Move the chapter down", last, move(place + 1)),
          act("×", "gone", "Remove the chapter", first && last, () => removeChapter(page, number)),
        ]
      : []),
  );
}

/** @param {Page} page @param {number} chapter */
async function removeChapter(page, chapter) {
  const { confirm } = await dialogs();
  if (await confirm("Remove this chapter with all its moves?", "Remove"))
    page.edit({ type: "remove_chapter", chapter });
}

/** The users who are here. @param {HTMLElement} holder @param {Page} page */
export function people(holder, page) {
  const { cursors, count, study } = page;
  const here = cursors.map(({ name, player, chapter, node, writes, bot }) => {
    const where = study?.chapters.find((one) => one.number === chapter)?.nodes.get(node ?? -1);
    const place =
      where === undefined
        ? ""
        : where.number === 0
          ? ", at the start"
          : trees.departure(where) === undefined
            ? `, at ${where.text}`
            : `, where ${where.seat} ${textOf(where)}`;
    return {
      name,
      text: `${bot ? " (bot)" : ""}${player === page.me ? " (you)" : ""}${writes ? " writes" : ""}${place}`,
    };
  });
  renew(holder, [here, count], () => [
    el("h2", {}, "Here"),
    el("ul", { class: "here" },
      ...here.map(({ name, text }) =>
        el("li", {}, el("span", { class: "name" }, name), el("span", { class: "second" }, text)),
      ),
    ),
    count > cursors.length ? el("p", { class: "second" }, `and ${count - cursors.length} more`) : null,
  ]);
}

/** Visibility, writers, and the study as a text. @param {HTMLElement} holder @param {Page} page */
export function sharing(holder, page) {
  const { study, owns } = page;
  if (study === null) return;
  missing(holder, null);
  const named = owns && study.write === "named";
  const name = (/** @type {string[]} */ writers) => page.edit({ type: "allow", write: "named", writers });
  renew(part(holder, "owner"), [study.names[study.owner], owns, study.visibility], () => [
    el("h2", {}, "Share"),
    el("p", { class: "second" },
      `By ${study.names[study.owner] ?? "somebody"}. `,
      owns ? "" : `${VISIBLE[study.visibility]} can see it.`,
    ),
  ]);
  line(holder, page, { label: "Title", name: "study-title", of: "study-title", words: "Rename" },
    owns ? study.title : null,
    async (title) => title !== "" && page.edit({ type: "retitle", title }),
  );
  renew(part(holder, "rights"), [owns, study.visibility, study.write, study.writers, study.names], () => [
    !owns
      ? null
      : labelled("Visible to", "visibility", VISIBLE, study.visibility, (visibility) =>
          page.edit({ type: "share", visibility: /** @type {any} */ (visibility) }),
        ),
    !owns
      ? null
      : labelled("May write", "write", WRITERS, study.write, (write) =>
          page.edit({ type: "allow", write: /** @type {any} */ (write), writers: study.writers }),
        ),
    !named
      ? null
      : el("ul", { class: "here" },
          ...study.writers.map((one) =>
            el("li", {},
              el("span", { class: "name" }, study.names[one] ?? one),
              button("Take away", () => name(study.writers.filter((other) => other !== one)),
                { class: "small", "data-focus": `not ${one}` },
              ),
            ),
          ),
        ),
  ]);
  line(holder, page,
    { label: "Name an account, or a player who is here", name: "writer", of: "writer", words: "Let write" },
    named ? "" : null,
    async (text) => {
      const here = page.cursors.find((one) => one.name === text)?.player;
      return text !== "" && name([...(page.study?.writers ?? []), here ?? text]);
    },
  );
  renew(part(holder, "ways"), owns, () => [
    el("div", { class: "buttons" },
      button("Copy the link", () => copy(page), { "data-focus": "link" }),
      button("Save as a file", () => save(page), { "data-focus": "export" }),
      owns ? button("Delete", () => destroy(page), { class: "danger", "data-focus": "delete" }) : null,
    ),
  ]);
}

/**
 * Show the reason why the study cannot be shown; null: show the study.
 * @param {HTMLElement} holder @param {string|null} why
 */
export function missing(holder, why) {
  renew(part(holder, "missing"), why, () =>
    why === null ? [] : [el("p", {}, why), el("p", {}, el("a", { href: "/studies" }, "My studies"))],
  );
}

/** @param {Page} page */
async function copy(page) {
  const { copyText } = await dialogs();
  const { owns, study } = page;
  const closed = study?.visibility === "private" ? ` Only the owner and the writers can open it.` : "";
  if (!(await copyText(location.href, `The link.${closed}`))) return;
  const buttons = closed && owns ? [{ does: "share", words: "Share by link" }] : [];
  page.say(`The link is copied.${closed}`, { bad: false, buttons });
}

/** All chapters as files: PGN for two players, PGN4 for four. @param {Page} page */
async function save(page) {
  const { study } = page;
  const [two, four] = [true, false].map(
    (pair) => (study?.chapters ?? []).filter((one) => isPair(one.variant) === pair).length,
  );
  /** @type {[string, number, string][]} */
  const kinds = [
    ["pgn", two, "for two"],
    ["pgn4", four, "for four"],
  ];
  /** @type {string[]} */
  const saved = [];
  await trying(async () => {
    for (const [format, chapters, words] of kinds) {
      if (chapters === 0) continue;
      const { text } = await page.connection.request({ type: "export", room: page.room, format });
      keep(text, `${page.room}.${format}`);
      saved.push(`${plural(chapters, "chapter")} ${words} in ${page.room}.${format}`);
    }
    page.say(`Saved: ${list(saved)}.`, { bad: false });
  }, (why) => page.say(why));
}

/** @param {Page} page */
async function destroy(page) {
  const { confirm } = await dialogs();
  if (await confirm("Delete this study for everybody, for good?", "Delete")) page.edit({ type: "delete" });
}
