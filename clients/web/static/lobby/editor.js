/** The setup editor: pieces, turn and castling rights. The server checks the position. */

import { BoardView } from "../board/board.js";
import { cellOf, figure } from "../board/pieces.js";
import { isFen4, read, write } from "../model/fen.js";
import { parse, variantOf } from "../model/geometry.js";
import { capital, NOUNS } from "../text/words.js";
import { chip } from "../ui/chip.js";
import { button, el } from "../ui/dom.js";

const KINDS = ["K", "Q", "R", "B", "N", "P"];
const HELD = ["P", "N", "B", "R", "Q"];

/**
 * Show the editor in a dialog.
 * @param {HTMLDialogElement} dialog
 * @param {object} options
 * @param {string} options.variant @param {string} options.position where to begin; empty for the usual start
 * @param {(position: string) => Promise<{readable: boolean, faults: string[]}>} options.check returns all faults of a
 * position
 * @param {(position: string) => Promise<string>} options.open opens a table from a position; resolves to an error, or
 * to an empty text
 * @param {(position: string) => void} options.keep called when the editor closes, with its position
 */
export function edit(dialog, { variant, position, check, open, keep }) {
  const { seats, start } = variantOf(variant);
  const begin = position || start;
  let { board, turn, hands, promoted } = read(begin);
  /** The pieces that were promoted, as long as they stay where they are. */
  let promotees = standing(board, promoted);
  /** @type {Record<string, string>} */
  let castling = rights(begin, seats);
  /** The position as passed in, including clocks and counters, until the user changes it. @type {string|null} */
  let given = begin;
  /** @type {string|null} the piece that the next click places; null removes one */
  let brush = cellOf(seats[0], "Q");
  const verdict = el("ul", { class: "faults", tabindex: "0", "aria-label": "Errors" });
  const written = /** @type {HTMLInputElement} */ (
    el("input", { id: "editor-text", spellcheck: "false", autocomplete: "off", maxlength: "4096" })
  );
  const holder = el("div", { class: "frame" });
  const turnChoice = /** @type {HTMLSelectElement} */ (
    el("select", { id: "editor-turn" }, ...seats.map((seat) => el("option", { value: seat[0] }, capital(seat))))
  );
  turnChoice.onchange = () => {
    turn = turnChoice.value;
    changed();
  };
  const castles = el("div", { class: "rights", role: "group", "aria-label": "Castling" });
  const held = el("div", { class: "hands", role: "group", "aria-label": "In hand" });
  const palette = el("div", { class: "palette", role: "group", "aria-label": "Pieces" });

  const paint = () => {
    view.show({ board });
    turnChoice.value = turn;
    for (const one of [...palette.querySelectorAll("button"), eraser])
      one.setAttribute("aria-pressed", String((one.dataset.cell || null) === brush));
    castles.replaceChildren(
      ...seats.flatMap((seat) => [
        chip(seat),
        ...["K", "Q"].map((side) => {
          const box = /** @type {HTMLInputElement} */ (el("input", { type: "checkbox" }));
          box.checked = (castling[seat[0]] ?? "").includes(side);
          box.onchange = () => {
            const others = (castling[seat[0]] ?? "").replace(side, "");
            castling = { ...castling, [seat[0]]: box.checked ? [...(others + side)].sort().join("") : others };
            given = null;
            judge();
          };
          const way = side === "K" ? "short" : "long";
          box.setAttribute("aria-label", `${capital(seat)} ${way}`);
          return el("label", {}, box, way);
        }),
      ]),
    );
    const rows = (hands ?? []).map((_, number) => [chip(seats[number]), ...HELD.map((kind) => count(number, kind))]);
    held.replaceChildren(...rows.flat());
    judge();
  };
  /** How many pieces of a kind are in a hand. @param {number} number of the seat @param {string} kind */
  const count = (number, kind) => {
    const letter = kind.toLowerCase();
    const label = `${capital(seats[number])}: ${NOUNS[kind]}s in hand`;
    const box = el("input", { type: "number", min: "0", max: "16", "aria-label": label });
    box.value = String((hands ?? [])[number].split(letter).length - 1);
    box.onchange = () => {
      const wanted = Math.min(16, Math.max(0, Math.trunc(Number(box.value)) || 0));
      box.value = String(wanted);
      const refilled = (/** @type {string} */ hand) => hand.replaceAll(letter, "") + letter.repeat(wanted);
      hands = (hands ?? []).map((hand, one) => (one === number ? refilled(hand) : hand));
      given = null;
      judge();
    };
    return el("label", {}, figure(cellOf(seats[number], kind), variant), box);
  };
  const changed = () => {
    given = null;
    paint();
  };
  const text = () => given ?? write(board, turn, castling, variant, hands, unmoved(board, promotees));
  const starter = /** @type {HTMLButtonElement} */ (
    button("Open a table", async () => show([await open(text())].filter(Boolean)), { class: "primary" })
  );
  let asked = 0;
  /** Ask the server for faults. Ignores the answer about an earlier position. */
  const judge = async () => {
    const mine = ++asked;
    written.value = text();
    const { faults } = await check(written.value);
    if (mine === asked) show(faults);
  };
  const show = (/** @type {string[]} */ found) => {
    starter.disabled = found.length > 0;
    verdict.classList.toggle("fine", found.length === 0);
    verdict.replaceChildren(
      ...(found.length ? found : ["A game can begin from here."]).map((fault) => el("li", {}, fault)),
    );
  };
  written.onchange = async () => {
    const there = written.value.trim();
    const mine = ++asked;
    const { readable, faults } = await check(there);
    if (mine !== asked) return;
    if (readable && there.includes("/")) preset(there); // pieces on the board, playable or not
    else show(faults);
  };
  const preset = (/** @type {string} */ fen) => {
    ({ board, turn, hands, promoted } = read(fen));
    promotees = standing(board, promoted);
    castling = rights(fen, seats);
    given = fen;
    paint();
  };
  for (const seat of seats) {
    for (const kind of KINDS) {
      const cell = cellOf(seat, kind);
      const hold = () => {
        brush = cell;
        paint();
      };
      palette.append(
        button(figure(cell, variant), hold, { "data-cell": cell, "aria-label": `${seat} ${NOUNS[kind]}` }),
      );
    }
  }
  const eraser = el("button", { type: "button", class: "eraser", "data-cell": "" }, "Take away");
  eraser.onclick = () => {
    brush = null;
    paint();
  };
  dialog.replaceChildren(
    el("h2", { id: "editor-title" }, "Set up the board"),
    el("div", { class: "work" },
      holder,
      el("div", { class: "tools-of-editor" },
        el("p", { class: "soft" }, "Choose a piece, then its squares; or drag pieces on the board."),
        palette,
        el("div", { class: "buttons" }, eraser,
          button("Usual start", () => preset(start)),
          button("Empty board", () => {
            board = {};
            castling = {};
            hands = hands && hands.map(() => "");
            changed();
          }),
        ),
        el("div", { class: "fields" }, el("label", { for: "editor-turn" }, "To move ", turnChoice)),
        el("h3", {}, "May castle"),
        castles,
        ...(hands === null ? [] : [el("h3", {}, "In hand"), held]),
        el("div", { class: "fields column" },
          el("label", { for: "editor-text" }, isFen4(start) ? "FEN4" : "FEN", written),
        ),
        el("div", { class: "foot" },
          el("div", { role: "status" }, verdict),
          el("div", { class: "buttons" },
            starter,
            button("Keep it", () => {
              keep(text());
              dialog.close();
            }),
            button("Cancel", () => dialog.close(), { class: "quiet" }),
          ),
        ),
      ),
    ),
  );
  const view = new BoardView(holder, {
    variant,
    onSquare: (square) => {
      const { [square]: held, ...rest } = board;
      board = brush === null || held === brush ? rest : { ...rest, [square]: brush };
      changed();
    },
    onCarry: (from, to) => {
      const { [from]: held, ...rest } = board;
      board = to === null ? rest : { ...rest, [to]: held };
      changed();
    },
  });
  paint();
  dialog.showModal();
  /** @type {HTMLElement} */ (palette.querySelector("[aria-pressed=true]")).focus();
}

/** The pieces on some squares. @param {import("../model/fen.js").Board} board @param {string[]} squares */
const standing = (board, squares) => Object.fromEntries(squares.map((square) => [square, board[square]]));

/**
 * The squares whose pieces still stand there.
 * @param {import("../model/fen.js").Board} board @param {Record<string, string>} before
 */
const unmoved = (board, before) => Object.keys(before).filter((square) => board[square] === before[square]);

/**
 * The castling rights of a position, by the seat's letter.
 * @param {string} text @param {string[]} seats @returns {Record<string, string>}
 */
function rights(text, seats) {
  if (!isFen4(text)) return Object.fromEntries(["w", "b"].map((letter) => [letter, sides(text, letter)]));
  const [, , short, long] = text
    .replace(/\s+/g, "")
    .split("-")
    .map((list) => list.split(","));
  return Object.fromEntries(
    seats.map((seat, index) => [seat[0], (short[index] === "1" ? "K" : "") + (long[index] === "1" ? "Q" : "")]),
  );
}

/**
 * The sides to which a seat may castle by a FEN. Chess960 writes a rook's file, which lies on one side of the king.
 * @param {string} text @param {string} seat its letter
 */
function sides(text, seat) {
  const letters = [...(text.trim().split(/\s+/)[2] ?? "-")].filter(
    (letter) => letter !== "-" && (letter === letter.toUpperCase()) === (seat === "w"),
  );
  const king = Object.entries(read(text).board).find(([, cell]) => cell === `${seat}K`)?.[0] ?? "e1";
  const side = (/** @type {string} */ letter) =>
    "KQ".includes(letter) ? letter : parse(`${letter.toLowerCase()}1`)[0] > parse(king)[0] ? "K" : "Q";
  return [...new Set(letters.map((letter) => side(letter.toUpperCase())))].sort().join("");
}
