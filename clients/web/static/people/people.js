/** Other people in the lobby: players online, followed players, challenges sent and received. */

import { trying } from "../net/connection.js";
import { loaded } from "../net/loading.js";
import { clockWords } from "../text/clockwords.js";
import { list, plural, VARIANTS } from "../text/words.js";
import { button, byId, el, renew, setText } from "../ui/dom.js";
import { identicon } from "../ui/identicon.js";
import { named } from "../ui/names.js";

/** @typedef {import("../net/connection.js").Frames["challenge"]} Challenge */
/** @typedef {import("../../../../protocol/protocol.d.ts").Person} Person */

/** The number of people shown at first, and after the user asks for all. */
const SHOWN = 6;
const MOST = 100;

/**
 * The reasons for declining a challenge.
 * @type {[import("../net/connection.js").Requests["answer"]["reason"], string][]}
 */
export const REASONS = [
  ["generic", "Not now"], ["later", "Ask me later"], ["too_fast", "Too fast for me"], ["too_slow", "Too slow for me"],
  ["variant", "Another game"], ["rated", "No rated games"], ["casual", "Rated games only"],
  ["no_bot", "Not against bots"], ["only_bot", "Against bots only"],
];

/** Whether this is a computer player of the server. @param {Person} person */
export const isLevel = ({ player }) => /^level\d$/.test(player);

export class People {
  /**
   * @param {import("../net/connection.js").Connection} connection
   * @param {object} page
   * @param {(room: string) => void} page.go called with the room of a challenge's game
   * @param {(text: string) => void} page.complain
   * @param {import("./strengths.js").Strengths} page.strengths
   * @param {(person: Person) => void} page.challenge called to challenge a player
   * @param {() => void} page.drawn called when the people or challenges were drawn
   */
  constructor(connection, { go, complain, strengths, challenge, drawn }) {
    this._drawn = drawn;
    this._strengths = strengths;
    this._connection = connection;
    this._go = go;
    this._complain = complain;
    /** Challenge a player. */
    this.challenge = challenge;
    /** @type {Map<string, Person>} */
    this._people = new Map();
    this._count = 0;
    this._all = false;
    /** Whether the user has an account, and so may follow players. */
    this._member = false;
    /**
     * The followed players, as of the last request.
     * @type {Map<string, import("../../../../protocol/protocol.d.ts").Followed>}
     */
    this._followed = new Map();
    /** @type {Map<string, Challenge>} */
    this._challenges = new Map();
    /** When the next open challenge runs out, by the server's clock. */
    this._until = Infinity;
    byId("all-people").onclick = () => {
      this._all = !this._all;
      this.render();
    };
  }

  /** The other players online, computer players last. */
  get others() {
    const others = [...this._people.values()].filter((person) => person.player !== this._connection.player);
    return others.sort((one, other) => Number(isLevel(one)) - Number(isLevel(other)));
  }

  /** Subscribe to the players online; with an account, also fetch the followed players. @param {boolean} member */
  async follow(member) {
    this._member = member;
    await trying(async () => {
      if (member) await this._learn();
      const { people, count } = await this._connection.request({ type: "people", follow: true, limit: MOST });
      this._people = new Map(people.map((person) => [person.player, person]));
      this._count = count;
      this.render();
    }, this._complain);
  }

  async _learn() {
    const { people } = await this._connection.request({ type: "following" });
    this._followed = new Map(people.map((one) => [one.player, one]));
  }

  /** Follow a player, or stop following. @param {string} player @param {boolean} on */
  async _star(player, on) {
    await trying(async () => {
      await this._connection.request({ type: on ? "follow" : "unfollow", player });
      await this._learn();
      this.render();
    }, this._complain);
  }

  /** @param {import("../net/connection.js").Frame} frame */
  take(frame) {
    if (frame.type === "online") {
      for (const person of frame.changed) this._people.set(person.player, person);
      for (const player of frame.removed) this._people.delete(player);
      this._count = frame.count;
    } else if (frame.type === "challenge") this._note(frame);
    else return;
    this.render();
  }

  /** The outcome of a challenge. @param {Challenge} challenge */
  _note(challenge) {
    const before = this._challenges.get(challenge.challenge);
    if (before === undefined && challenge.status !== "open") return; // it ended before this page was there
    this._challenges.set(challenge.challenge, challenge);
    // A challenge to one's own table has a player who sits there, in another window.
    const asked = challenge.by !== this._connection.player || !toTable(challenge);
    if (asked && before?.status === "open" && challenge.status === "accepted" && challenge.room)
      this._go(challenge.room);
    if (before === undefined && challenge.by !== this._connection.player)
      import("../ui/sound.js").then((sound) => sound.play("turn"));
  }

  /** Challenge a player. @param {Omit<import("../net/connection.js").Requests["challenge"], "type">} wish */
  async make(wish) {
    const made = await this._connection.command({ ...wish, type: /** @type {const} */ ("challenge") });
    // Some players answer at once.
    if (!this._challenges.has(made.challenge)) this._challenges.set(made.challenge, { ...made, status: "open" });
    this._note(made);
    this.render();
  }

  /** @param {() => Promise<Challenge>} ask */
  async _do(ask) {
    await trying(async () => {
      this._note(await ask());
      this.render();
    }, this._complain);
  }

  /** @param {Challenge} challenge */
  async _decline({ challenge }) {
    const { decline } = await loaded(() => import("../ui/dialogs.js"));
    const no = await decline("Decline the challenge", REASONS);
    if (no !== null)
      await this._do(() => this._connection.request({ type: "answer", challenge, accept: false, ...no }));
  }

  // -- drawing --

  /** Drop challenges whose time is over. @param {number} now by the server's clock */
  tick(now) {
    if (now >= this._until) this.render();
  }

  render() {
    const now = this._connection.now();
    const open = [...this._challenges.values()].filter((one) => one.status !== "open" || one.until > now);
    this._until = Math.min(...open.filter((one) => one.status === "open").map((one) => one.until));
    byId("challenges").hidden = open.length === 0;
    const rated = open.map((challenge) => ({
      ...challenge,
      seats: this._strengths.named(challenge.seats, challenge.variant, challenge.clock),
    }));
    renew(byId("challenge-rows"), rated, () => rated.map((challenge) => this._row(challenge)));
    const others = this.others;
    const mine = (/** @type {Person} */ { player }) => this._followed.has(player);
    const here = [...others.filter(mine), ...others.filter((one) => !mine(one))];
    /** @type {(Person & {away?: boolean})[]} */
    const away = [...this._followed.values()]
      .filter(({ player }) => !this._people.has(player))
      .map((one) => ({ ...one, account: true, plays: null, away: !one.online }));
    const shown = this._all ? [...here, ...away] : here.slice(0, SHOWN);
    setText(byId("people-count"), plural(Math.max(this._count, 1), "person").replace("persons", "people"));
    byId("all-people").hidden = others.length <= SHOWN && away.length === 0;
    byId("all-people").setAttribute("aria-expanded", String(this._all));
    setText(byId("all-people"), this._all ? "Fewer" : away.length ? "All, and players you follow" : "Everybody online");
    renew(byId("people-rows"), [shown, this._connection.player, this._member, [...this._followed.keys()]], () =>
      shown.length
        ? shown.map((person) => this._person(person))
        : [el("p", { class: "nothing-here" }, "Nobody else is online.")],
    );
    this._drawn();
  }

  /** @param {Challenge} challenge */
  _row(challenge) {
    const me = this._connection.player;
    const mine = challenge.by === me;
    const by =
      challenge.seats.find((seat) => seat.player === challenge.by)?.name ??
      (toTable(challenge) ? "The host" : "A moderator");
    const others = challenge.seats.filter((seat) => seat.player !== challenge.by);
    const seat = toTable(challenge) ? `, ${others.map((one) => one.seat).join(" and ")} at an open table` : "";
    const terms = `${VARIANTS[challenge.variant]?.name ?? challenge.variant}, ${clockWords(challenge.clock)}${seat}`;
    const answered = challenge.seats.some((seat) => seat.player === me && seat.answer !== null);
    const { status } = challenge;
    const said = others.filter((seat) => seat.answer === true).map((seat) => (seat.player === me ? "you" : seat.name));
    return el("div", { class: "challenge-row", "data-challenge": challenge.challenge },
      el("span", { class: "told" },
        el("b", {},
          ...(mine
            ? [
                "You challenge ",
                ...named(others.map((seat) => seat.name), ", ", " and ",
                ),
              ]
            : [...named([by]), " challenges you", ...(others.length > 1 ? [" and others"] : [])]),
        ),
        el("small", { class: "second" },
          status === "open" ? `${terms}${said.length ? `. Yes from ${list(said)}` : ""}` : outcome(challenge, me),
        ),
      ),
      ...(status !== "open"
        ? [
            status === "accepted"
              ? el("a", { class: "button primary", href: `/r/${encodeURIComponent(challenge.room ?? "")}` },
                  "Go to the table",
                )
              : button("Close", () => this._forget(challenge)),
          ]
        : mine
          ? [
              button("Take back", () =>
                this._do(() => this._connection.request({ type: "cancel", challenge: challenge.challenge })),
              ),
            ]
          : answered
            ? [el("span", { class: "second" }, "Waiting for the others")]
            : [
                el("span", { class: "answers" },
                  button("Decline", () => this._decline(challenge)),
                  button("Accept",
                    () =>
                      this._do(() =>
                        this._connection.request({ type: "answer", challenge: challenge.challenge, accept: true }),
                      ),
                    { class: "primary" },
                  ),
                ),
              ]),
    );
  }

  /** @param {Challenge} challenge */
  _forget({ challenge }) {
    this._challenges.delete(challenge);
    this.render();
  }

  /** @param {Person & {away?: boolean}} person */
  _person(person) {
    const followed = this._followed.has(person.player);
    const doing = person.away
      ? "offline"
      : person.status === "playing"
        ? "playing"
        : person.status === "open"
          ? "waiting for a game"
          : person.bot
            ? ""
            : person.account
              ? "online"
              : "guest";
    const facts = [
      person.bot ? "BOT" : "", played(person),
      person.room ? el("a", { href: `/r/${encodeURIComponent(person.room)}` }, doing) : doing,
    ].filter(Boolean);
    return el("div", { class: "person-row" },
      el("span", { class: "avatar quiet", "aria-hidden": "true" }, identicon(person.player)),
      el("span", { class: "told" },
        el("b", { class: "name" }, person.name),
        el("small", { class: "second" }, ...facts.flatMap((fact, index) => (index ? [" · ", fact] : [fact]))),
      ),
      this._member && person.account
        ? button(followed ? "★" : "☆", () => this._star(person.player, !followed), {
            class: "star", "data-focus": `star-${person.player}`, "aria-pressed": String(followed),
            "aria-label": `Follow ${person.name}`, title: followed ? "You follow this player" : "Follow this player",
          })
        : null,
      person.away
        ? null
        : button("Challenge", () => this.challenge(person),
            { "data-focus": person.player, "aria-label": `Challenge ${person.name}` },
          ),
    );
  }
}

/** The games that a bot plays, unless it plays all. @param {Person} person */
export function played({ plays }) {
  const rated = plays?.rated == null ? [] : [plays.rated ? "rated" : "casual"];
  const said = plays
    ? [...rated, ...plays.speeds, ...plays.variants.map((variant) => VARIANTS[variant]?.name ?? variant)]
    : [];
  return said.join(", ");
}

/** Whether this is an invitation to a seat of an open table. @param {Challenge} challenge */
const toTable = ({ challenge, room }) => room !== null && room !== challenge;

/** The reason why a seat is no longer free. @type {Record<string, string>} */
const OFF = {
  seat_taken: "The seat is taken.", already_started: "The game has begun.", game_over: "The table was closed.",
  no_such_room: "The table is gone.", already_seated: "That player sits there already.",
  kicked: "That player was sent away from the table.", same_address: "A bot from the same address plays there.",
};

/** The end of a challenge, in words. @param {Challenge} challenge @param {string|null} me */
export function outcome({ status, seats, reason, text }, me) {
  if (status === "declined") {
    const who = seats.find((seat) => seat.answer === false);
    const why = REASONS.find(([code]) => code === reason)?.[1];
    const name = who?.player === me ? "You" : (who?.name ?? "Somebody");
    const because = why && reason !== "generic" ? `: ${why.toLowerCase()}` : "";
    return `${name} declined${because}.${text ? ` “${text}”` : ""}`;
  }
  if (status === "cancelled" && reason) return OFF[reason] ?? "It cannot take place.";
  return (
    { accepted: "The game begins.", cancelled: "Taken back.", expired: "Nobody answered in time." }[
      /** @type {string} */ (status)
    ] ?? ""
  );
}
