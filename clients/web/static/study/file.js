/** A file of games or a position as the source of chapters, and its upload. Loaded on demand. */

/** @typedef {import("../../../../protocol/protocol.d.ts").Source} Source */

/** The most bytes of a text in one request, and the most pieces sent ahead of it. */
const PIECE = 7500;
const PIECES = 8;

/** A file from which no chapter can be made; the message says why. */
export class FileFault extends Error {}

/**
 * The games of a text, grouped to fit into requests; or its position, of a variant. Throws `FileFault`.
 * @param {string} name of the file @param {string} text @param {string} variant @returns {Source[]}
 */
export function sources(name, text, variant) {
  const whole = text.replace(/^\ufeff/, "").replace(/\r\n?/g, "\n").trim();
  if (whole === "") throw new FileFault(`There is no game in ${name}.`);
  if (/\.fen4?$/i.test(name)) return [{ variant, position: whole.split("\n")[0] }];
  /** @type {{text: string, first?: number}[]} */
  const parts = [];
  for (const [place, game] of whole.split(/\n(?=\[Event )/).entries()) {
    if (pieces(game).length > PIECES + 1)
      throw new FileFault(
        `A game in ${name} has ${game.length} characters; a study takes at most ${PIECE * (PIECES + 1)}.`,
      );
    const last = parts.at(-1);
    if (last !== undefined && last.text.length + game.length < PIECE) last.text += `\n${game}`;
    else parts.push({ text: game, ...(place > 0 ? { first: place + 1 } : {}) });
  }
  return parts.map((part) => ({ ...part, ...(/\.pgn4$/i.test(name) ? { format: "pgn4" } : {}) }));
}

/** A text in pieces that fit into one request each. @param {string} text */
export function pieces(text) {
  const encoder = new TextEncoder();
  const found = [""];
  let size = 0;
  for (const sign of text) {
    const length = encoder.encode(JSON.stringify(sign)).length - 2;
    if (size + length > PIECE) {
      found.push("");
      size = 0;
    }
    size += length;
    found[found.length - 1] += sign;
  }
  return found;
}

/**
 * Send the pieces of a text that is too long for one request. Resolves to the rest.
 * @param {import("../net/connection.js").Connection} connection @param {Source} source @returns {Promise<Source>}
 */
export async function ahead(connection, source) {
  const parts = pieces(source.text ?? "");
  if (parts.length === 1) return source;
  const last = parts.pop();
  for (const [number, text] of parts.entries()) await connection.request({ type: "piece", number, text });
  return { ...source, text: last, pieces: parts.length };
}
