/** Reloads the page, at a moment that disturbs nobody, once the server has newer files. */

/** The build of this page; undefined where its files are not named by one. */
const BUILD = /\/static\/([0-9a-f]{16})\//.exec(import.meta.url)?.[1];

/** Milliseconds between two attempts to reload. */
const LOOK = 1000;

let waiting = false;

/**
 * Take in the server's build from `welcome`. The page is reloaded once for each other build, so that servers with
 * different builds do not make it reload for ever.
 * @param {string|undefined} build @param {() => boolean} quiet whether nobody minds, as far as the page knows
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

/** Whether a dialog is open, or something is typed that would be lost. */
function busy() {
  if (document.querySelector("dialog[open], :popover-open") !== null) return true;
  const fields = /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll("input:not([type]), input[type=text], input[type=password], textarea"));
  return [...fields].some((field) => field.value !== field.defaultValue && field.dataset.kept === undefined);
}
