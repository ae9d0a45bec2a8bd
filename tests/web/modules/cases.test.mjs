// The slot's texts, case by case.

import assert from "node:assert/strict";
import { test } from "node:test";

import { caseOf, changesAt } from "../../../clients/web/static/game/cases.js";
import { ending } from "../../../clients/web/static/text/ending.js";
import { outcomeOf } from "../../../clients/web/static/game/outcomes.js";

const NAMES = { red: "Ada", blue: "Bo", yellow: "Cy", green: "Di", white: "Ada", black: "Bo" };
const seat = (name) => ({ seat: name, player: name, name: NAMES[name], online: true, out: null, bot: false, invited: null, stand_in: null, score: 0, since: null });
const step = (name, text, gone = []) => ({ seat: name, move: "a1a2", text, board: null, check: [], points: null, out: {}, left: null, taken: null, gone });
const four = (changes = {}) => ({
  room: "r", variant: "survivor", seq: 9, status: "playing", game: 1, seats: ["red", "blue", "yellow", "green"].map(seat), start: "", board: {}, turn: "red", opens: "red",
  check: [], points: null, line: [step("red", "Qf14xf13+"), step("blue", "Nh10-j9"), step("yellow", "Kh11-h12"), step("green", "j4-j5")], redo: 0, proposal: null,
  result: null, clocks: null, visibility: "public", locked: false, chat: true, host: "red", absence: 60_000, absenteeVotes: ["remove", "stand_in"], claims: {}, gone: [], began: 0, ended: null, paused: null, ...changes,
});
const two = (changes = {}) => ({ ...four(), variant: "standard", seats: ["white", "black"].map(seat), turn: "white", line: [step("white", "e4"), step("black", "e5")], ...changes });
const at = (table, mine, more = {}) => caseOf({ table, mine, first: mine, seated: mine !== null, host: mine === "red", now: 0, offline: null, kept: null, claims: [], note: null, previewing: false, viewed: null, ...more });
const words = ({ buttons }) => buttons.map((button) => button.words);
const undo = { proposal: 1, kind: "undo", seat: "yellow", plies: 3, ply: 1, position: "x", electorate: ["yellow", "red", "blue"], votes: { yellow: true }, deadline: 25_000, absentee: null, level: null };

test("whose turn it is, and what happened since one's own", () => {
  const mine = at(four(), "red");
  assert.deepEqual([mine.heading, mine.seat, mine.aside, mine.text], ["Your turn", "red", "Round 2", "Since your move: Bo Nh10-j9, Cy Kh11-h12, Di j4-j5"]);
  assert.deepEqual(words(mine), ["Undo…", "Draw", "Resign"]);
  assert.deepEqual([at(four({ turn: "blue" }), "red").heading, at(four({ turn: "blue" }), "red").text], ["Bo is thinking", "You are after Di."]);
  assert.equal(at(four({ turn: "green" }), "red").text, "You are next.");
  assert.deepEqual(words(at(four(), null)), [], "who looks on has nothing to press");
});

test("a vote is asked by name; Agree is last, Withdraw is the proposer's", () => {
  const asked = at(four({ proposal: undo }), "red", { previewing: true });
  assert.equal(asked.heading, "Cy asks to take back 3 moves");
  assert.deepEqual(asked.electors.map(({ name, answer }) => `${name} ${answer}`), ["Cy yes", "You you", "Bo thinking"]);
  assert.deepEqual(words(asked), ["Now", "After", "Refuse", "Agree"]);
  assert.deepEqual(words(at(four({ proposal: undo }), "yellow")), ["Now", "After", "Withdraw"]);
  assert.deepEqual(words(at(four({ proposal: undo }), null)), ["Now", "After"]);
  const points = four({ variant: "ffa", points: { red: 19, blue: 27, yellow: 0, green: 3 }, proposal: { ...undo, kind: "draw", position: null } });
  assert.deepEqual([at(points, "red").heading, at(points, "red").text], ["Cy asks to end now, on points", "Bo leads with 27, you have 19."]);
  assert.ok(words(at({ ...points, proposal: null }, "red")).includes("End on points"));
});

test("two armies: a vote is the player's, and the last move was that of the other army", () => {
  const seats = four().seats.map((one, index) => ({ ...one, player: index % 2 ? "bo" : "ada", name: index % 2 ? "Bo" : "Ada" }));
  const pair = four({ variant: "selfpartner", seats, turn: "yellow", line: [step("red", "h2-h4"), step("blue", "b7-d7")] });
  assert.deepEqual([at(pair, "yellow").heading, at(pair, "yellow").text], ["Your turn", "Since your move: Bo (blue) b7-d7"]);
  const vote = { ...undo, seat: "red", electorate: ["red", "blue"], votes: { red: true } };
  assert.deepEqual(words(at({ ...pair, proposal: vote }, "yellow", { first: "red" })), ["Now", "After", "Withdraw"]);
  assert.deepEqual(words(at({ ...pair, proposal: vote }, "green", { first: "blue" })).slice(-2), ["Refuse", "Agree"]);
  const free = four({ variant: "selfpartner", status: "open", seats: seats.map((one, index) => (index % 2 ? { ...one, player: null } : one)) });
  assert.equal(at(free, "red").heading, "Waiting for 1 player");
});

test("what came of a vote says whose answer it was", () => {
  const votes = { yellow: true, blue: false };
  assert.equal(outcomeOf("refused", { ...undo, votes }, four(), "red").heading, "Bo refused to take back 3 moves");
  assert.equal(outcomeOf("refused", { ...undo, votes }, four(), "blue").heading, "You refused to take back 3 moves");
  assert.equal(outcomeOf("expired", { ...undo, votes: { yellow: true, red: true } }, four(), "red").heading, "No answer from Bo");
  assert.equal(outcomeOf("carried", undo, four(), "red").heading, "All agreed: 3 moves taken back");
  assert.equal(outcomeOf("withdrawn", undo, four(), "red").heading, "Cy took the proposal back");
  assert.equal(outcomeOf("superseded", undo, four(), "red"), null);
});

test("who is away is one line above the usual actions", () => {
  const away = four({ seats: four().seats.map((one) => (["blue", "green"].includes(one.seat) ? { ...one, online: false, since: one.seat === "blue" ? 0 : 9000 } : one)) });
  const gone = at(away, "red", { now: 13_000 });
  assert.deepEqual([gone.kind, gone.heading, words(gone)], ["idle", "Your turn", ["Undo…", "Draw", "Resign"]]);
  assert.deepEqual([gone.absence.text, gone.absence.until, words(gone.absence)], ["Bo is away", 60_000, ["Computer for Bo", "Go on without Bo"]]);
  assert.match(gone.absence.buttons[0].why, /^Not before Bo has been away for 1:00/);
  const absent = at(away, "red", { now: 60_000 }).absence;
  assert.deepEqual([absent.text, absent.until, absent.buttons.map(({ why }) => why)], ["Bo is away", null, [undefined, undefined]]);
  assert.equal(at(away, "red", { now: 1000 }).absence, undefined, "a blink is no absence");
  assert.equal(at(away, null, { now: 60_000 }).absence, undefined);
  const rated = at({ ...away, absenteeVotes: ["remove"] }, "red", { now: 60_000 }).absence;
  assert.deepEqual(words(rated), ["Go on without Bo"]);
  const slow = at({ ...away, absence: 0, absenteeVotes: [] }, "red", { now: 13_000 }).absence;
  assert.deepEqual([slow.text, slow.until, slow.buttons], ["Bo is away", null, []], "in a slow game the clock decides");
  assert.equal(at(away, "red", { now: 60_000, note: { text: "Nobody is there to ask.", bad: true } }).text, "Nobody is there to ask.");
});

test("a claim, a vote, no connection: the more urgent is shown", () => {
  const claim = at(four(), "red", { claims: ["threefold"] });
  assert.deepEqual([claim.heading, words(claim)], ["You may claim a draw", ["Claim the draw", "Play on"]]);
  assert.match(claim.text, /three times/);
  assert.equal(at(four({ proposal: undo }), "red", { claims: ["threefold"] }).kind, "vote 1");
  const offline = at(four({ proposal: undo }), "red", { offline: { retry: 4000 }, kept: "Qf13xj9" });
  assert.deepEqual([offline.heading, offline.text], ["No connection", "Trying again. Your move Qf13xj9 is kept and will be sent."]);
});

const over = (table, result) => ({ ...table, status: "finished", turn: null, began: 0, ended: 31 * 60_000, result: { standings: { red: 1, blue: 2, yellow: 3, green: 4, white: 1, black: 2 }, points: null, ...result } });

test("an end is told to each by what it means to them", () => {
  const last = over(four(), { reason: "last_standing", winners: ["red"] });
  assert.deepEqual(ending(last, "red"), { heading: "You won", why: "Last king standing. 1 round, 31 minutes." });
  assert.deepEqual(ending(last, "yellow"), { heading: "You came 3rd", why: "Ada won as the last king standing. 1 round, 31 minutes." });
  assert.equal(ending(last, null).heading, "Ada won");
  const mate = over(two(), { reason: "checkmate", winners: ["black"] });
  assert.deepEqual([ending(mate, "white").heading, ending(mate, "white").why], ["You lost", "Bo won by checkmate. 1 move, 31 minutes."]);
  assert.equal(ending(over(two(), { reason: "stalemate", winners: [] }), "white").heading, "Draw");
  assert.equal(ending(over(four(), { reason: "aborted", winners: [] }), "red").heading, "Called off");
  const deserted = over(two(), { reason: "aborted", winners: [] });
  assert.match(ending({ ...deserted, line: Array(2).fill(deserted.line[0]) }, "white").why, /Nobody came back/);
});

test("several winners are a draw or share the first place; only a team wins together", () => {
  const shared = { reason: "agreement", winners: ["red", "blue"] };
  assert.deepEqual(["red", "yellow"].map((mine) => ending(over(four(), shared), mine).heading), ["Draw", "You came 3rd"]);
  assert.match(ending(over(four(), shared), "red").why, /^Draw between Ada and Bo/);
  const points = over(four({ variant: "ffa" }), { ...shared, points: { red: 5, blue: 5, yellow: 1, green: 0 } });
  assert.deepEqual([ending(points, "red").heading, ending(points, null).heading], ["You share 1st place", "Shared 1st place"]);
  const team = over(four({ variant: "teams" }), { reason: "checkmate", winners: ["red", "yellow"] });
  assert.deepEqual(["red", "blue"].map((mine) => ending(team, mine).heading), ["You won", "You lost"]);
  for (const table of [over(four(), shared), points]) for (const mine of ["red", "blue"]) assert.doesNotMatch(at(table, mine).heading, /won/);
});

test("of four who end in a draw, those who were out before it have lost", () => {
  const drawn = over(four(), { reason: "stalemate", winners: [], standings: { red: 1, blue: 1, yellow: 3, green: 4 } });
  assert.deepEqual(["red", "green", null].map((mine) => ending(drawn, mine).heading), ["Draw", "You came 4th", "Draw"]);
  assert.match(ending(drawn, "green").why, /^Draw between Ada and Bo, stalemate\./);
  const teams = over(four({ variant: "teams" }), { reason: "threefold", winners: [], standings: { red: 1, blue: 1, yellow: 1, green: 1 } });
  assert.equal(ending(teams, "green").heading, "Draw");
});

test("who is out of a game that goes on has a way on", () => {
  const seats = four().seats.map((one) => (one.seat === "green" ? { ...one, out: "checkmate" } : one));
  const line = [step("red", "a2-a3"), step("blue", "b4-c4"), step("yellow", "d13-d12", [{ seat: "green", reason: "checkmate", by: "yellow" }])];
  const mated = at(four({ seats, line }), "green");
  assert.deepEqual([mated.heading, mated.aside, mated.text, words(mated)], ["You came 4th", "Ada is thinking", "Mated by Cy, round 1. The game goes on.", ["Next game", "Watch on"]]);
  assert.equal(at(four({ variant: "ffa", seats, line }), "green").heading, "You are out", "where points count, the end decides");
  assert.equal(at(four({ seats }), "green").text, "Mated. The game goes on.", "before the moves are there");
  assert.equal(at(four({ seats, line }), "red").kind, "idle");
  const stays = at(four({ seats, line }), "green", { stays: true });
  assert.deepEqual([stays.kind, stays.heading, stays.text, words(stays)],
    ["idle", "Ada is thinking", "Last: Ada a2-a3, Bo b4-c4, Cy d13-d12", ["Next game"]], "as a spectator, with a way on");
});

test("who looks back sees whose move it was, and that their own turn has come", () => {
  const table = two({ turn: "black" });
  assert.equal(at(table, "white", { viewed: 1 }).text, "Ada e4");
  assert.equal(at(table, "black", { viewed: 1 }).text, "Ada e4 · It is your turn");
});

test("a rematch is asked for on the result, with how many agreed", () => {
  const ended = over(four(), { reason: "last_standing", winners: ["red"] });
  assert.deepEqual(words(at(ended, "red")), ["Rematch", "Next game", "Review", "Share"]);
  const archived = { ...ended, archived: true };
  assert.deepEqual([words(at(archived, "red")), words(at(archived, null))], [["Play again", "Next game", "Review", "Share"], ["Next game", "Review", "Share"]], "those who looked on have nothing to play again");
  const asked = at({ ...ended, proposal: { ...undo, kind: "rematch", electorate: ["red", "blue", "yellow", "green"] } }, "red");
  assert.deepEqual([asked.heading, asked.buttons[0].pill, words(asked)], ["You won", "1/4", ["Rematch", "No", "Next game", "Review", "Share"]]);
});

test("a move on the board of a game that is over is asked about before all but votes", () => {
  const over = two({ status: "finished", turn: null, result: { winners: ["white"], standings: { white: 1, black: 2 }, reason: "resignation", points: null } });
  const asked = at(over, null, { viewed: 1, tried: "e7e5" });
  assert.deepEqual([asked.heading, words(asked), asked.tone], ["Study this game from here?", ["No", "Study"], "asks"]);
});

test("who looks back at a game that is over is led back to its result, unless a rematch is asked for", () => {
  const result = { winners: ["white"], standings: { white: 1, black: 2 }, reason: "resignation", points: null };
  const over = two({ status: "finished", turn: null, result });
  const past = at(over, "white", { viewed: 1 });
  assert.deepEqual([past.kind, past.heading, past.text, words(past)], ["past", "Move 1 of 2", undefined, ["Back to now"]]);
  assert.equal(at(over, "white", { viewed: 1, note: { text: "The link is copied." } }).text, "The link is copied.");
  const rematch = { ...undo, kind: "rematch", seat: "black", electorate: ["white", "black"], votes: { black: true }, position: null };
  assert.match(at({ ...over, proposal: rematch }, "white", { viewed: 1 }).kind, /^result/);
});

test("the clock alone changes the case when it says so, and at no other time", () => {
  const seats = four().seats.map((one) => (one.seat === "blue" ? { ...one, online: false, since: 1000 } : one));
  const table = four({ seats });
  const shown = (/** @type {number} */ now) => JSON.stringify(at(table, "red", { now }));
  const times = [];
  for (let now = 1000; now !== Infinity; now = changesAt({ table, mine: "red", now })) times.push(now);
  assert.deepEqual(times, [1000, 3001, 61_000]);
  for (const [index, begin] of times.entries()) {
    const end = times[index + 1] ?? begin + 100_000;
    for (const now of [begin, begin + 1, (begin + end) / 2, end - 1]) assert.equal(shown(now), shown(begin), `at ${now}`);
    if (end === times[index + 1]) assert.notEqual(shown(end), shown(begin), `at ${end}`);
  }
  assert.equal(changesAt({ table: four({ status: "finished", seats }), mine: "red", now: 0 }), Infinity);
  assert.equal(changesAt({ table, mine: null, now: 0 }), Infinity, "who looks on sees no absence here");
});

test("a pause is counted down; who plays may ask to go on, and nobody is shown as away", () => {
  const away = four().seats.map((one) => (one.seat === "blue" ? { ...one, online: false, since: 0 } : one));
  const paused = four({ paused: 600_000, seats: away });
  const mine = at(paused, "red", { now: 90_000 });
  assert.deepEqual([mine.heading, mine.counts.until, words(mine), mine.absence], ["The game is paused", 600_000, ["Ask to go on"], undefined]);
  assert.deepEqual(words(at(paused, null)), []);
  const vote = { ...undo, kind: "resume", plies: null, position: null };
  assert.equal(at({ ...paused, proposal: vote }, "red").heading, "Cy asks to go on");
});

test("a guest may choose a name, unless it is their turn or the game is no longer young", () => {
  const given = { given: "Amber Rook 27" };
  const asked = at(four({ turn: "blue" }), "red", given);
  assert.deepEqual([asked.kind, asked.text, words(asked)], ["naming", "Without one you are Amber Rook 27.", ["Skip", "Save"]]);
  assert.equal(asked.field.most, 24);
  assert.equal(at(four(), "red", given).kind, "idle");
  assert.equal(at(four({ turn: "blue" }), null, given).kind, "idle");
  assert.equal(at(four({ turn: "blue", line: Array.from({ length: 20 }, () => step("red", "e4")) }), "red", given).kind, "idle");
});

test("a rated player who is out reads that the rating is still to come", () => {
  const gone = four({ turn: "blue", seats: four().seats.map((one) => (one.seat === "red" ? { ...one, out: "checkmate" } : one)) });
  assert.match(at(gone, "red", { strength: "1588", counts: true }).text, /Your rating, 1588, changes at its end\.$/);
  assert.doesNotMatch(at(gone, "red", { strength: "1588", counts: false }).text, /rating/);
});

test("a vote says that it takes the rating away, as long as there is one; the result says what took it", () => {
  const asked = four({ proposal: undo });
  const { text, brief } = at(asked, "red", { counts: true });
  assert.deepEqual([text, brief], ["It is then no longer rated.", "then casual"]);
  assert.equal(at(asked, "red", { counts: false }).text, undefined);
  const known = { changes: {}, against: {}, why: "Not rated: moves were taken back." };
  const ended = over(two(), { winners: ["white"], reason: "checkmate" });
  assert.match(at(ended, "white", { rated: known }).text, /Not rated: moves were taken back\.$/);
});
