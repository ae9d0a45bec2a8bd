/** Hands a file over from one page of ours to the next, in this tab. */

const KEY = "fourfold.file";

/**
 * Leave a file for the next page; whether it is there.
 * @param {string} name @param {string} text
 */
export function leave(name, text) {
  try {
    window.sessionStorage.setItem(KEY, JSON.stringify({ name, text }));
    return true;
  } catch (error) {
    if (!(error instanceof DOMException)) throw error; // forbidden, or full
    return false;
  }
}

/** The file that a page has left; it stays for a reload. @returns {{name: string, text: string}|null} */
export function taken() {
  try {
    const kept = window.sessionStorage.getItem(KEY);
    return kept === null ? null : JSON.parse(kept);
  } catch (error) {
    if (!(error instanceof DOMException)) throw error; // forbidden
    return null;
  }
}
