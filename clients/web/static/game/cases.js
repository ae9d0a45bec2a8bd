/**
 * The cases that the slot shows, the most urgent first: no connection, a vote, a claim, the result, whose turn it is.
 * Pure: words and buttons as data, which `slot` draws.
 */

import { isOf, next, seatOf } from "../model/table.js";
import { ending } from "../text/ending.js";
import { exits, roundNow } from "../text/rounds.js";
import {
  capital, countdown, gone, half, isScored, list, motion, namesOf, ordinal, playersOf, plural,
} from "../text/words.js";
import { offline } from "../ui/slot.js";

/** @typedef {import("../model/table.js").Table} Table */
/** @typedef {import("../ui/slot.js").Absence} Absence */
/** @typedef {import("../ui/slot.js").Button} Button */
/** @typedef {import("../ui/slot.js").Case} Case */

/**
 * @typedef {object} Situation
 * @property {Table} table @property {string|null} mine my seat; of several, the one that is to move or moves next
 * @property {string|null} first of several, the one that votes
 * @property {boolean} seated whether I have a seat @property {boolean} host whether the table is mine
 * @property {number} now by the server's clock
 * @property {{retry: number}|null} offline while the connection is lost: the time of the next attempt, by the server's
 * clock
 * @property {string|null} kept an unsent move, in notation
 * @property {string[]} claims the draws or wins that I may claim @property {Note|null} note
 * @property {boolean} previewing @property {number|null} viewed the displayed ply; null: the latest
 * @property {import("../people/ratings.js").Known|null} [rated] the rating changes
 * @property {import("../ui/slot.js").Story|null} [story] the story of the finished game
 * @property {boolean} [stays] whether an eliminated user keeps watching
 * @property {string} [given] the name that the server gave the user, while the user may choose one
 * @property {string} [strength] the user's rating in this kind of game
 * @property {boolean} [counts] whether the game may still be rated
 * @property {string|null} [tried] a move tried after the end of the game
 *
 * @typedef {{heading?: string, text: string, bad?: boolean, seat?: string}} Note the outcome of a vote or request;
 * shown until the next move
 */

/** Milliseconds for a vote, and before an absence is shown. */
const VOTE = 30_000;
const BLINK = 2_000;

/** @param {Situation} situation @returns {Case} */
export function caseOf(situation) {
  return (
    offline(situation) ??
    vote(situation) ??
    claim(situation) ??
    pause(situation) ??
    trial(situation) ??
    result(situation) ??
    naming(situation) ??
    open(situation) ??
    past(situation) ??
    out(situation) ??
    idle(situation)
  );
}

/** @param {Situation} situation @returns {Case|null} */
function vote({ table, first: mine, previewing, counts }) {
  const { proposal } = table;
  if (proposal === null || proposal.kind === "rematch") return null;
  const name = namesOf(table);
  const own = mine === proposal.seat;
  const asked = mine !== null && !own && proposal.electorate.includes(mine) && proposal.votes[mine] === undefined;
  const electors = proposal.electorate.map((seat) => {
    const answer = proposal.votes[seat];
    return {
      seat, name: seat === mine ? "You" : name(seat),
      answer: /** @type {"yes"|"no"|"you"|"thinking"} */ (
        answer === true ? "yes" : answer === false ? "no" : seat === mine ? "you" : "thinking"
      ),
    };
  });
  /** @type {Button[]} */
  const buttons =
    proposal.position === null
      ? []
      : [
          { does: "now", words: "Now", pressed: !previewing }, { does: "after", words: "After", pressed: previewing },
        ];
  if (asked) buttons.push({ does: "refuse", words: "Refuse" }, { does: "agree", words: "Agree", kind: "primary" });
  else if (own) buttons.push({ does: "withdraw", words: "Withdraw" });
  const effect = unrates(proposal.kind, counts);
  return {
    kind: `vote ${proposal.proposal}`, tone: "asks", seat: proposal.seat, who: own ? "You" : name(proposal.seat),
    heading: `${own ? "You" : name(proposal.seat)} ${motion(proposal, table.variant, name, own)}`, said: true,
    text: proposal.kind === "draw" && table.points !== null ? lead(table, mine) : effect,
    brief: effect && "then casual", electors, counts: { until: proposal.deadline, total: VOTE }, buttons,
  };
}

/**
 * What a vote does to the rating of the game.
 * @param {string} kind @param {boolean} [counts]
 */
const unrates = (kind, counts) =>
  counts && (kind === "undo" || kind === "stand_in") ? "It is then no longer rated." : undefined;

/** The leaders on points. @param {Table} table @param {string|null} mine */
function lead(table, mine) {
  const points = table.points ?? {};
  const most = Math.max(...Object.values(points));
  const first = Object.keys(points).filter((seat) => points[seat] === most);
  const name = namesOf(table);
  const who = list(first.map((seat) => (seat === mine ? "You" : name(seat))));
  const leads = first.length > 1 || first[0] === mine ? "lead" : "leads";
  return `${who} ${leads} with ${most}${mine === null || first.includes(mine) ? "" : `, you have ${points[mine]}`}.`;
}

/** Reasons for a claim. @type {Record<string, string>} */
const CLAIMS = {
  threefold: "This position has come three times. The draw needs no vote.",
  fifty_moves: "Fifty moves without a capture or a pawn's move. The draw needs no vote.",
  points: "Nobody in the game can pass you any more. It ends at once, and you win on points.",
};

/** @param {Situation} situation @returns {Case|null} */
function claim({ table, claims, mine }) {
  if (claims.length === 0 || mine === null || table.status !== "playing") return null;
  const [kind] = claims;
  const draw = kind !== "points";
  return {
    kind: `claim ${kind}`, tone: "asks", seat: null, heading: draw ? "You may claim a draw" : "You may end the game",
    said: true, text: CLAIMS[kind] ?? "",
    buttons: [
      { does: "claim", words: draw ? "Claim the draw" : "End on points", kind: "primary" },
      { does: "decline", words: "Play on" },
    ],
  };
}

/** The length of a pause, in milliseconds. */
const PAUSE = 600_000;

/** @param {Situation} situation @returns {Case|null} */
function pause({ table, mine, note, viewed }) {
  if (table.paused === null || table.status !== "playing" || viewed !== null) return null;
  const plays = mine !== null && seatOf(table, mine).out === null;
  return {
    kind: "pause", heading: "The game is paused", said: true, counts: { until: table.paused, total: PAUSE },
    text: note?.text ?? "All clocks stand. At the end the game goes on by itself.", bad: note?.bad,
    buttons: plays ? [{ does: "resume", words: "Ask to go on", kind: "primary" }] : [],
  };
}

/**
 * The next time at which the clock alone changes the case: an absence is shown, or lasts long enough to end it.
 * @param {Pick<Situation, "table" | "mine" | "now">} situation
 */
export function changesAt({ table, mine, now }) {
  if (table.status !== "playing" || mine === null) return Infinity;
  const times = table.seats.flatMap(({ since }) => (since === null ? [] : [since + BLINK + 1, since + table.absence]));
  return Math.min(...times.filter((time) => time > now));
}

/** The player who has been away longest. @param {Situation} situation @returns {Absence|undefined} */
function absence({ table, mine, now, counts }) {
  if (table.status !== "playing" || mine === null || seatOf(table, mine).out !== null || table.paused !== null)
    return undefined;
  const away = table.seats.flatMap(({ seat, player, online, out, stand_in, since }) =>
    seat !== mine && player !== null && out === null && !online && !stand_in && since !== null && now - since > BLINK
      ? [{ seat, since }]
      : [],
  );
  if (away.length === 0) return undefined;
  const { seat, since } = away.reduce((one, other) => (other.since < one.since ? other : one));
  const name = namesOf(table)(seat);
  const until = since + table.absence;
  const over = now >= until;
  const why = over ? undefined : `Not before ${name} has been away for ${countdown(table.absence)}`;
  const pair = table.seats.length === 2;
  return {
    text: `${name} is away`,
    until: over ? null : until,
    buttons: [
      {
        does: `stand_in ${seat}`, words: `Computer for ${name}`, brief: "Computer", why,
        hint: counts ? "The game is then no longer rated" : undefined,
      },
      {
        does: `remove ${seat}`, words: pair ? "End the game" : `Go on without ${name}`,
        brief: pair ? "End game" : "Go on", why,
      },
    ].filter(({ does }) => table.absenteeVotes.includes(does.split(" ")[0])),
  };
}

/** The user has tried a move after the end of the game. @param {Situation} situation @returns {Case|null} */
function trial({ tried }) {
  if (!tried) return null;
  const text = `${tried} is then a variation in your study of it.`;
  return {
    kind: "trial", tone: "asks", heading: "Study this game from here?", said: true, text,
    buttons: [
      { does: "untry", words: "No" }, { does: "study", words: "Study", kind: "primary" },
    ],
  };
}

/** @param {Situation} situation @returns {Case|null} */
function result({ table, mine, seated, note, viewed, rated, story }) {
  const { result: over, proposal } = table;
  if (table.status !== "finished" || over === null || (viewed !== null && proposal === null)) return null;
  const name = namesOf(table);
  const { heading, why: how } = ending(table, mine);
  const why = rated?.why ? `${how} ${rated.why}` : how;
  const left = Object.fromEntries(
    exits(table).map((one) => [one.seat, `${gone(one.reason, one.by && name(one.by))}, round ${one.round}`]),
  );
  const places = table.seats.map(({ seat }) => ({
    seat, place: over.standings[seat], name: seat === mine ? `${name(seat)} (you)` : name(seat), by: left[seat] ?? "",
    points: over.points ? `${over.points[seat]} ${over.points[seat] === 1 ? "pt" : "pts"}` : "",
    rating: rated?.changes[seat], against: rated?.against[seat],
  }));
  const wanted = proposal?.kind === "rematch" ? proposal : null;
  const agreed = wanted === null ? 0 : Object.values(wanted.votes).filter(Boolean).length;
  const voted = wanted !== null && mine !== null && wanted.votes[mine] !== undefined;
  /** @type {Button[]} */
  const buttons = [];
  const missed =
    seated && table.seats.some((seat) => seat.player !== null && seat.seat !== mine && !seat.online && !seat.bot);
  if (seated && (table.archived || (missed && wanted === null)))
    buttons.push({ does: "again", words: "Play again", kind: "primary" });
  else if (seated)
    buttons.push({
      does: wanted === null ? "rematch" : "agree", words: "Rematch", kind: "primary",
      pill: wanted === null ? undefined : `${agreed}/${wanted.electorate.length}`,
      why: voted ? "Waiting for the others" : undefined,
    });
  if (wanted !== null && seated && !voted) buttons.push({ does: "refuse", words: "No" });
  if (wanted !== null && wanted.seat === mine) buttons.push({ does: "withdraw", words: "Withdraw", brief: "Undo" });
  buttons.push({ does: "next", words: "Next game", brief: "Next", kind: seated ? undefined : "primary" });
  if (table.line.length > 0) buttons.push({ does: "review", words: "Review" });
  buttons.push({ does: "share", words: "Share" });
  const score = table.game > 1 ? `Score ${table.seats.map((seat) => half(seat.score)).join("–")}` : undefined;
  const asked =
    wanted === null
      ? (note?.text ?? null)
      : wanted.seat === mine
        ? "Waiting for the others to agree to a rematch."
        : `${name(wanted.seat)} would like a rematch.`;
  return {
    kind: `result ${table.game}`, tone: "ends", heading, said: true, aside: score,
    text: asked === null ? why : `${why} ${asked}`,
    winners: over.winners, story: story ?? undefined,
    standings:
      (table.seats.length > 2 || places.some(({ rating, against }) => rating ?? against)) && over.reason !== "aborted"
        ? places.sort((one, other) => one.place - other.place)
        : [],
    buttons,
  };
}

/** Rounds in which a seat's name can be changed. */
const YOUNG = 5;

/** A guest has sat down for the first time. @param {Situation} situation @returns {Case|null} */
function naming({ table, mine, given, viewed, note }) {
  if (!given || mine === null || viewed !== null || note !== null) return null;
  if (table.turn === mine || table.line.length >= YOUNG * table.seats.length || seatOf(table, mine).out) return null;
  return {
    kind: "naming", heading: "Choose a name for this table", text: `Without one you are ${given}.`,
    field: { label: "Your name", most: 24, does: "name" },
    buttons: [
      { does: "nameless", words: "Skip" }, { does: "name", words: "Save", kind: "primary" },
    ],
  };
}

/** Seats are free. @param {Situation} situation @returns {Case|null} */
function open({ table, seated, host, note }) {
  if (table.status !== "open") return null;
  const seats = table.seats.filter(({ seat }) => playersOf(table.variant).includes(seat));
  const free = seats.filter((seat) => seat.player === null && !seat.invited).length;
  /** @type {Button[]} */
  const buttons = [{ does: "link", words: "Copy link", brief: "Copy", kind: seated ? "primary" : undefined }];
  if (seated) buttons.push({ does: "stand", words: "Leave seat", brief: "Leave" });
  if (host) buttons.push({ does: "close", words: "Close", kind: "danger" });
  const text = seated
    ? "The game begins when every seat is taken. Send the link."
    : `${free} of ${seats.length} seats ${free === 1 ? "is" : "are"} free. Or watch.`;
  return {
    kind: "open",
    heading: seated
      ? `Waiting for ${plural(free, "player")}`
      : seats.length - free === 0
        ? free === 2
          ? "Both seats are open"
          : `All ${free} seats are open`
        : "Take a seat",
    text: note?.text ?? text, bad: note?.bad, buttons,
  };
}

/** @param {Situation} situation @returns {Case|null} */
function past({ table, viewed, mine, note }) {
  if (viewed === null) return null;
  const heading = `Move ${viewed} of ${table.line.length}`;
  const buttons = [/** @type {Button} */ ({ does: "back", words: "Back to now", kind: "primary" })];
  if (table.status === "finished") return { kind: "past", heading, text: note?.text, bad: note?.bad, buttons };
  const move = table.line[viewed - 1];
  const name = namesOf(table);
  const then =
    move === undefined ? "How the game began." : `${move.seat === null ? "" : `${name(move.seat)} `}${move.text}`;
  return {
    kind: "past", heading, seat: move?.seat ?? null, text: table.turn === mine ? `${then} · It is your turn` : then,
    buttons,
  };
}

/**
 * I am out, and the game goes on. The list of moves tells by whom, when and at which place.
 * @param {Situation} situation @returns {Case|null}
 */
function out({ table, mine, note, stays, strength, counts }) {
  const reason = mine === null ? null : seatOf(table, mine).out;
  if (table.status !== "playing" || mine === null || reason === null || stays) return null;
  const name = namesOf(table);
  const exit = exits(table).find(({ seat }) => seat === mine);
  const why = exit === undefined ? gone(reason) : `${gone(reason, exit.by && name(exit.by))}, round ${exit.round}`;
  return {
    kind: "out", seat: mine, heading: exit?.place ? `You came ${ordinal(exit.place)}` : "You are out", said: true,
    aside: table.turn === null ? "" : `${name(table.turn)} is thinking`,
    text:
      note?.text ??
      [
        `${capital(why)}.`, isScored(table.variant) ? "The end decides the places." : "The game goes on.",
        counts && strength ? `Your rating, ${strength}, changes at its end.` : "",
      ]
        .filter(Boolean)
        .join(" "),
    bad: note?.bad,
    buttons: [
      { does: "next", words: "Next game", kind: "primary" }, { does: "stay", words: "Watch on" },
    ],
  };
}

/** @param {Situation} situation @returns {Case} */
function idle(situation) {
  const { table, mine, note, seated } = situation;
  const name = namesOf(table);
  const { turn } = table;
  const mover = turn === null ? "" : turn === mine ? "Your turn" : `${name(turn)} is thinking`;
  const plays = mine !== null && seatOf(table, mine).out === null;
  const playing = seated && plays;
  const aside =
    note?.heading !== undefined
      ? ""
      : table.seats.length > 2
        ? `Round ${roundNow(table)}`
        : table.game > 1
          ? `Game ${table.game}, score ${table.seats.map((seat) => half(seat.score)).join("–")}`
          : "";
  const away = absence(situation);
  const rest = away === undefined ? since(table, plays ? mine : null) : "";
  /** @type {Button[]} */
  const buttons = playing
    ? [
        { does: "undo", words: "Undo…", why: table.line.length === 0 ? "Nothing has been played" : undefined },
        isScored(table.variant)
          ? { does: "draw", words: "End on points", brief: "End…" }
          : { does: "draw", words: "Draw" },
        { does: "resign", words: "Resign", kind: "danger" },
      ]
    : mine !== null
      ? [{ does: "next", words: "Next game" }]
      : [];
  return {
    kind: "idle", who: note?.heading === undefined && turn !== null && turn !== mine ? name(turn) : undefined,
    seat: note?.heading ? (note.seat ?? null) : turn, heading: note?.heading ?? mover,
    said: note?.heading !== undefined, aside: away === undefined ? aside : "", text: note?.text || rest, bad: note?.bad,
    absence: away, buttons,
  };
}

/**
 * The events since the user's last move, or the number of turns before the next.
 * @param {Table} table @param {string|null} mine
 */
function since(table, mine) {
  const name = namesOf(table);
  const { line, turn } = table;
  if (mine !== null && turn !== mine) {
    if (table.seats.length === 2) return "";
    return turn !== null && next(table, turn) === mine
      ? "You are next."
      : `You are after ${name(before(table, mine))}.`;
  }
  const own = line.map((step) => isOf(table, step.seat, mine)).lastIndexOf(true);
  const moves = line
    .slice(Math.max(own + 1, line.length - table.seats.length + 1))
    .filter((step) => step.seat !== null);
  if (moves.length === 0 || table.seats.length === 2) return "";
  const texts = moves.map((step) => `${name(/** @type {string} */ (step.seat))} ${step.text}`);
  return `${mine === null ? "Last" : "Since your move"}: ${texts.join(", ")}`;
}

/** The player who moves just before a seat that is still in. @param {Table} table @param {string} mine */
function before(table, mine) {
  let seat = mine;
  for (let step = next(table, seat); step !== mine; step = next(table, step)) seat = step;
  return seat;
}
