/** Opens a file that was dropped on the lobby or picked: a game to read it, a position as a table. */

import { RequestError } from "../net/connection.js";
import * as settings from "../net/settings.js";
import { plural, VARIANTS } from "../text/words.js";
import { byId, el } from "../ui/dom.js";
import { FileFault, notes, read } from "../ui/files.js";
import { leave } from "../ui/handover.js";

export class Drop {
  /**
   * @param {import("../net/connection.js").Connection} connection
   * @param {(room: string) => void} go @param {(text: string) => void} complain
   */
  constructor(connection, go, complain) {
    this._connection = connection;
    this._go = go;
    this._complain = complain;
    const input = byId("file");
    byId("open-file").onclick = () => input.click();
    input.onchange = () => {
      const file = input.files?.[0];
      input.value = ""; // lets the user pick the same file again
      if (file) this.take(file);
    };
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
      this.take(file);
    });
  }

  /** @param {File} file */
  async take(file) {
    this._complain("");
    try {
      const parsed = await read(this._connection, file);
      const game = parsed.moves.length > 0 && !/\.smith$/i.test(file.name);
      if (game && leave(file.name, await file.text())) return settings.go("/read");
      const said = notes(parsed);
      if (said.length && !(await agreed(file.name, parsed, said))) return;
      const { variant, position, moves } = parsed;
      const { room } = await this._connection.command({
        type: "create", variant, moves, visibility: "private",
        ...(position === null ? {} : { position }),
      });
      this._go(room);
    } catch (error) {
      if (!(error instanceof RequestError || error instanceof FileFault)) throw error;
      this._complain(error instanceof FileFault ? error.message : `${file.name}: ${error.message}`);
    }
  }
}

/**
 * Show the remarks on a game, and ask whether to open it all the same.
 * @param {string} name @param {import("../net/connection.js").Frames["parsed"]} parsed @param {string[]} said
 * @returns {Promise<boolean>}
 */
function agreed(name, { variant, moves }, said) {
  return new Promise((resolve) => {
    const dialog = /** @type {HTMLDialogElement} */ (
      el("dialog", { class: "ask", "aria-labelledby": "file-title" },
        el("h2", { id: "file-title" }, name),
        el("p", { class: "second" }, `${VARIANTS[variant]?.name ?? variant}, ${plural(moves.length, "move")}`),
        ...said.map((text) => el("p", {}, text)),
        el("form", { method: "dialog", class: "buttons" },
          el("button", { value: "no" }, "Cancel"),
          el("button", { value: "yes", class: "primary" }, "Open a table"),
        ),
      )
    );
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue === "yes");
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}
