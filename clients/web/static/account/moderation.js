/** The moderators' page: open reports, orders in force, and the latest actions. */

import { refusal } from "../net/connection.js";
import { form } from "../ui/controls.js";
import { button, byId, el } from "../ui/dom.js";
import { attempt, moment, row, TIMES, trouble } from "./rows.js";

/** @typedef {import("../net/connection.js").Frames["moderation"]} Moderation */
/** @typedef {import("../net/connection.js").Requests["moderate"]} Moderate */

/**
 * The actions of a moderator: name, label, target, further field, and whether it has a duration.
 * @type {[Moderate["act"], string, string, string, boolean][]}
 */
const ACTS = [
  ["mute", "Mute a player", "Name or player's id", "", true],
  ["ban", "Ban a player or an address", "Name, player's id, or address", "", true],
  ["rename", "Rename an account", "Name or player's id", "The new name", false],
  ["lock", "Lock a room", "Code of the room", "", true],
  ["kick", "Free a seat before the game", "Code of the room", "The seat", false],
  ["close", "Close a room before its game", "Code of the room", "", false],
  ["word", "Block a word", "The word", "", true],
  ["silence", "Turn all chat off", "", "", true],
  ["announce", "Tell everybody", "", "Message", false],
  ["appoint", "Appoint, as an admin", "Name or player's id", "moderator, admin, or nothing", false],
];

/** @param {number|null} until */
const until = (until) => (until === null ? "for good" : `until ${moment(until)}`);

export class ModerationView {
  /** @param {import("../net/connection.js").Connection} connection */
  constructor(connection) {
    this._connection = connection;
    this._holder = byId("you");
  }

  /** Show the work to do, or the reason why there is none. */
  async show() {
    try {
      this._show(await this._connection.request({ type: "moderation" }));
    } catch (error) {
      this._holder.replaceChildren(this._title(), el("p", { class: "panel" }, refusal(error).message));
    }
  }

  _title() {
    return el("h2", { id: "you-title", tabindex: -1 }, "Moderate");
  }

  /** @param {Moderation} found */
  _show(found) {
    const reports = found.reports.map((report) => this._report(report));
    const orders = found.orders.map((order) =>
      row(`${order.kind} ${order.name}`.trim(),
        `${until(order.until)}, by ${order.by}${order.why ? `: ${order.why}` : ""}`, "Lift",
        () => this._moderate({ act: "lift", target: order.order }),
      ),
    );
    const acts = found.acts.map((act) =>
      el("div", { class: "you-row" },
        el("span", {},
          el("b", {}, `${act.by}: ${act.action} ${act.name}`.trim()),
          el("small", { class: "second" },
            [moment(act.at), act.until === null ? "" : until(act.until), act.why].filter(Boolean).join(" · "),
          ),
        ),
      ),
    );
    const some = (/** @type {HTMLElement[]} */ rows, /** @type {string} */ none) =>
      rows.length ? rows : [el("p", { class: "second" }, none)];
    this._holder.replaceChildren(
      this._title(),
      el("p", { class: "second" },
        `You are ${found.role === "admin" ? "an admin" : "a moderator"}. Your actions are in the audit log.`,
      ),
      trouble(),
      el("div", { class: "you-columns" },
        el("div", { class: "column" },
          el("section", { class: "panel" }, el("h3", {}, "Reports"), ...some(reports, "No open reports.")),
          this._form(),
        ),
        el("div", { class: "column" },
          el("section", { class: "panel" }, el("h3", {}, "In force"), ...some(orders, "No orders in force.")),
          el("section", { class: "panel" }, el("h3", {}, "Done lately"), ...some(acts, "Nothing yet.")),
        ),
      ),
    );
  }

  /** @param {Moderation["reports"][number]} report */
  _report(report) {
    const settle = (/** @type {string} */ outcome) =>
      this._connection.request({ type: "settle", report: report.report, outcome });
    const answer = (/** @type {string} */ words, /** @type {() => Promise<void>} */ act) =>
      button(words, () => attempt(act));
    const ordered =
      (/** @type {"mute"|"ban"} */ act, /** @type {number} */ seconds, /** @type {string} */ outcome) => async () => {
        await this._connection.request({ type: "moderate", act, target: report.player, why: report.why, seconds });
        await settle(outcome);
        await this.show();
      };
    return el("article", { class: "report" },
      el("b", {}, report.name),
      el("p", {}, report.why),
      el("small", { class: "second" },
        `${moment(report.at)}, by ${report.reporter === report.by ? "a guest" : report.reporter}, at `,
        el("a", { href: `/r/${encodeURIComponent(report.room)}` }, report.room),
      ),
      ...report.lines.map((line) => el("blockquote", {}, line)),
      report.moves.length ? el("small", { class: "second" }, `Last moves: ${report.moves.join(" ")}`) : null,
      el("div", { class: "buttons" },
        answer("Mute for a day", ordered("mute", 86_400, "muted for a day")),
        answer("Ban for a day", ordered("ban", 86_400, "banned for a day")),
        answer("Dismiss", async () => {
          await settle("nothing done");
          await this.show();
        }),
      ),
    );
  }

  _form() {
    const act = el("select", { id: "act" }, ...ACTS.map(([name, words]) => el("option", { value: name }, words)));
    const target = el("input", { id: "target", maxlength: 64, autocomplete: "off", spellcheck: "false" });
    const text = el("input", { id: "act-text", maxlength: 200, autocomplete: "off" });
    const why = el("input", {
      id: "why", maxlength: 200, autocomplete: "off", placeholder: "Shown to them, and in the audit log",
    });
    const time = el("select", { id: "for-how-long" },
      ...TIMES.map(([seconds, words]) => el("option", { value: seconds, selected: seconds === 86_400 }, words)),
    );
    const fields = [
      el("label", { for: "target" }, "Target"),
      target,
      el("label", { for: "act-text" }, "Text"),
      text,
      el("label", { for: "for-how-long" }, "Duration"),
      time,
    ];
    const chosen = () => ACTS.find(([name]) => name === act.value) ?? ACTS[0];
    const fit = () => {
      const [, , about, written, lasts] = chosen();
      [about, about, written, written, lasts, lasts].forEach((wanted, index) => (fields[index].hidden = !wanted));
      target.placeholder = about;
      text.placeholder = written;
      target.required = about !== "";
    };
    act.onchange = fit;
    fit();
    const send = () => {
      const [name, , about, written, lasts] = chosen();
      return this._moderate({
        act: name,
        target: about ? target.value.trim() : "",
        text: written ? text.value.trim() : "",
        why: why.value.trim(),
        ...(lasts && Number(time.value) ? { seconds: Number(time.value) } : {}),
      });
    };
    return el("section", { class: "panel" },
      el("h3", {}, "Do something"),
      form(() => attempt(send), { class: "act" },
        el("label", { for: "act" }, "What"),
        act,
        ...fields,
        el("label", { for: "why" }, "Why"),
        why,
        el("button", { class: "primary" }, "Do it"),
      ),
    );
  }

  /** @param {Omit<Moderate, "type">} what */
  async _moderate(what) {
    await this._connection.request({ type: "moderate", ...what });
    await this.show();
  }
}
