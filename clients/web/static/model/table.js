/**
 * A game as a client knows it: the fold of a `room` snapshot and the `update`s after it. Pure: a table is never
 * changed, `after` returns the next one. It knows no rules: each step contains the board after it.
 */

import { read } from "./fen.js";
import { variantOf } from "./geometry.js";

/**
 * @typedef {import("../../../../protocol/protocol.d.ts").Seat} Seat
 * @typedef {import("../../../../protocol/protocol.d.ts").Clocks} Clocks
 * @typedef {import("../../../../protocol/protocol.d.ts").Proposal} Proposal
 * @typedef {import("../../../../protocol/protocol.d.ts").Result} Result
 * @typedef {import("../../../../protocol/protocol.d.ts").Player} Player
 * @typedef {import("../../../../protocol/protocol.d.ts").Room} Room
 * @typedef {import("../../../../protocol/protocol.d.ts").Update} Update
 * @typedef {import("../../../../protocol/protocol.d.ts").Sight} Sight
 * @typedef {import("../../../../protocol/protocol.d.ts").Events} Events events by type
 * @typedef {import("../../../../protocol/protocol.d.ts").Event} Event
 *
 * @typedef {object} Gone an eliminated player @property {string} seat @property {string} reason
 * @property {string|null} by the player who eliminated them
 *
 * @typedef {object} Step a move of the game's line, and the board after it (null if this client has not seen it)
 * @property {string|null} seat @property {string} move @property {string} text
 * @property {import("./fen.js").Board|null} board @property {string[]} check
 * @property {Record<string, number>|null} points @property {Record<string, string>|null} hands
 * @property {Record<string, string>} out the players out at that time, and the reasons
 * @property {number|null} left the mover's clock after it
 * @property {string|null} taken the captured piece
 * @property {Gone[]} gone the players eliminated by it, or before the next one
 *
 * @typedef {object} Table
 * @property {string} room @property {string} variant @property {number} seq @property {string} status
 * @property {number} game
 * @property {Seat[]} seats in turn order @property {string} start the position it began from
 * @property {import("./fen.js").Board} board @property {string|null} turn
 * @property {string|null} opens the seat to move once all seats are taken @property {string[]} check
 * @property {Record<string, number>|null} points @property {Step[]} line @property {number} redo
 * @property {Record<string, string>|null} hands the letters of the pieces in each seat's hand, in variants with drops
 * @property {Step[]} undone the steps that a redo would play again, the next one first, as far as this client has seen
 * them
 * @property {Proposal|null} proposal @property {Result|null} result @property {Clocks|null} clocks
 * @property {string} visibility @property {boolean} locked @property {boolean} chat
 * @property {string} host the player who opened the room
 * @property {number} absence milliseconds away until a player counts as absent; 0: never
 * @property {string[]} absenteeVotes votes about an absent player
 * @property {Record<string, string[]>} claims the claims of each seat, by the snapshot
 * @property {Gone[]} gone the players eliminated before the first move
 * @property {boolean} archived whether the game is archived and can no longer change
 * @property {boolean} imported whether it was played elsewhere
 * @property {boolean} rated whether its games may change ratings
 * @property {string|null} unrated why the current game can no longer be rated, whatever its end
 * @property {number} fill the level of the computers that people can replace in the first rounds; 0: none
 * @property {number|null} paused the time at which a paused game goes on @property {number|null} began
 * @property {number|null} ended the end of the game by the server's clock; null if this client does not know it
 */

/** An update that does not follow: an earlier one is missing. */
export class Gap extends Error {}

/** The table of a snapshot. @param {Room} room @returns {Table} */
export function of(room) {
  const { board, points, turn, hands } = read(room.position);
  const names = room.seats.map((seat) => seat.seat);
  return {
    room: room.room, variant: room.variant, seq: room.seq, status: room.status, game: room.game ?? 1,
    seats: room.seats.map((seat) => ({ ...seat, since: seat.since ?? null })), start: room.start, board,
    turn: room.turn, check: room.check ?? [],
    opens: names.find((name) => name[0] === turn) ?? null,
    points: room.result?.points ?? (variantOf(room.variant).scored && points ? byName(names, points) : null),
    line: room.moves.map(unseen), hands: hands && byName(names, hands),
    redo: room.redo, undone: [], proposal: room.proposal, result: room.result, clocks: room.clocks,
    visibility: room.visibility ?? "public", locked: room.locked ?? false, chat: room.chat ?? true,
    host: room.host ?? "", absence: room.absentee_votes?.length ? room.absence : 0,
    absenteeVotes: room.absentee_votes ?? [], claims: room.claims ?? {}, gone: [], began: null, ended: null,
    archived: room.archived ?? false, imported: room.imported ?? false, rated: room.rated ?? true,
    unrated: room.unrated ?? null, fill: room.fill ?? 0, paused: room.paused ?? null,
  };
}

/** Whether the current game may still be rated. @param {Table} table */
export const isRated = ({ rated, unrated, imported }) => rated && !unrated && !imported;

/** A step whose board is unknown. @param {string} move @returns {Step} */
const unseen = (move) => ({
  seat: null, move, text: move, board: null, check: [], points: null, hands: null, out: {}, left: null, taken: null,
  gone: [],
});

/**
 * The table of a room's whole record (`export` as `json`), every step with its board.
 * @param {{room: Room, updates: Update[]}} record @returns {Table}
 */
export function ofRecord({ room, updates }) {
  const now = of(room);
  let table = fresh({ ...now, seq: 0, game: 1, status: "open", clocks: now.clocks && fullClocks(now.clocks) });
  for (const update of updates) table = after(table, update);
  return { ...table, seats: now.seats };
}

/** The table before the first move. @param {Table} table @returns {Table} */
function fresh(table) {
  const { board, turn, points, dead, hands } = read(table.start);
  const names = table.seats.map((seat) => seat.seat);
  const opens = names.find((name) => name[0] === turn) ?? names[0];
  return {
    ...table,
    status: "open", board, check: [], opens,
    points: variantOf(table.variant).scored && points ? byName(names, points) : null,
    hands: hands && byName(names, hands), turn: opens, line: [], redo: 0,
    undone: [], proposal: null, result: null, claims: {}, gone: [], began: null, ended: null, paused: null,
    seats: table.seats.map((seat, index) => ({ ...seat, out: dead[index] ? "set_up" : null, berserk: false })),
  };
}

/** @param {Clocks} clocks @returns {Clocks} */
const fullClocks = (clocks) => ({ ...clocks, left: mapValues(clocks.left, () => clocks.base), since: null });

/** @template V @param {string[]} names @param {V[]} values @returns {Record<string, V>} */
const byName = (names, values) => Object.fromEntries(names.map((name, index) => [name, values[index]]));

/** @template V, W @param {Record<string, V>} record @param {(value: V) => W} change @returns {Record<string, W>} */
const mapValues = (record, change) =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));

/**
 * The table after an update; the same one if it contains the update already. Throws `Gap` for one that is not the next.
 * @param {Table} table @param {Update} update @returns {Table}
 */
export function after(table, update) {
  if (update.seq <= table.seq) return table;
  if (update.seq !== table.seq + 1) throw new Gap(`After version ${table.seq} came ${update.seq}.`);
  for (const event of update.events) {
    const apply = /** @type {((table: Table, event: Event, time: number) => Table)|undefined} */ (APPLY[event.type]);
    table = apply?.(table, event, update.time) ?? table;
  }
  // A seat that was just eliminated does not move next.
  if (table.status === "playing" && table.turn !== null && seatOf(table, table.turn).out !== null) {
    table = { ...table, turn: next(table, table.turn) };
  }
  return { ...table, seq: update.seq };
}

/** @param {Table} table @param {string} name @returns {Seat} */
export const seatOf = (table, name) => /** @type {Seat} */ (table.seats.find((seat) => seat.seat === name));

/**
 * Whether two seats have the same player.
 * @param {Table} table @param {string|null} one @param {string|null} other
 */
export const isOf = (table, one, other) =>
  one === other || (!!one && !!other && seatOf(table, one).player === seatOf(table, other).player);

/** The seat after this one, of those still in the game. @param {Table} table @param {string} name */
export function next(table, name) {
  const { seats } = table;
  const index = seats.findIndex((seat) => seat.seat === name);
  for (let step = 1; step <= seats.length; step++) {
    const seat = seats[(index + step) % seats.length];
    if (seat.out === null) return seat.seat;
  }
  return name;
}

/**
 * The eliminated seats and the reasons, without seats that took no part.
 * @param {Table} table @returns {Record<string, string>}
 */
export const outOf = (table) =>
  Object.fromEntries(
    table.seats.filter((seat) => seat.out !== null).map((seat) => [seat.seat, /** @type {string} */ (seat.out)]),
  );

/** @param {Table} table @param {string} name @param {Partial<Seat>} changes @returns {Table} */
const seating = (table, name, changes) => ({
  ...table,
  seats: table.seats.map((seat) => (seat.seat === name ? { ...seat, ...changes } : seat)),
});

/** @param {Table} table @param {Record<string, number>} left @param {number|null} since @returns {Table} */
const timed = (table, left, since) =>
  table.clocks === null
    ? table
    : { ...table, clocks: { ...table.clocks, left: { ...table.clocks.left, ...left }, since } };

/** @param {Table} table @param {Sight|null} sight @returns {Table} */
function seen(table, sight) {
  if (!sight) return table;
  const board = { ...table.board };
  for (const [square, cell] of Object.entries(sight.changes)) {
    if (cell === null) delete board[square];
    else board[square] = cell;
  }
  return {
    ...table,
    board, check: sight.check, points: sight.points ?? table.points, hands: sight.hands ?? table.hands,
  };
}

/**
 * The piece that a move captured: on its target, or a pawn en passant.
 * @param {Table} table @param {Events["moved"]} event
 */
function taken(table, event) {
  const [from, to] = squares(event.move);
  if (event.sight && table.board[to] && table.board[to][0] !== event.seat[0]) return table.board[to];
  for (const [square, cell] of Object.entries(event.sight?.changes ?? {})) {
    if (cell === null && square !== from && table.board[square]?.[0] !== event.seat[0])
      return table.board[square] ?? null;
  }
  return null;
}

/**
 * The two squares of a move in coordinate notation. A drop (`N@f3`) comes from `N@`.
 * @param {string} move @returns {[string, string]}
 */
export function squares(move) {
  const match = /^([a-z]\d{1,2}|[A-Z]@)([a-z]\d{1,2})/.exec(move);
  return match ? [match[1], match[2]] : ["", ""];
}

/** @param {Table} table @param {Events["moved"]} event @param {number} time @returns {Table} */
function moved(table, event, time) {
  const took = taken(table, event);
  const shown = seen(table, event.sight); // without a tick, a dead king walks, perhaps in a pause
  const now = event.tick ? timed(shown, { [event.seat]: event.tick.left }, time) : shown;
  const step = {
    seat: event.seat, move: event.move, text: event.sight?.text || event.move, board: event.sight ? now.board : null,
    check: now.check, points: now.points, hands: now.hands, out: outOf(now), left: event.tick?.left ?? null,
    taken: took, gone: [],
  };
  return { ...now, line: [...table.line, step], redo: 0, undone: [], turn: next(now, event.seat) };
}

/** The reasons for leaving without being eliminated. @type {Record<string, string>} */
const LEFT = { resigned: "resignation", flagged: "time", removed: "abandonment" };

/**
 * @param {Table} table @param {Events["resigned" | "flagged" | "removed"]} event @param {number} time @returns {Table}
 */
function departed(table, event, time) {
  const left = event.type === "flagged" ? { [event.seat]: 0 } : {};
  const keeps = table.clocks !== null && (event.seat !== table.turn || table.paused !== null);
  const since = keeps && table.clocks !== null ? table.clocks.since : time;
  const there = timed(lasting(seen(table, event.sight)), left, since);
  // With two players, nobody is shown as out: the game is over.
  return {
    ...(table.seats.length === 2 ? without(there, { seat: event.seat, reason: LEFT[event.type], by: null }) : there),
    redo: 0, undone: [],
  };
}

/** A player is out from the last move on. @param {Table} table @param {Gone} gone @returns {Table} */
function without(table, gone) {
  const last = table.line[table.line.length - 1];
  if (last === undefined) return { ...table, gone: [...table.gone, gone] };
  return { ...table, line: [...table.line.slice(0, -1), { ...last, gone: [...last.gone, gone] }] };
}


/**
 * The last step with the current board: events between moves belong to the move before.
 * @param {Table} table @returns {Table}
 */
function lasting(table) {
  const last = table.line[table.line.length - 1];
  if (last === undefined || last.board === null) return table;
  const step = { ...last, board: table.board, check: table.check, points: table.points, out: outOf(table) };
  return { ...table, line: [...table.line.slice(0, -1), step] };
}

/**
 * @param {Table} table @param {Events["undone" | "redone"]} event @param {number} time @param {Step[]} line
 * @param {Step[]} undone @returns {Table}
 */
function restored(table, event, time, line, undone) {
  const { board, turn, points, hands } = read(event.position);
  const names = table.seats.map((seat) => seat.seat);
  const there = {
    ...table,
    board, hands: hands && byName(names, hands), line, undone, unrated: table.unrated ?? "undone",
    redo: table.redo + table.line.length - line.length, check: line[line.length - 1]?.check ?? [],
    points: table.points && points ? byName(names, points) : null,
    turn: names.find((name) => name[0] === turn) ?? table.turn,
    seats: table.seats.map((seat) => ({
      ...seat,
      out: seat.out === "set_up" ? "set_up" : (event.out[seat.seat] ?? null),
    })),
  };
  return timed(there, event.left ?? {}, table.paused === null ? time : null);
}

/** @param {Table} table @param {Events["undone"]} event @param {number} time */
const undone = (table, event, time) =>
  restored(table, event, time, table.line.slice(0, event.ply), [...table.line.slice(event.ply), ...table.undone]);

/**
 * The undone steps return unchanged. If this client has not seen one, only its move is known.
 * @param {Table} table @param {Events["redone"]} event @param {number} time
 */
function redone(table, event, time) {
  const steps = event.moves.map((move, index) => table.undone[index] ?? unseen(move));
  return restored(table, event, time, [...table.line, ...steps], table.undone.slice(steps.length));
}

/** @param {Table} table @param {Events["finished"]} event @param {number} time @returns {Table} */
function finished(table, event, time) {
  const over = {
    ...table,
    status: "finished", result: event.result, turn: null, claims: {}, ended: time, paused: null,
  };
  let ended = timed(over, {}, null);
  if (event.result.points) ended = { ...ended, points: event.result.points };
  for (const [name, score] of Object.entries(event.scores ?? {})) ended = seating(ended, name, { score });
  return ended;
}

/** @param {Table} table @param {Events["rematched"]} event @returns {Table} */
function rematched(table, event) {
  const people = new Map(event.seats.map((one) => [one.seat, one]));
  const known = new Map(table.seats.map((seat) => [seat.player, seat]));
  const seats = table.seats.map((seat) => {
    const one = /** @type {Player} */ (people.get(seat.seat));
    const before = known.get(one.player);
    return {
      ...seat,
      player: one.player, name: one.name, score: one.score, invited: null, stand_in: null,
      online: before?.online ?? false, bot: before?.bot ?? false, since: before?.since ?? null,
    };
  });
  const unrated = table.unrated === "position" ? table.unrated : null;
  return fresh({ ...table, seats, unrated, game: event.game, clocks: table.clocks && fullClocks(table.clocks) });
}

/** The table with more time for a seat. @param {Table} table @param {string} seat @param {number} milliseconds */
const added = (table, seat, milliseconds) =>
  table.clocks === null
    ? table
    : timed(table, { [seat]: table.clocks.left[seat] + milliseconds }, table.clocks.since);

/** @type {{[T in keyof Events]: (table: Table, event: Events[T], time: number) => Table}} */
const APPLY = {
  seated: (table, event) =>
    seating(table, event.seat, {
      player: event.player, name: event.name, invited: null, bot: event.player.startsWith("bot:"), since: null,
    }),
  renamed: (table, event) => seating(table, event.seat, { name: event.name }),
  unseated: (table, event) => seating(table, event.seat, { player: null, name: null, online: false, since: null }),
  invited: (table, event) => seating(table, event.seat, { invited: event.level, stand_in: null }),
  stood_in: (table, event) => ({
    ...seating(table, event.seat, { stand_in: event.name }), unrated: table.unrated ?? "stand_in",
  }),
  returned: (table, event) => seating(table, event.seat, { invited: null, stand_in: null }),
  started: (table, _event, time) =>
    timed({ ...table, status: "playing", turn: table.turn ?? table.opens, began: time }, {}, time),
  moved,
  eliminated: (table, event) =>
    without(lasting(seating(table, event.seat, { out: event.reason })), {
      seat: event.seat, reason: event.reason, by: event.by ?? null,
    }),
  resigned: departed,
  flagged: departed,
  removed: departed,
  credited: (table, event) => added(table, event.seat, event.milliseconds),
  adjourned: (table) => table, // the game goes on when a player comes
  paused: (table, event) => ({ ...timed(table, event.left, null), paused: event.until }),
  resumed: (table, _event, time) => ({ ...timed(table, {}, time), paused: null }),
  gave: (table, event) => added(table, event.to, event.milliseconds),
  berserked: (table, event) =>
    timed(seating(table, event.seat, { berserk: true }), { [event.seat]: event.left }, table.clocks?.since ?? null),
  proposed: (table, { type: _, ...event }) => ({ ...table, proposal: { ...event, votes: { [event.seat]: true } } }),
  voted: (table, event) =>
    table.proposal === null
      ? table
      : { ...table, proposal: { ...table.proposal, votes: { ...table.proposal.votes, [event.seat]: event.accept } } },
  closed: (table) => ({ ...table, proposal: null }),
  undone,
  redone,
  finished,
  archived: (table) => ({ ...table, archived: true }),
  rematched,
};

/**
 * The time on a clock at a moment, in milliseconds; null in untimed games.
 * @param {Table} table @param {string} name @param {number} now by the server's clock
 */
export function remaining(table, name, now) {
  const { clocks } = table;
  if (clocks === null) return null;
  // Without a base time, the delay is the time for each move.
  const [free, limit] = clocks.base ? [clocks.delay, 0] : [0, clocks.delay];
  const left = clocks.left[name] + limit;
  if (table.status !== "playing" || clocks.since === null || table.turn !== name) return left;
  return Math.max(0, left - Math.max(0, now - clocks.since - free));
}

/**
 * The value of each seat's live pieces.
 * @param {Table["board"]} board @param {Seat[]} seats @param {Record<string, number>} worth
 */
export function material(board, seats, worth) {
  /** @type {Record<string, number>} */
  const sums = Object.fromEntries(seats.map((seat) => [seat.seat, 0]));
  const names = new Map(seats.map((seat) => [seat.seat[0], seat.seat]));
  for (const cell of Object.values(board)) {
    const name = cell.length === 2 && cell[0] !== "d" ? names.get(cell[0]) : undefined;
    if (name !== undefined) sums[name] += worth[cell[1]];
  }
  return sums;
}
