/** The lobby: be paired at once, open a table, go to one, or see what is played. */

import { BoardView } from "./board.js";
import { chip } from "./cards.js";
import { Connection, RequestError } from "./connection.js";
import { byId, el, renew, toast } from "./dom.js";
import { figure, sprite } from "./pieces.js";
import * as settings from "./settings.js";
import { after, Gap, of, squares } from "./table.js";
import { capital, control, playersOf, plural, VARIANTS } from "./words.js";

/** What is offered for quick pairing. @type {{variant: string, clock: {base: number, increment?: number, delay?: number}}[]} */
const QUICK = [
  { variant: "standard", clock: { base: 180_000, increment: 2_000 } },
  { variant: "standard", clock: { base: 600_000, increment: 5_000 } },
  { variant: "standard", clock: { base: 1_800_000, increment: 20_000 } },
  { variant: "survivor", clock: { base: 300_000, increment: 5_000 } },
  { variant: "ffa", clock: { base: 60_000, delay: 15_000 } },
  { variant: "teams", clock: { base: 60_000, delay: 15_000 } },
];

const SEATS = { 2: ["white", "black"], 4: ["red", "blue", "yellow", "green"] };

/** How many tables show a live board; the others tell of themselves. */
const LIVE_BOARDS = 8;

/** @param {string} variant */
const seatsOf = (variant) => SEATS[playersOf(variant) === 2 ? 2 : 4];

/** @typedef {{room: string, variant: string, clock: any, status: string, seats: {seat: string, name: string|null, bot: boolean}[], ply: number, watchers: number, created: number, locked: boolean, seek: boolean}} Listing */

class LobbyPage {
  constructor() {
    /** @type {Map<string, Listing>} */
    this.rooms = new Map();
    this.filter = "all";
    this.heard = false;
    /** Small boards by room. @type {Map<string, {view: BoardView, holder: HTMLElement, table: import("./table.js").Table|null}>} */
    this.boards = new Map();
    this.connection = new Connection(settings.socketUrl(), {
      token: settings.get("token"),
      name: settings.get("name"),
      welcomed: (welcome) => this.welcomed(welcome),
      changed: (online) => {
        byId("offline").hidden = online;
      },
      heard: (frame) => this.take(frame),
    });
    this._wire();
    this.renderQuick();
    this.renderSeats();
    this.render();
  }

  /** @param {any} welcome */
  welcomed(welcome) {
    settings.set("token", welcome.token);
    byId("name").placeholder = welcome.name;
    this.follow();
  }

  async follow() {
    try {
      const { rooms } = await this.connection.request({ type: "rooms", follow: true, limit: 60 });
      this.rooms = new Map(rooms.map((/** @type {Listing} */ room) => [room.room, room]));
      this.heard = true;
      this.render();
    } catch (error) {
      this.complain(error);
    }
  }

  /** @param {any} frame */
  take(frame) {
    if (frame.type === "lobby") {
      for (const room of frame.changed) this.rooms.set(room.room, room);
      for (const room of frame.removed) this.rooms.delete(room);
      this.render();
    } else if (frame.type === "error") toast(frame.message, "bad");
  }

  /** @param {unknown} error */
  complain(error) {
    if (!(error instanceof RequestError)) throw error;
    toast(error.message, "bad");
  }

  /** @param {string} room */
  go(room) {
    location.assign(`/r/${encodeURIComponent(room)}`);
  }

  /** @param {(typeof QUICK)[0]} game @param {HTMLElement} button */
  async seek(game, button) {
    button.setAttribute("aria-busy", "true");
    try {
      const { room } = await this.connection.request({ type: "seek", ...game });
      this.go(room);
    } catch (error) {
      button.removeAttribute("aria-busy");
      this.complain(error);
    }
  }

  renderQuick() {
    byId("quick").replaceChildren(
      ...QUICK.map((game) => {
        const players = playersOf(game.variant);
        const figures = players === 2 ? ["wK", "bK"] : ["rN", "bN", "yN", "gN"];
        const button = el(
          "button",
          { type: "button", "data-quick": `${game.variant} ${control(/** @type {any} */ ({ increment: 0, delay: 0, ...game.clock }))}` },
          el("span", { class: "figures" }, ...figures.map((cell) => figure(cell, players))),
          el("span", { class: "time" }, control(/** @type {any} */ ({ increment: 0, delay: 0, ...game.clock })).replace(" delay", "d")),
          el("span", { class: "kind" }, `${VARIANTS[game.variant].name} · ${players}`),
        );
        button.onclick = () => this.seek(game, button);
        button.setAttribute("aria-label", `Play ${VARIANTS[game.variant].name} now, ${players} players, ${control(/** @type {any} */ ({ increment: 0, delay: 0, ...game.clock }))}`);
        return button;
      }),
    );
  }

  // -- opening a table --

  get variant() {
    return /** @type {HTMLInputElement} */ (document.querySelector("[name=variant]:checked")).value;
  }

  renderSeats() {
    const names = seatsOf(this.variant);
    byId("seats").replaceChildren(
      ...names.map((seat, index) =>
        el(
          "label",
          {},
          chip(seat),
          el(
            "select",
            { "data-seat": seat, "aria-label": capital(seat) },
            el("option", { value: "open" }, "Somebody"),
            el("option", index === 0 ? { value: "me", selected: true } : { value: "me" }, "You"),
            ...[1, 2, 3, 4, 5].map((level) => el("option", { value: level }, `Bot ${level}`)),
          ),
        ),
      ),
    );
  }

  async create() {
    const fault = byId("fault");
    fault.textContent = "";
    /** @type {any} */
    const request = { type: "create", variant: this.variant, key: this.connection.newKey() };
    if (byId("timed").checked) {
      request.clock = { base: Math.round(Number(byId("minutes").value) * 60_000), [byId("kind").value]: Math.round(Number(byId("bonus").value) * 1000) };
    }
    if (byId("private").checked) request.visibility = "private";
    if (byId("quiet").checked) request.chat = false;
    if (byId("secret").value) request.password = byId("secret").value;
    if (byId("position").value.trim()) request.position = byId("position").value.trim();
    try {
      const { room } = await this.connection.request(request);
      const choices = [...byId("seats").querySelectorAll("select")].map((select) => [select.dataset.seat, select.value]);
      for (const [seat, value] of choices) if (value === "me") await this.connection.request({ type: "join", room, seat });
      for (const [seat, value] of choices) if (Number(value)) await this.connection.request({ type: "bot", room, seat, level: Number(value) });
      this.go(room);
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      fault.textContent = error.message;
    }
  }

  /** Why no game can begin at a position, everything at once. @param {string} position */
  async faults(position) {
    try {
      const { faults } = await this.connection.request({ type: "check", variant: this.variant, position });
      return { readable: true, faults: faults.map((/** @type {{message: string}} */ fault) => fault.message) };
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      return { readable: false, faults: [error.message] };
    }
  }

  // -- the tables --

  render() {
    const shown = [...this.rooms.values()]
      .filter((room) => this.filter === "all" || room.status === this.filter)
      .sort((one, other) => Number(other.status === "open") - Number(one.status === "open") || other.created - one.created);
    const live = new Set(shown.filter((room) => room.status === "playing" && !room.locked).slice(0, LIVE_BOARDS).map((room) => room.room));
    for (const room of this.boards.keys()) if (!live.has(room)) this.stopWatching(room);
    for (const room of live) if (!this.boards.has(room)) this.startWatching(room, /** @type {Listing} */ (this.rooms.get(room)));
    renew(byId("rooms"), [shown, this.heard, [...live]], () =>
      shown.length
        ? shown.map((room) => this.card(room))
        : [el("p", { class: "nobody-here" }, this.heard ? "No tables just now. Open one, or pick a game above: somebody may come." : "Looking for tables…")],
    );
  }

  /** @param {Listing} room */
  card(room) {
    const free = room.seats.filter((seat) => seat.name === null && !seat.bot).length;
    const status = room.status === "open" ? (room.seek ? "looking for players" : `${plural(free, "free seat")}`) : `move ${Math.floor(room.ply / room.seats.length) + 1}`;
    const live = this.boards.get(room.room);
    return el(
      "a",
      { class: "room", href: `/r/${encodeURIComponent(room.room)}`, "data-focus": room.room },
      el("span", { class: "head" }, el("b", {}, VARIANTS[room.variant]?.name ?? room.variant), el("span", { class: "soft" }, control(room.clock))),
      live?.holder ?? null,
      el(
        "span",
        { class: "people" },
        ...room.seats.map((seat) =>
          el("span", {}, chip(seat.seat), el("span", { class: `name ${seat.name === null && !seat.bot ? "free" : ""}` }, seat.name ?? (seat.bot ? "bot" : "free"))),
        ),
      ),
      el(
        "span",
        { class: "foot" },
        el("span", { class: room.status === "open" ? "tag" : "" }, status),
        room.locked ? " · password" : null,
        room.watchers ? ` · ${room.watchers} watching` : null,
      ),
    );
  }

  /** @param {string} room @param {Listing} listing */
  startWatching(room, listing) {
    const holder = el("span", { class: "mini" });
    const view = new BoardView(holder, { players: playersOf(listing.variant), small: true });
    /** @type {{view: BoardView, holder: HTMLElement, table: import("./table.js").Table|null}} */
    const board = { view, holder, table: null };
    this.boards.set(room, board);
    this.connection.follow(room, {
      seq: null,
      preview: true,
      take: (frame) => {
        try {
          if (frame.type === "room") board.table = of(frame);
          else if (frame.type === "update" && board.table !== null) board.table = after(board.table, /** @type {any} */ (frame));
        } catch (error) {
          if (!(error instanceof Gap)) throw error;
          this.connection.again(room);
        }
        if (board.table === null) return;
        const last = board.table.line[board.table.line.length - 1];
        view.show({ board: board.table.board, last: last ? squares(last.move) : [], check: board.table.check });
      },
      refused: () => this.stopWatching(room),
    });
  }

  /** @param {string} room */
  stopWatching(room) {
    this.boards.delete(room);
    this.connection.unfollow(room);
  }

  _wire() {
    settings.themeButton(byId("theme"));
    const name = byId("name");
    name.value = settings.get("name") ?? "";
    name.onchange = () => {
      settings.set("name", name.value.trim());
      this.connection.rename(name.value.trim());
    };
    byId("who").addEventListener("submit", (/** @type {Event} */ event) => {
      event.preventDefault();
      name.blur();
    });
    byId("variants").append(
      ...Object.entries(VARIANTS).map(([variant, { name, about }], index) =>
        el(
          "label",
          { class: "choice" },
          el("input", { type: "radio", name: "variant", value: variant, ...(index === 0 ? { checked: true } : {}) }),
          el("b", {}, name),
          el("small", {}, about),
        ),
      ),
    );
    byId("variants").onchange = () => this.renderSeats();
    byId("timed").onchange = () => {
      byId("time").hidden = !byId("timed").checked;
      for (const input of byId("time").querySelectorAll("input")) input.disabled = !byId("timed").checked;
    };
    byId("create").addEventListener("submit", (/** @type {Event} */ event) => {
      event.preventDefault();
      this.create();
    });
    byId("join").addEventListener("submit", (/** @type {Event} */ event) => {
      event.preventDefault();
      const code = byId("code").value.trim();
      this.go(decodeURIComponent(/\/r\/([^/?#]+)/.exec(code)?.[1] ?? code));
    });
    byId("edit").onclick = async () => {
      const { edit } = await import("./editor.js"); // for the few who want it
      const seats = seatsOf(this.variant);
      const position = byId("position").value.trim();
      edit(byId("editor"), {
        seats,
        position: /^[RBYG]-/.test(position) === (seats.length === 4) ? position : "",
        check: (there) => this.faults(there),
        open: async (there) => {
          byId("position").value = there;
          await this.create();
          return byId("fault").textContent;
        },
        keep: (there) => (byId("position").value = there),
      });
    };
    for (const button of document.querySelectorAll("[data-filter]")) {
      button.addEventListener("click", () => {
        this.filter = /** @type {HTMLElement} */ (button).dataset.filter ?? "all";
        for (const other of document.querySelectorAll("[data-filter]")) other.setAttribute("aria-pressed", String(other === button));
        this.render();
      });
    }
    addEventListener("online", () => this.connection.nudge());
    addEventListener("pageshow", (event) => event.persisted && this.connection.probe());
    document.addEventListener("visibilitychange", () => document.hidden || this.connection.probe());
  }
}

settings.applyTheme();
document.body.append(sprite());
new LobbyPage();
