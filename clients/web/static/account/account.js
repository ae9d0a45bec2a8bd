/** The account page. Guests create an account or sign in. Account holders see their passkeys, codes and devices. */

import { refusal } from "../net/connection.js";
import * as settings from "../net/settings.js";
import { form } from "../ui/controls.js";
import * as dialogs from "../ui/dialogs.js";
import { button, byId, el } from "../ui/dom.js";
import { attempt, row, trouble } from "./rows.js";

/** @typedef {import("../net/connection.js").Frames["account"]} Account */

/** Names in a browser's user agent, the most specific first: most browsers also name others. */
const BROWSERS = ["Firefox", "Edg", "OPR", "Chromium", "Chrome", "Safari"];
const SYSTEMS = ["Android", "iPhone", "iPad", "Windows", "Mac", "Linux"];

/** This device's name in the list of devices: "Firefox on Linux". */
function device() {
  const [browser, system] = [BROWSERS, SYSTEMS].map((names) =>
    names.find((name) => navigator.userAgent.includes(name)),
  );
  const name = browser === "Edg" ? "Edge" : browser === "OPR" ? "Opera" : (browser ?? "Browser");
  return `${name} on ${system ?? "a device"}`;
}

/** Whether this page can use passkeys. Browsers bind them to a host name, never to an IP address. */
const passkeys = () =>
  typeof PublicKeyCredential === "function" &&
  "parseCreationOptionsFromJSON" in PublicKeyCredential &&
  isSecureContext &&
  !/^[\d.]+$|:/.test(location.hostname);

/** The scopes of access tokens, in words. @type {Record<"bot"|"play"|"moderate"|"organize", [string, string]>} */
const SCOPES = {
  bot: ["a bot of yours", "a bot"], play: ["play as you", "plays as you"],
  moderate: ["play and moderate as you", "moderates as you"],
  organize: ["arrange games between others", "arranges games"],
};

/** @param {string} text @returns {text is keyof typeof SCOPES} */
const isScope = (text) => text in SCOPES;

/** A random key for a registration: it opens the new account until the answer is there. */
const secret = () => btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(18))));

/** The code that makes an account the first admin, from the link that the server printed; null without one. */
const adminCode = () => /^#admin=([\w-]+)$/.exec(location.hash)?.[1] ?? null;

/** @param {number} time */
const day = (time) => new Date(time).toLocaleDateString(undefined, { year: "numeric", month: "short", day: "numeric" });

export class AccountView {
  /**
   * @param {import("../net/connection.js").Connection} connection
   * @param {import("../net/connection.js").Frames["welcome"]} welcome
   * @param {(name: string) => void} named called when the player's name or account changes
   */
  constructor(connection, welcome, named) {
    this._connection = connection;
    this._welcome = welcome;
    this._named = named;
    this._holder = byId("you");
    this._registering = false; // the answer, with the recovery code, will be shown
    /** @type {{player: string, code: string}|null} */
    this._made = null; // a new recovery code stays in view, whatever is read anew
  }

  /** Show the account, or the ways to get one. */
  async show() {
    const sent = this._sentBack();
    if (sent !== null) return this._signedIn(sent);
    if (this._registering) return;
    if (this._welcome.account && settings.get("registration")) return this._again();
    try {
      this._member(await this._connection.request({ type: "account" }));
    } catch (error) {
      const { code, message } = refusal(error);
      if (code === "no_account") this._guest();
      else this._holder.replaceChildren(el("h2", {}, "Account"), el("p", { class: "panel" }, message));
    }
  }

  // -- a guest --

  _guest() {
    const name = el("input", {
      id: "account-name", maxlength: 24, autocomplete: "username", required: true,
      value: (settings.get("name") ?? "").trim(),
    });
    const code = el("input", {
      id: "account-code", maxlength: 64, autocomplete: "off", spellcheck: "false", placeholder: "Recovery code",
      required: true,
    });
    const able = passkeys();
    const { accounts, provider } = this._welcome;
    const makes =
      accounts !== "open"
        ? null
        : form(() => attempt(() => this._register(name.value, able)), { class: "panel" },
            el("h3", {}, "Make an account"),
            el("p", { class: "second" },
              "A name that is yours alone. Your games and your seats stay with you, on all your devices. " +
                "No password, no mail.",
            ),
            el("label", { for: "account-name" }, "Name"),
            name,
            el("div", { class: "buttons" },
              el("button", { class: "primary" }, able ? "With a passkey" : "With a recovery code"),
              able
                ? button("With a recovery code",
                    () => name.reportValidity() && attempt(() => this._register(name.value, false)),
                  )
                : null,
            ),
          );
    const enters = form(() => attempt(() => this._login({ code: code.value })), { class: "panel" },
      el("h3", {}, "Sign in"),
      el("p", { class: "second" },
        provider
          ? `Signing in at ${provider} gives you an account at once, with this guest's games. ` +
            "With a passkey or a code, this guest's games stay with the guest."
          : "To your account. This guest's games stay with the guest.",
      ),
      able
        ? button("Use a passkey", () => attempt(async () => this._login({ passkey: await this._use() })))
        : null,
      provider
        ? button(`Sign in at ${provider}`, () => attempt(() => this._leave()),
            { class: makes === null ? "primary" : "" },
          )
        : null,
      el("label", { for: "account-code" }, able || provider ? "Or a recovery code" : "Recovery code"),
      el("div", { class: "with-button" }, code, el("button", {}, "Sign in")),
    );
    this._holder.replaceChildren(
      el("h2", { id: "you-title", tabindex: -1 }, "Account"),
      el("p", { class: "second" }, `You are ${this._connection.name ?? "a guest"}, a guest of this browser.`),
      trouble(),
      adminCode()
        ? el("p", { class: "panel", role: "status" },
            "Make an account or sign in. Then it can become this server's admin.",
          )
        : "",
      el("div", { class: "you-columns" }, makes, enters),
    );
  }

  // -- an OpenID provider --

  /** Go to the provider, which sends the browser back. */
  async _leave() {
    const { url } = await this._connection.request({ type: "oidc" });
    location.assign(url);
  }

  /**
   * The parameters with which the provider has sent the browser back. Only the first call returns them.
   * @returns {URLSearchParams|null}
   */
  _sentBack() {
    if (location.pathname !== "/signed-in") return null;
    const sent = new URLSearchParams(location.search);
    history.replaceState(history.state, "", "/#you");
    return sent;
  }

  /** @param {URLSearchParams} sent */
  async _signedIn(sent) {
    const [state, code] = [sent.get("state"), sent.get("code")];
    if (state === null || code === null) {
      return this._failed(
        "The provider has refused the sign-in: " +
          `${sent.get("error_description") ?? sent.get("error") ?? "it gives no reason"}.`,
      );
    }
    try {
      const before = this._connection.player;
      const account = await this._connection.request({ type: "login", oidc: { state, code }, device: device() });
      if (account.player === before) return this._member(account);
      if (!account.token) return;
      settings.set("token", account.token);
      this._connection.become(account.token); // and its welcome shows the account
    } catch (error) {
      await this._failed(refusal(error).message);
    }
  }

  /** Show the account and an error. @param {string} why */
  async _failed(why) {
    await this.show();
    byId("account-trouble").textContent = why;
  }

  // -- by passkey or code --

  /** @param {string} name @param {boolean} passkey */
  async _register(name, passkey) {
    const made = passkey ? { passkey: await this._make() } : {};
    const key = settings.get("registration") || secret();
    settings.set("registration", key);
    this._registering = true;
    try {
      this._member(await this._connection.request({ type: "register", name, device: device(), key, ...made }));
    } finally {
      this._registering = false;
    }
    settings.set("registration", "");
  }

  /** Show the account that this page's user registered before a reload, with its recovery code. */
  async _again() {
    try {
      await this._register(this._connection.name ?? "", false);
    } catch (error) {
      refusal(error); // it was for another account
      settings.set("registration", "");
      await this.show();
    }
  }

  /** Sign in: the connection continues as another player. @param {{code: string}|{passkey: string}} proof */
  async _login(proof) {
    const { token } = await this._connection.request({ type: "login", device: device(), ...proof });
    if (!token) return;
    settings.set("token", token);
    this._connection.become(token); // and its welcome shows the account
  }

  // -- ceremonies --

  /** A new passkey, as JSON. */
  async _make() {
    const { options } = await this._connection.request({ type: "passkey", to: "make" });
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(JSON.parse(options));
    return JSON.stringify(await navigator.credentials.create({ publicKey }));
  }

  /** A passkey's signature, as JSON. */
  async _use() {
    const { options } = await this._connection.request({ type: "passkey", to: "use" });
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(JSON.parse(options));
    return JSON.stringify(await navigator.credentials.get({ publicKey }));
  }

  // -- an account --

  /** @param {Account} account */
  _member(account) {
    if (account.token) {
      settings.set("token", account.token);
      this._connection.token = account.token;
    }
    if (account.code) this._made = { player: account.player, code: account.code };
    const code = this._made?.player === account.player ? this._made.code : null;
    this._named(account.name);
    const name = el("input", { id: "account-name", maxlength: 24, required: true, value: account.name });
    this._holder.replaceChildren(
      el("h2", { id: "you-title", tabindex: -1 }, "Account"),
      el("p", { class: "second" }, `${account.name}, since ${day(account.created)}.`, account.role ? " " : null,
        account.role ? el("a", { href: "#moderate" }, "Moderate") : null, account.role === "admin" ? " · " : null,
        account.role === "admin" ? el("a", { href: "/admin" }, "The server") : null,
      ),
      trouble(),
      code ? this._code(code) : "",
      adminCode() && !account.role ? this._administer() : "",
      el("div", { class: "you-columns" },
        el("section", { class: "panel" },
          form(() => attempt(() => this._rename(name.value)), {},
            el("label", { for: "account-name" }, "Name"),
            el("div", { class: "with-button" }, name, el("button", {}, "Rename")),
          ),
          el("h3", {}, "Ways to sign in"),
          ...account.passkeys.map((one) =>
            row(`Passkey, ${one.device || "a device"}`, `made ${day(one.created)}, used ${day(one.used)}`,
              "Remove", () => this._revoke({ passkey: one.passkey }),
            ),
          ),
          ...account.issuers.map((issuer) =>
            el("p", { class: "second" }, `Signing in at ${new URL(issuer).hostname}.`),
          ),
          this._welcome.provider && account.issuers.length === 0
            ? button(`Sign in at ${this._welcome.provider} too`, () => attempt(() => this._leave()))
            : null,
          account.passkeys.length ? null : el("p", { class: "second" }, "No passkey yet."),
          row("Recovery code", account.recovery ? "shown only when it was made" : "none yet",
            account.recovery ? "Replace" : "Make one", () => this._renew(account.recovery),
          ),
          passkeys() ? button("Add a passkey", () => attempt(() => this._enroll())) : null,
        ),
        el("div", { class: "column" },
          el("section", { class: "panel" },
            el("h3", {}, "Signed in on"),
            ...account.sessions
              .filter((one) => !one.scope)
              .map((one) =>
                row(one.here ? `${one.device || "A device"}, this one` : one.device || "A device",
                  `since ${day(one.created)}, used ${day(one.used)}`, "Sign out",
                  () => this._revoke({ session: one.session }, one.here),
                ),
              ),
          ),
          this._tokens(account.sessions.filter((one) => one.scope), Boolean(account.role)),
        ),
      ),
    );
  }

  /** The action of the link that the server printed: the account becomes the admin. */
  _administer() {
    const become = async () => {
      const account = await this._connection.request({ type: "administer", code: adminCode() ?? "" });
      history.replaceState(history.state, "", "#you"); // the code works once
      this._member(account);
      settings.go("/admin"); // where the server is set up
    };
    return form(() => attempt(become), { class: "panel" },
      el("h3", {}, "Become the admin"),
      el("p", { class: "second" }, "An admin moderates this server and appoints moderators. The link works once."),
      el("button", { class: "primary" }, "Become the admin"),
    );
  }

  /** Access tokens, and how to make one. @param {Account["sessions"]} tokens @param {boolean} moderates */
  _tokens(tokens, moderates) {
    const name = el("input", {
      id: "token-name", maxlength: 24, required: true, autocomplete: "off",
      placeholder: "Its purpose, or the bot's name",
    });
    const scope = el("select", { "aria-label": "Permissions" },
      ...Object.entries(SCOPES)
        .filter(([name]) => moderates || name === "bot" || name === "play")
        .map(([name, [words]]) => el("option", { value: name }, words)),
    );
    const made = async () => {
      const { token } = await this._connection.request({
        type: "grant", scope: isScope(scope.value) ? scope.value : "play", name: name.value,
      });
      this._made = null; // one secret at a time
      await this.show();
      byId("account-trouble").after(
        this._once("Your access token",
          "Copy it now: it is not shown again. Fourfold's programs read it from FOURFOLD_TOKEN.", token,
        ),
      );
    };
    return el("section", { class: "panel" },
      el("h3", {}, "Access tokens"),
      el("p", { class: "second" }, "For programs: they play as you, or as a bot that belongs to you."),
      ...tokens.map((one) =>
        row(one.device, `${isScope(one.scope) ? SCOPES[one.scope][1] : one.scope}, since ${day(one.created)}`,
          "Revoke", () => this._revoke({ session: one.session }),
        ),
      ),
      form(() => attempt(made), {},
        el("label", { for: "token-name" }, "A new one"),
        name,
        el("div", { class: "with-button" }, scope, el("button", {}, "Make a token")),
      ),
    );
  }

  /** Show a secret that is shown only once. @param {string} title @param {string} about @param {string} text */
  _once(title, about, text) {
    return el("section", { class: "panel code", role: "status" },
      el("h3", {}, title),
      el("p", {}, about),
      el("output", {}, text),
      button("Copy", () => dialogs.showText(text, title)),
    );
  }

  /** @param {string} name */
  async _rename(name) {
    this._member(await this._connection.request({ type: "rename", name }));
  }

  /** @param {string} code */
  _code(code) {
    return this._once("Your recovery code",
      "Write it down now: it is not shown again. Anybody who has it can use your account.", code,
    );
  }

  /** @param {boolean} again */
  async _renew(again) {
    if (again && !(await dialogs.confirm("Make a new recovery code? The old one then stops working.", "Replace")))
      return;
    this._member(await this._connection.request({ type: "recovery" }));
  }

  async _enroll() {
    this._member(await this._connection.request({ type: "enroll", passkey: await this._make(), device: device() }));
  }

  /** @param {{session: string}|{passkey: string}} what @param {boolean} [here] */
  async _revoke(what, here = false) {
    if (
      here &&
      !(await dialogs.confirm(
        "Sign out here? This browser then becomes a new guest. Sign in again to get your account back.", "Sign out",
      ))
    )
      return;
    await this._connection.request({ type: "revoke", ...what });
    if (!here) this._member(await this._connection.request({ type: "account" }));
  }
}
