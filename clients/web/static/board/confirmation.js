/** Asks whether a move that is shown on the board shall be sent. */

import { put } from "../model/castling.js";
import { squares } from "../model/table.js";
import { button, el } from "../ui/dom.js";

/** @typedef {import("./marks.js").View} View */

/**
 * @typedef {object} Pending a move that waits for the user's word
 * @property {(view: View) => boolean} stays whether the board stays as it is when it is to show a view; otherwise, the
 * question is withdrawn
 * @property {() => void} cancel withdraw the question, and put the piece back
 *
 * @typedef {object} Board the part of a board that the question needs
 * @property {View} view @property {(view: View) => void} show @property {(move: string) => void} make
 * @property {(square: string) => {x: number, y: number, side: number}} at @property {Pending|null} pending
 */

/**
 * Show a move on the board, and ask whether to make it.
 * @param {Board} board @param {HTMLElement} holder of the board @param {string} move
 */
export function confirm(board, holder, move) {
  const before = board.view;
  if (!before.legal?.includes(move)) return; // the game went on meanwhile
  board.show({ ...before, board: put(before.board, move), last: squares(move), legal: [] });
  const end = () => {
    close();
    board.pending = null;
  };
  const cancel = () => {
    end();
    board.show(before);
  };
  const close = ask(holder, board.at(squares(move)[1]), (sure) => {
    cancel();
    if (sure) board.make(move);
  });
  board.pending = {
    cancel,
    stays: (view) => {
      const same = JSON.stringify(view) === JSON.stringify(before);
      if (!same) end();
      return same;
    },
  };
}

/**
 * @param {HTMLElement} holder of the board
 * @param {{x: number, y: number, side: number}} at the move's target, as fractions of the board
 * @param {(sure: boolean) => void} done
 * @returns {() => void} a function that closes the dialog unanswered
 */
function ask(holder, { x, y, side }, done) {
  const close = (/** @type {boolean} */ sure) => {
    dialog.remove();
    done(sure);
  };
  const play = button("Play", () => close(true), { class: "primary" });
  const dialog = el("div", { class: "confirming", role: "dialog", "aria-label": "Play this move?" },
    play, button("Cancel", () => close(false)),
  );
  dialog.onkeydown = (event) => {
    if (event.key !== "Escape") return;
    close(false);
    event.preventDefault();
    event.stopPropagation();
  };
  // Below the square if there is room, otherwise above; never beyond the board's edges.
  dialog.style.left = `clamp(0px, ${x * 100}%, 100% - 180px)`;
  if (y < 0.6) dialog.style.top = `${(y + side) * 100}%`;
  else dialog.style.bottom = `${(1 - y) * 100}%`;
  holder.append(dialog);
  requestAnimationFrame(() => play.focus()); // after the press that made the move has moved the focus
  return () => dialog.remove();
}
