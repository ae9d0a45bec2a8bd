/** The admin's page: how the server is, who is on it, and what an admin does. */

import { moment, TIMES } from "../account/rows.js";
import { refusal } from "../net/connection.js";
import { connect } from "../net/page.js";
import * as settings from "../net/settings.js";
import { form } from "../ui/controls.js";
import * as dialogs from "../ui/dialogs.js";
import { byId, el, renew } from "../ui/dom.js";
import { keep } from "../ui/files.js";
import { act, button, lasting, row } from "./acts.js";
import { charts } from "./charts.js";
import { PeoplePanel } from "./people.js";

/** @typedef {import("../net/connection.js").Requests} Requests */
/** @typedef {import("../net/connection.js").Frames} Frames */
/** @typedef {import("./acts.js").Asked} Asked */
/** @typedef {import("./acts.js").Doing} Doing */

/** Milliseconds between looks: at the vital signs, and at everything else. */
const SOON = 15_000;
const LATER = 60_000;

/** An hour, in milliseconds. */
const HOUR = 3_600_000;

/** How many rooms are listed. */
const ROOMS = 100;

const LEVELS = ["debug", "info", "warning", "error"];

/** @param {number} size */
const bytes = (size) =>
  size < 1e6
    ? `${Math.ceil(size / 1e3)} kB`
    : `${(size / 1e6).toLocaleString(undefined, { maximumFractionDigits: 1 })} MB`;

class AdminPage {
  constructor() {
    /** @type {Frames["status"]["samples"]} */
    this.samples = [];
    this.shown = false;
    this.connection = connect(undefined, {
      welcomed: () => this.welcomed(),
      changed: (online) => online || (byId("server").textContent = "No connection"),
    }).connection;
    this.people = new PeoplePanel(/** @type {Doing} */ (/** @type {unknown} */ (this)));
    settings.themeButton(byId("theme"));
  }

  async welcomed() {
    if (this.shown) return this.look();
    try {
      this.take(await this.connection.request({ type: "status" }));
    } catch (error) {
      return this.refuse(refusal(error).message);
    }
    this.shown = true;
    this.build();
    this.look();
    this.people.show();
    setInterval(() => document.hidden || this.lookSoon(), SOON);
    setInterval(() => document.hidden || this.look(), LATER);
    document.addEventListener("visibilitychange", () => document.hidden || this.look());
  }

  /** Only admins get an answer. @param {string} why */
  refuse(why) {
    byId("admin").replaceChildren(
      el("section", { class: "panel" },
        el("h2", {}, "This page is for admins"),
        el("p", {}, why),
        el("p", { class: "second" }, "Sign in at ",
          el("a", { href: "/#you" }, "your account"),
          ". The first admin opens the link that the server prints at its start; an admin appoints others.",
        ),
      ),
    );
  }

  /**
   * Ask the server; null if it refuses, and the page says why.
   * @template {keyof Asked} T @param {Requests[T] & {type: T}} request @returns {Promise<Asked[T]|null>}
   */
  async ask(request) {
    if (request.type === "moderate" || request.type === "operate" || request.type === "set_up")
      byId("admin-trouble").textContent = "";
    try {
      return /** @type {Asked[T]} */ (
        /** @type {unknown} */ (await this.connection.request(/** @type {any} */ (request)))
      );
    } catch (error) {
      byId("admin-trouble").textContent = refusal(error).message;
      byId("admin-trouble").scrollIntoView({ block: "nearest" });
      return null;
    }
  }

  // -- the page --

  build() {
    const panel = (
      /** @type {string} */ id,
      /** @type {string} */ title,
      /** @type {(Node|string)[]} */ head,
      /** @type {(Node|string)[]} */ ...parts
    ) =>
      el("section", { class: "panel", "aria-labelledby": `${id}-title` },
        el("div", { class: "head" }, el("h2", { id: `${id}-title` }, title), ...head),
        ...parts,
      );
    const level = el("select", { id: "level", "aria-label": "Level of the log", onchange: () => this.setLevel() },
      ...LEVELS.map((one) => el("option", { value: one }, one)),
    );
    const code = el("input", {
      id: "room-code", maxlength: 32, autocomplete: "off", spellcheck: "false", required: true,
      placeholder: "Code of any room",
    });
    byId("admin").replaceChildren(
      el("p", { id: "admin-trouble", class: "bad", role: "alert" }),
      el("div", { id: "setup" }),
      el("div", { id: "vitals", class: "vitals", role: "group", "aria-label": "The last hour" }),
      el("div", { class: "halves" },
        el("div", { class: "half" },
          panel("checks", "Checks", [el("button", { type: "button", onclick: () => this.check() }, "Check now")],
            el("div", { id: "findings" }, el("p", { class: "second" }, "Checking…")),
          ),
          this.people.panel,
          panel("rooms", "Rooms", [],
            form(() => this.lock(code.value.trim()), {},
              el("label", { for: "room-code" }, "Lock a room"),
              el("div", { class: "with-button" }, code, el("button", {}, "Lock")),
            ),
            el("ul", { id: "rooms", class: "rows scrolling", tabindex: 0, "aria-label": "Rooms" }),
          ),
          panel("tell", "Tell everybody", [el("button", { type: "button", onclick: () => this.announce() }, "Write")],
            el("p", { class: "second" }, "All people who are connected read it at once."),
          ),
        ),
        el("div", { class: "half" },
          panel("backups", "Backups", [el("button", { type: "button", onclick: () => this.backUp() }, "Make one")],
            el("p", { id: "backups-about", class: "second", role: "status" }),
            el("ul", { id: "backups", class: "rows" }),
          ),
          panel("errors", "Errors in the last hour", [], el("ul", { id: "errors", class: "rows" })),
          panel("audit", "Audit log", [el("label", { for: "level" }, "Log level"), level],
            el("ul", { id: "acts", class: "rows scrolling", tabindex: 0, "aria-label": "Acts" }),
            el("p", { class: "second" }, el("a", { href: "/#moderate" }, "Reports and orders in force")),
          ),
          panel("settings", "Settings", [],
            el("p", { class: "second" },
              "As they are. They change by variables, flags or the config file, with a restart.",
            ),
            el("div", { id: "settings" }),
          ),
        ),
      ),
    );
    this.draw();
  }

  /** @param {Frames["status"]} status */
  take(status) {
    this.status = status;
    const since = this.connection.now() - HOUR;
    this.samples = [...this.samples, ...status.samples].filter((one) => one.at > since);
  }

  draw() {
    const { status } = this;
    if (status === undefined) return;
    byId("server").textContent = `${status.name}, since ${moment(status.started)}`;
    byId("vitals").replaceChildren(...charts(this.samples, this.connection.now()));
    byId("level").value = status.level;
    const errors = Object.entries(status.errors).sort(([, one], [, other]) => other - one);
    renew(byId("errors"), errors, () =>
      errors.length
        ? errors.map(([code, count]) => row([code], count === 1 ? "once" : `${count.toLocaleString()} times`, []))
        : [el("li", { class: "second" }, "None.")],
    );
  }

  async lookSoon() {
    const status = await this.ask({ type: "status", since: this.samples.at(-1)?.at ?? 0 });
    if (status === null) return;
    this.take(status);
    this.draw();
    if (this.making) await this.showBackups();
  }

  async look() {
    await this.lookSoon();
    await this.check();
    await this.showRooms();
    await this.showBackups();
    await this.showActs();
  }

  async acted() {
    await this.showActs();
    await this.showRooms();
  }

  // -- checks and settings --

  async check() {
    const found = await this.ask({ type: "doctor" });
    if (found === null) return;
    this.offer(found);
    const line = (/** @type {Frames["findings"]["findings"][0]} */ one) =>
      el("li", { class: "finding" },
        el("span", { class: `level ${one.level}` }, one.level),
        el("span", { class: "told" },
          el("span", {}, el("b", {}, one.topic), ` ${one.text}`),
          one.cure ? el("small", {}, `→ ${one.cure}`) : "",
        ),
      );
    const findings = found.findings.filter((one) => one.topic !== "setting" || one.level !== "ok");
    const [bad, good] = [
      findings.filter((one) => one.level !== "ok").sort((one, other) => one.level.localeCompare(other.level)),
      findings.filter((one) => one.level === "ok"),
    ];
    renew(byId("findings"), findings, () => [
      el("ul", { class: "rows" }, ...(bad.length ? bad.map(line) : [el("li", {}, "All is well.")])),
      el("details", {},
        el("summary", {}, `${good.length} checks are good`),
        el("ul", { class: "rows" }, ...good.map(line)),
      ),
    ]);
    const list = (/** @type {Frames["findings"]["settings"]} */ some) =>
      el("dl", { class: "settings" },
        ...some.flatMap((one) => [
          el("dt", {}, el("code", {}, one.variable)),
          el("dd", { class: "value" }, one.value || "–"),
          el("dd", { class: "second source" }, one.source),
        ]),
      );
    const chosen = found.settings.filter((one) => one.source !== "default");
    renew(byId("settings"), found.settings, () => [
      chosen.length ? list(chosen) : el("p", {}, "All have their defaults."),
      el("details", {},
        el("summary", {}, `${found.settings.length - chosen.length} have their defaults`),
        list(found.settings.filter((one) => one.source === "default")),
      ),
    ]);
  }

  // -- the setup --

  /** Offer the choices of a new server, or again what was chosen. @param {Frames["findings"]} found */
  offer({ setup, settings, fixed }) {
    if (!setup) return;
    byId("setup").classList.toggle("done", setup === "done"); // then it comes last
    renew(byId("setup"), [setup, settings, fixed], () => {
      const value = (/** @type {string} */ variable) => settings.find((one) => one.variable === variable)?.value ?? "";
      const free = (/** @type {string} */ variable) => !fixed?.includes(variable);
      const name = el("input", {
        id: "service", maxlength: 40, required: true, autocomplete: "off", value: value("SERVICE_NAME"),
        disabled: !free("SERVICE_NAME"),
      });
      const accounts = el("select", { id: "registration", disabled: !free("ACCOUNTS") },
        ...[
          ["open", "For everybody"], ["closed", "For nobody"],
        ].map(([policy, words]) => el("option", { value: policy, selected: policy === value("ACCOUNTS") }, words)),
      );
      const computers = el("input", {
        type: "checkbox", id: "offers", checked: value("BOTS") !== "0", disabled: !free("BOTS"),
      });
      const only = el("input", {
        type: "checkbox", id: "only", checked: value("ALLOWED_ORIGINS") !== "", disabled: !free("ALLOWED_ORIGINS"),
      });
      const save = async () => {
        if (
          !(await dialogs.confirm(
            "Save, and restart the server? People reconnect by themselves; no clock runs meanwhile.",
            "Save and restart",
          ))
        )
          return;
        await this.ask({
          type: "set_up", service: name.value.trim(), accounts: accounts.value === "closed" ? "closed" : "open",
          computers: computers.checked, origin: only.checked ? location.origin : "",
        });
      };
      const choices = form(save, {},
        el("label", { for: "service" }, "Name of the service"),
        name,
        el("label", { for: "registration" }, "New accounts"),
        accounts,
        el("label", { class: "check" }, computers, el("span", {}, "Offer computer players")),
        el("label", { class: "check" }, only,
          el("span", {}, `Its public address is ${location.origin}: no page of another address may connect`),
        ),
        fixed?.length
          ? el("p", { class: "second" }, `Fixed by variables, flags or the config file: ${fixed.join(", ")}`)
          : "",
        el("div", { class: "buttons" }, el("button", { class: setup === "open" ? "primary" : "" }, "Save and restart")),
      );
      const title = el("h2", { id: "setup-title" }, setup === "open" ? "Set up this server" : "The service");
      return [el("section", { class: "panel", "aria-labelledby": "setup-title" }, title, choices)];
    });
  }

  // -- rooms --

  async showRooms() {
    const found = await this.ask({ type: "rooms", follow: false, limit: ROOMS });
    if (found === null) return;
    renew(byId("rooms"), found.rooms.map(({ ply: _, watchers: __, empty: ___, ...room }) => room),
      () =>
        found.rooms.length
          ? found.rooms.map((room) => this.room(room))
          : [el("li", { class: "second" }, "No public room is open.")],
    );
  }

  /** @param {Frames["rooms"]["rooms"][0]} room */
  room(room) {
    const people = room.seats.map((seat) => seat.name ?? "nobody").join(", ");
    const before = room.status === "open";
    const taken = room.seats.filter((seat) => seat.name !== null);
    return row(
      [el("a", { href: `/r/${encodeURIComponent(room.room)}` }, room.room)],
      `${room.variant}, ${before ? "before the game" : "being played"}: ${people}`,
      [
        button("Lock", room.room, () => this.lock(room.room)),
        before && taken.length
          ? button("Free a seat", room.room, () =>
              this.moderate(`Free a seat of ${room.room}`, "Free it",
                { choices: taken.map((seat) => [seat.seat, `${seat.seat}: ${seat.name}`]), label: "Seat" },
                ({ choice }) => ({ act: "kick", target: room.room, text: choice }),
              ),
            )
          : null,
        before
          ? button("Close", room.room, () =>
              this.moderate(`Close ${room.room}`, "Close", {}, () => ({ act: "close", target: room.room })),
            )
          : null,
      ],
    );
  }

  /** @param {string} room */
  lock(room) {
    return this.moderate(`Lock ${room}: nobody new can enter`, "Lock", { choices: TIMES }, ({ choice }) => ({
      act: "lock", target: room, ...lasting(choice),
    }));
  }

  announce() {
    return this.moderate("Tell everybody", "Send", { text: "What they read" }, ({ text }) => ({
      act: "announce", text,
    }));
  }

  /** Moderate, after asking for the reason. @type {Doing["moderate"]} */
  async moderate(what, yes, more, made) {
    const found = await act(what, yes, more);
    if (found === null) return false;
    await this.ask({ type: "moderate", why: found.why, ...made(found) });
    await this.acted();
    return true;
  }

  // -- backups --

  async showBackups() {
    const found = await this.ask({ type: "backups" });
    if (found === null) return;
    this.making = found.making;
    byId("backups-about").textContent = found.making
      ? "A backup is being made…"
      : found.failed
        ? `The last one failed: ${found.failed}`
        : `In ${found.folder}. Copy them to another machine.`;
    byId("backups-about").classList.toggle("bad", !found.making && found.failed !== "");
    renew(byId("backups"), found.backups, () =>
      found.backups.length
        ? found.backups.map((one) =>
            row([moment(one.made)], `${one.name}, ${bytes(one.size)}`, [
              button("Download", one.name, () => this.download(one.name)),
            ]),
          )
        : [el("li", { class: "second" }, "There is none.")],
    );
    if (found.making) setTimeout(() => this.showBackups(), 1000);
  }

  async backUp() {
    const found = await act("Make a backup now", "Make it");
    if (found === null) return;
    await this.ask({ type: "operate", act: "back_up", why: found.why });
    await this.showBackups();
    await this.showActs();
  }

  /** Fetch a backup part by part, and save it. @param {string} name */
  async download(name) {
    /** @type {Uint8Array<ArrayBuffer>[]} */
    const parts = [];
    let [start, size] = [0, 1];
    while (start < size) {
      const part = await this.ask({ type: "backup", name, start });
      if (part === null) return;
      const data = Uint8Array.from(atob(part.data), (char) => char.charCodeAt(0));
      parts.push(data);
      start += data.length;
      size = data.length ? part.size : 0; // it was cut meanwhile
      byId("backups-about").textContent = `${name}: ${Math.round((100 * start) / part.size)} %`;
    }
    keep(new Blob(parts, { type: "application/octet-stream" }), name);
    byId("backups-about").textContent = `${name} is saved. It has the secret that signs players' tokens: protect it.`;
    await this.showActs();
  }

  // -- the log --

  async setLevel() {
    const text = byId("level").value;
    const found = await act(`Log from ${text} on, on all servers, until they restart`, "Change");
    if (found !== null) await this.ask({ type: "operate", act: "log_level", text, why: found.why });
    await this.lookSoon();
    await this.showActs();
  }

  async showActs() {
    const found = await this.ask({ type: "moderation" });
    if (found === null) return;
    renew(byId("acts"), found.acts, () =>
      found.acts.length
        ? found.acts.map((one) =>
            row([`${one.by}: ${one.action} ${one.name}`.trim()],
              [moment(one.at), one.until === null ? "" : `until ${moment(one.until)}`, one.why]
                .filter(Boolean)
                .join(" · "),
              [],
            ),
          )
        : [el("li", { class: "second" }, "Nothing yet.")],
    );
  }
}

settings.applyTheme();
new AdminPage();
