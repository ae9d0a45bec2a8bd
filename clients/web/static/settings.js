/** What this browser's user has chosen: name, theme, sound; kept here, and applied to the page. */

const KEYS = {
  token: "fourfold.token", name: "fourfold.name", theme: "fourfold.theme", sound: "fourfold.sound",
  facing: "fourfold.facing", draws: "fourfold.draws",
};

/** Of how many games it is remembered that their draw offers are refused. */
const REMEMBERED = 50;

/** @param {keyof typeof KEYS} key @returns {string|null} */
export function get(key) {
  try {
    return localStorage.getItem(KEYS[key]);
  } catch (error) {
    if (error instanceof DOMException) return null; // storage is forbidden here: nothing is kept
    throw error;
  }
}

/** @param {keyof typeof KEYS} key @param {string} value */
export function set(key, value) {
  try {
    localStorage.setItem(KEYS[key], value);
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
  }
}

export function applyTheme() {
  const theme = get("theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
}

export const isDark = () =>
  (document.documentElement.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";

/** A button that goes over from light to dark and back. @param {HTMLButtonElement} button */
export function themeButton(button) {
  const label = () => button.setAttribute("aria-label", isDark() ? "Light colours" : "Dark colours");
  label();
  button.onclick = () => {
    set("theme", isDark() ? "light" : "dark");
    applyTheme();
    label();
  };
}

/** Whether pieces are turned towards their players, where there are four. */
export const facing = () => get("facing") === "on";

/** Whether every draw offer in a game is refused. @param {string} game */
export const refusesDraws = (game) => (get("draws") ?? "").split(" ").includes(game);

/** @param {string} game @param {boolean} refuse */
export function refuseDraws(game, refuse) {
  const others = (get("draws") ?? "").split(" ").filter((one) => one && one !== game);
  set("draws", [...others, ...(refuse ? [game] : [])].slice(-REMEMBERED).join(" "));
}

/** A button that switches sound off and on. @param {HTMLButtonElement} button @param {() => void} play something to be heard now */
export function soundButton(button, play) {
  const show = () => button.setAttribute("aria-pressed", String(get("sound") !== "off"));
  show();
  button.onclick = () => {
    set("sound", get("sound") === "off" ? "on" : "off");
    show();
    play();
  };
}

/** The address of the server's socket. */
export const socketUrl = () => `${location.protocol === "https:" ? "wss:" : "ws:"}//${location.host}/ws`;
