/** The dialog that opens a table: game, clocks, seats, position. */

import { isFen4 } from "../model/fen.js";
import { variantOf } from "../model/geometry.js";
import { SUMMARIES } from "../model/summaries.js";
import { refusal } from "../net/connection.js";
import { loaded } from "../net/loading.js";
import { isLevel } from "../people/people.js";
import { capital, playersOf, VARIANTS } from "../text/words.js";
import { chip } from "../ui/chip.js";
import { byId, el, onSubmit } from "../ui/dom.js";

/** @typedef {import("../net/connection.js").Requests} Requests */

export class CreateDialog {
  /**
   * @param {import("../net/connection.js").Connection} connection @param {(room: string) => void} go
   * @param {import("../people/people.js").People} people to challenge
   */
  constructor(connection, go, people) {
    this._connection = connection;
    this._go = go;
    this._people = people;
    /** The choice of opponents. @type {import("../people/people.js").Person|null} */
    this._opponent = null;
    /** @type {HTMLDialogElement} */
    this._dialog = byId("create-dialog");
    byId("variants").append(
      ...Object.entries(VARIANTS).map(([variant, { name }], index) =>
        el("label", { class: "kind-choice" },
          el("input", { type: "radio", name: "variant", value: variant, checked: index === 0 }),
          el("b", {}, name),
          el("small", {}, SUMMARIES[variant]),
        ),
      ),
    );
    byId("variants").onchange = () => this._showSeats();
    for (const button of byId("how-many").querySelectorAll("button"))
      button.onclick = () => this._count(Number(button.dataset.count));
    byId("timed").onchange = () => {
      byId("time").hidden = !byId("timed").checked;
      for (const input of byId("time").querySelectorAll("input")) input.disabled = !byId("timed").checked;
    };
    onSubmit(byId("create"), () => this._create());
    byId("close-create").onclick = () => this._dialog.close();
    byId("edit").onclick = () => this._edit();
    this._showSeats();
  }

  /**
   * @param {boolean} friends whether only people with the link can join
   * @param {import("../people/people.js").Person|null} [opponent] the player to challenge
   */
  show(friends, opponent = null) {
    this._opponent = opponent;
    byId("how-many").hidden = !friends;
    this._count(friends ? 4 : null);
    this._showSeats();
    byId("create-title").textContent = opponent
      ? `Challenge ${opponent.name}`
      : friends
        ? "Play with friends"
        : "Create a table";
    byId("private").checked = friends;
    byId("fault").textContent = "";
    this._dialog.showModal();
  }

  /** Offer the variants for a number of players; null: all. @param {number|null} count */
  _count(count) {
    for (const button of byId("how-many").querySelectorAll("button"))
      button.setAttribute("aria-pressed", String(Number(button.dataset.count) === count));
    for (const input of /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll("[name=variant]"))) {
      const offered = count === null || playersOf(input.value).length === count;
      /** @type {HTMLElement} */ (input.parentElement).hidden = !offered;
    }
    if (count !== null && playersOf(this._variant).length !== count) {
      const first = /** @type {HTMLInputElement} */ (document.querySelector("label:not([hidden]) > [name=variant]"));
      first.checked = true;
      this._showSeats();
    }
  }

  get _variant() {
    return /** @type {HTMLInputElement} */ (document.querySelector("[name=variant]:checked")).value;
  }

  _showSeats() {
    byId("rules").href = `/learn/${encodeURIComponent(this._variant)}`;
    byId("seats").replaceChildren(
      ...playersOf(this._variant).map((seat, index) =>
        el("label", {},
          chip(seat),
          el("select", { "data-seat": seat, "aria-label": capital(seat), onchange: () => this._showDrawn() },
            el("option", { value: "open" }, "Somebody"),
            el("option", { value: "me", selected: index === 0 }, "You"),
            ...[1, 2, 3, 4, 5].map((level) => el("option", { value: level }, `Computer ${level}`)),
            ...this._guests.map(({ player, name }) =>
              el("option", { value: `@${player}`, selected: index === 1 && player === this._opponent?.player }, name),
            ),
          ),
        ),
      ),
    );
    this._showDrawn();
  }

  /** The players to challenge. */
  get _guests() {
    const others = this._people.others.filter((person) => !isLevel(person)); // they are listed above
    const opponent = this._opponent;
    return opponent === null || others.some((one) => one.player === opponent.player) ? others : [opponent, ...others];
  }

  /** The seats, with the choice for each. @returns {[string, string][]} */
  get _choices() {
    return [...byId("seats").querySelectorAll("select")].map(({ dataset, value }) => [dataset.seat ?? "", value]);
  }

  get _challenging() {
    return this._choices.some(([, who]) => who.startsWith("@"));
  }

  _showDrawn() {
    byId("drawn-choice").hidden = !this._challenging || this._choices.length !== 2;
    const button = /** @type {HTMLButtonElement} */ (byId("create").querySelector(".foot button"));
    button.textContent = this._challenging ? "Send the challenge" : "Open the table";
  }

  async _create() {
    const fault = byId("fault");
    fault.textContent = "";
    /** @type {Requests["create"]} */
    const request = { type: "create", variant: this._variant };
    if (byId("timed").checked) {
      request.clock = {
        base: Math.round(Number(byId("minutes").value) * 60_000),
        [byId("kind").value]: Math.round(Number(byId("bonus").value) * 1000),
      };
    }
    if (byId("private").checked) request.visibility = "private";
    if (byId("quiet").checked) request.chat = false;
    if (byId("casual").checked) request.rated = false;
    if (byId("secret").value) request.password = byId("secret").value;
    if (byId("position").value.trim()) request.position = byId("position").value.trim();
    try {
      const choices = this._choices;
      if (this._challenging) return await this._challenge(request, choices);
      const mine = choices.filter(([, who]) => who === "me").map(([seat]) => seat);
      this._go(
        await opened(this._connection, request, mine,
          choices.filter(([, who]) => Number(who)).map(([seat, level]) => [seat, Number(level)]),
        ),
      );
    } catch (error) {
      fault.textContent = refusal(error).message;
    }
  }

  /** Challenge the chosen players. @param {Requests["create"]} request @param {[string, string][]} choices */
  async _challenge({ variant, clock, visibility, position, password, chat, rated }, choices) {
    if (position || password || chat === false) {
      byId("fault").textContent =
        "Challenges use the usual start, with chat and without a password. For anything else, open a table.";
      return;
    }
    const others = choices
      .filter(([, who]) => who !== "me" && who !== "open")
      .map(([seat, who]) => [seat, who.startsWith("@") ? who.slice(1) : Number(who)]);
    const mine = choices.find(([, who]) => who === "me")?.[0];
    const drawn = choices.length === 2 && byId("drawn").checked && others.length === 1;
    await this._people.make(
      drawn
        ? { variant, clock, visibility, rated, player: String(others[0][1]) }
        : { variant, clock, visibility, rated, seat: mine, seats: Object.fromEntries(others) },
    );
    this._dialog.close();
  }

  async _edit() {
    const { edit } = await loaded(() => import("./editor.js")); // few users need it
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
      return { readable: false, faults: [refusal(error).message] };
    }
  }
}

/**
 * Open a room, sit down in it and invite computer players. Throws `RequestError`.
 * @param {import("../net/connection.js").Connection} connection @param {Requests["create"]} request
 * @param {(string|undefined)[]} mine the seats to take @param {[string|undefined, number][]} bots seats and levels
 * @returns {Promise<string>} the room
 */
export async function opened(connection, request, mine, bots) {
  const { room } = await connection.command(request);
  for (const seat of mine) await connection.request({ type: "join", room, seat });
  for (const [seat, level] of bots) await connection.request({ type: "bot", room, seat, level });
  return room;
}
