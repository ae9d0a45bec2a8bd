/** Reloads the page once the server has newer files, at a moment that does not disturb the user. */

/** The build of this page; undefined where file names have no build. */
const BUILD = /\/static\/([0-9a-f]{16})\//.exec(import.meta.url)?.[1];

/** Milliseconds between two attempts to reload. */
const LOOK = 1000;

let waiting = false;

/**
 * Handle the server's build from `welcome`. The page reloads once for each new build, so servers with different builds
 * cannot make it reload for ever.
 * @param {string|undefined} build @param {() => boolean} quiet whether the page may reload now
 */
export function told(build, quiet) {
  if (!build || BUILD === undefined || build === BUILD || history.state?.tried === build || waiting) return;
  waiting = true;
  const timer = setInterval(() => {
    if (busy() || !quiet()) return;
    clearInterval(timer);
    history.replaceState({ ...history.state, tried: build }, "");
    location.reload();
  }, LOOK);
}

/** Whether a dialog is open, or a reload would lose typed text. */
function busy() {
  if (document.querySelector("dialog[open], :popover-open") !== null) return true;
  const fields = /** @type {NodeListOf<HTMLInputElement>} */ (
    document.querySelectorAll("input:not([type]), input[type=text], input[type=password], textarea")
  );
  return [...fields].some((field) => field.value !== field.defaultValue && field.dataset.kept === undefined);
}
