/**
 * Shares a finished game: its link, the result as a text, and a picture of the final position with names and result.
 */

import { ending } from "../text/ending.js";
import { isPair, namesOf, ordinal, VARIANTS } from "../text/words.js";
import { chip, MARKS } from "../ui/chip.js";
import { copyText } from "../ui/dialogs.js";
import { byId, el } from "../ui/dom.js";
import { keep } from "../ui/files.js";
import * as popover from "../ui/popover.js";
import { copy } from "./requests.js";

/** @typedef {import("../model/table.js").Table} Table */

/**
 * @typedef {object} Page what this needs of the page @property {{room: string}} game @property {Table} table
 * @property {(text: string, bad?: boolean) => void} say show a text, and announce it
 */

/** The picture, in pixels: the board on the left, the places on the right. */
const WIDTH = 1200;
const HEIGHT = 720;
const EDGE = 24;

/** The result as a text: the heading, the places, the link. @param {Table} table @param {string} link */
export function text(table, link) {
  const { heading, why } = ending(table, null);
  const name = namesOf(table);
  const places = placed(table).map(({ seat, place }) => `${ordinal(place)} ${name(seat)}`);
  return [
    `${VARIANTS[table.variant]?.name ?? table.variant}: ${heading}. ${why}`,
    isPair(table.variant) ? "" : places.join(", "), link,
  ]
    .filter(Boolean)
    .join("\n");
}

/** The seats in the order of their places. @param {Table} table */
const placed = (table) =>
  table.seats
    .map(({ seat }) => ({ seat, place: table.result?.standings[seat] ?? 0 }))
    .sort((one, other) => one.place - other.place);

/** Show the ways to share. @param {Page} page @param {HTMLElement} opener */
export function share(page, opener) {
  const holder = byId("undo");
  const link = location.origin + location.pathname;
  holder.replaceChildren(
    el("h2", {}, "Share this game"),
    popover.item(holder, "Copy the link", () => copy(page)),
    popover.item(holder, "Copy the result", () => write(page, text(page.table, link))),
    page.table.locked ? "" : popover.item(holder, "Save a picture", () => save(page)),
    "share" in navigator ? popover.item(holder, "Send to…", () => send(page, link)) : "",
  );
  popover.openAt(holder, opener);
}

/** @param {Page} page @param {string} words */
async function write(page, words) {
  if (await copyText(words, "Result")) page.say("The result is copied.");
}

/** @param {Page} page @param {string} link */
async function send(page, link) {
  try {
    await navigator.share({ title: "Fourfold", text: text(page.table, ""), url: link });
  } catch (error) {
    if (!(error instanceof DOMException)) throw error; // the user cancelled
  }
}

/** @param {Page} page */
async function save(page) {
  const canvas = await picture(page.table, page.game.room);
  canvas.toBlob((blob) => {
    if (blob === null) return page.say("This browser cannot draw the picture.", true);
    keep(blob, `fourfold-${page.game.room}.png`);
    page.say("The picture is saved.");
  }, "image/png");
}

/**
 * Draw the final position beside the names, in the order of places.
 * @param {Table} table @param {string} room @returns {Promise<HTMLCanvasElement>}
 */
export async function picture(table, room) {
  const board = new Image();
  board.src = `/r/${encodeURIComponent(room)}.svg`;
  await board.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [WIDTH, HEIGHT];
  const paper = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  paper.fillStyle = "#edebe5";
  paper.fillRect(0, 0, WIDTH, HEIGHT);
  const side = HEIGHT - 2 * EDGE;
  paper.drawImage(board, EDGE, EDGE, side, side);
  const left = side + 2 * EDGE + 12;
  const space = WIDTH - left - EDGE;
  const line = (
    /** @type {string} */ words,
    /** @type {number} */ y,
    /** @type {string} */ font,
    colour = "#201e1a", x = left,
  ) => {
    paper.font = `${font} system-ui, sans-serif`;
    paper.fillStyle = colour;
    paper.fillText(words, x, y, WIDTH - EDGE - x);
  };
  const { heading, why } = ending(table, null);
  const name = namesOf(table);
  line(VARIANTS[table.variant]?.name ?? table.variant, EDGE + 30, "600 24px", "#5c574d");
  line(heading, EDGE + 84, "700 44px");
  let y = EDGE + 122;
  for (const words of lines(paper, why, space)) line(words, (y += 30), "400 22px", "#5c574d");
  y += 34;
  for (const { seat, place } of placed(table)) {
    y += 56;
    line(ordinal(place), y, "700 26px");
    const { fill, rim, on } = colours(seat);
    paper.fillStyle = fill;
    paper.strokeStyle = rim;
    paper.lineWidth = 2;
    paper.beginPath();
    paper.roundRect(left + 62, y - 22, 28, 28, 7);
    paper.fill();
    paper.stroke();
    if (seat in MARKS) {
      paper.save();
      paper.translate(left + 76, y - 8);
      paper.fillStyle = on;
      paper.fill(new Path2D(MARKS[seat]));
      paper.restore();
    }
    line(name(seat), y, place === 1 ? "700 28px" : "500 28px", "#201e1a", left + 104);
  }
  line(`Fourfold · ${location.host}`, HEIGHT - EDGE - 6, "600 20px", "#5c574d");
  return canvas;
}

/** A seat's colours in the page's theme. @param {string} seat */
function colours(seat) {
  const shown = chip(seat);
  shown.style.colorScheme = "light";
  document.body.append(shown);
  const style = getComputedStyle(shown);
  const found = { fill: style.backgroundColor, rim: style.borderTopColor, on: style.getPropertyValue("--on").trim() };
  shown.remove();
  return found;
}

/**
 * A sentence in lines of at most `most` pixels, in a font of 22 pixels.
 * @param {CanvasRenderingContext2D} paper @param {string} words @param {number} most
 */
function lines(paper, words, most) {
  paper.font = "400 22px system-ui, sans-serif";
  /** @type {string[]} */
  const found = [];
  for (const word of words.split(" ")) {
    const last = found.length ? `${found[found.length - 1]} ${word}` : word;
    if (found.length && paper.measureText(last).width <= most) found[found.length - 1] = last;
    else found.push(word);
  }
  return found;
}
