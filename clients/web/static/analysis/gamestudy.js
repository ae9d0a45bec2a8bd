/**
 * The user's study of a game. It opens at the displayed position, and is found again the next time. Loaded on demand.
 */

import { childrenOf, glyphOf, played, tree } from "../model/tree.js";
import { refusal, trying } from "../net/connection.js";
import * as settings from "../net/settings.js";
import { inTeams, list, namesOf } from "../text/words.js";

/** @typedef {import("../net/connection.js").Connection} Connection */
/** @typedef {import("../model/tree.js").Tree} Tree */

/**
 * @typedef {object} Page what this needs of a game's page
 * @property {{connection: Connection}} game
 * @property {import("../model/table.js").Table} table @property {number} at the displayed ply
 * @property {{marks: Record<number, string>}} [review]
 * @property {(text: string, bad?: boolean) => void} say show a text, and announce it
 */

/** The number of games whose studies this browser remembers. */
const REMEMBERED = 50;

/** The longest title. */
const LONGEST = 100;

/** The number of a study's first chapter. */
const FIRST = 1;

/**
 * Go to the study of a finished game, at the displayed position. Creates the study if there is none yet.
 * @param {Page} page @param {string|null} [move] a move tried there
 */
export async function open(page, move = null) {
  const { connection } = page.game;
  const { at, table } = page;
  const game = `${table.room}.${table.game}`;
  await trying(async () => {
    const room = (await found(connection, game)) ?? (await made(page, game));
    let chapter = await first(connection, room);
    let node = played(chapter)[at] ?? 0;
    if (move !== null) {
      await connection.command({
        type: "edit", room, change: { type: "play", chapter: chapter.number, after: node, move },
      });
      chapter = await first(connection, room);
      node = childrenOf(chapter, node).find((one) => chapter.nodes.get(one)?.move === move) ?? node;
    }
    settings.go(`/s/${room}#${chapter.number}.${node}`);
  }, (why) => page.say(why, true));
}

/**
 * The first chapter of a study of a game, even if it has been moved since.
 * @param {Connection} connection @param {string} room
 */
export async function first(connection, room) {
  const { chapters } = /** @type {import("../net/connection.js").Frames["study"]} */ (
    await connection.request({ type: "watch", room })
  );
  return tree(chapters.find(({ number }) => number === FIRST) ?? chapters[0]);
}

/** The studies that this browser has created, by game. */
const remembered = () => (settings.get("studies") ?? "").split(" ").filter(Boolean);

/**
 * The study of a game, if this browser has created one that still exists for its user.
 * @param {Connection} connection @param {string} game
 */
async function found(connection, game) {
  const room = remembered().find((one) => one.startsWith(`${game}=`))?.split("=")[1];
  if (room === undefined) return null;
  try {
    await connection.request({ type: "look", room, chapter: FIRST, nodes: [0] });
    return room;
  } catch (error) {
    if (refusal(error).kind !== "refused") throw error;
    return null;
  }
}

/** A new study of a game, with the marks of its review. @param {Page} page @param {string} game */
async function made(page, game) {
  const { connection } = page.game;
  const { room } = await connection.command({
    type: "study", title: titleOf(page.table), source: { game: page.table.room },
  });
  settings.set("studies",
    [...remembered().filter((one) => !one.startsWith(`${game}=`)), `${game}=${room}`].slice(-REMEMBERED).join(" "),
  );
  const chapter = await first(connection, room);
  const nodes = played(chapter);
  await Promise.all(
    Object.entries(page.review?.marks ?? {}).map(([ply, mark]) =>
      connection.command({
        type: "edit", room,
        change: { type: "annotate", chapter: chapter.number, node: nodes[Number(ply)], glyphs: [glyphOf(mark)] },
      }),
    ),
  );
  return room;
}

/**
 * The title of a game: the players, and the date if it was played here.
 * @param {import("../model/table.js").Table} table
 */
function titleOf(table) {
  const names = table.seats.map(({ seat }) => namesOf(table)(seat));
  const sides =
    names.length === 2
      ? [[names[0]], [names[1]]]
      : inTeams(table.variant)
        ? [
            [names[0], names[2]], [names[1], names[3]],
          ]
        : [names];
  const time = table.ended ?? table.began;
  const day = time === null || table.imported ? "" : `, ${dayOf(new Date(time))}`;
  return `${sides.map(list).join(" against ").slice(0, LONGEST - day.length)}${day}`;
}

/**
 * A day, with its year unless it is this year's. The title's readers may live elsewhere, or read it later.
 * @param {Date} time
 */
const dayOf = (time) =>
  time.toLocaleDateString("en-GB", {
    day: "numeric", month: "short",
    ...(time.getFullYear() === new Date().getFullYear() ? {} : { year: "numeric" }),
  });
