/** The parts of the page beside the board: moves, votes, seats, result, talk. They show a table and say what is asked for. */

import { chip } from "./cards.js";
import { el, renew, setText } from "./dom.js";
import { qr } from "./qr.js";
import { capital, ending, half, motion, plural, VARIANTS } from "./words.js";

/** @typedef {import("./table.js").Table} Table */

/**
 * The move list: a column for each seat.
 * @param {HTMLElement} holder @param {Table} table @param {number} viewed the ply that is shown @param {(ply: number) => void} pick
 */
export function moves(holder, table, viewed, pick) {
  const names = table.seats.map((seat) => seat.seat);
  const bottom = holder.scrollHeight - holder.scrollTop - holder.clientHeight < 40;
  renew(holder, [names, table.line.map((step) => [step.seat, step.text]), viewed], () => {
    if (table.line.length === 0) return [el("p", { class: "empty" }, "No moves yet.")];
    const rows = el("div", { class: `rows of-${names.length}` });
    let column = names.length;
    let round = 0;
    table.line.forEach((step, index) => {
      const at = step.seat === null ? index % names.length : names.indexOf(step.seat);
      if (at <= column - 1 || column === names.length) {
        round += 1;
        rows.append(el("span", { class: "round" }, `${round}`));
        column = 0;
      }
      for (; column < at; column++) rows.append(el("span", { class: "gap" }));
      const ply = index + 1;
      const current = ply === viewed ? { "aria-current": "true" } : {};
      rows.append(el("button", { type: "button", tabindex: "-1", class: `ply ${names[at]}`, onclick: () => pick(ply), ...current }, step.text));
      column = at + 1;
    });
    return [rows];
  });
  const current = /** @type {HTMLElement|null} */ (holder.querySelector("[aria-current]"));
  if (viewed === table.line.length) {
    if (bottom || current !== null) holder.scrollTop = holder.scrollHeight;
  } else if (current !== null) {
    const [top, end] = [current.offsetTop - holder.offsetTop, current.offsetTop - holder.offsetTop + current.offsetHeight];
    if (top < holder.scrollTop || end > holder.scrollTop + holder.clientHeight) holder.scrollTop = top - holder.clientHeight / 2;
  }
}

/**
 * The open vote.
 * @param {HTMLElement} holder @param {Table} table @param {string|null} mine my seat
 * @param {{now: number, previewing: boolean, vote: (accept: boolean) => void, preview: () => void, never: () => void}} how
 */
export function vote(holder, table, mine, { now, previewing, vote, preview, never }) {
  const { proposal } = table;
  holder.hidden = proposal === null;
  if (proposal === null) {
    renew(holder, null, () => []);
    return;
  }
  const mayVote = mine !== null && proposal.electorate.includes(mine) && proposal.votes[mine] === undefined;
  renew(holder, [proposal, mayVote, previewing], () => [
    el("h2", {}, `${motion(proposal)}${mine === proposal.seat ? " (you)" : ""}`),
    el(
      "ul",
      { class: "votes" },
      ...proposal.electorate.map((seat) => {
        const answer = proposal.votes[seat];
        const word = answer === undefined ? "thinking" : answer ? "yes" : "no";
        return el("li", { class: word }, chip(seat), el("span", {}, `${capital(seat)}: ${word}`));
      }),
    ),
    el(
      "div",
      { class: "buttons" },
      mayVote ? el("button", { type: "button", class: "yes", "data-focus": "yes", onclick: () => vote(true) }, "Agree") : null,
      mayVote ? el("button", { type: "button", class: "no", "data-focus": "no", onclick: () => vote(false) }, "Refuse") : null,
      mayVote && proposal.kind === "draw" ? el("button", { type: "button", "data-focus": "never", title: "Refuse this draw and all others in this game", onclick: never }, "No more offers") : null,
      proposal.position === null
        ? null
        : el("button", { type: "button", class: "quiet", "data-focus": "preview", "aria-pressed": String(previewing), onclick: preview }, previewing ? "Hide the position" : "Show the position"),
    ),
    el("progress", { class: "deadline", max: "30000", "aria-label": "time left to vote" }),
    el("p", { class: "seconds" }),
  ]);
  const left = Math.max(0, proposal.deadline - now);
  const bar = /** @type {HTMLProgressElement|null} */ (holder.querySelector("progress"));
  if (bar !== null) bar.value = left;
  const seconds = holder.querySelector(".seconds");
  if (seconds !== null) setText(seconds, `${plural(Math.ceil(left / 1000), "second")} left; all must agree.`);
}

/**
 * Who sits where, while seats are free.
 * @param {HTMLElement} holder @param {Table} table
 * @param {{player: string|null, link: string, sit: (seat: string) => void, bot: (seat: string, level: number) => void, stand: () => void, copy: (text: string) => void}} how
 */
export function seats(holder, table, { player, link, sit, bot, stand, copy }) {
  holder.hidden = table.status !== "open";
  if (holder.hidden) return;
  const seated = table.seats.some((seat) => seat.player === player);
  const hosted = table.host === player;
  renew(holder, [table.seats.map(({ seat, player: by, name, invited }) => [seat, by, name, invited]), seated, hosted], () => [
    el("h2", {}, seated ? "Waiting for players" : "Take a seat"),
    el(
      "ul",
      { class: "seat-list" },
      ...table.seats.map((seat) =>
        el(
          "li",
          {},
          chip(seat.seat),
          el("span", { class: "name" }, seat.name ?? (seat.invited ? `bot of level ${seat.invited} is coming` : capital(seat.seat))),
          seat.player !== null && seat.player === table.host ? el("span", { class: "tag", title: "opened this table" }, "host") : null,
          seat.player === null && !seated
            ? el("button", { type: "button", class: "primary", "data-focus": `sit-${seat.seat}`, "aria-label": `Sit at ${seat.seat}`, onclick: () => sit(seat.seat) }, "Sit here")
            : null,
          seat.player === null && hosted ? levels(seat.seat, bot) : null,
          seat.player === player && player !== null ? el("button", { type: "button", class: "quiet", onclick: stand }, "Stand up") : null,
        ),
      ),
    ),
    el(
      "div",
      { class: "invite" },
      el("div", { class: "qr" }, qr(link)),
      el(
        "div",
        { class: "link" },
        el("p", {}, "Invite somebody: send this link, or let a phone read the code."),
        el("label", { class: "unseen", for: "link" }, "Link to this game"),
        el("input", { id: "link", readonly: true, value: link }),
        el("button", { type: "button", class: "primary", onclick: () => copy(link) }, "Copy the link"),
      ),
    ),
  ]);
}

/** @param {string} seat @param {(seat: string, level: number) => void} bot */
function levels(seat, bot) {
  const choice = /** @type {HTMLSelectElement} */ (
    el("select", { "aria-label": `Add a bot at ${seat}` }, el("option", { value: "" }, "Add a bot"), ...[1, 2, 3, 4, 5].map((level) => el("option", { value: level }, `Level ${level}`)))
  );
  choice.onchange = () => choice.value && bot(seat, Number(choice.value));
  return choice;
}

/**
 * How the game ended, and what can be done next.
 * @param {HTMLElement} holder @param {Table} table @param {string|null} mine @param {() => void} rematch
 */
export function result(holder, table, mine, rematch) {
  const { result } = table;
  holder.hidden = result === null || table.status !== "finished";
  if (holder.hidden || result === null) return;
  renew(holder, [result, table.game, table.seats.map((seat) => [seat.name, seat.score]), mine, table.proposal?.kind], () => {
    const places = table.seats
      .map((seat) => ({ seat, place: result.standings[seat.seat] }))
      .sort((one, other) => one.place - other.place);
    const lobby = el("a", { class: "away", href: "/" }, "Back to the lobby");
    const mineWon = mine !== null && result.winners.includes(mine);
    return [
      el("h2", {}, mineWon ? `You won! ${ending(result)}` : ending(result)),
      result.reason === "aborted"
        ? null
        : el(
            "ol",
            { class: "standings" },
            ...places.map(({ seat, place }) =>
              el(
                "li",
                {},
                el("b", { class: "place" }, `${place}.`),
                chip(seat.seat),
                el("span", { class: "name" }, seat.name ?? capital(seat.seat)),
                result.points ? el("span", { class: "points" }, `${result.points[seat.seat]} pts`) : null,
                table.game > 1 ? el("span", { class: "score" }, `${half(seat.score)} of ${table.game}`) : null,
              ),
            ),
          ),
      mine !== null && table.proposal?.kind !== "rematch"
        ? el("div", { class: "buttons" }, el("button", { type: "button", class: "primary", "data-focus": "rematch", onclick: rematch }, "Rematch"), lobby)
        : el("div", { class: "buttons" }, lobby),
    ];
  });
}

/**
 * Something was said.
 * @param {HTMLElement} holder @param {{seat: string|null, name: string, text: string, to: string, time: number}} said
 */
export function said(holder, said) {
  const atEnd = holder.scrollHeight - holder.scrollTop - holder.clientHeight < 40;
  holder.append(
    el(
      "p",
      { class: said.to === "table" ? "table-only" : "" },
      said.seat === null ? null : chip(said.seat),
      el("b", {}, said.name),
      el("span", {}, ` ${said.text}`),
      said.to === "table" ? el("span", { class: "to" }, " (to the table)") : null,
    ),
  );
  while (holder.childElementCount > 200) holder.firstElementChild?.remove();
  if (atEnd) holder.scrollTop = holder.scrollHeight;
}

/** @param {Table} table */
export const title = (table) => VARIANTS[table.variant]?.name ?? table.variant;
