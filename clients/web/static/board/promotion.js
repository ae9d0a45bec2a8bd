/** The promotion dialog, beside the pawn's target. */

import { NOUNS } from "../text/words.js";
import { button, el } from "../ui/dom.js";
import { cellOf, figure } from "./pieces.js";
import "./late.js";

const ORDER = ["q", "n", "r", "b", "k"];

/**
 * @param {HTMLElement} holder of the board
 * @param {object} question
 * @param {string[]} question.moves the moves, one for each piece
 * @param {string} question.seat the pawn's seat @param {string} question.variant
 * @param {{x: number, y: number, side: number}} question.at the square, as fractions of the board
 * @param {(move: string|null) => void} question.done called with the chosen move, or null
 * @returns {() => void} a function that closes the dialog unanswered
 */
export function askPromotion(holder, { moves, seat, variant, at: { x, y, side }, done }) {
  const close = (/** @type {string|null} */ move) => {
    picker.remove();
    done(move);
  };
  moves.sort((one, other) => ORDER.indexOf(one.slice(-1)) - ORDER.indexOf(other.slice(-1)));
  const buttons = moves.map((move, index) => {
    const kind = move.slice(-1).toUpperCase();
    const title = `${NOUNS[kind]} (${index + 1})`;
    return button(figure(cellOf(seat, kind), variant), () => close(move), { title, "aria-label": title });
  });
  const picker = el("div", { class: "picker", role: "dialog", "aria-label": "Promote to" }, ...buttons);
  picker.onkeydown = (event) => {
    const index = Number(event.key) - 1;
    const focused = buttons.indexOf(/** @type {HTMLButtonElement} */ (document.activeElement));
    if (event.key === "Escape") close(null);
    else if (buttons[index]) close(moves[index]);
    else if (event.key === "ArrowDown" || event.key === "ArrowRight") buttons[(focused + 1) % buttons.length].focus();
    else if (event.key === "ArrowUp" || event.key === "ArrowLeft")
      buttons[(focused + buttons.length - 1) % buttons.length].focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  // Below the square if there is room, otherwise above; never beyond the board's right edge.
  picker.style.setProperty("--side", `${side * 100}%`);
  picker.style.left = `min(${x * 100}%, 100% - max(${side * 100}%, 48px))`;
  if (y < 0.5) picker.style.top = `${y * 100}%`;
  else picker.style.bottom = `${(1 - y - side) * 100}%`;
  holder.append(picker);
  buttons[0].focus();
  return () => picker.remove();
}
