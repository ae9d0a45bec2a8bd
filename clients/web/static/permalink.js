/** The move that a page's address names: `/r/ROOM#37` is the position after 37 moves. What else stands behind the # stays. */

/** How long a position is looked at before the address names it, in milliseconds: browsers change it only so often. */
const PAUSE = 400;

let timer = 0;

const parameters = () => new URLSearchParams(location.hash.slice(1));

/** @param {string} name */
const isPly = (name) => /^\d{1,4}$/.test(name);

/** The move that the address names, if any. */
export function plyHere() {
  const named = [...parameters().keys()].find(isPly);
  return named === undefined ? null : Number(named);
}

/** Have the address name a move, soon. @param {number|null} ply null: none */
export function name(ply) {
  clearTimeout(timer);
  if (ply === plyHere()) return;
  timer = window.setTimeout(() => {
    const rest = [...parameters()].filter(([key]) => !isPly(key));
    const hash = [...(ply === null ? [] : [String(ply)]), ...(rest.length ? [String(new URLSearchParams(rest))] : [])].join("&");
    history.replaceState(history.state, "", location.pathname + location.search + (hash && `#${hash}`));
  }, PAUSE);
}
