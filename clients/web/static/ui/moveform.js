/** A field for a typed move, with a button that plays it. */

import { form } from "./controls.js";
import { el } from "./dom.js";

/** @param {(text: string) => void} play called with the typed text, trimmed; never with an empty text */
export function moveForm(play) {
  const input = el("input", {
    id: "move", "data-focus": "move", placeholder: "e2e4 or Nf3", autocapitalize: "off", autocorrect: "off",
    spellcheck: "false", maxlength: "40", autocomplete: "off",
  });
  const send = () => input.value.trim() && play(input.value.trim());
  return form(send, {}, el("label", { for: "move" }, "Move"), input, el("button", {}, "Play"));
}
