/** The form for the source of chapters: a start, a position, a text of games, a room's game, or a file. */

import { late } from "../net/loading.js";
import { VARIANTS } from "../text/words.js";
import { form } from "../ui/controls.js";
import { button, el } from "../ui/dom.js";
import { onPick } from "../ui/handover.js";

/** @typedef {import("../../../../protocol/protocol.d.ts").Source} Source */

const files = late(() => import("./file.js"));

/** The longest text that surely fits into one request, in characters of at most six bytes. */
const SHORT = 1200;

/**
 * A form for the source of chapters: a start, a position, a text of games, a room's game, or a file.
 * @param {string} prefix of the ids @param {string} words of the button
 * @param {(sources: Source[]) => void} send
 * @param {(why: string) => void} complain
 */
export function source(prefix, words, send, complain) {
  const variant = el("select", { id: `${prefix}variant` },
    ...Object.entries(VARIANTS).map(([name, known]) => el("option", { value: name }, known.name)),
  );
  const text = el("textarea", {
    id: `${prefix}text`, rows: "3", maxlength: "67500",
    placeholder: "empty: the usual start; or FEN, FEN4, moves, PGN, PGN4, or the link of a game",
  });
  return form(() => send([meant(text.value.trim(), variant.value)]), { class: "source" },
    el("label", { for: `${prefix}variant` }, "Variant"),
    variant,
    el("label", { for: `${prefix}text` }, "From"),
    text,
    el("div", { class: "buttons" }, el("button", {}, words), file(variant, send, complain)),
  );
}

/**
 * A button that picks a file and makes chapters of it at once.
 * @param {HTMLSelectElement} variant
 * @param {(sources: Source[]) => void} send
 * @param {(why: string) => void} complain
 */
function file(variant, send, complain) {
  const input = el("input", {
    type: "file", hidden: "", accept: ".pgn,.pgn4,.fen,.fen4,text/plain",
  });
  onPick(input, async (picked) => {
    const { FileFault, sources } = await files();
    try {
      send(sources(picked.name, await picked.text(), variant.value));
    } catch (error) {
      if (!(error instanceof FileFault)) throw error;
      complain(error.message);
    }
  });
  return el("span", {}, button("A file…", () => input.click()), input);
}

/**
 * A source whose text fits into one request, after longer parts were sent ahead.
 * @param {import("../net/connection.js").Connection} connection
 * @param {Source} source
 */
export async function fitting(connection, source) {
  if ((source.text ?? "").length <= SHORT) return source;
  return (await files()).ahead(connection, source);
}

/**
 * A text as the source of chapters.
 * @param {string} text @param {string} variant @returns {Source}
 */
function meant(text, variant) {
  const game = /(?:^|\/r\/)([0-9a-z]{8}|[0-9a-z]{16})(?:\.svg)?(?:[?#].*)?$/.exec(text);
  if (text === "") return { variant };
  if (game !== null) return { game: game[1] };
  return /^(?:[RBYG]-|[1-8pnbrqk]+\/)\S+( .*)?$/i.test(text) ? { variant, position: text } : { variant, text };
}
