/** The admin's list of accounts, and what is done to one. */

import { moment, TIMES } from "../account/rows.js";
import { form } from "../ui/controls.js";
import { el } from "../ui/dom.js";
import { act, button, lasting, row } from "./acts.js";

/** @typedef {import("../net/connection.js").Frames["accounts"]["accounts"][0]} Account */
/** @typedef {import("./acts.js").Doing} Doing */

/** @type {[string, string][]} */
const ROLES = [["", "None"], ["moderator", "Moderator"], ["admin", "Admin"]];

export class PeoplePanel {
  /** @param {Doing} doing */
  constructor(doing) {
    this._doing = doing;
    this._text = el("input", {
      id: "people-text", maxlength: 64, autocomplete: "off", spellcheck: "false",
      placeholder: "A part of the name, or the player's id",
    });
    this._rows = el("ul", { class: "rows scrolling", tabindex: 0, "aria-label": "Accounts" });
    this._about = el("p", { class: "second", role: "status" });
    this.panel = el("section", { class: "panel", "aria-labelledby": "people-title" },
      el("h2", { id: "people-title" }, "People"),
      form(() => this.show(), { role: "search" },
        el("label", { for: "people-text" }, "Find accounts"),
        el("div", { class: "with-button" }, this._text, el("button", {}, "Find")),
      ),
      this._about,
      this._rows,
    );
  }

  /** Ask for the accounts again. */
  async show() {
    const found = await this._doing.ask({ type: "accounts", text: this._text.value.trim() });
    if (found === null) return;
    const open = new Set(
      [.../** @type {NodeListOf<HTMLElement>} */ (this._rows.querySelectorAll("details[open]"))].map(
        (details) => details.dataset.player,
      ),
    );
    const { accounts } = found;
    this._about.textContent =
      accounts.length === 0
        ? "No account is called that."
        : this._text.value.trim()
          ? `${accounts.length} found`
          : "The newest accounts";
    this._rows.replaceChildren(...accounts.map((account) => this._row(account, open.has(account.player))));
  }

  /** @param {Account} account @param {boolean} open */
  _row(account, open) {
    const { name, player } = account;
    const tags = [
      account.role, account.owner ? `bot of ${account.owner}` : "", account.closed === null ? "" : "closed",
      ...account.orders.map((kind) => (kind === "ban" ? "banned" : "muted")),
    ].filter(Boolean);
    const order = (/** @type {"ban"|"mute"} */ kind, /** @type {string} */ words) =>
      button(words, name, () =>
        this._moderate(`${words} ${name}`, words, { choices: TIMES },
          ({ choice }) => ({ act: kind, target: player, ...lasting(choice) }),
        ),
      );
    const buttons =
      account.closed !== null
        ? []
        : [
            order("mute", "Mute"), order("ban", "Ban"),
            button("Rename", name, () =>
              this._moderate(`Rename ${name}`, "Rename", { text: "The new name", value: name },
                ({ text }) => ({ act: "rename", target: player, text }),
              ),
            ),
            account.owner
              ? null
              : button("Role", name, () =>
                  this._moderate(`The role of ${name}`, "Appoint",
                    {
                      choices: [...ROLES].sort(
                        ([one], [other]) => Number(other === account.role) - Number(one === account.role),
                      ),
                      label: "Role",
                    },
                    ({ choice }) => ({ act: "appoint", target: player, text: choice }),
                  ),
                ),
          ];
    return row([el("span", { class: "name" }, name), ...tags.map((tag) => el("span", { class: "tag" }, tag))],
      `${player}, since ${moment(account.created)}`, buttons, this._sessions(account, open),
    );
  }

  /** @param {Account} account @param {boolean} open */
  _sessions({ name, player, sessions }, open) {
    if (sessions.length === 0) return "";
    const out = (/** @type {string} */ session, /** @type {string} */ of) =>
      button(session ? "Sign out" : "Sign out everywhere", of, async () => {
        const found = await act(`Sign out ${of}?`, "Sign out");
        if (found === null) return;
        await this._doing.ask({ type: "operate", act: "sign_out", target: player, text: session, why: found.why });
        await this._doing.acted();
        this.show();
      });
    return el("details", { class: "person", open, "data-player": player },
      el("summary", {}, `${sessions.length} ${sessions.length === 1 ? "session" : "sessions"}`),
      el("ul", { class: "rows" },
        ...sessions.map((one) =>
          row([one.device || "A device"],
            `${one.scope ? `token to ${one.scope}, ` : ""}since ${moment(one.created)}, used ${moment(one.used)}`,
            one.here ? [el("small", {}, "you, here")] : [out(one.session, `${one.device || "a device"} of ${name}`)],
          ),
        ),
      ),
      sessions.some((one) => one.here) ? "" : out("", name),
    );
  }

  /** @param {Parameters<Doing["moderate"]>} how */
  async _moderate(...how) {
    if (await this._doing.moderate(...how)) this.show();
  }
}
