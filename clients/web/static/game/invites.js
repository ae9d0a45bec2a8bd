/** Invites bots, and people by name, to a free seat of the user's table. */

import { trying } from "../net/connection.js";
import { outcome, played } from "../people/people.js";
import { capital } from "../text/words.js";
import { form } from "../ui/controls.js";
import { byId, el } from "../ui/dom.js";
import * as popover from "../ui/popover.js";
import { open } from "./challenged.js";

/**
 * @typedef {object} Page what invitations need of the page
 * @property {import("./game.js").Game} game @property {import("../model/table.js").Table} table
 * @property {(text: string, bad?: boolean) => void} say show a text, and announce it
 */
/** @typedef {import("../../../../protocol/protocol.d.ts").Person} Person */

/** The number of bots whose ratings are shown. */
const MOST = 100;

/**
 * Show the bots that play this table's game, to invite one to a seat.
 * @param {Page} page @param {string} seat @param {HTMLElement} button
 */
export async function invite(page, seat, button) {
  const { connection, room } = page.game;
  const { variant, clocks } = page.table;
  const holder = byId("undo");
  if (holder.matches(":popover-open")) popover.close(holder);
  await attempt(page, async () => {
    const { people } = await connection.request({ type: "people", room });
    const clock = clocks && { base: clocks.base, increment: clocks.increment, delay: clocks.delay };
    const { strengths } = people.length
      ? await connection.request({
          type: "strengths", players: people.slice(0, MOST).map((one) => one.player), variant, clock,
        })
      : { strengths: [] };
    const ratings = new Map(strengths.map(({ player, rating, certain }) => [player, `${rating}${certain ? "" : "?"}`]));
    const name = el("input", {
      maxlength: 64, autocomplete: "off", placeholder: "Name of a player", "aria-label": "Name of a player",
    });
    const send = () => name.value.trim() && ask(page, seat, name.value.trim(), holder);
    holder.replaceChildren(
      el("h2", {}, `Ask a bot to ${seat}`),
      ...asked(page, seat).map((one) => pending(page, one, holder)),
      ...people.map((person) =>
        choice(person, ratings.get(person.player) ?? "", () => ask(page, seat, person.player, holder)),
      ),
      people.length ? "" : el("p", { class: "second" }, "No bot that plays this game is online."),
      form(send, { class: "buttons" }, name, el("button", {}, "Ask")),
    );
    popover.openAt(holder, button);
  });
}

/** The user's unanswered invitations to a seat. @param {Page} page @param {string} seat */
export function asked({ game: { connection, room } }, seat) {
  const now = connection.now();
  return [...open.values()].filter(
    (one) =>
      one.room === room &&
      one.by === connection.player &&
      one.until > now &&
      one.seats.some((other) => other.seat === seat && other.answer === null),
  );
}

/** @param {import("../net/connection.js").Frames["challenge"]} challenge @param {string|null} me */
const named = (challenge, me) => challenge.seats.find((one) => one.player !== me)?.name ?? "";

/**
 * @param {Page} page @param {import("../net/connection.js").Frames["challenge"]} challenge @param {HTMLElement} holder
 */
function pending(page, challenge, holder) {
  const { connection } = page.game;
  const name = named(challenge, connection.player);
  const cancel = async () => {
    await connection.request({ type: "cancel", challenge: challenge.challenge });
    page.say(`The invitation to ${name} is withdrawn.`);
  };
  return el("div", { class: "buttons" },
    el("span", { class: "second" }, `${name} was asked`),
    popover.item(holder, "Take back", () => attempt(page, cancel), { class: null, "aria-label": `Take back: ${name}` }),
  );
}

/** @param {Person} person @param {string} rating @param {() => void} choose */
function choice(person, rating, choose) {
  const facts = [played(person), person.status === "playing" ? "plays" : "free"].filter(Boolean);
  return el("button", { type: "button", class: "item", "aria-label": `Ask ${person.name}`, onclick: choose },
    el("b", {}, `${person.name} ${rating}`.trim()),
    el("small", { class: "second" }, ["BOT", ...facts].join(" · ")),
  );
}

/**
 * Invite a player to a seat.
 * @param {Page} page @param {string} seat @param {string} who @param {HTMLElement} holder
 */
function ask(page, seat, who, holder) {
  const { connection, room } = page.game;
  popover.close(holder);
  attempt(page, async () => {
    const made = await connection.command({ type: /** @type {const} */ ("challenge"), room, seats: { [seat]: who } });
    if (made.status === "open") page.say(`${named(made, connection.player)} is asked to sit at ${capital(seat)}.`);
    else if (made.status !== "accepted") page.say(outcome(made, connection.player));
  });
}

/** Send a request, and show a refusal. @param {Page} page @param {() => Promise<void>} does */
const attempt = (page, does) => trying(does, (why) => page.say(why, true));
