/** A file of games or a position as what chapters are made of. Pure. */

/** @typedef {import("../../../protocol/protocol.d.ts").Source} Source */

/** The longest text that the server reads. */
const LONGEST = 8000;

/** A file that no chapter can be made of; the message says why. */
export class FileFault extends Error {}

/**
 * The games of a text, those together that fit into one request; or its position, of a variant. Throws `FileFault`.
 * @param {string} name of the file @param {string} text @param {string} variant @returns {Source[]}
 */
export function sources(name, text, variant) {
  const whole = text.replace(/^\ufeff/, "").replace(/\r\n?/g, "\n").trim();
  if (whole === "") throw new FileFault(`There is no game in ${name}.`);
  if (/\.fen4?$/i.test(name)) return [{ variant, position: whole.split("\n")[0] }];
  /** @type {string[]} */
  const parts = [];
  for (const game of whole.split(/\n(?=\[Event )/)) {
    if (game.length > LONGEST) throw new FileFault(`A game in ${name} has ${game.length} characters; ${LONGEST} are taken into a study.`);
    const last = parts.at(-1);
    if (last !== undefined && last.length + game.length < LONGEST) parts[parts.length - 1] = `${last}\n${game}`;
    else parts.push(game);
  }
  return parts.map((part) => ({ text: part, ...(/\.pgn4$/i.test(name) ? { format: "pgn4" } : {}) }));
}
