/** The lobby: the user's games, quick pairing, running games, free seats. It joins the parts of the page. */

import { sprite } from "../board/pieces.js";
import { Previews } from "../live/previews.js";
import * as build from "../net/build.js";
import { refusal, trying } from "../net/connection.js";
import { forget, own, remember } from "../net/owngames.js";
import { connect } from "../net/page.js";
import * as settings from "../net/settings.js";
import { People } from "../people/people.js";
import { Strengths } from "../people/strengths.js";
import { isPair, plural } from "../text/words.js";
import { button, byId, Drawn, el, onSubmit, renew, setText } from "../ui/dom.js";
import { identicon } from "../ui/identicon.js";
import { Computers } from "./computers.js";
import { CreateDialog } from "./create.js";
import { Drop } from "./drop.js";
import { Home } from "./home.js";
import { freeSeats, liveCard, openRow } from "./listings.js";
import * as cards from "./owncards.js";
import { Pairing, TWO } from "./pairing.js";

/** @typedef {import("./listings.js").Listing} Listing */

/** The number of boards in each view. */
const BOARDS = { play: 4, watch: 24, games: 0, you: 0 };

/** The number of the user's games, and of tables with free seats before the user asks for all. */
const OWN = 6;
const OPEN = 4;

/** Milliseconds between two updates of clocks and searches. */
const TICK = 250;

/** Milliseconds in the background before the page follows no more rooms. */
const UNSEEN = 30_000;

/** Past games and the account page load on demand. */
const games = () => import("../archive/games.js");
const account = () => import("../account/account.js");

class LobbyPage extends Drawn {
  constructor() {
    super();
    /** @type {import("../archive/games.js").GamesView|null} */
    this.games = null;
    /** @type {import("../account/account.js").AccountView|null} */
    this.account = null;
    this.member = false;
    /** @type {import("../net/connection.js").Frames["welcome"]|null} */
    this.welcome = null;
    /** @type {Map<string, Listing>} */
    this.rooms = new Map();
    this.more = false;
    this.heard = false;
    /** Whether the server refuses pages of this origin. */
    this.denied = false;
    /** Whether the page has been in the background for a while. */
    this.asleep = false;
    this.filter = "all";
    this.allOpen = false;
    const { connection, outage } = connect(undefined, {
      welcomed: (welcome) => this.welcomed(welcome),
      changed: () => this.showState(),
      heard: (frame) => this.take(frame),
      lasting: () => this.showState(),
    });
    this.connection = connection;
    this.outage = outage;
    const go = (/** @type {string} */ room) => this.go(room);
    const complain = (/** @type {string} */ text) => this.complain(text);
    this.previews = new Previews(this.connection, (room) => this.seen(room), (room) => this.lost(room));
    this.strengths = new Strengths(this.connection, () => this.refresh());
    this.computers = new Computers(this.connection, go, complain);
    this.pairing = new Pairing(this.connection, {
      go,
      complain,
      computers: ({ variant, clock }) => this.computers.play(variant, clock),
      pool: () => this.pool,
      range: () => this.range,
      strengths: this.strengths,
    });
    this.people = new People(this.connection, {
      go, complain, strengths: this.strengths, challenge: (person) => this.create.show(false, person),
      drawn: () => this.home.greet(this.connection.name ?? "", this.people),
    });
    this.create = new CreateDialog(this.connection, go, this.people);
    this.home = new Home(this.connection, { go, complain, previews: this.previews, strengths: this.strengths });
    this.drop = new Drop(this.connection, go, complain);
    this._wire();
    this.turnTo();
    this.render();
    setInterval(() => this.tick(), TICK);
  }

  get view() {
    return location.pathname === "/signed-in"
      ? "you"
      : location.hash === "#watch"
        ? "watch"
        : /^#(you$|moderate$|admin=)/.test(location.hash)
          ? "you"
          : location.hash.startsWith("#games")
            ? "games"
            : "play";
  }

  /** The code of the pool in the address, such as a class or a club; null: the public pool. */
  get pool() {
    return /^#pool\/([A-Za-z0-9-]{4,32})$/.exec(location.hash)?.[1] ?? null;
  }

  /** The largest difference to opponents' ratings, in points; null: no limit. */
  get range() {
    return (this.member && Number(byId("range").value)) || null;
  }

  // -- frames of the server --

  /** @param {import("../net/connection.js").Frames["welcome"]} welcome */
  welcomed(welcome) {
    byId("name").placeholder = welcome.name;
    this.welcome = welcome;
    this.member = welcome.account ?? false;
    if (this.member) {
      settings.set("name", welcome.name);
      byId("name").value = byId("name").defaultValue = welcome.name;
    }
    this.showName(welcome.name);
    setText(byId("service"), welcome.service ?? "Fourfold");
    if (welcome.service) document.title = `${welcome.service}: chess for two and for four`;
    build.told(welcome.build, () => !this.pairing.searching);
    byId("range-choice").hidden = !this.member;
    if (!this.asleep) this.follow();
    if (location.hash === "#next") {
      history.replaceState(history.state, "", "/");
      this.pairing.press(TWO);
    }
    this.people.follow(this.member);
    this.learn(welcome.player);
    this.showGames();
    this.showAccount();
  }

  /** The page is in the background: follow no rooms, so that the server sends it nothing. */
  sleep() {
    if (this.pairing.searching) return;
    this.asleep = true;
    this.previews.keep([]);
    this.connection.request({ type: "rooms", follow: false, limit: 1 }).catch(refusal);
  }

  /** Follow the displayed rooms again, if the page had stopped following. */
  wake() {
    if (!this.asleep) return;
    this.asleep = false;
    this.follow();
  }

  /** Fetch the user's last results, for the greeting. @param {string} player */
  async learn(player) {
    await this.home.learn(player);
    this.render();
  }

  async follow() {
    await trying(async () => {
      const { rooms, more } = await this.connection.request({ type: "rooms", follow: true, limit: 100 });
      this.rooms = new Map(rooms.map((room) => [room.room, room]));
      this.more = more;
      this.heard = true;
      this.render();
    }, (why) => this.complain(why));
  }

  /** @param {import("../net/connection.js").Frame} frame */
  take(frame) {
    if (frame.type === "lobby") {
      for (const room of frame.changed) this.rooms.set(room.room, room);
      for (const room of frame.removed) this.rooms.delete(room);
      this.refresh();
    } else if (frame.type === "paired") this.pairing.paired(frame.room);
    else if (frame.type === "error") {
      this.denied = frame.code === "origin";
      this.notice(frame.message, frame.code === "banned");
      this.render();
    }
    else if (frame.type === "announced") this.notice(frame.text);
    else this.people.take(frame);
  }

  /** A displayed room has changed. @param {string} room */
  seen(room) {
    const { table, mine } = this.previews.get(room) ?? {};
    if (room === this.home.shown?.room) this.home.draw();
    if (!own().includes(room) || !table) return;
    if (table.status === "finished" || mine === null) forget(room);
    this.refresh();
  }

  /** A displayed room has closed. @param {string} room */
  lost(room) {
    forget(room);
    this.home.lost(room);
    this.rooms.delete(room);
    this.render();
  }

  /**
   * Show a notice of the server above everything.
   * @param {string} text @param {boolean} [last] the page is of no more use
   */
  notice(text, last = false) {
    const holder = byId("notice");
    const close = button("Close", () => (holder.hidden = true));
    holder.replaceChildren(el("p", {}, text), last ? "" : close);
    holder.hidden = false;
    document.body.classList.toggle("ended", last);
  }

  // -- input --

  /** @param {string} text */
  complain(text) {
    setText(byId("trouble"), text);
  }

  /** @param {string} room */
  go(room) {
    settings.go(`/r/${encodeURIComponent(room)}`);
  }

  /** Show the games that the address names, if any: the user's, another player's, or all. */
  async showGames() {
    const { player } = this.connection;
    if (this.view !== "games" || player === null) return;
    const { GamesView } = await games();
    this.games ??= new GamesView(this.connection, (text) => this.complain(text));
    const whose = decodeURIComponent(location.hash.split("/")[1] ?? player);
    this.games.show(whose === "all" ? null : whose);
  }

  /** Show the account, if the address asks for it. */
  async showAccount() {
    if (this.view !== "you" || this.welcome === null) return;
    if (location.hash === "#moderate") {
      const { ModerationView } = await import("../account/moderation.js");
      return new ModerationView(this.connection).show();
    }
    const { AccountView } = await account();
    this.account ??= new AccountView(this.connection, this.welcome, (name) => {
      this.member = true;
      byId("range-choice").hidden = false;
      this.people.follow(true);
      this.showName(name);
    });
    await this.account.show();
  }

  /** Change the name. A guest may take any name, an account only a free one. @param {string} name */
  async rename(name) {
    settings.set("name", name);
    if (!this.member) return this.connection.rename(name);
    await trying(async () => {
      const { token } = await this.connection.request({ type: "rename", name });
      if (token) settings.set("token", (this.connection.token = token));
      this.showName(name);
    }, (why) => this.complain(why));
  }

  /** @param {Listing} room @param {string} seat */
  async sit(room, seat) {
    if (room.locked) return this.go(room.room); // the room's page asks for the password
    await trying(async () => {
      await this.connection.request({ type: "join", room: room.room, seat });
      remember(room.room);
      this.go(room.room);
    }, (why) => this.complain(why));
  }

  turnTo() {
    document.body.dataset.view = this.view;
    for (const link of document.querySelectorAll(".views a")) {
      if (link.getAttribute("data-view") === this.view) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
    setText(byId("quick-title"), this.pool === null ? "Quick pairing" : `Pool ${this.pool}`);
    byId("pool-about").hidden = this.pool === null;
    setText(byId("live-title"), this.view === "watch" ? "Watch" : "Live now");
  }

  // -- what is seen --

  _draw() {
    const rooms = [...this.rooms.values()].sort(
      (one, other) => Number(one.empty) - Number(other.empty) || other.created - one.created,
    );
    this.pairing.show(rooms);
    const mine = own().slice(0, OWN);
    this.home.choose(rooms, mine);
    const stage = this.view === "play" ? this.home.shown?.room : undefined;
    const live = rooms.filter(
      (room) => room.status === "playing" && !room.locked && !mine.includes(room.room) && room.room !== stage,
    );
    const shown = live
      .filter((room) => this.view === "play" || this.filter === "all" || isPair(room.variant) === (this.filter === "2"))
      .slice(0, BOARDS[this.view]);
    this.previews.keep(
      this.asleep ? [] : [...mine, ...shown.map((room) => room.room), ...(stage === undefined ? [] : [stage])],
    );
    this.home.draw();
    this.people.render();
    this.showOwn(mine);
    this.showLive(live, shown.map((room) => this.rated(room)),
    );
    this.showOpen(
      rooms.filter(
        (room) => room.status === "open" && !room.seek && freeSeats(room).length && !mine.includes(room.room),
      ),
    );
    this.showState();
  }

  /**
   * A listing with ratings beside the names. Games with guests are not rated.
   * @param {Listing} room @returns {Listing}
   */
  rated(room) {
    const { seats, variant, clock, rated } = room;
    const named = this.strengths.named(seats, variant, clock);
    return { ...room, seats: named, rated: rated && this.strengths.all(seats, variant, clock) };
  }

  /** The user's games that can be shown. @param {string[]} rooms @returns {cards.Own[]} */
  ownGames(rooms) {
    return cards.sorted(
      rooms.flatMap((room) => {
        const { table: shown, mine, holder } = this.previews.get(room) ?? {};
        const table = shown && {
          ...shown, rated: shown.rated && this.strengths.all(shown.seats, shown.variant, shown.clocks),
        };
        return table && mine && holder && table.status !== "finished" ? [{ room, table, mine, holder }] : [];
      }),
    );
  }

  /** @param {string[]} rooms */
  showOwn(rooms) {
    const games = this.ownGames(rooms);
    byId("own").hidden = games.length === 0;
    renew(byId("own-games"), games.map(cards.key), () => games.map(cards.card));
  }

  /** @param {Listing[]} live @param {Listing[]} shown */
  showLive(live, shown) {
    byId("watch-all").hidden = live.length <= shown.length;
    setText(byId("watch-all"), live.length > shown.length ? `Watch all ${live.length}` : "");
    renew(byId("live"), [shown.map(({ ply: _, ...room }) => room), this.heard, this.denied], () =>
      shown.length
        ? shown.map((room) => liveCard(room, this.previews.get(room.room)?.holder ?? el("span", { class: "mini" })))
        : [el("p", { class: "nothing-here" }, this.nothing("No live games right now", "Looking for games…"))],
    );
  }

  /** @param {Listing[]} open */
  showOpen(open) {
    const shown = (this.allOpen ? open : open.slice(0, OPEN)).map((room) => this.rated(room));
    setText(byId("open-count"), open.length ? plural(open.length, "table") : "");
    byId("all-open").hidden = open.length <= OPEN;
    byId("all-open").setAttribute("aria-expanded", String(this.allOpen));
    setText(byId("all-open"), this.allOpen ? "Fewer" : "All open tables");
    renew(byId("open"), [shown, this.heard, this.denied], () =>
      shown.length
        ? shown.map((room) => openRow(room, (listing, seat) => this.sit(listing, seat)))
        : [
            el("p", { class: "nothing-here" },
              this.nothing("No open seats right now. Create a table or play the computer.", "Looking for tables…"),
            ),
          ],
    );
  }

  /** The text in place of an empty list. @param {string} none @param {string} looking */
  nothing(none, looking) {
    return this.heard ? none : this.denied ? "No connection" : looking;
  }

  showState() {
    const lost = this.outage.now !== null && this.heard;
    const games = [...this.rooms.values()].filter((room) => room.status === "playing").length;
    byId("state").classList.toggle("bad", lost);
    setText(byId("state"),
      lost ? "No connection" : this.heard ? `${games}${this.more ? "+" : ""} ${games === 1 ? "game" : "games"}` : "",
    );
  }

  /** @param {string} name */
  showName(name) {
    const { player } = this.connection;
    renew(byId("who"), [name, player], () => [
      el("span", { class: "avatar", "aria-hidden": "true" },
        player === null ? ([...name][0]?.toUpperCase() ?? "?") : identicon(player),
      ),
      el("span", { class: "name" }, name),
    ]);
    byId("who").setAttribute("aria-label", `You are ${name}`);
  }

  /** Show the time on clocks, and what ends by the clock alone. */
  tick() {
    const now = this.connection.now();
    this.pairing.tick();
    this.people.tick(now);
    this.home.tick(now);
    if (this.home.stale) this.render();
    if (byId("own").hidden) return;
    const games = new Map(this.ownGames(own()).map((game) => [game.room, game]));
    for (const card of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".own-card"))) {
      const game = games.get(card.dataset.room ?? "");
      if (game) cards.tick(card, game, now);
    }
  }

  _wire() {
    settings.themeButton(byId("theme"));
    const name = byId("name");
    name.value = name.defaultValue = settings.get("name") ?? "";
    this.showName(name.value || "Guest");
    const rename = () => {
      if (name.value.trim() === (settings.get("name") ?? "")) return;
      name.defaultValue = name.value; // nothing would be lost
      this.rename(name.value.trim());
    };
    name.onchange = rename;
    byId("range").value = settings.get("range") ?? "";
    byId("range").onchange = () => settings.set("range", byId("range").value);
    onSubmit(byId("rename"), () => {
      rename();
      byId("account").hidePopover();
    });
    byId("open-create").onclick = () => this.create.show(false);
    byId("play-two").onclick = () => this.pairing.press(TWO);
    byId("open-friends").onclick = () => this.create.show(true);
    byId("computers-door").onclick = () => {
      const shown = byId("computers").classList.toggle("shown");
      byId("computers-door").setAttribute("aria-expanded", String(shown));
    };
    onSubmit(byId("join"), () => this.go(roomOf(byId("code").value.trim())));
    byId("all-open").onclick = () => {
      this.allOpen = !this.allOpen;
      this.render();
    };
    for (const button of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-filter]"))) {
      button.onclick = () => {
        this.filter = button.dataset.filter ?? "all";
        for (const other of document.querySelectorAll("[data-filter]"))
          other.setAttribute("aria-pressed", String(other === button));
        this.render();
      };
    }
    for (const button of /** @type {NodeListOf<HTMLElement>} */ (
      document.querySelectorAll("button[data-players]:not(.tile)")
    )) {
      button.onclick = () => {
        byId("tiles").dataset.players = button.dataset.players;
        for (const other of document.querySelectorAll("button[data-players]:not(.tile)"))
          other.setAttribute("aria-pressed", String(other === button));
      };
    }
    onSubmit(byId("pool-form"), () => {
      const code = byId("pool-code").value.trim();
      location.hash = code ? `#pool/${code}` : "#play";
    });
    addEventListener("hashchange", () => {
      this.pairing.cancel();
      this.turnTo();
      this.render();
      this.showGames();
      this.showAccount();
      byId("account").hidePopover();
    });
    addEventListener("pageshow", (event) => {
      if (!event.persisted) return;
      this.pairing.cancel(); // an answer from before the user left the page
      this.connection.probe();
    });
    /** @type {ReturnType<typeof setTimeout>|undefined} */
    let drowsing;
    document.addEventListener("visibilitychange", () => {
      clearTimeout(drowsing);
      if (document.hidden) drowsing = setTimeout(() => this.sleep(), UNSEEN);
      else this.wake();
    });
  }
}

/** The room in a link or a code. @param {string} text */
function roomOf(text) {
  const found = /\/r\/([^/?#]+)/.exec(text)?.[1] ?? text;
  try {
    return decodeURIComponent(found);
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    return found; // not a link to this server: the room's page says so
  }
}

settings.applyTheme();
document.body.append(sprite());
new LobbyPage();
