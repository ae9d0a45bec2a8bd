/**
 * The messages of the Fourfold protocol, version 1: see README.md beside this file.
 * Made by `python -m fourfold.protocol`; do not edit.
 */

/** Call the game off, while somebody has not moved yet: it counts for nobody. */
export interface AbortRequest {
  type: "abort";
  /** 1 to 32 characters */
  room: string;
  /** 1 to 64 characters */
  key: string;
  /** 0 to 9007199254740992 */
  id?: number | null;
}

/** Invite a bot of a level to a free seat, a named one or the first; the right of who opened the room. */
export interface BotRequest {
  type: "bot";
  /** 1 to 32 characters */
  room: string;
  /** 1 to 5 */
  level: number;
  /** 1 to 16 characters */
  seat?: string | null;
  /** 0 to 9007199254740992 */
  id?: number | null;
}

/**
 * Ask whether a game can begin from a position, and for everything that speaks against it, without opening a
 * room. `variant` and `position` are as in `create`.
 */
export interface CheckRequest {
  type: "check";
  /** 1 to 32 characters */
  variant?: string;
  /** 0 to 4096 characters */
  position?: string | null;
  /** 0 to 9007199254740992 */
  id?: number | null;
}

/** End the game by what the rules let this player claim: see `claims` in `room` and `turn`. It needs no vote. */
export interface ClaimRequest {
  type: "claim";
  /** 1 to 32 characters */
  room: string;
  /** 1 to 64 characters */
  key: string;
  /** 0 to 9007199254740992 */
  id?: number | null;
}

/**
 * How time is given, in milliseconds: `base` for the game, and each move an `increment` or a `delay`. Without
 * a `base` each move has a limit of its own, the `delay`, which must then be more than nothing.
 */
export interface Clock {
  /** 0 to 604800000 */
  base: number;
  /** 0 to 86400000 */
  increment?: number;
  /** 0 to 86400000 */
  delay?: number;
}

/**
 * End a room whose game has not started: `finished` comes, for the reason `aborted`, and the room leaves the
 * lobby. The right of who opened the room.
 */
export interface CloseRequest {
  type: "close";
  /** 1 to 32 characters */
  room: string;
  /** 1 to 64 characters */
  key?: string | null;
  /** 0 to 9007199254740992 */
  id?: number | null;
}

/**
 * Open a room. `position` is a FEN (two players), a FEN4 (four), or the name of a start array (`modern`,
 * `classic`); absent, the variant's usual start. `moves` (as in `move`) have been played from there already:
 * a game that is read from a file goes on where it stopped, and can be undone. Without a `clock` the game is
 * untimed. A `private` room is in no list and is found by its id alone. A `password` is asked of whoever
 * joins or watches, but not of the host, the seated, and the bots that this server itself runs. `chat` false
 * switches talk off. With a `delay`, in milliseconds, those without a seat see the game that much later than
 * the players. Sent again with the same `key`, no second room is opened: the answer is the first.
 */
export interface CreateRequest {
  type: "create";
  /** 1 to 32 characters */
  variant?: string;
  /** 0 to 4096 characters */
  position?: string | null;
  visibility?: "private" | "public";
  clock?: Clock | null;
  /** 1 to 64 characters */
  password?: string | null;
  chat?: boolean;
  /** 0 to 900000 */
  delay?: number;
  /** 1 to 64 characters */
  key?: string | null;
  /** 0 to 1500 items */
  moves?: string[];
  /** 0 to 9007199254740992 */
  id?: number | null;
}

/** Ask for the game as text: `pgn` (for two), `pgn4` (for four), `smith`, `fen`, `json`. */
export interface ExportRequest {
  type: "export";
  /** 1 to 32 characters */
  room: string;
  /** 1 to 16 characters */
  format: string;
  /** 0 to 9007199254740992 */
  id?: number | null;
}

/**
 * The first request of a connection: who is there. Without a token a new guest identity is made, a `bot`'s if
 * it says so; with one, the identity it proves comes back, under the name it had. A `name` given along is the
 * new one.
 */
export interface HelloRequest {
  type: "hello";
  /** 0 to 256 characters */
  token?: string | null;
  /** 0 to 64 characters */
  name?: string | null;
  bot?: boolean;
  /** 0 to 9007199254740992 */
  id?: number | null;
}

/**
 * Take a seat, a named one or the first free, and follow the room: after `joined` comes the `room` snapshot.
 * Whoever already has a seat in the room gets that seat again.
 */
export interface JoinRequest {
  type: "join";
  /** 1 to 32 characters */
  room: string;
  /** 1 to 16 characters */
  seat?: string | null;
  /** 1 to 64 characters */
  password?: string | null;
  /** 0 to 9007199254740992 */
  id?: number | null;
}

/**
 * Free a seat before the game has started: of its player, who can't sit down in this room again, or of the
 * bot invited to it. The right of who opened the room.
 */
export interface KickRequest {
  type: "kick";
  /** 1 to 32 characters */
  room: string;
  /** 1 to 16 characters */
  seat: string;
  /** 1 to 64 characters */
  key?: string | null;
  /** 0 to 9007199254740992 */
  id?: number | null;
}

/** Stop following a room; before the game has started this also gives the seat back. */
export interface LeaveRequest {
  type: "leave";
  /** 1 to 32 characters */
  room: string;
  /** 0 to 9007199254740992 */
  id?: number | null;
}

/** Ask for the legal moves of the player to move, or of one square. */
export interface LegalRequest {
  type: "legal";
  /** 1 to 32 characters */
  room: string;
  /** 2 to 3 characters */
  square?: string | null;
  /** 0 to 9007199254740992 */
  id?: number | null;
}

/** Play a move, in coordinate notation (`e2e4`, `e7e8q`, castling as the king's move `e1g1`). */
export interface MoveRequest {
  type: "move";
  /** 1 to 32 characters */
  room: string;
  /** 1 to 16 characters */
  move: string;
  /** 0 to 9007199254740992 */
  seq: number;
  /** 1 to 64 characters */
  key: string;
  /** 0 to 9007199254740992 */
  id?: number | null;
}

/** Ask for a sign of life, with the server's time. */
export interface PingRequest {
  type: "ping";
  /** 0 to 9007199254740992 */
  id?: number | null;
}

/**
 * Put something to the vote: an undo or redo (of `plies` moves), a draw (in `ffa`: to end now, on points),
 * after the end a rematch, or that a bot of `level` stands in for the absent player at `seat`, or that this
 * player is removed.
 */
export interface ProposeRequest {
  type: "propose";
  /** 1 to 32 characters */
  room: string;
  kind: "draw" | "redo" | "rematch" | "remove" | "stand_in" | "undo";
  /** 0 to 9007199254740992 */
  seq: number;
  /** 1 to 64 characters */
  key: string;
  /** 1 to 2147483648 */
  plies?: number | null;
  /** 1 to 16 characters */
  seat?: string | null;
  /** 1 to 5 */
  level?: number | null;
  /** 0 to 9007199254740992 */
  id?: number | null;
}

/**
 * Read a game, or a position, from a text, so that a room can be opened with it (`create`). Of several games
 * it is the first. Without a `format` it is found by what the text looks like. A frame holds a game of some
 * hundred moves without its comments and variations: leave these out.
 */
export interface ReadRequest {
  type: "read";
  /** 1 to 8000 characters */
  text: string;
  format?: "fen" | "pgn" | "pgn4" | "smith" | null;
  /** 0 to 9007199254740992 */
  id?: number | null;
}

/** Give up the game. */
export interface ResignRequest {
  type: "resign";
  /** 1 to 32 characters */
  room: string;
  /** 1 to 64 characters */
  key: string;
  /** 0 to 9007199254740992 */
  id?: number | null;
}

/**
 * Ask for the public rooms that are open or being played, newest first; those in which nobody is come last.
 * With `follow` true, each change to that list is then pushed on this connection as `lobby`, until a request
 * with `follow` false or for another list; left out, it changes nothing.
 */
export interface RoomsRequest {
  type: "rooms";
  /** 1 to 32 characters */
  variant?: string | null;
  status?: "open" | "playing" | null;
  /** 1 to 100 */
  limit?: number;
  follow?: boolean | null;
  /** 0 to 9007199254740992 */
  id?: number | null;
}

/**
 * Say something to `all` in a followed room, or to the `table`, which the seated alone do and hear. It is
 * heard as `said`.
 */
export interface SayRequest {
  type: "say";
  /** 1 to 32 characters */
  room: string;
  /** 1 to 200 characters */
  text: string;
  to?: "all" | "table";
  /** 0 to 9007199254740992 */
  id?: number | null;
}

/**
 * Play with whoever seeks the same: sit down in the room where others wait, or be the first to wait. After
 * `joined` comes the `room` snapshot, as after a `join`. A connection seeks one game at a time: another
 * `seek` gives the earlier one up. Before somebody is paired, those who wait must answer a ping: who is gone
 * loses the seat. At a table of more than two, nobody sits with others of their own address (but for those on
 * the server's own machine).
 */
export interface SeekRequest {
  type: "seek";
  /** 1 to 32 characters */
  variant?: string;
  clock?: Clock | null;
  /** 0 to 9007199254740992 */
  id?: number | null;
}

/**
 * Run the bots of this service: be told by `summon` of every seat that waits for one. Answered by `ok`. `key`
 * is what the one who runs the server gives to the hosts of bots; the server's own has it.
 */
export interface ServeRequest {
  type: "serve";
  /** 1 to 256 characters */
  key: string;
  /** 0 to 9007199254740992 */
  id?: number | null;
}

/** Give up what this connection seeks: the seat and the room. */
export interface UnseekRequest {
  type: "unseek";
  /** 0 to 9007199254740992 */
  id?: number | null;
}

/** Ask for the variants that can be played: seats, start arrays, boards, and what the rules differ in. */
export interface VariantsRequest {
  type: "variants";
  /** 0 to 9007199254740992 */
  id?: number | null;
}

/** Say yes or no to the open proposal, by its number. */
export interface VoteRequest {
  type: "vote";
  /** 1 to 32 characters */
  room: string;
  /** 1 to 2147483648 */
  proposal: number;
  accept: boolean;
  /** 1 to 64 characters */
  key: string;
  /** 0 to 9007199254740992 */
  id?: number | null;
}

/**
 * Follow a room. Answered by the `room` snapshot; or, with `since` (the last `seq` this client holds), by
 * `ok` and then every `update` after it, however old. `decided` is the `time` of the update `since`, or the
 * `decided` of the snapshot: with it, who has seen another game than the server keeps (`ahead`) is told
 * apart. Who watches for a `preview`, such as a lobby's small board, is not counted with those who watch,
 * nor, if he has a seat, shown as being there. A `join` or another `watch` ends that.
 */
export interface WatchRequest {
  type: "watch";
  /** 1 to 32 characters */
  room: string;
  /** 0 to 9007199254740992 */
  since?: number | null;
  /** 1 to 64 characters */
  password?: string | null;
  preview?: boolean;
  /** 0 to 9007199254740992 */
  decided?: number | null;
  /** 0 to 9007199254740992 */
  id?: number | null;
}

/** Take back the open proposal, by its number: one's own. */
export interface WithdrawRequest {
  type: "withdraw";
  /** 1 to 32 characters */
  room: string;
  /** 1 to 2147483648 */
  proposal: number;
  /** 1 to 64 characters */
  key: string;
  /** 0 to 9007199254740992 */
  id?: number | null;
}

/** A starting array: the names that `create` knows it by, and its position, as FEN or FEN4. */
export interface Array {
  names: string[];
  position: string;
}

/**
 * A board: so many files, lettered from a on the left, and so many ranks, numbered from 1 at the bottom, as
 * the first seat sees it; and the squares that are missing from it.
 */
export interface Board {
  files: number;
  ranks: number;
  missing: string[];
}

/** What is wrong with a position, everything at once; a game can begin from it if nothing is. */
export interface Checked {
  type: "checked";
  faults: Fault[];
  id?: number;
}

/**
 * The clocks: the control (`base`, `increment`, `delay`), what each seat has `left`, and `since` when that of
 * the seat to move runs (null: none does). All in milliseconds.
 */
export interface Clocks {
  base: number;
  increment: number;
  delay: number;
  left: Record<string, number>;
  since: number | null;
}

/**
 * A vote is over: `carried`, `refused`, `expired` (silence is a no), `superseded` (the game went on) or
 * `withdrawn` (by its proposer).
 */
export interface Closed {
  type: "closed";
  proposal: number;
  outcome: string;
}

/**
 * The server is about to close the connection; reconnect after `retry` milliseconds and resume. The `reason`
 * is `restart`, or `store`: this server can't reach its store, and another may.
 */
export interface Closing {
  type: "closing";
  reason: string;
  retry: number;
}

/** How time is given, in milliseconds: see the client's `clock`. */
export interface Control {
  base: number;
  increment: number;
  delay: number;
}

/** The room is open. */
export interface Created {
  type: "created";
  room: string;
  id?: number;
}

/** A clock got time back, because the service itself was away: `milliseconds`, for outages up to `until`. */
export interface Credited {
  type: "credited";
  seat: string;
  milliseconds: number;
  until: number;
}

/**
 * A player of a four-player game is out; the army stays on the board, grey. `reason` says how, `by` whose
 * move did it (null if nobody's). A king that walks on has another of these when it is lost: `checkmate`,
 * `stalemate` or `king_captured`.
 */
export interface Eliminated {
  type: "eliminated";
  seat: string;
  reason: string;
  by: string | null;
}

/**
 * Not done, and why: see `fourfold.protocol.errors`. `seq` is the room's version now, where a room was meant;
 * `retry` says after how many milliseconds it may be tried again, where that is all that is wrong.
 */
export interface Error {
  type: "error";
  kind: string;
  code: string;
  message: string;
  room?: string;
  seq?: number;
  retry?: number;
  id?: number;
}

/** The game as text. */
export interface Exported {
  type: "exported";
  room: string;
  format: string;
  text: string;
  seq: number;
  id?: number;
}

/**
 * One reason why no game can begin from a position: a code for programs, a sentence for people. The codes:
 * `missing_king`, `extra_king`, `extra_walking_king` (of a player who is out), `adjacent_kings` (of enemies),
 * `turn_of_dead_seat`, `dead_seat_in_teams`, `pawn_on_first_rank`, `pawn_on_last_rank`,
 * `impossible_castling_right`, `impossible_en_passant`, `opponent_in_check` (who has just moved),
 * `impossible_check` (three checks or more at once, which no moves can have given), `position_over`.
 */
export interface Fault {
  code: string;
  message: string;
}

/** The game is over; `scores` is what everybody now has from the series (1 for a win, ½ for a draw survived). */
export interface Finished {
  type: "finished";
  result: Result;
  scores: Record<string, number>;
}

/** A player ran out of time. */
export interface Flagged {
  type: "flagged";
  seat: string;
  sight: Sight | null;
}

/** A bot of a level is asked to come: to a free seat, or to stand in for its absent player. */
export interface Invited {
  type: "invited";
  seat: string;
  level: number;
}

/** The seat is yours. */
export interface Joined {
  type: "joined";
  room: string;
  seat: string;
  seq: number;
  id?: number;
}

/** The legal moves asked for, of the player to move. */
export interface Legal {
  type: "legal";
  room: string;
  seat: string;
  moves: string[];
  seq: number;
  id?: number;
}

/**
 * A seat as the lobby shows it: the name of who sits there, null while it is free; `bot` is true of a bot's
 * seat, be it there or only invited.
 */
export interface ListedSeat {
  seat: string;
  name: string | null;
  bot: boolean;
}

/**
 * A room as the lobby shows it. `clock` is null in an untimed game; `locked` says that a password is asked,
 * `seek` that it was opened by a `seek`, `empty` that nobody is there, neither a player nor anybody who
 * watches. `ply`, `watchers` and `empty` may be some seconds old.
 */
export interface Listing {
  room: string;
  variant: string;
  clock: Control | null;
  status: "open" | "playing";
  seats: ListedSeat[];
  ply: number;
  watchers: number;
  created: number;
  locked: boolean;
  seek: boolean;
  empty: boolean;
}

/**
 * What has changed in the list of rooms this connection follows: entries that are new or different, and rooms
 * that are no longer in it. At most twice a second.
 */
export interface Lobby {
  type: "lobby";
  changed: Listing[];
  removed: string[];
}

/** A move in coordinate notation; `ply` counts the moves of the game's line, this one included. */
export interface Moved {
  type: "moved";
  seat: string;
  move: string;
  ply: number;
  tick: Tick | null;
  sight: Sight | null;
}

/** What a move is worth whose piece checks so many `kings`: if that is a queen, and if it is another. */
export interface MultiCheck {
  kings: number;
  queen: number;
  other: number;
}

/** Done and durable. `seq` is the version at which it was done. */
export interface Ok {
  type: "ok";
  room?: string;
  seq?: number;
  id?: number;
}

/**
 * A game that was read: what to `create` so that it goes on. A room begins with everybody who still plays,
 * and nobody else: if somebody leaves the game in the text, `position` is behind that, and `skipped` says
 * behind how many moves (null: nobody does). `last` is a move behind `moves` that ends the game; `ended` says
 * why it ended without one; `stopped` says where the text could not be followed, and `remarks` what was read
 * on past: a draw that only our rules give (`past_draw`), a null move (`null_move`).
 */
export interface Parsed {
  type: "parsed";
  variant: string;
  position: string | null;
  moves: string[];
  skipped: number | null;
  last: string | null;
  ended: string | null;
  stopped: Stop | null;
  remarks: Stop[];
  id?: number;
}

/** Who comes to a seat for the next game, and with what score. */
export interface Player {
  seat: string;
  player: string;
  name: string;
  score: number;
}

/**
 * What counts where points decide. `pieces` is for the capture of each, `king` for a king's mate or capture,
 * `stalemate` to who is stalemated. `walking_stalemate` goes to every active player when a king that walks is
 * stalemated, `draw` to every active player in a draw, and again for each king that walks; `last` to the last
 * active player for each such king. `lead` is what a leader of the last two needs to claim the game, and
 * `king` more for each king that walks.
 */
export interface Points {
  pieces: Record<string, number>;
  king: number;
  stalemate: number;
  walking_stalemate: number;
  draw: number;
  last: number;
  checks: MultiCheck[];
  lead: number;
}

/** A sign of life. */
export interface Pong {
  type: "pong";
  time: number;
  id?: number;
}

/**
 * A player came online or went offline, or is now counted as away from another moment, `since` (null while
 * online): so it is after an outage of the service. Not part of the log.
 */
export interface Presence {
  type: "presence";
  room: string;
  seat: string;
  online: boolean;
  since: number | null;
}

/**
 * What a pawn may become: the letter behind the move (`e7e8q`), and that of the piece which then stands
 * there.
 */
export interface Promotion {
  move: string;
  piece: string;
}

/** The open vote: as `proposed`, with the answers so far by seat. */
export interface Proposal {
  proposal: number;
  kind: string;
  seat: string;
  plies: number | null;
  ply: number | null;
  position: string | null;
  electorate: string[];
  votes: Record<string, boolean>;
  deadline: number;
  absentee: string | null;
  level: number | null;
}

/**
 * A vote was opened: by `seat`, on going back or forth to `ply` (whose `position` is given), or on a draw.
 * `electorate` are the seats that must all agree before `deadline`; the proposer has. A stand-in or a removal
 * is about the seat `absentee`, a stand-in brings a bot of `level`.
 */
export interface Proposed {
  type: "proposed";
  proposal: number;
  kind: string;
  seat: string;
  plies: number | null;
  ply: number | null;
  position: string | null;
  electorate: string[];
  deadline: number;
  absentee: string | null;
  level: number | null;
}

/** Undone moves were played again, up to `ply`; the rest as in `undone`. */
export interface Redone {
  type: "redone";
  plies: number;
  ply: number;
  moves: string[];
  position: string;
  out: Record<string, string>;
  left: Record<string, number> | null;
}

/** The next game of the series begins from the same start, with full clocks; everybody has moved one seat on. */
export interface Rematched {
  type: "rematched";
  game: number;
  seats: Player[];
}

/** An absent player was voted out. */
export interface Removed {
  type: "removed";
  seat: string;
  sight: Sight | null;
}

/** A player gave up. */
export interface Resigned {
  type: "resigned";
  seat: string;
  sight: Sight | null;
}

/**
 * How a game ended: why, who won, the place of every seat, points where they count. Nobody in `winners`: a
 * draw. Several: in `teams`, partners; in `ffa`, a first place that they share. A game of `ffa` that is ended
 * by `agreement`, or by any other draw, has whoever then leads on points in `winners`.
 */
export interface Result {
  reason: string;
  winners: string[];
  standings: Record<string, number>;
  points: Record<string, number> | null;
}

/** A player is back in the seat that a bot held or was asked to. */
export interface Returned {
  type: "returned";
  seat: string;
}

/**
 * The snapshot: all there is to know of a room at `seq`. `status` is `open` (seats are free), `playing` or
 * `finished`. `start` is the FEN or FEN4 the game began from, `moves` its line so far, `position` where it
 * stands; `turn` is null unless playing. `redo` counts the undone moves that a redo could bring back; `game`
 * the games of the series. `host` is the player who opened the room. `check` are the seats whose king is
 * attacked. `visibility` is `public` or `private`; `locked` says that a password is asked of others, `chat`
 * whether there may be talk. With a `delay` (milliseconds) those without a seat see the game that much later;
 * `time` is then the time of what they see. Somebody who has been away for `absence` milliseconds is absent:
 * see *Votes*. `claims` says what a seat may `claim` now, if anything: `fifty_moves` or `threefold` on its
 * turn, `points` at any time. `decided` is the time of the decision that led to `seq`.
 */
export interface Room {
  type: "room";
  room: string;
  variant: string;
  status: "finished" | "open" | "playing";
  seats: Seat[];
  start: string;
  position: string;
  moves: string[];
  redo: number;
  clocks: Clocks | null;
  turn: string | null;
  proposal: Proposal | null;
  result: Result | null;
  watchers: number;
  seq: number;
  time: number;
  game: number;
  visibility: string;
  locked: boolean;
  chat: boolean;
  check: string[];
  delay: number;
  host: string;
  absence: number;
  claims: Record<string, string[]>;
  decided: number;
  id?: number;
}

/** The public rooms asked for, newest first; `more` says that there are others beyond the limit. */
export interface Rooms {
  type: "rooms";
  rooms: Listing[];
  more: boolean;
  id?: number;
}

/**
 * Somebody (`seat` is null for a watcher) has said something, to `all` or to the `table`. Not part of the
 * log.
 */
export interface Said {
  type: "said";
  room: string;
  seat: string | null;
  name: string;
  text: string;
  to: string;
  time: number;
}

/**
 * A seat as the snapshot shows it; `player` and `name` are null while it is free. `out` says why a player of
 * four is out of the game (`checkmate`, `resignation`, ..., or `set_up` when the game began without that
 * army), null while in it. `invited` is the level of a bot that is asked to come, `stand_in` the name of one
 * that plays for the absent player; `bot` says that the player is one. `score` is what the player has from
 * the series. `since` is the moment from which the absence of a player who is not `online` is counted, null
 * of others.
 */
export interface Seat {
  seat: string;
  player: string | null;
  name: string | null;
  online: boolean;
  out: string | null;
  bot: boolean;
  invited: number | null;
  stand_in: string | null;
  score: number;
  since: number | null;
}

/** A player took a seat. */
export interface Seated {
  type: "seated";
  seat: string;
  player: string;
  name: string;
}

/**
 * A seat of a variant: its name, the letter of its pieces in FEN4 and in `sight`, the number of its team
 * (others' with the same number are partners), and which way its pawns go: `north`, to higher ranks; `east`,
 * to later files; `south` or `west`.
 */
export interface Side {
  seat: string;
  letter: string;
  team: number;
  forward: string;
}

/**
 * How the board looks after a step, for those who draw it without knowing the rules. `text` is the move as
 * people write it: SAN for two, long algebraic notation for four; empty for a departure. `changes` are the
 * squares on which something else stands than before, with what does now: a cell of FEN4 (`rP`, `drP` if
 * grey), with `w` and `b` for two; null if nothing does. `check` are the seats whose king is attacked,
 * `points` what each has where points count.
 */
export interface Sight {
  text: string;
  changes: Record<string, string | null>;
  check: string[];
  points: Record<string, number> | null;
}

/** All seats are taken; the first seat is to move. */
export interface Started {
  type: "started";
}

/** A bot plays for an absent player, until that player returns. */
export interface StoodIn {
  type: "stood_in";
  seat: string;
  player: string;
  name: string;
}

/**
 * Where the reading of a game stopped: the line of the text (0: by the rules, not by the text), the number of
 * the move there, what it says, and why it can't be played.
 */
export interface Stop {
  line: number;
  ply: number;
  move: string;
  code: string;
  message: string;
}

/** To a host of bots alone: a seat waits for a bot of `level`, who says hello with this `token` and joins. */
export interface Summon {
  type: "summon";
  room: string;
  seat: string;
  level: number;
  token: string;
}

/**
 * What a move did to its player's clock, in milliseconds: `spent` was taken and `gained` added, so much is
 * `left`; `lag`, the network's part, was given back before that and is not in `spent`.
 */
export interface Tick {
  spent: number;
  lag: number;
  gained: number;
  left: number;
}

/**
 * To the player to move alone: it is your turn, and these are the legal moves. `claims` are what you may
 * `claim` instead; left out, nothing.
 */
export interface Turn {
  type: "turn";
  room: string;
  seq: number;
  seat: string;
  legal: string[];
  claims?: string[];
}

/**
 * The game went back `plies` moves: to `ply`, whose whole state is restored; `out` are the seats out of the
 * game at that ply, with the reason, `left` the clocks.
 */
export interface Undone {
  type: "undone";
  plies: number;
  ply: number;
  position: string;
  out: Record<string, string>;
  left: Record<string, number> | null;
}

/**
 * A seat is free again before the start: its player gave it back or was away for too long; or was `kicked`,
 * sent away by the host.
 */
export interface Unseated {
  type: "unseated";
  seat: string;
  kicked?: boolean;
}

/** One decision: all its events happened at once, at `seq`. */
export interface Update {
  type: "update";
  room: string;
  seq: number;
  time: number;
  events: Event[];
}

/**
 * A variant, with what its rules differ in from the others'. `starts` has the usual array first. A pawn
 * promotes at `promotion_rank`, counted from its own side with 1 as the rank of its king, or where the board
 * ends in front of it if that is null. `worth` is what pieces are commonly held to be worth. `en_passant` and
 * `dead_kings_walk` say whether there is such a thing; `stalemate` is `"draw"` or, if its player goes out,
 * `"out"`; `lone_minors_draw` whether the last two draw also with a knight or a bishop each. After
 * `moves_without_progress` of each player without a capture or a pawn's move the game is drawn, or may be
 * claimed as a draw where `claims` has `fifty_moves`.
 */
export interface Variant {
  variant: string;
  title: string;
  summary: string;
  seats: Side[];
  board: Board;
  starts: Array[];
  promotion_rank: number | null;
  promotions: Promotion[];
  worth: Record<string, number>;
  points: Points | null;
  en_passant: boolean;
  dead_kings_walk: boolean;
  stalemate: string;
  lone_minors_draw: boolean;
  moves_without_progress: number;
  claims: string[];
}

/** The variants that can be played, in the order in which people are asked. */
export interface Variants {
  type: "variants";
  variants: Variant[];
  id?: number;
}

/** One elector's answer. */
export interface Voted {
  type: "voted";
  proposal: number;
  seat: string;
  accept: boolean;
}

/** How many watch. Not part of the log. */
export interface Watchers {
  type: "watchers";
  room: string;
  count: number;
}

/**
 * Who you are: `player` is public; `token` is yours alone and brings the identity back. `build` names the
 * version of the browser client that this server hands out, empty if it has none.
 */
export interface Welcome {
  type: "welcome";
  player: string;
  name: string;
  token: string;
  server: string;
  time: number;
  build: string;
  id?: number;
}

/** Every request by its `type`. */
export interface Requests {
  hello: HelloRequest;
  create: CreateRequest;
  check: CheckRequest;
  read: ReadRequest;
  join: JoinRequest;
  watch: WatchRequest;
  leave: LeaveRequest;
  bot: BotRequest;
  kick: KickRequest;
  close: CloseRequest;
  move: MoveRequest;
  propose: ProposeRequest;
  vote: VoteRequest;
  withdraw: WithdrawRequest;
  claim: ClaimRequest;
  resign: ResignRequest;
  abort: AbortRequest;
  legal: LegalRequest;
  say: SayRequest;
  export: ExportRequest;
  rooms: RoomsRequest;
  seek: SeekRequest;
  unseek: UnseekRequest;
  serve: ServeRequest;
  variants: VariantsRequest;
  ping: PingRequest;
}

/** What a request that is not refused is answered by. */
export interface Answers {
  hello: Welcome;
  create: Created;
  check: Checked;
  read: Parsed;
  join: Joined;
  watch: Ok | Room;
  leave: Ok;
  bot: Ok;
  kick: Ok;
  close: Ok;
  move: Ok;
  propose: Ok;
  vote: Ok;
  withdraw: Ok;
  claim: Ok;
  resign: Ok;
  abort: Ok;
  legal: Legal;
  say: Ok;
  export: Exported;
  rooms: Rooms;
  seek: Joined;
  unseek: Ok;
  serve: Ok;
  variants: Variants;
  ping: Pong;
}

/** Every frame of a server by its `type`. */
export interface Frames {
  welcome: Welcome;
  created: Created;
  variants: Variants;
  checked: Checked;
  parsed: Parsed;
  joined: Joined;
  ok: Ok;
  error: Error;
  pong: Pong;
  legal: Legal;
  exported: Exported;
  room: Room;
  update: Update;
  turn: Turn;
  presence: Presence;
  watchers: Watchers;
  said: Said;
  rooms: Rooms;
  lobby: Lobby;
  summon: Summon;
  closing: Closing;
}

/** Every event of an `update` by its `type`. */
export interface Events {
  seated: Seated;
  unseated: Unseated;
  invited: Invited;
  stood_in: StoodIn;
  returned: Returned;
  started: Started;
  moved: Moved;
  resigned: Resigned;
  flagged: Flagged;
  removed: Removed;
  credited: Credited;
  eliminated: Eliminated;
  proposed: Proposed;
  voted: Voted;
  closed: Closed;
  undone: Undone;
  redone: Redone;
  finished: Finished;
  rematched: Rematched;
}

export type Request = Requests[keyof Requests];
export type Frame = Frames[keyof Frames];
export type Event = Events[keyof Events];
