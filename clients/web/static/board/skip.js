/**
 * The link "Skip to the board": it leads to a square, so that arrows walk the squares, and leaves the address alone.
 */

/** @param {() => import("./board.js").BoardView|undefined} boardNow the board that the page shows, once it does */
export function skipTo(boardNow) {
  document.querySelector(".skip")?.addEventListener("click", (event) => {
    event.preventDefault();
    const squares = boardNow()?.squares;
    squares?.go(squares.focus, true);
  });
}
