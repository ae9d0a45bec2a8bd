/** Celebrates a win: the winners' pieces jump one after another, the nearest to the king first. */

/** Milliseconds of a jump, milliseconds between two pieces, and the height of a jump in squares. */
const JUMP = 460;
const AFTER = 38;
const RISE = 26;

/** The most pieces that jump: a whole army. */
const MOST = 16;

/** @param {HTMLElement} board @param {string[]} winners their seats */
export function celebrate(board, winners) {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  for (const seat of winners) {
    const army = /** @type {SVGElement[]} */ ([...board.querySelectorAll(`.pieces .piece.${seat}:not(.grey)`)]).slice(0,
      MOST,
    );
    army.forEach((piece, index) => {
      piece.animate([{ translate: "0 0" }, { translate: `0 -${RISE}px`, easing: "ease-in" }, { translate: "0 0" }], {
        duration: JUMP, delay: index * AFTER, iterations: 2, easing: "ease-out",
      });
    });
    for (const plate of document.querySelectorAll(`.card.${seat}, .strip.${seat}`)) {
      plate.animate(
        [
          { boxShadow: "0 0 0 0 var(--seat)" }, { boxShadow: "0 0 0 6px var(--seat)" },
          { boxShadow: "0 0 0 0 var(--seat)" },
        ],
        { duration: 2 * JUMP, iterations: 2, easing: "ease-in-out" },
      );
    }
  }
}
