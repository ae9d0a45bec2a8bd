/** The rows of the account and of the moderators' page, with buttons; what goes wrong; the durations of orders. */

import { RequestError } from "../net/connection.js";
import { button, byId, el } from "../ui/dom.js";

/** The durations of orders: seconds and words; 0 is permanent. @type {[number, string][]} */
export const TIMES = [
  [3600, "An hour"],
  [86_400, "A day"],
  [604_800, "A week"],
  [2_592_000, "30 days"],
  [0, "For good"],
];

/** @param {number} time */
export const moment = (time) => new Date(time).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });

/** @param {string} what @param {string} about @param {string} words @param {() => Promise<void>} act */
export const row = (what, about, words, act) =>
  el("div", { class: "you-row" },
    el("span", {}, el("b", {}, what), el("small", { class: "second" }, about)),
    button(words, () => attempt(act), { "aria-label": `${words}: ${what}` }),
  );

/** The place of the error of `attempt`. */
export const trouble = () => el("p", { id: "account-trouble", class: "bad", role: "alert" });

/** Carry out an action, and show its error. @param {() => Promise<void>} act */
export async function attempt(act) {
  const why = byId("account-trouble");
  why.textContent = "";
  try {
    await act();
  } catch (error) {
    if (error instanceof DOMException) why.textContent = "No passkey was used."; // cancelled, or this device has none
    else if (error instanceof RequestError) why.textContent = error.message;
    else throw error;
  }
}
