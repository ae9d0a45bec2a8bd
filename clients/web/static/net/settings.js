/** The user's settings (name, theme, board, sound), kept in the browser and applied to the page. */

/**
 * @typedef {"token"|"name"|"theme"|"sound"|"facing"|"draws"|"zen"|"rooms"|"computers"|"range"|"solved"|"studies"|
 * "registration"|"board"|"pieces"|"coordinates"|"animation"|"confirmation"|"sounds"|"reactions"|"named"} Setting
 */

/** The name under which the browser keeps a setting. @param {Setting} setting */
const kept = (setting) => `fourfold.${setting}`;

/** The settings that an account keeps. */
export const KEPT = /** @type {const} */ (
  ["board", "pieces", "coordinates", "animation", "confirmation", "sounds", "facing"]
);

/** The settings that style sheets read, from attributes of the page. */
const STYLED = /** @type {const} */ (["board", "pieces", "coordinates", "animation"]);

/** The number of games for which the browser remembers that draw offers are refused. */
const REMEMBERED = 50;

/** The browser's storage; null where it is forbidden. @type {Storage|null} */
const storage = (() => {
  try {
    return window.localStorage;
  } catch (error) {
    if (error instanceof DOMException) return null;
    throw error;
  }
})();

/**
 * Where storage is forbidden, the settings stay in the tab's history state. Links from other sites cannot write it.
 * @returns {Record<string, string>}
 */
const carried = () => history.state?.carried ?? {};

/** @param {Record<string, string>} values */
const carry = (values) => history.replaceState({ ...history.state, carried: values }, "");

if (storage === null) {
  document.addEventListener("click", (event) => {
    const link = /** @type {Element} */ (event.target).closest("a[href]");
    if (link === null || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const { origin, pathname } = new URL(/** @type {HTMLAnchorElement} */ (link).href);
    if (origin !== location.origin || pathname === location.pathname) return;
    event.preventDefault();
    go(pathname);
  });
  const { pathname: here } = location;
  addEventListener("popstate", () => location.pathname !== here && location.reload());
}

/** Go to another page of ours. @param {string} path */
export function go(path) {
  if (storage !== null) return location.assign(path);
  history.pushState({ carried: carried() }, "", path); // the history state survives the reload
  location.reload();
}

/** @param {Setting} key @returns {string|null} */
export function get(key) {
  return storage === null ? (carried()[key] ?? null) : storage.getItem(kept(key));
}

/** @param {Setting} key @param {string} value */
export function set(key, value) {
  if (storage === null) return carry({ ...carried(), [key]: value });
  try {
    storage.setItem(kept(key), value);
  } catch (error) {
    if (!(error instanceof DOMException)) throw error; // the storage is full
  }
}

/** The token of this browser's player, and the key of their registration if it has no answer yet. */
export const identity = () => ({ token: get("token"), key: get("registration") });

/**
 * Call a function with the token whenever another page of ours in this browser changes it.
 * @param {(token: string) => void} take
 */
export const onToken = (take) =>
  addEventListener("storage", ({ key, newValue }) => key === kept("token") && newValue && take(newValue));

export function applyTheme() {
  const theme = get("theme");
  const { dataset } = document.documentElement;
  if (theme === "light" || theme === "dark") dataset.theme = theme;
  else delete dataset.theme;
  for (const name of STYLED) dataset[name] = get(name) ?? "";
  if (KEPT.some(get) && document.getElementById("chosen") === null) {
    const href = new URL("../board/chosen.css", import.meta.url).href;
    document.head.append(Object.assign(document.createElement("link"), { id: "chosen", rel: "stylesheet", href }));
  }
}

/** Apply changes by other pages of ours in this browser. */
export const followTheme = () =>
  addEventListener("storage", ({ key }) => STYLED.some((name) => kept(name) === key) && applyTheme());

export const isDark = () =>
  (document.documentElement.dataset.theme ??
    (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";

/** Let a button switch between light and dark. @param {HTMLButtonElement} button */
export function themeButton(button) {
  const label = () => button.setAttribute("aria-label", isDark() ? "Light colours" : "Dark colours");
  label();
  button.onclick = () => {
    set("theme", isDark() ? "light" : "dark");
    applyTheme();
    label();
  };
}

/** Whether pieces face their players, in games for four. */
export const facing = () => get("facing") === "on";

/** Whether a move must be confirmed before it is sent. */
export const confirms = () => get("confirmation") === "on";

/** Whether sounds are on. */
export const loud = () => get("sound") !== "off";

/** Whether reactions of players are shown. */
export const reacts = () => get("reactions") !== "off";

/** Whether the user refuses every draw offer in a game. @param {string} game */
export const refusesDraws = (game) => (get("draws") ?? "").split(" ").includes(game);

/** @param {string} game @param {boolean} refuse */
export function refuseDraws(game, refuse) {
  const others = (get("draws") ?? "").split(" ").filter((one) => one && one !== game);
  set("draws", [...others, ...(refuse ? [game] : [])].slice(-REMEMBERED).join(" "));
}

/** The room in a page's address, valid or not. */
export function roomHere() {
  const text = location.pathname.slice(3);
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    return text;
  }
}

/** The address of the server's socket. A server with several workers routes all connections of a room to one worker.
 * @param {string} [room] */
export const socketUrl = (room) =>
  `${location.protocol === "https:" ? "wss:" : "ws:"}//${location.host}/ws` +
  (room === undefined ? "" : `?room=${encodeURIComponent(room)}`);
