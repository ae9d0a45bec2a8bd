/** The page's buttons, keys and forms. */

import { late } from "../net/loading.js";
import * as settings from "../net/settings.js";
import { byId, onSubmit } from "../ui/dom.js";
import { onKeys } from "../ui/keys.js";

/** @typedef {import("./actions.js").Page & {flip: () => void}} Page */

const actions = late(() => import("./actions.js"));
const popover = late(() => import("../ui/popover.js"));
const sound = late(() => import("../ui/sound.js"));

/** @param {Page} page */
export function wire(page) {
  byId("sound").onclick = async () => {
    settings.set("sound", settings.loud() ? "off" : "on");
    page.render();
    (await sound()).play("turn");
  };
  byId("react").onclick = () => page.do("react", byId("react"));
  byId("more").onclick = () => page.do("more", byId("more"));
  byId("gear").onclick = async () => (await popover()).openAt(byId("preferences"), byId("gear"));
  const steps = {
    first: () => page.look(0), back: () => page.look(page.at - 1), forth: () => page.look(page.at + 1),
    live: () => page.look(Infinity),
  };
  for (const id of /** @type {const} */ (["first", "back", "forth", "live"])) byId(id).onclick = steps[id];
  byId("flip").onclick = () => page.flip();
  const keys = {
    ArrowLeft: steps.back, ArrowRight: steps.forth, Home: steps.first, End: steps.live, f: () => page.flip(),
  };
  onKeys(keys, () => page.game.table !== null);
  onSubmit(byId("typed"), async () => {
    const word = byId("move").value.trim();
    byId("move").value = "";
    (await actions()).type(page, word);
  });
  onSubmit(byId("say"), () => {
    const text = byId("text").value.trim();
    const to = /** @type {"all"|"table"} */ (byId("to").hidden ? "all" : byId("to").value);
    if (text) page.game.ask({ type: "say", text, to }, () => (byId("text").value = ""));
  });
}
