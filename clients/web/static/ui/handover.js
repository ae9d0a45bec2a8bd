/** Takes files from the user, and hands a file over from one page of ours to the next, in this tab. */

const KEY = "fourfold.file";

/** Take the file that a user picks. @param {HTMLInputElement} input @param {(file: File) => void} take */
export function onPick(input, take) {
  input.onchange = () => {
    const file = input.files?.[0];
    input.value = ""; // lets the user pick the same file again
    if (file) take(file);
  };
}

/** Take the file that the user drops on the page, which shows that it would. @param {(file: File) => void} take */
export function onDrop(take) {
  document.addEventListener("dragover", (event) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    document.body.classList.add("dropping");
  });
  document.addEventListener("dragleave", (event) => {
    if (event.relatedTarget === null) document.body.classList.remove("dropping");
  });
  document.addEventListener("drop", (event) => {
    document.body.classList.remove("dropping");
    const file = event.dataTransfer?.files[0];
    if (!file) return;
    event.preventDefault();
    take(file);
  });
}

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
