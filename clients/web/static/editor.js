/** The setup editor: pieces put on a board, whose turn it is, who may castle. What is wrong with it the server says. */

import { BoardView } from "./board.js";
import { el } from "./dom.js";
import { read, write } from "./fen.js";
import { cellOf, figure, NOUNS } from "./pieces.js";
import { capital } from "./words.js";

/** The usual starts. @type {Record<number, string>} */
const STARTS = {
  2: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
  4: "R-0,0,0,0-1,1,1,1-1,1,1,1-0,0,0,0-0-x,x,x,yR,yN,yB,yK,yQ,yB,yN,yR,x,x,x/x,x,x,yP,yP,yP,yP,yP,yP,yP,yP,x,x,x/x,x,x,8,x,x,x/bR,bP,10,gP,gR/bN,bP,10,gP,gN/bB,bP,10,gP,gB/bQ,bP,10,gP,gK/bK,bP,10,gP,gQ/bB,bP,10,gP,gB/bN,bP,10,gP,gN/bR,bP,10,gP,gR/x,x,x,8,x,x,x/x,x,x,rP,rP,rP,rP,rP,rP,rP,rP,x,x,x/x,x,x,rR,rN,rB,rQ,rK,rB,rN,rR,x,x,x",
};

const KINDS = ["K", "Q", "R", "B", "N", "P"];

/**
 * Show the editor in a dialog.
 * @param {HTMLDialogElement} dialog
 * @param {object} options
 * @param {string[]} options.seats @param {string} options.position where to begin; empty for the usual start
 * @param {(position: string) => Promise<string>} options.open opens a table from a position; says what is wrong with it if it cannot
 * @param {(position: string) => void} options.keep the editor is closed with this position
 */
export function edit(dialog, { seats, position, open, keep }) {
  const players = seats.length;
  const begin = position || STARTS[players];
  let { board, turn } = read(begin);
  /** @type {Record<string, string>} */
  let castling = rights(begin, seats);
  /** @type {string|null} what the next click puts; null takes away */
  let brush = cellOf(seats[0], "Q");
  const faults = el("ul", { class: "faults", role: "alert" });
  const holder = el("div", { class: "frame" });
  const turnChoice = /** @type {HTMLSelectElement} */ (el("select", { id: "editor-turn" }, ...seats.map((seat) => el("option", { value: seat[0] }, capital(seat)))));
  turnChoice.onchange = () => (turn = turnChoice.value);
  const castles = el("div", { class: "rights", role: "group", "aria-label": "Castling" });
  const palette = el("div", { class: "palette", role: "group", "aria-label": "Pieces" });

  const paint = () => {
    view.show({ board });
    turnChoice.value = turn;
    for (const button of palette.querySelectorAll("button")) button.setAttribute("aria-pressed", String((button.dataset.cell || null) === brush));
    castles.replaceChildren(
      ...seats.flatMap((seat) =>
        ["K", "Q"].map((side) => {
          const box = /** @type {HTMLInputElement} */ (el("input", { type: "checkbox" }));
          box.checked = (castling[seat[0]] ?? "").includes(side);
          box.onchange = () => {
            const others = (castling[seat[0]] ?? "").replace(side, "");
            castling = { ...castling, [seat[0]]: box.checked ? [...(others + side)].sort().join("") : others };
          };
          return el("label", {}, box, `${capital(seat)} ${side === "K" ? "short" : "long"}`);
        }),
      ),
    );
  };
  const text = () => write(board, turn, castling, players);
  const preset = (/** @type {string} */ fen) => {
    ({ board, turn } = read(fen));
    castling = rights(fen, seats);
    paint();
  };
  for (const seat of seats) {
    for (const kind of KINDS) {
      const cell = cellOf(seat, kind);
      const button = el("button", { type: "button", "data-cell": cell, "aria-label": `${seat} ${NOUNS[kind]}` }, figure(cell, players));
      button.onclick = () => {
        brush = cell;
        paint();
      };
      palette.append(button);
    }
  }
  const eraser = el("button", { type: "button", class: "eraser", "data-cell": "" }, "Take away");
  eraser.onclick = () => {
    brush = null;
    paint();
  };
  palette.append(eraser);
  const button = (/** @type {string} */ words, /** @type {() => void} */ does, kind = "") => el("button", { type: "button", class: kind, onclick: does }, words);
  dialog.replaceChildren(
    el("h2", { id: "editor-title" }, "Set up the board"),
    el(
      "div",
      { class: "work" },
      holder,
      el(
        "div",
        { class: "tools-of-editor" },
        el("p", { class: "soft" }, "Choose a piece, then click the squares where it is to stand; click again to take it away."),
        palette,
        el("div", { class: "buttons" }, button("Usual start", () => preset(STARTS[players])), button("Empty board", () => {
          board = {};
          castling = {};
          paint();
        })),
        el("div", { class: "fields" }, el("label", { for: "editor-turn" }, "To move ", turnChoice)),
        el("h3", {}, "May castle"),
        castles,
        faults,
        el(
          "div",
          { class: "buttons" },
          button("Open a table from here", async () => {
            faults.replaceChildren();
            const wrong = await open(text());
            faults.replaceChildren(...wrong.split(/(?<=\.)\s+(?=[A-Z])/).filter(Boolean).map((fault) => el("li", {}, fault)));
          }, "primary"),
          button("Keep the position", () => {
            keep(text());
            dialog.close();
          }),
          button("Cancel", () => dialog.close(), "quiet"),
        ),
      ),
    ),
  );
  const view = new BoardView(holder, {
    players,
    onSquare: (square) => {
      const { [square]: held, ...rest } = board;
      board = brush === null || held === brush ? rest : { ...rest, [square]: brush };
      paint();
    },
  });
  paint();
  dialog.showModal();
  /** @type {HTMLElement} */ (palette.querySelector("[aria-pressed=true]")).focus();
}

/** Who may castle, by seat's letter, as a position says. @param {string} text @param {string[]} seats @returns {Record<string, string>} */
function rights(text, seats) {
  if (seats.length === 2) {
    const letters = text.trim().split(/\s+/)[2] ?? "-";
    return { w: letters.replace(/[^KQ]/g, ""), b: letters.replace(/[^kq]/g, "").toUpperCase() };
  }
  const [, , short, long] = text.replace(/\s+/g, "").split("-").map((list) => list.split(","));
  return Object.fromEntries(seats.map((seat, index) => [seat[0], (short[index] === "1" ? "K" : "") + (long[index] === "1" ? "Q" : "")]));
}
