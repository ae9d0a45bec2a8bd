/** Opens a file that was dropped on the lobby or picked: a game to read it, a position as a table. */

import { RequestError } from "../net/connection.js";
import { loaded } from "../net/loading.js";
import * as settings from "../net/settings.js";
import { plural, VARIANTS } from "../text/words.js";
import { byId, el } from "../ui/dom.js";
import { FileFault, notes, read } from "../ui/files.js";
import { leave, onDrop, onPick } from "../ui/handover.js";

export class Drop {
  /**
   * @param {import("../net/connection.js").Connection} connection
   * @param {(room: string) => void} go @param {(text: string) => void} complain
   */
  constructor(connection, go, complain) {
    this._connection = connection;
    this._go = go;
    this._complain = complain;
    byId("open-file").onclick = () => byId("file").click();
    onPick(byId("file"), (file) => this.take(file));
    onDrop((file) => this.take(file));
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
 */
async function agreed(name, { variant, moves }, said) {
  const { ask } = await loaded(() => import("../ui/dialogs.js"));
  return ask(name, "Open a table",
    el("p", { class: "second" }, `${VARIANTS[variant]?.name ?? variant}, ${plural(moves.length, "move")}`),
    ...said.map((text) => el("p", {}, text)),
  );
}
