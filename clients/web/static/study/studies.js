/** The page of studies: the user's, the public ones, and a form for a new one. */

import * as gamestudy from "../analysis/gamestudy.js";
import { played } from "../model/tree.js";
import { trying } from "../net/connection.js";
import { connect } from "../net/page.js";
import * as settings from "../net/settings.js";
import { plural } from "../text/words.js";
import { button, byId, el, setText } from "../ui/dom.js";
import { fitting, source } from "./source.js";

/** @typedef {import("../net/connection.js").Frames["studies"]["studies"][0]} Listed */

const { connection } = connect();

/** Send a request, and show a refusal. @template T @param {() => Promise<T>} what */
const attempt = (what) => trying(what, (why) => setText(byId("why"), why));

/**
 * Create a study and go there. First shows the unreadable parts, if any.
 * @param {import("../../../../protocol/protocol.d.ts").Source[]} made
 */
async function begin([first, ...others]) {
  /** @typedef {{room: string, notes?: string[]}} Made */
  const created = /** @type {Made|null} */ (
    await attempt(async () => connection.command({ type: "study", source: await fitting(connection, first) }))
  );
  if (created === null) return;
  const { room, notes = [] } = created;
  for (const source of others) {
    const added = /** @type {Made|null} */ (
      await attempt(async () =>
        connection.command({
          type: "edit", room, change: { type: "add_chapters", source: await fitting(connection, source) },
        }),
      )
    );
    if (added === null) return;
    notes.push(...(added.notes ?? []));
  }
  const typed = /** @type {HTMLTextAreaElement} */ (document.querySelector("#new-text")).value.trim();
  const [, ply] = (first.game && /#(\d{1,4})$/.exec(typed)) || [];
  const chapter = ply === undefined ? null : await attempt(() => gamestudy.first(connection, room));
  const address = `/s/${room}${chapter === null ? "" : `#${chapter.number}.${played(chapter)[Number(ply)] ?? 0}`}`;
  if (notes.length === 0) return settings.go(address);
  byId("why").replaceChildren(
    ...notes.map((note) => el("span", {}, `${note} `)),
    el("a", { href: address }, "Go to the study"),
  );
}

/** @param {"mine"|"public"} whose @param {string|null} after */
async function list(whose, after = null) {
  const found = await attempt(() => connection.request({ type: "studies", whose, after }));
  if (found === null) return;
  const holder = byId(whose);
  if (after === null) holder.replaceChildren();
  holder.querySelector(".more")?.remove();
  holder.append(
    found.studies.length === 0 && after === null
      ? el("p", { class: "second" }, "None yet.")
      : el("ul", { class: "list" }, ...found.studies.map(row)),
    found.after === null
      ? ""
      : button("More", () => list(whose, found.after), { class: "more" }),
  );
}

/** @param {Listed} study */
const row = (study) =>
  el("li", {},
    el("a", { href: `/s/${study.room}` }, study.title),
    el("span", { class: "second" },
      `by ${study.name}, ${plural(study.chapters, "chapter")}, changed ` +
        new Date(study.changed).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" }),
    ),
  );

settings.applyTheme();
byId("new").append(source("new-", "Begin", begin, (why) => (byId("why").textContent = why)));
list("mine");
list("public");
