/** The move that a page's address names: `/r/ROOM#37` is the position after 37 moves. Other words after the # stay. */

/** Milliseconds that a position is displayed before the address names it: browsers limit changes of the address. */
const PAUSE = 400;

let timer = 0;

const parameters = () => new URLSearchParams(location.hash.slice(1));

/** @param {string} name */
const isPly = (name) => /^\d{1,4}$/.test(name);

/** The move in the address, if any. */
export function plyHere() {
  const named = [...parameters().keys()].find(isPly);
  return named === undefined ? null : Number(named);
}

/** Put a move into the address, soon. @param {number|null} ply null: none */
export function name(ply) {
  clearTimeout(timer);
  if (ply === plyHere()) return;
  timer = window.setTimeout(() => {
    const rest = [...parameters()].filter(([key]) => !isPly(key));
    const hash = [
      ...(ply === null ? [] : [String(ply)]),
      ...(rest.length ? [String(new URLSearchParams(rest))] : []),
    ].join("&");
    history.replaceState(history.state, "", location.pathname + location.search + (hash && `#${hash}`));
  }, PAUSE);
}
