/** Dialogs: a question, a text to copy, a password. */

import { button, byId, el, onSubmit } from "./dom.js";

/** Show a dialog, and remove it once it is closed. @param {HTMLDialogElement} dialog */
export function open(dialog) {
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

/**
 * Ask for the values of fields. False if the user cancels.
 * @param {string} what @param {string} yes @param {(Node|string)[]} fields @returns {Promise<boolean>}
 */
export const ask = (what, yes, ...fields) => agreed(what, "primary", yes, el("h2", {}, what), ...fields);

/**
 * Ask before something that cannot be undone.
 * @param {string} question @param {string} yes @returns {Promise<boolean>}
 */
export const confirm = (question, yes) => agreed(question, "danger", yes, el("p", {}, question));

/**
 * A question with a button to cancel and one to agree.
 * @param {string} what its label @param {"primary"|"danger"} kind of the button to agree, with the text `yes`
 * @param {string} yes @param {Node|null} head @param {(Node|string)[]} fields @returns {Promise<boolean>}
 */
function agreed(what, kind, yes, head, ...fields) {
  const buttons = el("div", { class: "buttons" },
    el("button", { value: "no", class: "quiet", formnovalidate: true }, "Cancel"),
    el("button", { value: "yes", class: kind }, yes),
  );
  const dialog = el("dialog", { class: "ask", "aria-label": what },
    head, el("form", { method: "dialog" }, ...fields, buttons),
  );
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes"));
    open(dialog);
  });
}

/**
 * Ask for a reason for declining, with an optional text. Null if the user cancels.
 * @template R @param {string} what @param {[R, string][]} reasons @returns {Promise<{reason: R, text: string}|null>}
 */
export async function decline(what, reasons) {
  const reason = el("select", { id: "no-reason" },
    ...reasons.map(([, words], index) => el("option", { value: index }, words)),
  );
  const text = el("input", { id: "no-text", maxlength: 200, autocomplete: "off" });
  const agreed = await ask(what, "Decline",
    el("label", { for: "no-reason" }, "Why"), reason, el("label", { for: "no-text" }, "Your message"), text,
  );
  return agreed ? { reason: reasons[Number(reason.value)][0], text: text.value } : null;
}

/**
 * Show a text to read and select.
 * @param {string} text @param {string} what its title @param {(() => void)|null} [save] saves it as a file
 */
export function showText(text, what, save = null) {
  const area = el("textarea", { readonly: true, rows: "12", "aria-label": what }, text);
  const close = el("form", { method: "dialog", class: "buttons" },
    save === null ? null : button("Save as a file", save),
    el("button", { class: "primary" }, "Close"),
  );
  open(
    el("dialog", { class: "ask text", "aria-label": what }, el("h2", {}, what), area, close),
  );
  area.select();
}

/**
 * Copy a text; resolves to whether it was copied. Where the browser gives no access to the clipboard, shows the text.
 * @param {string} text @param {string} what its title
 */
export async function copyText(text, what) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch (error) {
    if (!(error instanceof DOMException) && !(error instanceof TypeError)) throw error;
    showText(text, what);
    return false;
  }
}

/**
 * Ask for a player to report and the reason; null if the user cancels.
 * @param {[string, string][]} players their ids and names @returns {Promise<{player: string, why: string}|null>}
 */
export async function askReport(players) {
  const who = el("select", { id: "report-who" }, ...players.map(([id, name]) => el("option", { value: id }, name)));
  const why = el("input", { id: "report-why", maxlength: "200", autocomplete: "off" });
  const sent = await agreed("Report a player", "danger", "Report", null,
    el("label", { for: "report-who" }, "Report"), who, el("label", { for: "report-why" }, "Why"), why,
    el("p", { class: "second" }, "The report includes the latest chat lines and moves."),
  );
  return sent && why.value.trim() ? { player: who.value, why: why.value.trim() } : null;
}

/** Show an error in place of the board. @param {string} why */
export function showNothing(why) {
  byId("board").replaceChildren(
    el("div", { class: "nothing" }, el("h2", {}, why), el("p", {}, el("a", { href: "/" }, "Back to the lobby"))),
  );
}

/**
 * Ask for the password in place of the board.
 * @param {string} why the error of the last password; empty at first @param {(password: string) => void} enter
 */
export function askPassword(why, enter) {
  const input = el("input", { type: "password", id: "password", maxlength: "64", autocomplete: "off", required: true });
  const form = el("form", { class: "nothing" },
    el("h2", {}, "This game has a password."),
    why ? el("p", { class: "bad" }, why) : null,
    el("label", { for: "password" }, "Password"),
    input,
    el("button", { class: "primary" }, "Enter"),
  );
  onSubmit(form, () => {
    byId("board").replaceChildren();
    enter(input.value);
  });
  byId("board").replaceChildren(form);
  input.focus();
}
