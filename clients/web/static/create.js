/** The dialog in which a table is opened: the game, its clocks, who sits where, and from which position. */

import { chip } from "./cards.js";
import { RequestError } from "./connection.js";
import { byId, el } from "./dom.js";
import { isFen4 } from "./fen.js";
import { variantOf } from "./geometry.js";
import { capital, seatsOf, VARIANTS } from "./words.js";

/** @typedef {import("./connection.js").Requests} Requests */

export class CreateDialog {
  /** @param {import("./connection.js").Connection} connection @param {(room: string) => void} go */
  constructor(connection, go) {
    this._connection = connection;
    this._go = go;
    /** @type {HTMLDialogElement} */
    this._dialog = byId("create-dialog");
    byId("variants").append(
      ...Object.entries(VARIANTS).map(([variant, { name, about }], index) =>
        el(
          "label",
          { class: "kind-choice" },
          el("input", { type: "radio", name: "variant", value: variant, checked: index === 0 }),
          el("b", {}, name),
          el("small", {}, about),
        ),
      ),
    );
    byId("variants").onchange = () => this._showSeats();
    byId("timed").onchange = () => {
      byId("time").hidden = !byId("timed").checked;
      for (const input of byId("time").querySelectorAll("input")) input.disabled = !byId("timed").checked;
    };
    byId("create").addEventListener("submit", (/** @type {Event} */ event) => {
      event.preventDefault();
      this._create();
    });
    byId("close-create").onclick = () => this._dialog.close();
    byId("edit").onclick = () => this._edit();
    this._showSeats();
  }

  /** @param {boolean} friends whether only people with the link can join */
  show(friends) {
    byId("create-title").textContent = friends ? "Play with friends" : "Create a table";
    byId("private").checked = friends;
    byId("fault").textContent = "";
    this._dialog.showModal();
  }

  get _variant() {
    return /** @type {HTMLInputElement} */ (document.querySelector("[name=variant]:checked")).value;
  }

  _showSeats() {
    byId("seats").replaceChildren(
      ...seatsOf(this._variant).map((seat, index) =>
        el(
          "label",
          {},
          chip(seat),
          el(
            "select",
            { "data-seat": seat, "aria-label": capital(seat) },
            el("option", { value: "open" }, "Somebody"),
            el("option", { value: "me", selected: index === 0 }, "You"),
            ...[1, 2, 3, 4, 5].map((level) => el("option", { value: level }, `Computer ${level}`)),
          ),
        ),
      ),
    );
  }

  async _create() {
    const fault = byId("fault");
    fault.textContent = "";
    /** @type {Requests["create"]} */
    const request = { type: "create", variant: this._variant };
    if (byId("timed").checked) {
      request.clock = { base: Math.round(Number(byId("minutes").value) * 60_000), [byId("kind").value]: Math.round(Number(byId("bonus").value) * 1000) };
    }
    if (byId("private").checked) request.visibility = "private";
    if (byId("quiet").checked) request.chat = false;
    if (byId("casual").checked) request.rated = false;
    if (byId("secret").value) request.password = byId("secret").value;
    if (byId("position").value.trim()) request.position = byId("position").value.trim();
    try {
      const choices = [...byId("seats").querySelectorAll("select")].map((select) => [select.dataset.seat, select.value]);
      this._go(await opened(this._connection, request, choices.filter(([, who]) => who === "me").map(([seat]) => seat), choices.filter(([, who]) => Number(who)).map(([seat, level]) => [seat, Number(level)])));
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      fault.textContent = error.message;
    }
  }

  async _edit() {
    const { edit } = await import("./editor.js"); // few users need it
    const variant = this._variant;
    const position = byId("position").value.trim();
    edit(byId("editor"), {
      variant,
      position: position.includes("/") && isFen4(position) === isFen4(variantOf(variant).start) ? position : "",
      check: (there) => this._faults(there),
      open: async (there) => {
        byId("position").value = there;
        await this._create();
        return byId("fault").textContent;
      },
      keep: (there) => (byId("position").value = there),
    });
  }

  /** Show all reasons why no game can begin at a position. @param {string} position */
  async _faults(position) {
    try {
      const { faults } = await this._connection.request({ type: "check", variant: this._variant, position });
      return { readable: true, faults: faults.map((fault) => fault.message) };
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      return { readable: false, faults: [error.message] };
    }
  }
}

/**
 * Open a room, sit down in it and invite computer players. Throws `RequestError`.
 * @param {import("./connection.js").Connection} connection @param {Requests["create"]} request
 * @param {(string|undefined)[]} mine the seats to take @param {[string|undefined, number][]} bots seats and levels
 * @returns {Promise<string>} the room
 */
export async function opened(connection, request, mine, bots) {
  const { room } = await connection.command(request);
  for (const seat of mine) await connection.request({ type: "join", room, seat });
  for (const [seat, level] of bots) await connection.request({ type: "bot", room, seat, level });
  return room;
}
