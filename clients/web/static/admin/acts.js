/** The dialog before an act of the admin: what else it needs, and why. */

import { ask } from "../ui/dialogs.js";
import { el } from "../ui/dom.js";

/** @typedef {import("../net/connection.js").Requests} Requests */
/** @typedef {import("../net/connection.js").Frames} Frames */

/**
 * @typedef {{
 *   status: Frames["status"], doctor: Frames["findings"], accounts: Frames["accounts"], backups: Frames["backups"],
 *   backup: Frames["backup"], operate: Frames["ok"], set_up: Frames["ok"], moderate: Frames["ok"],
 *   moderation: Frames["moderation"], rooms: Frames["rooms"],
 * }} Asked the answers to an admin's requests
 *
 * @typedef {{
 *   ask: <T extends keyof Asked>(request: Requests[T] & {type: T}) => Promise<Asked[T]|null>,
 *   acted: () => Promise<void>,
 *   moderate: (what: string, yes: string, more: More, made: (found: {choice: string, text: string}) =>
 *     Omit<Requests["moderate"], "type"|"why">) => Promise<boolean>,
 * }} Doing what the parts of the page do: ask the server (null: it refused, and the page says why), show anew what an
 * act has changed, and moderate after asking (false: the user has cancelled)
 *
 * @typedef {{choices?: [string|number, string][], label?: string, text?: string, value?: string}} More what a dialog
 * asks besides the reason: `choices` are the words for each value of a choice, with a `label`; `text` is the label of a
 * field that must be filled
 */

/** The field of an order's duration, if it ends. @param {string} seconds */
export const lasting = (seconds) => (Number(seconds) ? { seconds: Number(seconds) } : {});

/**
 * Ask before an act. Null if the user cancels.
 * @param {string} what @param {string} yes @param {More} [more]
 * @returns {Promise<{choice: string, text: string, why: string}|null>}
 */
export async function act(what, yes, more = {}) {
  const choice = el("select", { id: "act-choice" },
    ...(more.choices ?? []).map(([value, words]) => el("option", { value }, words)),
  );
  const text = el("input", {
    id: "act-text", maxlength: 200, autocomplete: "off", required: more.text !== undefined, value: more.value,
  });
  const why = el("input", { id: "act-why", maxlength: 200, autocomplete: "off", placeholder: "For the audit log" });
  const agreed = await ask(what, yes,
    ...(more.choices ? [el("label", { for: "act-choice" }, more.label ?? "For how long"), choice] : []),
    ...(more.text === undefined ? [] : [el("label", { for: "act-text" }, more.text), text]),
    el("label", { for: "act-why" }, "Why"), why,
  );
  return agreed ? { choice: choice.value, text: text.value.trim(), why: why.value.trim() } : null;
}

/**
 * A row of a list: what it is, more about it, and what can be done.
 * @param {(Node|string)[]} what @param {string} about @param {(Node|null)[]} buttons @param {Node|string} [below]
 */
export const row = (what, about, buttons, below = "") =>
  el("li", {},
    el("span", { class: "told" }, el("b", {}, ...what), el("small", { class: "second" }, about)),
    buttons.length ? el("span", { class: "buttons" }, ...buttons) : "", below,
  );

/**
 * @param {string} words @param {string} about what it is done to, for those who don't see the row @param {() => void}
 * press
 */
export const button = (words, about, press) =>
  el("button",
    { type: "button", "aria-label": `${words}: ${about}`, "data-focus": `${words}: ${about}`, onclick: press }, words,
  );
