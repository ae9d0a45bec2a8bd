/** An old page: once the server hands out other files than those it is made of, it is loaded anew, when nobody minds. */

/** Of which build this page is; undefined where its files are not named by one. */
const BUILD = /\/static\/([0-9a-f]{16})\//.exec(import.meta.url)?.[1];

/** How often it is looked whether nobody minds, in milliseconds. */
const LOOK = 1000;

let waiting = false;

/**
 * What a welcome says of the server's build. The page is loaded anew once for each other build, so that servers that
 * hand out different ones do not make it go back and forth.
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
