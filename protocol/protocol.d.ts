/**
 * The messages of the Fourfold protocol, version 1: see README.md beside this file.
 * Made by `python -m fourfold.protocol`; do not edit.
 */

/** End the game without a result, as long as some player has never moved. An undone move counts. */
export interface AbortRequest {
  type: "abort";
  /** 1 to 32 characters */
  room: string;
  /** 1 to 64 characters */
  key: string;
  /** 0 to 9007199254740992 */
  id?: number | null;
}

/** Ask for what is stored about one's account: its name, passkeys, and the devices on which it is signed in. */
export interface AccountRequest {
  type: "account";
  /** 0 to 9007199254740992 */
  id?: number | null;
}

/** Add chapters behind the others. */
export interface AddChapters {
  type: "add_chapters";
  source?: Source;
}

/**
 * Become the server's first admin, by the `code` that the server has printed at its start. It is good once,
 * and only for an account.
 */
export interface AdministerRequest {
  type: "administer";
  /** 1 to 64 characters */
  code: string;
  /** 0 to 9007199254740992 */
  id?: number | null;
}

/**
 * Say who may write: the `owner` alone, `named` writers too, each a player's id or the name of an account, or
 * `everybody` who may see the study. The owner's right.
 */
export interface Allow {
  type: "allow";
  write: "everybody" | "named" | "owner";
  /** 0 to 64 items */
  writers?: string[];
}

/**
 * Ask for the best `lines` in a position, which is named as in `explore`: those of level 5, or of an engine
 * that the server was started with. They come as `lines` frames with this `key`, deeper and deeper, for up to
 * `ms` milliseconds; the last one says that it is `done`. A connection has one analysis: the next one ends
 * it, and so does `unanalyse`. All who ask share what time games leave. Refused (`fair_play`) while a game
 * that is played from your account or your address is near this position: see *Fair play*.
 */
export interface AnalyseRequest {
  type: "analyse";
  /** 1 to 64 characters */
  key: string;
  /** 1 to 32 characters */
  variant?: string;
  /** 0 to 4096 characters */
  position?: string | null;
  /** 0 to 1500 items */
  moves?: string[];
  /** 1 to 32 characters */
  room?: string | null;
  /** 0 to 1500 */
  ply?: number | null;
  /** 1 to 5 */
  lines?: number;
  /** 100 to 60000 */
  ms?: number;
  /** 0 to 9007199254740992 */
  id?: number | null;
}

/** Give a move glyphs, PGN's numeric ones (1 is `!`, 2 is `?`), instead of those before. */
export interface Annotate {
  type: "annotate";
  /** 1 to 2147483648 */
  chapter: number;
  /** 0 to 2147483648 */
  node: number;
  /** 0 to 8 items */
  glyphs: number[];
}

/**
 * Answer a `challenge`: yes or no, which may have a `reason` and some words of one's own. A yes is refused
 * while the challenger is away.
 */
export interface AnswerRequest {
  type: "answer";
  /** 1 to 32 characters */
  challenge: string;
  accept: boolean;
  reason?: "casual" | "generic" | "later" | "no_bot" | "only_bot" | "rated" | "standard" | "time_control" | "too_fast" | "too_slow" | "variant" | null;
  /** 0 to 200 characters */
  text?: string;
  /** 0 to 9007199254740992 */
  id?: number | null;
}

/**
 * Invite a bot of a level to a free seat, the named one or the first. Only the host may do this: the player
 * who opened the room. Refused (`fair_play`) where the bot would show what is good in another game: see *Fair
 * play*.
 */
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

/** Take one's own `challenge` back. */
export interface CancelRequest {
  type: "cancel";
  /** 1 to 32 characters */
  challenge: string;
  /** 0 to 9007199254740992 */
  id?: number | null;
}

/**
 * Challenge players to a game: for two the `player`; for more, `seats` says who is asked to which seat, or
 * which level of computer player sits there. All seats but one are named; that one, or `seat`, is the
 * challenger's. For two, sides are drawn if no seat is named. `rated` is as in `create`. If `seats` names all
 * seats, and not the challenger, a game between others is arranged: only moderators may, also by a token to
 * `organize`. With a `room`, which is open, `seats` names one of its seats and who is asked to it: a player,
 * or a level. Only the host may do this. The game is the table's, whatever else the request says of it. A yes
 * takes this seat; if it cannot be taken any more, the challenge is `cancelled`, and its `reason` is the code
 * of the refusal. A player is named by id, or by a name that only one player has: of an account, or of a
 * guest who is online. Each is sent the `challenge`, whatever their connection, and again when they connect.
 * When all have said yes, a room is opened in which all are seated; computer players, by level or as `level1`
 * to `level5`, say yes at once. Without an `answer` from all it expires after five minutes. Sent again with
 * the same `key`, it is no second challenge.
 */
export interface ChallengeRequest {
  type: "challenge";
  /** 1 to 64 characters */
  player?: string | null;
  seats?: Record<string, string | number>;
  /** 1 to 16 characters */
  seat?: string | null;
  /** 1 to 32 characters */
  room?: string | null;
  /** 1 to 32 characters */
  variant?: string;
  clock?: Clock | null;
  visibility?: "private" | "public";
  rated?: boolean;
  /** 1 to 64 characters */
  key?: string | null;
  /** 0 to 9007199254740992 */
  id?: number | null;
}

/**
 * Ask whether a game can begin from a position, and for every reason why not, without opening a room.
 * `variant` and `position` are as in `create`.
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

/**
 * End the game by what the rules let this player claim: see `claims` in `room` and `turn`. This needs no
 * vote.
 */
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
 * A time control, in milliseconds: `base` for the game, and an `increment` or a `delay` for each move. With a
 * `base` of 0 each move has a limit of its own, the `delay`, which must then be more than 0.
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
 * lobby. Only the host may do this.
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
 * Say something of a move, instead of what was said before; nothing, to remove it. `seq` is the version of
 * the study that the writer sees. If somebody has changed the comment since, the server refuses the edit
 * (`comment_changed`), and the message has the new text. Without `seq` the edit replaces any text.
 */
export interface Comment {
  type: "comment";
  /** 1 to 2147483648 */
  chapter: number;
  /** 0 to 2147483648 */
  node: number;
  /** 0 to 5000 characters */
  text: string;
  seq?: number | null;
}

/**
 * Open a room. `position` is a FEN (two players), a FEN4 (four), or the name of a start array (`modern`,
 * `classic`); without it, the variant's usual start. `moves` (as in `move`) have been played from there
 * already, and can be undone. Without a `clock` the game is untimed. A `private` room is in no list; clients
 * need its id. A `password` is needed to join or watch, but not by the host, by seated players, or by bots
 * that this server runs. `chat` false turns chat off. With a `delay`, in milliseconds, watchers see the game
 * that much later than the players. With `rated` false the game changes no ratings; else it does if everybody
 * who plays has a rating: see *Ratings*. Sent again with the same `key`, no second room is opened.
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
  rated?: boolean;
  /** 0 to 9007199254740992 */
  id?: number | null;
}

/** Delete the study for good, for everybody. The owner's right. */
export interface Delete {
  type: "delete";
}

/** A seat of a game for four that went out, why, and, if anybody put it out, who did. */
export interface Departed {
  seat: string;
  reason: string;
  by: string | null;
}

/**
 * Get one's own games as text, those that are over, newest first: the games that `games` finds with one's own
 * id as `player` and the same fields, if they are written in the `format`. `pgn` is for two players, `pgn4`
 * for four, `ndjson` for all: a line of JSON for each game. A reply has some of them, and says what to name
 * as `after` to get more.
 */
export interface DownloadRequest {
  type: "download";
  format: "ndjson" | "pgn" | "pgn4";
  /** 1 to 64 characters */
  with?: string | null;
  /** 1 to 64 characters */
  with_name?: string | null;
  /** 1 to 32 characters */
  variant?: string | null;
  /** 2 to 8 */
  players?: number | null;
  result?: "aborted" | "drawn" | "lost" | "won" | null;
  /** 0 to 9007199254740992 */
  since?: number | null;
  /** 0 to 9007199254740992 */
  until?: number | null;
  after?: string | null;
  /** 0 to 9007199254740992 */
  id?: number | null;
}

/** Draw arrows and marks on a position, instead of those before. */
export interface Draw {
  type: "draw";
  /** 1 to 2147483648 */
  chapter: number;
  /** 0 to 2147483648 */
  node: number;
  /** 0 to 64 items */
  shapes: Shape[];
}

/** Change a study. An `ok` that no `update` follows means that it was like that already. */
export interface EditRequest {
  type: "edit";
  /** 1 to 32 characters */
  room: string;
  change: Change;
  /** 1 to 64 characters */
  key?: string | null;
  /** 0 to 9007199254740992 */
  id?: number | null;
}

/** Add a passkey to one's account: a browser's answer as JSON. */
export interface EnrollRequest {
  type: "enroll";
  /** 2 to 6000 characters */
  passkey: string;
  /** 0 to 64 characters */
  device?: string;
  /** 0 to 9007199254740992 */
  id?: number | null;
}

/**
 * From a host of bots: how many positions of the game of an `examine` it has `looked` at; then the positions,
 * each `judged`, from the first on; at the end, what is to be said of the whole (`summary`), with the
 * `puzzles` of the game. Refused (`no_such_job`) if nobody waits for it any more.
 */
export interface ExaminedRequest {
  type: "examined";
  /** 1 to 64 characters */
  job: string;
  looked?: number;
  judged?: JudgedPly | null;
  summary?: Summary | null;
  /** 0 to 50 items */
  puzzles?: Puzzle[];
  done?: boolean;
  /** 0 to 9007199254740992 */
  id?: number | null;
}

/**
 * Ask what was played from a position in the games of the archive: those that are public, or imported, and
 * were not aborted; their first 40 moves. `variant` and `position` are as in `create`; or `room` names a
 * room, and `ply` how many of the moves of its game have been played (null: all). `moves` (as in `move`) lead
 * on from there.
 */
export interface ExploreRequest {
  type: "explore";
  /** 1 to 32 characters */
  variant?: string;
  /** 0 to 4096 characters */
  position?: string | null;
  /** 0 to 1500 items */
  moves?: string[];
  /** 1 to 32 characters */
  room?: string | null;
  /** 0 to 1500 */
  ply?: number | null;
  /** 0 to 9007199254740992 */
  id?: number | null;
}

/**
 * Ask for the game as text: `pgn` (for two), `pgn4` (for four), `smith`, `fen`, `json`. An imported game
 * comes as its record had it, word for word, in the format of that. With `ply`, `fen` is the position after
 * so many of the game's moves; in no other format is a part of a game written. Of a study, `pgn` or `pgn4`:
 * all chapters that are written so, with their variations, or the one of a number.
 */
export interface ExportRequest {
  type: "export";
  /** 1 to 32 characters */
  room: string;
  /** 1 to 16 characters */
  format: string;
  /** 1 to 2147483648 */
  chapter?: number | null;
  /** 0 to 1500 */
  ply?: number | null;
  /** 0 to 9007199254740992 */
  id?: number | null;
}

/**
 * Follow a player who has an account, by id or name: `following` lists them. It needs an account of one's
 * own.
 */
export interface FollowRequest {
  type: "follow";
  /** 1 to 64 characters */
  player: string;
  /** 0 to 9007199254740992 */
  id?: number | null;
}

/** List whom one follows. */
export interface FollowingRequest {
  type: "following";
  /** 0 to 9007199254740992 */
  id?: number | null;
}

/**
 * From a host of bots: what it has found for the `job` of a `consult`. Refused (`no_such_job`) if nobody
 * waits for it any more.
 */
export interface FoundRequest {
  type: "found";
  /** 1 to 64 characters */
  job: string;
  /** 0 to 1000 */
  depth: number;
  /** 0 to 9007199254740992 */
  nodes: number;
  /** 0 to 5 items */
  lines: Line[];
  /** 0 to 4 items */
  threats: Threat[];
  done: boolean;
  /** 0 to 9007199254740992 */
  id?: number | null;
}

/**
 * Search for games, newest first: those of a `player`, of a player `with` another, of a `room`, or all public
 * ones. Players are named by their ids, or by their names: `name` finds the public games of all who are
 * called so, `with_name` those in which such a player played too. The case of letters does not matter.
 * `players` is how many play. The first page begins with the games that are being played. A page says what to
 * name as `after` to get the next one. `result` is the player's; without `player` and `name`, `drawn` and
 * `aborted` are the game's. `since` and `until` bound the time of its end, in milliseconds since 1970. A
 * player finds all of their own games; others find public ones, and public games without a `player` some
 * minutes after they have ended.
 */
export interface GamesRequest {
  type: "games";
  /** 1 to 64 characters */
  player?: string | null;
  /** 1 to 64 characters */
  with?: string | null;
  /** 1 to 64 characters */
  name?: string | null;
  /** 1 to 64 characters */
  with_name?: string | null;
  /** 1 to 32 characters */
  variant?: string | null;
  /** 2 to 8 */
  players?: number | null;
  result?: "aborted" | "drawn" | "lost" | "won" | null;
  /** 0 to 9007199254740992 */
  since?: number | null;
  /** 0 to 9007199254740992 */
  until?: number | null;
  after?: string | null;
  /** 1 to 50 */
  limit?: number;
  /** 1 to 32 characters */
  room?: string | null;
  /** 0 to 9007199254740992 */
  id?: number | null;
}

/**
 * Make an access token, for a program that says `hello` with it: to `play` as this player, to play and
 * `moderate` as a player who is a moderator, to `organize` games between others as such a one, or for a `bot`
 * of a `name` of its own, which belongs to this player's account and is marked as a bot wherever it plays.
 * Only moderators get tokens to `moderate` and to `organize`. The token does not change the account, lasts
 * ten years, and is in the account's list of sessions, to be revoked.
 */
export interface GrantRequest {
  type: "grant";
  scope: "bot" | "moderate" | "organize" | "play";
  /** 1 to 64 characters */
  name: string;
  /** 0 to 9007199254740992 */
  id?: number | null;
}

/**
 * The first request of a connection: says who the client is. Without a `token` the client becomes a new
 * guest, or a new bot if `bot` is true. With a token it becomes the player whom the token proves, under the
 * name the player had. A `name` sent along is a guest's new name; an account keeps its own. A guest's name
 * that looks like that of an account, a computer player or the staff is marked "(guest)"; that of a bot
 * without an account, "(bot)". A bot may say what it `plays`: `people` tells others, and the service declines
 * other challenges in its name.
 */
export interface HelloRequest {
  type: "hello";
  /** 0 to 256 characters */
  token?: string | null;
  /** 0 to 64 characters */
  name?: string | null;
  bot?: boolean;
  plays?: Plays | null;
  /** 0 to 9007199254740992 */
  id?: number | null;
}

/**
 * Take a seat, the named one or the first that is free, and follow the room: after `joined` comes the `room`
 * snapshot. A player who already has a seat in the room gets that seat again. In a rated game of more than
 * two, no account sits beside another player of its address, nor a bot with an account where there are no
 * teams: `same_address`. See *Ratings*.
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
 * A position of a game that was reviewed: the `shares` of the seats, as in `lines`, and the `best` move. Of
 * the move that led to it: whose it was (`seat`; null at the start), its `mark` (`?!`, `?`, `??`; null:
 * none), and what is to be said of it. Who went `out` of the game by it or after it, before the next one; and
 * the `points` of each seat, where they count.
 */
export interface JudgedPly {
  shares: Record<string, number>;
  best: string | null;
  seat: string | null;
  mark: string | null;
  remark: string | null;
  out: Departed[];
  points: Record<string, number> | null;
}

/**
 * Free a seat before the game has started: from the bot invited to it, or from its player. The player can't
 * take a seat in this room again, nor can guests from the player's address. Only the host may do this.
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

/**
 * Ask who stands highest in a variant, and for two players at a `speed`: accounts whose rating is certain,
 * and who have played in the last 90 days. The computer players are between them. With `bots` true, only
 * bots.
 */
export interface LeaderboardRequest {
  type: "leaderboard";
  /** 1 to 32 characters */
  variant?: string;
  speed?: "blitz" | "bullet" | "classical" | "rapid" | "untimed" | null;
  /** 1 to 100 */
  limit?: number;
  bots?: boolean;
  /** 0 to 9007199254740992 */
  id?: number | null;
}

/** Stop following a room, or a study. Before the game has started this also frees the player's seat. */
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

/**
 * A way in which the game may go on: its `moves` as in `move`, as people write them (`texts`), and who makes
 * each (`seats`). `score` is what the position is then worth to the player to move, in hundredths of a pawn.
 * `mate` is after how many moves of the line a win is forced, or a loss, if it is negative; null if none was
 * found. `shares` are the chances of each seat to win the game, with half of a draw: they add up to 1.
 */
export interface Line {
  moves: string[];
  texts: string[];
  seats: string[];
  score: number;
  mate: number | null;
  shares: Record<string, number>;
}

/**
 * Sign in to an account, by a passkey (a browser's answer as JSON), a recovery code, or what an OpenID
 * provider has sent. The reply has a token, with which a new connection says `hello`; this connection stays
 * who it is. If nobody has signed in by this provider's identity before, it is this player's from now on: a
 * guest becomes an account in place, under a name that the provider knows.
 */
export interface LoginRequest {
  type: "login";
  /** 2 to 6000 characters */
  passkey?: string | null;
  /** 1 to 64 characters */
  code?: string | null;
  oidc?: SignedIn | null;
  /** 0 to 64 characters */
  device?: string;
  /** 0 to 9007199254740992 */
  id?: number | null;
}

/**
 * Ask for the boards after some moves of a chapter, and what may be played there; with `attacks`, also for
 * the squares that each seat's pieces attack. Moves that were removed are left out of the answer.
 */
export interface LookRequest {
  type: "look";
  /** 1 to 32 characters */
  room: string;
  /** 1 to 2147483648 */
  chapter: number;
  /** 1 to 40 items */
  nodes: number[];
  attacks?: boolean;
  /** 0 to 9007199254740992 */
  id?: number | null;
}

/**
 * Do what a moderator does, with an account that has the role, or a token to `moderate`. `why` is told to
 * whom it concerns, and stands in the audit log; `seconds` is for how long (null: for good). `ban` or `mute`
 * a player (the id, or the name of the account; with all bots of the account), or ban an address or a network
 * (`203.0.113.0/24`); `lock` a room, so that nobody new comes in; `silence` the chat of the whole server;
 * keep a `word` out of chat and names, however it is written. `lift` an order by its id. `kick` from a room
 * the seat that `text` names, or `close` the room, before its game begins. `rename` an account to `text`.
 * `announce` a `text` to everybody. `appoint` an account to `text` (`moderator`, `admin`, or nothing): admins
 * alone.
 */
export interface ModerateRequest {
  type: "moderate";
  act: "announce" | "appoint" | "ban" | "close" | "kick" | "lift" | "lock" | "mute" | "rename" | "silence" | "word";
  /** 0 to 64 characters */
  target?: string;
  /** 0 to 200 characters */
  text?: string;
  /** 0 to 200 characters */
  why?: string;
  /** 1 to 316224000 */
  seconds?: number | null;
  /** 0 to 9007199254740992 */
  id?: number | null;
}

/**
 * Ask for what is ordered, what is reported and not settled, and what moderators have done lately: moderators
 * alone.
 */
export interface ModerationRequest {
  type: "moderation";
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

/**
 * Begin to sign in at the server's OpenID provider. The reply has the address to which a page goes; the
 * provider sends the browser back to `/signed-in` with a `state` and a `code`, which go into `login`, as the
 * same player.
 */
export interface OidcRequest {
  type: "oidc";
  /** 0 to 9007199254740992 */
  id?: number | null;
}

/** Put a chapter at a place among all, 0 being the first. */
export interface OrderChapter {
  type: "order_chapter";
  /** 1 to 2147483648 */
  chapter: number;
  /** 0 to 1000 */
  place: number;
}

/**
 * Begin to `make` a passkey, or to `use` one. The reply has what a page passes to `navigator.credentials`;
 * what that returns goes, on the same connection, into `register`, `enroll` or `login`.
 */
export interface PasskeyRequest {
  type: "passkey";
  to: "make" | "use";
  /** 0 to 9007199254740992 */
  id?: number | null;
}

/**
 * Ask who is online, at all servers: first those who wait for a game, then those who play none. A page says
 * what to name as `after` to get the next one. With `follow` true, changes to this page are then sent on this
 * connection as `online`, until a request with `follow` false or for another page. With a `room`, only the
 * bots are told who play such games as its, all of them; those who play none now come first.
 */
export interface PeopleRequest {
  type: "people";
  /** 1 to 160 characters */
  after?: string | null;
  /** 1 to 100 */
  limit?: number;
  follow?: boolean | null;
  /** 1 to 32 characters */
  room?: string | null;
  /** 0 to 9007199254740992 */
  id?: number | null;
}

/**
 * Send the beginning of a text that chapters are made of and that is too long for one request, a piece at a
 * time. The `source` of the `study` or `edit` that follows has the end, and says how many pieces were sent.
 * They are kept until then, as long as the connection lasts. A piece of the `number` 0 begins anew.
 */
export interface PieceRequest {
  type: "piece";
  number: number;
  /** 1 to 8000 characters */
  text: string;
  /** 0 to 9007199254740992 */
  id?: number | null;
}

/** Ask whether the server is there, and for its time. */
export interface PingRequest {
  type: "ping";
  /** 0 to 9007199254740992 */
  id?: number | null;
}

/**
 * Add a move behind the move `after`, as in `move`; `--` passes the turn between two, and among four `R`, `T`
 * and `A`, with a seat's letter if it is not to move, take a player out. A move that is there is not added
 * again.
 */
export interface Play {
  type: "play";
  /** 1 to 2147483648 */
  chapter: number;
  /** 0 to 2147483648 */
  after: number;
  /** 1 to 16 characters */
  move: string;
}

/**
 * What a bot plays: in which `variants` and at which `speeds` (none named: all), games that are `rated` or
 * not (null: both), and how many `games` at once (null: any number).
 */
export interface Plays {
  /** 0 to 32 items */
  variants?: string[];
  /** 0 to 8 items */
  speeds?: ("blitz" | "bullet" | "classical" | "rapid" | "untimed")[];
  rated?: boolean | null;
  /** 1 to 1000 */
  games?: number | null;
}

/**
 * Make the variation that a move is in the main one where it last parts from a better one; with `whole`, all
 * the way from the start.
 */
export interface Promote {
  type: "promote";
  /** 1 to 2147483648 */
  chapter: number;
  /** 0 to 2147483648 */
  node: number;
  whole?: boolean;
}

/**
 * Open a vote: on an undo or redo (of `plies` moves), on a draw (in `ffa`: to end now, on points), after the
 * end on a rematch, on a bot of `level` to stand in for the absent player at `seat`, or on the removal of
 * that player.
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
 * A position of a game, after so many moves (`ply`), in which the player of `seat` missed something: a `mate`
 * or a `gain` (the `goal`). The `line` solves it: a move of the seat, a reply, and so on. For its last move,
 * any of `last` is as good.
 */
export interface Puzzle {
  ply: number;
  seat: string;
  goal: string;
  position: string;
  line: string[];
  last: string[];
}

/**
 * Ask for puzzles: positions of games that were reviewed, in which a player missed a mate or a gain. Of the
 * game of a `room`; or of the latest of one's own archived games, if there is none.
 */
export interface PuzzlesRequest {
  type: "puzzles";
  /** 1 to 32 characters */
  room?: string | null;
  /** 0 to 9007199254740992 */
  id?: number | null;
}

/**
 * Ask for the ratings of a player, by id or by the `name` of an account, with their latest `points` each (how
 * many at most); of oneself without either.
 */
export interface RatingsRequest {
  type: "ratings";
  /** 1 to 64 characters */
  player?: string | null;
  /** 1 to 64 characters */
  name?: string | null;
  /** 0 to 200 */
  points?: number;
  /** 0 to 9007199254740992 */
  id?: number | null;
}

/**
 * Read a game, or a position, from a text, so that a room can be opened with it (`create`). Of several games
 * the first is read. Without a `format` the server guesses it from the text. Leave out comments and
 * variations: a frame has room for a game of some hundred moves.
 */
export interface ReadRequest {
  type: "read";
  /** 1 to 8000 characters */
  text: string;
  format?: "fen" | "pgn" | "pgn4" | "smith" | null;
  /** 0 to 9007199254740992 */
  id?: number | null;
}

/**
 * Make a new recovery code for one's account. The reply has it, and no later one; the code before is no
 * longer good.
 */
export interface RecoveryRequest {
  type: "recovery";
  /** 0 to 9007199254740992 */
  id?: number | null;
}

/**
 * Make this guest an account: with the same player id, so that seats and games stay, and with a name of its
 * own. No other account has a name that looks the same. The account is proved by a passkey, if `passkey` has
 * a browser's answer as JSON, or else by a recovery code, which the reply has and no later one. The reply has
 * a new token, to be used from now on: the guest's is void at once. `device` is what the account's list of
 * devices calls this one.
 */
export interface RegisterRequest {
  type: "register";
  /** 1 to 64 characters */
  name: string;
  /** 2 to 6000 characters */
  passkey?: string | null;
  /** 0 to 64 characters */
  device?: string;
  /** 0 to 9007199254740992 */
  id?: number | null;
}

/** Remove a move, with all that follows it. */
export interface Remove {
  type: "remove";
  /** 1 to 2147483648 */
  chapter: number;
  /** 0 to 2147483648 */
  node: number;
}

/** Remove a chapter. */
export interface RemoveChapter {
  type: "remove_chapter";
  /** 1 to 2147483648 */
  chapter: number;
}

/** Give one's account another name. The reply has a new token. Muted players keep their names. */
export interface RenameRequest {
  type: "rename";
  /** 1 to 64 characters */
  name: string;
  /** 0 to 9007199254740992 */
  id?: number | null;
}

/**
 * Report a player to the moderators, from a room that one follows: who sits there, or has talked there. The
 * last lines and moves go along.
 */
export interface ReportRequest {
  type: "report";
  /** 1 to 32 characters */
  room: string;
  /** 1 to 64 characters */
  player: string;
  /** 1 to 200 characters */
  why: string;
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

/** Ask how a player's games have ended: by variant, by seat, and against each opponent. */
export interface ResultsRequest {
  type: "results";
  /** 1 to 64 characters */
  player: string;
  /** 0 to 9007199254740992 */
  id?: number | null;
}

/** Give the study another title. The owner's right. */
export interface Retitle {
  type: "retitle";
  /** 1 to 200 characters */
  title: string;
}

/**
 * Ask for the review of the game that is over in a room: what each of its positions was worth to each seat,
 * which moves were bad and why, how exactly each has played. To make it takes a while: ask again until the
 * reply has a `summary`. Unless `start` is true, it is only told whether there is one.
 */
export interface ReviewRequest {
  type: "review";
  /** 1 to 32 characters */
  room: string;
  start?: boolean;
  /** 0 to 9007199254740992 */
  id?: number | null;
}

/**
 * Sign a device out, by its `session`: all its connections are closed, at every server, and its token is
 * void. If it is this one, the connection is closed after the reply. Or remove a `passkey`.
 */
export interface RevokeRequest {
  type: "revoke";
  /** 1 to 64 characters */
  session?: string | null;
  /** 1 to 1400 characters */
  passkey?: string | null;
  /** 0 to 9007199254740992 */
  id?: number | null;
}

/**
 * Ask for the public rooms that are open or being played, newest first; rooms in which nobody is come last.
 * With `follow` true, changes to that list are then sent on this connection as `lobby`, until a request with
 * `follow` false or for another list. A request without `follow` changes nothing.
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
 * Send a chat message to `all` in a followed room, or to the `table`: only seated players send and receive
 * these. It arrives as `said`.
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
 * Play with others who seek the same: take a seat in the room where they wait, or be the first to wait. After
 * `joined` comes the `room` snapshot, as after a `join`. A connection seeks one game at a time: another
 * `seek` ends the earlier one. Before a game begins, the players who wait must answer a ping; a player who
 * does not loses the seat. At a table of more than two, no two players have the same address, unless it is
 * the server's own machine, or they name a pool. Only those meet who say the same of `rated`, as in `create`.
 * With the code of a `pool`, such as a class or a club has, a player meets only those who seek with the same
 * code, in a private room. A player who has a rating may name a `range`, in points: then all who meet are
 * rated and no farther apart. It widens by 5 points for each second of waiting. If somebody comes within it
 * who waits in another room, the player is seated there, and this connection is told by `paired`.
 */
export interface SeekRequest {
  type: "seek";
  /** 1 to 32 characters */
  variant?: string;
  clock?: Clock | null;
  rated?: boolean;
  pool?: string | null;
  /** 10 to 2000 */
  range?: number | null;
  /** 0 to 9007199254740992 */
  id?: number | null;
}

/**
 * Become a host of bots: receive a `summon` for every seat that waits for a bot. `key` is the `BOTS_KEY` of
 * the server. The server's own host of bots has it.
 */
export interface ServeRequest {
  type: "serve";
  /** 1 to 256 characters */
  key: string;
  /** 0 to 9007199254740992 */
  id?: number | null;
}

/** Settle a report, by its id; `outcome` says how. Moderators alone. */
export interface SettleRequest {
  type: "settle";
  /** 1 to 64 characters */
  report: string;
  /** 0 to 200 characters */
  outcome?: string;
  /** 0 to 9007199254740992 */
  id?: number | null;
}

/** A marked square, or, with a `target`, an arrow to another one. */
export interface Shape {
  colour: "blue" | "green" | "red" | "yellow";
  /** 2 to 3 characters */
  square: string;
  /** 2 to 3 characters */
  target?: string | null;
}

/**
 * Let others see the study: `private`, the owner and the named writers; `link`, whoever has its id; `public`,
 * everybody, in lists too. The owner's right.
 */
export interface Share {
  type: "share";
  visibility: "link" | "private" | "public";
}

/** What an OpenID provider has sent a browser back with. */
export interface SignedIn {
  /** 1 to 128 characters */
  state: string;
  /** 1 to 4096 characters */
  code: string;
}

/**
 * Solve the puzzle that begins after so many moves (`ply`) of a room's game, by the `moves` of the seat whose
 * turn it is there; without moves, see where it begins. With `show`, see its solution.
 */
export interface SolveRequest {
  type: "solve";
  /** 1 to 32 characters */
  room: string;
  /** 1 to 2147483648 */
  game: number;
  /** 0 to 1500 */
  ply: number;
  /** 0 to 8 items */
  moves?: string[];
  show?: boolean;
  /** 0 to 9007199254740992 */
  id?: number | null;
}

/**
 * What chapters are made of: a `text`; or a `game`, named by its room; or a `position` of a `variant` (as in
 * `create`). A text is PGN or PGN4, a chapter for each of its games, or has moves without tags, or a
 * position, or the link of a game of this server. Moves without tags are those of the `variant`, and games of
 * no other are taken, unless that is `standard`. `title` is the first chapter's; without one it is that of
 * the text (the tag `ChapterName`), or made of the game's players. A `text` that is too long for one request
 * begins with as many `pieces` as `piece` has sent. `first` is the number of its first game among those of a
 * whole file, which the `notes` of the answer count.
 */
export interface Source {
  /** 1 to 200 characters */
  title?: string | null;
  /** 1 to 32 characters */
  variant?: string;
  /** 0 to 4096 characters */
  position?: string | null;
  /** 1 to 8000 characters */
  text?: string | null;
  /** 0 to 8 */
  pieces?: number;
  /** 1 to 2147483648 */
  first?: number;
  format?: "pgn" | "pgn4" | null;
  /** 1 to 32 characters */
  game?: string | null;
}

/** Say at which move of a study one looks: the others are shown it by `cursors`. The study must be followed. */
export interface StandRequest {
  type: "stand";
  /** 1 to 32 characters */
  room: string;
  /** 1 to 2147483648 */
  chapter: number;
  /** 0 to 2147483648 */
  node: number;
  /** 0 to 9007199254740992 */
  id?: number | null;
}

/**
 * Ask how players are rated in one kind of game: a variant, and with two players the speed of a `clock`
 * (null: untimed). Guests have no ratings.
 */
export interface StrengthsRequest {
  type: "strengths";
  /** 1 to 100 items */
  players: string[];
  /** 1 to 32 characters */
  variant?: string;
  clock?: Clock | null;
  /** 0 to 9007199254740992 */
  id?: number | null;
}

/**
 * Ask for studies, changed last first: one's own, those that one was named as a writer in not among them, or
 * the public ones. `after` is the mark that the page before ended with.
 */
export interface StudiesRequest {
  type: "studies";
  whose?: "mine" | "public";
  after?: string | null;
  /** 1 to 100 */
  limit?: number;
  /** 0 to 9007199254740992 */
  id?: number | null;
}

/**
 * Open a study: chapters, each a position and the moves that people try from it. `visibility` and `write` are
 * as in the changes `share` and `allow`. It begins with what `source` has. Without a `title` it is called as
 * its text says (the tag `StudyName`), or `Study`. Sent again with the same `key`, no second one is opened.
 */
export interface StudyRequest {
  type: "study";
  /** 1 to 200 characters */
  title?: string | null;
  visibility?: "link" | "private" | "public";
  write?: "everybody" | "named" | "owner";
  /** 0 to 64 items */
  writers?: string[];
  source?: Source;
  /** 1 to 64 characters */
  key?: string | null;
  /** 0 to 9007199254740992 */
  id?: number | null;
}

/**
 * Of a whole game that was reviewed: how exactly each seat has played, from 0 to 100 (null: it made no move);
 * and after how many moves each had lost the game (null: it had not).
 */
export interface Summary {
  accuracy: Record<string, number | null>;
  lost: Record<string, number | null>;
}

/**
 * What an opponent could do if it were their turn now: a move of `seat` that takes from the player to move,
 * who would lose the worth of `gain`, or that would mate them.
 */
export interface Threat {
  seat: string;
  move: string;
  text: string;
  gain: number;
  mate: boolean;
}

/** Give a chapter another title. */
export interface TitleChapter {
  type: "title_chapter";
  /** 1 to 2147483648 */
  chapter: number;
  /** 1 to 200 characters */
  title: string;
}

/** End the analysis of this connection, if there is one. */
export interface UnanalyseRequest {
  type: "unanalyse";
  /** 0 to 9007199254740992 */
  id?: number | null;
}

/** Follow a player no longer. */
export interface UnfollowRequest {
  type: "unfollow";
  /** 1 to 64 characters */
  player: string;
  /** 0 to 9007199254740992 */
  id?: number | null;
}

/** Stop seeking: give up the seat and the room of this connection's `seek`. */
export interface UnseekRequest {
  type: "unseek";
  /** 0 to 9007199254740992 */
  id?: number | null;
}

/** Ask for the variants that can be played: seats, start arrays, boards, and how their rules differ. */
export interface VariantsRequest {
  type: "variants";
  /** 0 to 9007199254740992 */
  id?: number | null;
}

/** Answer the open proposal, by its number: yes or no. */
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
 * Follow a room, or a study. The answer is the `room` snapshot, of a study `study`; or, with `since` (the
 * last `seq` the client has), `ok`, followed by every `update` after it, however old. `decided` is the `time`
 * of the update at `since`, or the `decided` of the snapshot. With it the server notices if the client has
 * seen another game than the log has, and refuses with `ahead`. A client that watches for a `preview`, such
 * as a lobby's small board, is not counted as a watcher, and its player is not shown as online. A `join` or
 * another `watch` ends the preview.
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

/** Take back the open proposal, by its number. Only its proposer may do this. */
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

/**
 * An account: its player's id and name, when it was made, whether it has a `recovery` code, and its passkeys
 * and devices. `token` is a new token, to be used from now on, `code` a new recovery code; neither is shown
 * again. `issuers` are the OpenID providers by which it is signed in to. `role` is `moderator`, `admin`, or
 * empty.
 */
export interface Account {
  type: "account";
  player: string;
  name: string;
  created: number;
  recovery: boolean;
  passkeys: OwnPasskey[];
  sessions: OwnSession[];
  token?: string;
  code?: string;
  issuers: string[];
  role: string;
  id?: number;
}

/**
 * A row of the audit log: when, by whom, what, about whom or what, under which name, why, and `until` when it
 * holds (null: for good, or it holds nothing).
 */
export interface Act {
  at: number;
  by: string;
  action: string;
  target: string;
  name: string;
  why: string;
  until: number | null;
}

/**
 * No person has attended an untimed game for ten minutes: it leaves the lists until a move, or `returned`. At
 * `deadline` the server ends it, for the reason `aborted`.
 */
export interface Adjourned {
  type: "adjourned";
  deadline: number;
}

/** A player's results against another, whose latest `name` this is. */
export interface Against {
  won: number;
  drawn: number;
  lost: number;
  player: string;
  name: string;
}

/** Others may write now; `writers` are the named ones, by their ids, and `names` what they go by. */
export interface Allowed {
  type: "allowed";
  write: "everybody" | "named" | "owner";
  writers: string[];
  names: Record<string, string>;
}

/** A move has these glyphs, and no others. */
export interface Annotated {
  type: "annotated";
  chapter: number;
  node: number;
  glyphs: number[];
}

/** What the moderators have to tell everybody. */
export interface Announced {
  type: "announced";
  text: string;
  time: number;
}

/** The game is over for good: there is no rematch in this room. It can be watched and exported as before. */
export interface Archived {
  type: "archived";
}

/** A start array: its names, any of which `create` takes as `position`, and its position, as FEN or FEN4. */
export interface Array {
  names: string[];
  position: string;
}

/**
 * A board: the number of files, lettered from a on the left, and of ranks, numbered from 1 at the bottom, as
 * the first seat sees it; and the squares that are missing from it.
 */
export interface Board {
  files: number;
  ranks: number;
  missing: string[];
}

/** A player's results at a seat of a variant. */
export interface BySeat {
  won: number;
  drawn: number;
  lost: number;
  variant: string;
  seat: string;
}

/**
 * A player's results in a variant. `places` counts the games in which the player came first, second, and so
 * on.
 */
export interface ByVariant {
  won: number;
  drawn: number;
  lost: number;
  variant: string;
  places: number[];
}

/**
 * A challenge, as it is now: sent to all whom it concerns whenever it changes, and to each when they connect.
 * `by` is the player who has made it; `status` is `open`, `accepted` (then `room`, whose id is the
 * challenge's, is where the game is, and all have their seats there), `declined` (by the seat whose `answer`
 * is false; with a `reason`, and a `text` of their own), `cancelled` or `expired`. It is open `until` then,
 * and told of for a minute after it has ended. In a rated game of more than two, without teams, no two play
 * from one address: the second yes from one declines it, and `same_address` is the `reason`. A challenge to a
 * seat of an open table has the `room` from the beginning, and of its `seats` only that one, and the seat of
 * the one who asks. When it cannot be taken any more, the challenge is `cancelled`, and the `reason` is the
 * code of the refusal, such as `seat_taken`, `already_started`, `no_such_room` or `same_address`.
 */
export interface Challenge {
  type: "challenge";
  challenge: string;
  status: "accepted" | "cancelled" | "declined" | "expired" | "open";
  by: string;
  seats: Challenged[];
  variant: string;
  clock: Control | null;
  visibility: "private" | "public";
  made: number;
  until: number;
  room: string | null;
  reason: string | null;
  text: string;
  rated: boolean;
  id?: number;
}

/**
 * A seat in a challenge: its player and their `answer` (null before one), or the `level` of a computer
 * player. A `seat` that is null is drawn when the game begins.
 */
export interface Challenged {
  seat: string | null;
  player: string | null;
  name: string;
  level: number | null;
  answer: boolean | null;
  bot: boolean;
}

/**
 * A chapter: its start, as FEN or FEN4, and the moves from there. The first node, number 0, is the start
 * itself. Parents come before their children; the children of a parent stand in order, the main line first.
 * `tags` are those of the game that the chapter was made of; `by` is the player who added it.
 */
export interface Chapter {
  number: number;
  title: string;
  variant: string;
  position: string;
  seats: string[];
  by: string;
  tags: Record<string, string>;
  nodes: Node[];
}

/** A chapter was added behind the others. */
export interface ChapterAdded {
  type: "chapter_added";
  chapter: Chapter;
}

/** A chapter stands at another place among all, 0 being the first. */
export interface ChapterOrdered {
  type: "chapter_ordered";
  chapter: number;
  place: number;
}

/** A chapter was removed. */
export interface ChapterRemoved {
  type: "chapter_removed";
  chapter: number;
}

/** A chapter has another title. */
export interface ChapterTitled {
  type: "chapter_titled";
  chapter: number;
  title: string;
}

/** Everything that is wrong with a position. A game can begin from it if the list is empty. */
export interface Checked {
  type: "checked";
  faults: Fault[];
  id?: number;
}

/**
 * The clocks: the time control (`base`, `increment`, `delay`), the time that each seat has `left`, and the
 * time `since` which the clock of the seat to move runs (null: none runs). All in milliseconds.
 */
export interface Clocks {
  base: number;
  increment: number;
  delay: number;
  left: Record<string, number>;
  since: number | null;
}

/**
 * A vote is over: `carried`, `refused`, `expired` (not all answered in time), `superseded` (the game went on)
 * or `withdrawn` (by its proposer).
 */
export interface Closed {
  type: "closed";
  proposal: number;
  outcome: string;
}

/**
 * The server is about to close the connection: reconnect after `retry` milliseconds and resume. The `reason`
 * is `restart`, or `store`: this server can't reach its store, and another one may.
 */
export interface Closing {
  type: "closing";
  reason: string;
  retry: number;
}

/** A move has another comment, or none. */
export interface Commented {
  type: "commented";
  chapter: number;
  node: number;
  text: string;
}

/**
 * Somebody wants a position analysed: sent to a host of bots alone. It sends `found {job}` at each depth of
 * the so many `lines`, until `ms` milliseconds are over or it is dismissed.
 */
export interface Consult {
  type: "consult";
  job: string;
  variant: string;
  position: string;
  lines: number;
  ms: number;
}

/** A time control, in milliseconds: see `Clock`. */
export interface Control {
  base: number;
  increment: number;
  delay: number;
}

/** The room is open. Of a study, `notes` are sentences on what of its text was not read, and why. */
export interface Created {
  type: "created";
  room: string;
  notes?: string[];
  id?: number;
}

/** A clock got time back because the service was away: `milliseconds`, for outages up to the time `until`. */
export interface Credited {
  type: "credited";
  seat: string;
  milliseconds: number;
  until: number;
}

/**
 * Somebody who looks at the study, and where they stand; null until they have said so. `writes` tells whether
 * they may write in it, `bot` whether it is a bot.
 */
export interface Cursor {
  player: string;
  name: string;
  chapter: number | null;
  node: number | null;
  writes: boolean;
  bot: boolean;
}

/**
 * Who looks at a study, and where they stand: writers first, and no more than 50; `count` is how many people
 * look. Sent whole whenever it changes, a few times a second at most. Not part of the log.
 */
export interface Cursors {
  type: "cursors";
  room: string;
  cursors: Cursor[];
  count: number;
}

/** The study is gone for good. */
export interface Deleted {
  type: "deleted";
}

/** A seat of a game for four that went out, why, and, if anybody put it out, who did. */
export interface Departed {
  seat: string;
  reason: string;
  by: string | null;
}

/** Nobody waits for this `job` any more: sent to a host of bots alone. */
export interface Dismiss {
  type: "dismiss";
  job: string;
}

/**
 * Some of one's own games: their `text`, and how many `games` it has. `next` is what the next part comes
 * `after`; null if this is the last. A part may have no games although more come. `damaged` names the rooms
 * whose games can't be read, and are left out.
 */
export interface Downloaded {
  type: "downloaded";
  format: string;
  text: string;
  games: number;
  next: string | null;
  damaged: string[];
  id?: number;
}

/** A position has these arrows and marks, and no others. */
export interface Drawn {
  type: "drawn";
  chapter: number;
  node: number;
  shapes: Shape[];
}

/**
 * A player of a four-player game is out; the pieces stay on the board, grey. `reason` says why, `by` whose
 * move did it (null if nobody's). For a king that walks on, a second such event comes when it is lost:
 * `checkmate`, `stalemate` or `king_captured`.
 */
export interface Eliminated {
  type: "eliminated";
  seat: string;
  reason: string;
  by: string | null;
}

/**
 * The request is refused: see *Errors* for the codes. `seq` is the room's current version, if the request
 * named a room. `retry` is the number of milliseconds after which the same request may succeed, if only time
 * is wanting.
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

/**
 * Somebody wants a game reviewed: sent to a host of bots alone. It starts at `position`; its `steps` are
 * moves, as in `move`, and departures: a seat and a reason, as `blue resignation`. The first `theory` moves
 * are those of an opening that has a name: they are no mistakes, unless they are blunders. The host has `ms`
 * milliseconds for each position on average. It sends `examined {job}` as it looks at them, one for each
 * position when it has seen all, and a last one with the summary.
 */
export interface Examine {
  type: "examine";
  job: string;
  variant: string;
  position: string;
  steps: string[];
  ms: number;
  theory: number;
}

/**
 * What was played from a `position`, most often first; `games` is in how many games. A game that came there
 * twice and went on in two ways counts for both.
 */
export interface Explored {
  type: "explored";
  variant: string;
  position: string;
  games: number;
  moves: PlayedMove[];
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
 * A reason why no game can begin from a position: a code for programs, a sentence for people. The codes:
 * `missing_king`, `extra_king`, `extra_walking_king` (of a player who is out), `adjacent_kings` (of enemies),
 * `turn_of_dead_seat`, `dead_seat_in_teams`, `pawn_on_first_rank`, `pawn_on_last_rank`,
 * `impossible_castling_right`, `impossible_en_passant`, `opponent_in_check` (the player who has just moved),
 * `impossible_check` (three checks or more at once, which no moves lead to), `position_over`.
 */
export interface Fault {
  code: string;
  message: string;
}

/** The game is over. `scores` has the score of every seat in the series: 1 for a win, ½ for a draw survived. */
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

/** A player whom one follows. While they are `online`, `room` and `status` are as in `people`. */
export interface Followed {
  player: string;
  name: string;
  online: boolean;
  bot: boolean;
  room: string | null;
  status: "open" | "playing" | null;
}

/** Whom the player follows: first those who are online. */
export interface Following {
  type: "following";
  people: Followed[];
  id?: number;
}

/**
 * A game that is played or was: the `number`th of its room. `position` is the last, as FEN or FEN4; `clock`
 * is null in an untimed game; `reason` says why the game ended, and `winners` who won (none: a draw), as in
 * `Result`. `ended` is null while the game is played, and `started` is when its room was opened until it is
 * archived. A game that is `imported` was played elsewhere: its times are what its record says, 0 if that is
 * nothing, and its players' ids are their names behind `imported:`. `unrated` says why it is not rated: see
 * *Ratings*; it is empty if it is rated, and null until it is archived.
 */
export interface Game {
  room: string;
  number: number;
  variant: string;
  clock: Control | null;
  status: "finished" | "playing";
  seats: PlayedSeat[];
  position: string;
  ply: number;
  started: number;
  ended: number | null;
  reason: string | null;
  winners: string[];
  public: boolean;
  imported: boolean;
  unrated: string | null;
}

/** The games that were searched for. `next` is what the next page comes `after`; null if this is the last. */
export interface Games {
  type: "games";
  games: Game[];
  next: string | null;
  id?: number;
}

/** An access token, and the player as whom a program plays by it. It is not shown again. */
export interface Granted {
  type: "granted";
  player: string;
  name: string;
  scope: string;
  token: string;
  id?: number;
}

/** A bot of a level is invited: to a free seat, or to stand in for its absent player. */
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

/**
 * A position of a game that was reviewed: the `shares` of the seats, as in `lines`, and the `best` move. Of
 * the move that led to it: whose it was (`seat`; null at the start), its `mark` (`?!`, `?`, `??`; null:
 * none), and what is to be said of it. Who went `out` of the game by it or after it, before the next one; and
 * the `points` of each seat, where they count.
 */
export interface JudgedPly {
  shares: Record<string, number>;
  best: string | null;
  seat: string | null;
  mark: string | null;
  remark: string | null;
  out: Departed[];
  points: Record<string, number> | null;
}

/**
 * A player on a leaderboard. A computer player has an id as `level3`; `fixed` is true if its rating never
 * changes.
 */
export interface Leader {
  player: string;
  name: string;
  rating: number;
  deviation: number;
  games: number;
  bot: boolean;
  fixed: boolean;
}

/** Who stands highest, from the top. */
export interface Leaderboard {
  type: "leaderboard";
  variant: string;
  speed: string | null;
  leaders: Leader[];
  id?: number;
}

/** The legal moves of the player to move, all of them or those of the square asked for. */
export interface Legal {
  type: "legal";
  room: string;
  seat: string;
  moves: string[];
  seq: number;
  id?: number;
}

/**
 * A way in which the game may go on: its `moves` as in `move`, as people write them (`texts`), and who makes
 * each (`seats`). `score` is what the position is then worth to the player to move, in hundredths of a pawn.
 * `mate` is after how many moves of the line a win is forced, or a loss, if it is negative; null if none was
 * found. `shares` are the chances of each seat to win the game, with half of a draw: they add up to 1.
 */
export interface Line {
  moves: string[];
  texts: string[];
  seats: string[];
  score: number;
  mate: number | null;
  shares: Record<string, number>;
}

/**
 * What was found best in the position of `analyse {key}`: the `lines`, the best first, by a look so many
 * plies ahead (`depth`) at so many positions (`nodes`); and what each opponent of the player to move
 * threatens. No more frames come when it is `done`; at `depth` 0 then, no computer player had time for it.
 */
export interface Lines {
  type: "lines";
  key: string;
  depth: number;
  nodes: number;
  lines: Line[];
  threats: Threat[];
  done: boolean;
}

/**
 * A seat in the lobby's list: the player and their name, null while it is free. `bot` is true of a bot's
 * seat, and of one to which a bot is invited.
 */
export interface ListedSeat {
  seat: string;
  name: string | null;
  bot: boolean;
  player: string | null;
}

/**
 * A room in the lobby's list. `clock` is null in an untimed game; `locked` is true if the room has a
 * password, `seek` if it was opened by a `seek`, `empty` if no player and no watcher is there. `ply`,
 * `watchers` and `empty` may be some seconds old.
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
 * The changes of the list of rooms that this connection follows: entries that are new or different, and rooms
 * that are no longer in it. At most twice a second.
 */
export interface Lobby {
  type: "lobby";
  changed: Listing[];
  removed: string[];
}

/** The boards after some moves of a chapter. */
export interface Looked {
  type: "looked";
  room: string;
  chapter: number;
  positions: NodePosition[];
  id?: number;
}

/**
 * What is ordered, what is reported and not settled, and the latest acts, newest first; and the `role` of who
 * asks.
 */
export interface Moderation {
  type: "moderation";
  role: string;
  orders: Order[];
  reports: Reported[];
  acts: Act[];
  id?: number;
}

/** A player made a move, in coordinate notation. `ply` is its number in the game, from 1. */
export interface Moved {
  type: "moved";
  seat: string;
  move: string;
  ply: number;
  tick: Tick | null;
  sight: Sight | null;
}

/**
 * The points for a move whose piece checks that number of `kings`: if the piece is a `queen`, and if it is an
 * `other`.
 */
export interface MultiCheck {
  kings: number;
  queen: number;
  other: number;
}

/** A player who writes in the study, or may, goes by this name. */
export interface Named {
  type: "named";
  player: string;
  name: string;
}

/**
 * A move of a chapter, which follows the move `parent`. `move` is in coordinates, `--` for a null move, and
 * among four also `R`, `T` or `A` with a seat's letter, who left the game there; `text` is the move as people
 * write it, `seat` whose it is. `lead` is a comment ahead of the move, where a variation begins; `glyphs` are
 * PGN's numeric ones; `clock` is the time left in milliseconds. `by` is the player who added it; left out if
 * that is who added the chapter.
 */
export interface Node {
  number: number;
  parent: number;
  move: string;
  text: string;
  seat: string;
  lead?: string;
  comment?: string;
  glyphs?: number[];
  shapes?: Shape[];
  clock?: number | null;
  by?: string;
}

/** A move was added: the last of those that follow its parent. */
export interface NodeAdded {
  type: "node_added";
  chapter: number;
  node: Node;
}

/**
 * The board after a move of a chapter, and what may be played there. `turn` is null, and nothing is `legal`,
 * where the game has `ended`, which says why. `check` has the seats whose king is attacked, `out` those who
 * are out of a game of four; `points` are those of `ffa`, by seat. `attacks`, if it was asked for, are the
 * squares that each seat's pieces attack.
 */
export interface NodePosition {
  node: number;
  position: string;
  turn: string | null;
  legal: string[];
  check: string[];
  out: string[];
  points: Record<string, number> | null;
  ended: string | null;
  attacks: Record<string, string[]> | null;
}

/** A move was removed, with all that followed it. */
export interface NodeRemoved {
  type: "node_removed";
  chapter: number;
  node: number;
}

/** Signing in at the OpenID provider has begun: the browser goes to `url`. */
export interface Oidc {
  type: "oidc";
  url: string;
  id?: number;
}

/**
 * The request is carried out, and durable. `seq` is the version at which it was. Where chapters were added,
 * `notes` are sentences on what of their text was not read, and why.
 */
export interface Ok {
  type: "ok";
  room?: string;
  seq?: number;
  notes?: string[];
  id?: number;
}

/**
 * The changes of the page of `people` that this connection follows: players who are new there or different,
 * and those who are no longer there. At most once in two seconds.
 */
export interface Online {
  type: "online";
  changed: Person[];
  removed: string[];
  count: number;
}

/** A study was opened by its `owner`. */
export interface Opened {
  type: "opened";
  title: string;
  visibility: "link" | "private" | "public";
  write: "everybody" | "named" | "owner";
  owner: string;
}

/** The name of the opening that a game for two has come to after so many moves (`ply`), and its `code` (ECO). */
export interface Opening {
  ply: number;
  code: string;
  name: string;
}

/**
 * What a moderator has ordered: its kind (the `act` of `moderate`), about whom or what, under which name, by
 * whom, why, when, and `until` when it holds (null: for good).
 */
export interface Order {
  order: string;
  kind: string;
  target: string;
  name: string;
  by: string;
  why: string;
  at: number;
  until: number | null;
}

/**
 * A passkey of one's account: its credential's id, on which device it was made, when, and when it was used
 * last.
 */
export interface OwnPasskey {
  passkey: string;
  device: string;
  created: number;
  used: number;
}

/**
 * A device on which one's account is signed in: since when, and when it was used last, to the day. `here` is
 * true of the one that asks. With a `scope` it is an access token of that name.
 */
export interface OwnSession {
  session: string;
  device: string;
  created: number;
  used: number;
  here: boolean;
  scope: string;
}

/**
 * What this connection seeks within a range goes on in another room, or has begun there: the player has this
 * seat, and the connection follows the room.
 */
export interface Paired {
  type: "paired";
  room: string;
  seat: string;
}

/**
 * A game that was read: what to `create` so that it goes on. A room begins with the players who are still in
 * the game. If a player leaves the game in the text, `position` is the one after that, and `skipped` the
 * number of moves before it (null: no player leaves). `last` is the move after `moves` that ends the game;
 * `ended` says why the game ended without one; `stopped` says where the text could not be followed, and
 * `remarks` what did not stop the reading: a draw by our rules alone (`past_draw`), a null move
 * (`null_move`), a comment without an end (`open_comment`), a parenthesis without one (`open_variation`) or
 * without a beginning (`stray_parenthesis`).
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

/**
 * The ceremony of a passkey has begun: `options` is JSON, for
 * `PublicKeyCredential.parseCreationOptionsFromJSON` or `parseRequestOptionsFromJSON` of a browser.
 */
export interface Passkey {
  type: "passkey";
  options: string;
  id?: number;
}

/**
 * Players who are online, and how many there are in all (`count`). `next` is what the next page comes
 * `after`; null if this is the last.
 */
export interface People {
  type: "people";
  people: Person[];
  count: number;
  next: string | null;
  id?: number;
}

/**
 * A player who is online. `account` is true if they have an account; `room` is the public one in which they
 * wait for others (`status` is `open`) or play (`playing`). `plays` is what a bot says that it plays. The
 * computer players of the service are listed last, as `level1` to `level5`, while there is a host of bots;
 * they say yes at once.
 */
export interface Person {
  player: string;
  name: string;
  bot: boolean;
  account: boolean;
  room: string | null;
  status: "open" | "playing" | null;
  plays: Played | null;
}

/** What a bot plays, as in `hello`. */
export interface Played {
  variants: string[];
  speeds: string[];
  rated: boolean | null;
  games: number | null;
}

/**
 * A move that was played from a position: as in `move`, and as people write it (`text`). In so many `games`,
 * of which nobody won `drawn`.
 */
export interface PlayedMove {
  move: string;
  text: string;
  games: number;
  drawn: number;
  seats: SeatResults[];
}

/**
 * A seat of a game: its player's id and name; and once the game is over, the `result` (`won`, `drawn`, `lost`
 * or `aborted`), the place, and points where they count. `change` is what a rated game did to the player's
 * rating.
 */
export interface PlayedSeat {
  seat: string;
  player: string;
  name: string;
  bot: boolean;
  result: string | null;
  place: number | null;
  points: number | null;
  change: RatingChange | null;
}

/** The player at a seat in the next game, with the score so far. */
export interface Player {
  seat: string;
  player: string;
  name: string;
  score: number;
}

/**
 * The points of a variant that points decide. `pieces` is for the capture of each piece, `king` for the mate
 * or capture of a king, `stalemate` for the player who is stalemated. Every active player gets
 * `walking_stalemate` when a king that walks is stalemated, and `draw` in a draw, once and again for each
 * king that walks. The last active player gets `last` for each such king. To claim the game, the leader of
 * the last two needs a lead of `lead`, and of `king` more for each king that walks.
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

/** The server is there; `time` is its time. */
export interface Pong {
  type: "pong";
  time: number;
  id?: number;
}

/**
 * A puzzle: where it begins, after so many moves (`ply`) of a game; whose move it is (`seat`), and how many
 * that player makes (`moves`); whether there is a `mate` or a `gain` (the `goal`). `own`: the one who asks
 * had that seat, and missed it.
 */
export interface Posed {
  room: string;
  game: number;
  ply: number;
  seat: string;
  goal: string;
  moves: number;
  variant: string;
  own: boolean;
}

/**
 * A player came online or went offline. `since` is the time from which a player who is offline counts as away
 * (null while online); it changes after an outage of the service. Not part of the log.
 */
export interface Presence {
  type: "presence";
  room: string;
  seat: string;
  online: boolean;
  since: number | null;
}

/** A move is now the first of those that follow its parent. */
export interface Promoted {
  type: "promoted";
  chapter: number;
  node: number;
}

/**
 * What a pawn may become: the letter at the end of the move (`e7e8q`), and the letter of the piece that it
 * becomes.
 */
export interface Promotion {
  move: string;
  piece: string;
}

/** The open vote: the fields of `proposed`, and the answers so far by seat. */
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
 * A vote was opened by `seat`: see `propose` for the kinds. An undo or redo leads to `ply`, whose position is
 * `position`. `electorate` has the seats that must all agree before `deadline`; the proposer already has. A
 * stand-in or a removal concerns the seat `absentee`; a stand-in brings a bot of `level`.
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

/** Puzzles, those of the latest game first. */
export interface Puzzles {
  type: "puzzles";
  puzzles: Posed[];
  id?: number;
}

/**
 * How a player stands in a variant, and for two players at a `speed` (null: all speeds): after how many
 * `games`, of which the `last` ended then. The `deviation` is today's; `certain` is true if it allows a place
 * on the leaderboard. `points` are the latest, oldest first.
 */
export interface Rating {
  variant: string;
  speed: string | null;
  rating: number;
  deviation: number;
  games: number;
  last: number;
  certain: boolean;
  points: RatingPoint[];
}

/**
 * What a game did to a player's rating: `before` and `after` it, with the `deviation` after it, in points. It
 * is so because the player (in `teams`, the team) `scored` that, where that was `expected`: the share of the
 * opponents who were beaten, from 0 to 1. Whoever came to the same place is half beaten.
 */
export interface RatingChange {
  before: number;
  after: number;
  deviation: number;
  expected: number;
  scored: number;
}

/** A rating after a game that ended at `time`. */
export interface RatingPoint {
  time: number;
  rating: number;
  deviation: number;
}

/**
 * The ratings of a player, the one with the most games first. `name` is that of the account; null without
 * one.
 */
export interface Ratings {
  type: "ratings";
  player: string;
  name: string | null;
  ratings: Rating[];
  id?: number;
}

/** Undone moves were played again, up to `ply`. The other fields are as in `undone`. */
export interface Redone {
  type: "redone";
  plies: number;
  ply: number;
  moves: string[];
  position: string;
  out: Record<string, string>;
  left: Record<string, number> | null;
}

/**
 * The next game of the series begins from the same start, with full clocks; every player moves to the next
 * seat.
 */
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

/**
 * A report that is not settled: when, by whom (`by` and `reporter` are id and name), whom (`player` and
 * `name`), in which room, why; and what was said and played last.
 */
export interface Reported {
  report: string;
  at: number;
  by: string;
  reporter: string;
  player: string;
  name: string;
  room: string;
  why: string;
  lines: string[];
  moves: string[];
}

/** A player resigned. */
export interface Resigned {
  type: "resigned";
  seat: string;
  sight: Sight | null;
}

/**
 * How a game ended: why, who won, the place of every seat, points where they count. If `winners` is empty,
 * the game is a draw. Several winners are partners in `teams`, and share the first place in `ffa`. If a game
 * of `ffa` ends by `agreement` or by any other draw, the leaders on points are the winners. `unrated` says
 * why the way it was played keeps it from being rated, `too_short` or `same_address`: see *Ratings*.
 */
export interface Result {
  reason: string;
  winners: string[];
  standings: Record<string, number>;
  points: Record<string, number> | null;
  unrated: string | null;
}

/**
 * How a player's games have ended, those that were aborted aside. `name` is the player's latest, `since` when
 * the first of these games began (null: there are none). `against` has the opponents met most often.
 */
export interface Results {
  type: "results";
  player: string;
  name: string | null;
  since: number | null;
  variants: ByVariant[];
  seats: BySeat[];
  against: Against[];
  id?: number;
}

/** A player is back, in the seat where a bot stood in or was invited to, or in an adjourned game. */
export interface Returned {
  type: "returned";
  seat: string;
}

/**
 * The review of game number `game` of a room. So many of its `plies` + 1 positions have been `looked` at;
 * null if nobody looks at them. When that is done, they are in `judged`, from the start on, and there is a
 * `summary`. The `openings` are there at once: the positions of a game for two that have a name, in their
 * order. So many `puzzles` were found in the game.
 */
export interface Reviewed {
  type: "reviewed";
  room: string;
  game: number;
  plies: number;
  looked: number | null;
  judged: JudgedPly[];
  summary: Summary | null;
  openings: Opening[];
  puzzles: number;
  id?: number;
}

/**
 * The snapshot: everything about a room at `seq`. `status` is `open` (seats are free), `playing` or
 * `finished`. `start` is the FEN or FEN4 from which the game began, `moves` the moves so far, `position` the
 * current position; `turn` is null unless the game is played. `redo` is the number of undone moves that a
 * redo can bring back, `game` the number of the game in the series, from 1. `host` is the player who opened
 * the room. `check` has the seats whose king is attacked. `visibility` is `public` or `private`; `locked` is
 * true if the room has a password, `chat` if chat is on. With a `delay` (milliseconds) watchers see the game
 * that much later; `time` is then the time of what they see. A player who has been away for `absence`
 * milliseconds is absent (2⁵³ - 1: never); `absentee_votes` are the votes that may then be opened about that
 * player, once the game is played: see *Votes*. `claims` has what each seat may `claim` now: `fifty_moves` or
 * `threefold` on its turn, `points` at any time. `decided` is the time of the decision that led to `seq`. A
 * game that is `archived` can be watched and exported; nothing more happens in its room. One that is
 * `imported` was played elsewhere. With `rated` false the game changes no ratings.
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
  absentee_votes?: string[];
  claims: Record<string, string[]>;
  decided: number;
  archived: boolean;
  imported: boolean;
  rated: boolean;
  id?: number;
}

/** The public rooms asked for, newest first. `more` is true if there are others beyond the limit. */
export interface Rooms {
  type: "rooms";
  rooms: Listing[];
  more: boolean;
  id?: number;
}

/**
 * A chat message of a player or of a watcher (`seat` is null), to `all` or to the `table`; `bot` is true if a
 * bot has said it. Not part of the log.
 */
export interface Said {
  type: "said";
  room: string;
  seat: string | null;
  name: string;
  text: string;
  to: string;
  time: number;
  bot: boolean;
}

/**
 * A seat in the snapshot; `player` and `name` are null while it is free. `out` says why a player of four is
 * out of the game (`checkmate`, `resignation`, ..., or `set_up` if the game began without that army); it is
 * null while the player is in it. `invited` is the level of a bot that is invited to the seat, `stand_in` the
 * name of a bot that plays for the absent player; `bot` is true if the player is a bot. `score` is the
 * player's score in the series. `since` is the time from which the absence of a player who is not `online` is
 * counted; null for others.
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

/**
 * What became of a seat in the games with a move: how many were won, the average place (1 the first), and the
 * average of the points where points count.
 */
export interface SeatResults {
  seat: string;
  won: number;
  place: number;
  points: number | null;
}

/** A player took a seat. */
export interface Seated {
  type: "seated";
  seat: string;
  player: string;
  name: string;
}

/** A marked square, or, with a `target`, an arrow to another one. */
export interface Shape {
  colour: "blue" | "green" | "red" | "yellow";
  /** 2 to 3 characters */
  square: string;
  /** 2 to 3 characters */
  target?: string | null;
}

/**
 * Others may see the study now. Who no longer may is sent `error`, with the code `no_such_room`, and nothing
 * more.
 */
export interface Shared {
  type: "shared";
  visibility: "link" | "private" | "public";
}

/**
 * A seat of a variant: its name, the letter of its pieces in FEN4 and in `sight`, the number of its team
 * (seats with the same number are partners), and the direction of its pawns: `north`, to higher ranks;
 * `east`, to later files; `south` or `west`.
 */
export interface Side {
  seat: string;
  letter: string;
  team: number;
  forward: string;
}

/**
 * How the board looks after a step, for clients that draw it without knowing the rules. `text` is the move in
 * the notation of people: SAN for two, long algebraic notation for four; empty if a player left. `changes`
 * has the squares that have changed, each with what stands there now: a cell of FEN4 (`rP`, `drP` if grey),
 * with `w` and `b` for two; null if it is empty. `check` has the seats whose king is attacked, `points` the
 * points of each seat where points count.
 */
export interface Sight {
  text: string;
  changes: Record<string, string | null>;
  check: string[];
  points: Record<string, number> | null;
}

/**
 * How far a puzzle is solved: whether the last move was `right` (true if there was none), and whether the
 * puzzle is `done`. `played` are its moves so far, replies included, that the last one was wrong aside; as
 * people write them in `texts`. They lead to the `position`, in which the `turn` is a seat's that has these
 * `legal` moves (none if it is done); `check` are the seats in check there, and `out` those that are out of
 * the game.
 */
export interface Solved {
  type: "solved";
  room: string;
  game: number;
  ply: number;
  variant: string;
  right: boolean;
  done: boolean;
  played: string[];
  texts: string[];
  position: string;
  turn: string;
  legal: string[];
  check: string[];
  out: string[];
  id?: number;
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
 * Where the reading of a game stopped: the line of the text (0: the rules stopped it, not the text), the
 * number of the move, its text, and why it can't be played.
 */
export interface Stop {
  line: number;
  ply: number;
  move: string;
  code: string;
  message: string;
}

/** A player's rating in one kind of game, in points. It is shown with a `?` while it is not `certain`. */
export interface Strength {
  player: string;
  rating: number;
  deviation: number;
  certain: boolean;
}

/** The ratings, in one kind of game, of those players who have one. */
export interface Strengths {
  type: "strengths";
  strengths: Strength[];
  id?: number;
}

/** Studies, changed last first; `after` is what the next page comes after, null if this is the last. */
export interface Studies {
  type: "studies";
  studies: StudyListing[];
  after: string | null;
  id?: number;
}

/**
 * The snapshot of a study at `seq`. `role` is what its reader is in it: the `owner`, a `writer` or a
 * `reader`. `writers` are the named ones, by their ids; `names` is what those who wrote, or are named, go by.
 * `cursors` and `count` are as in `cursors`; `decided` is the time of the decision that led to `seq`.
 */
export interface Study {
  type: "study";
  room: string;
  title: string;
  visibility: "link" | "private" | "public";
  write: "everybody" | "named" | "owner";
  owner: string;
  writers: string[];
  names: Record<string, string>;
  chapters: Chapter[];
  role: "owner" | "reader" | "writer";
  cursors: Cursor[];
  count: number;
  seq: number;
  time: number;
  decided: number;
  created: number;
  id?: number;
}

/**
 * A study in a list. `name` is the owner's, `variants` are those of the chapters; `changed` and `created` are
 * times in milliseconds since 1970.
 */
export interface StudyListing {
  room: string;
  title: string;
  visibility: "link" | "private" | "public";
  write: "everybody" | "named" | "owner";
  owner: string;
  name: string;
  chapters: number;
  variants: string[];
  changed: number;
  created: number;
}

/**
 * Of a whole game that was reviewed: how exactly each seat has played, from 0 to 100 (null: it made no move);
 * and after how many moves each had lost the game (null: it had not).
 */
export interface Summary {
  accuracy: Record<string, number | null>;
  lost: Record<string, number | null>;
}

/**
 * A seat waits for a bot of `level`: sent to a host of bots alone. The bot says `hello` with this `token`,
 * and joins.
 */
export interface Summon {
  type: "summon";
  room: string;
  seat: string;
  level: number;
  token: string;
}

/**
 * What an opponent could do if it were their turn now: a move of `seat` that takes from the player to move,
 * who would lose the worth of `gain`, or that would mate them.
 */
export interface Threat {
  seat: string;
  move: string;
  text: string;
  gain: number;
  mate: boolean;
}

/**
 * What a move did to its player's clock, in milliseconds: the time `spent`, the time `gained`, and the time
 * `left`. `lag` is the part that the network took; it was given back and is not in `spent`.
 */
export interface Tick {
  spent: number;
  lag: number;
  gained: number;
  left: number;
}

/** The study has another title. */
export interface Titled {
  type: "titled";
  title: string;
}

/**
 * It is your turn: sent to the player to move alone, with the legal moves. `claims` has what you may `claim`
 * instead; left out if that is nothing.
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
 * The game went back `plies` moves, to `ply`, whose whole state is restored. `out` has the seats that were
 * out of the game at that ply, with the reason, `left` the clocks.
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
 * A seat is free again before the start: its player left or was away for too long, or was `kicked` by the
 * host.
 */
export interface Unseated {
  type: "unseated";
  seat: string;
  kicked?: boolean;
}

/** One decision: all its events happened at once, at `seq`. In a study, `by` is the player whose edit it is. */
export interface Update {
  type: "update";
  room: string;
  seq: number;
  time: number;
  events: Event[];
  by?: string;
}

/**
 * A variant, and how its rules differ from those of others. `starts` has the usual array first; or one alone,
 * if the server draws the array. A pawn promotes at `promotion_rank`, counted from its own side with 1 as the
 * rank of its king; if that is null, where the board ends in front of it. `worth` is the usual value of the
 * pieces. `en_passant` and `dead_kings_walk` say whether the variant has these rules. `stalemate` is
 * `"draw"`, or `"out"` if its player goes out of the game. `lone_minors_draw` is true if the last two also
 * draw with a knight or a bishop each. After `moves_without_progress` moves of each player without a capture
 * or a pawn's move the game is drawn, or may be claimed as a draw where `claims` has `fifty_moves`.
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

/** The variants that can be played, in the order in which to offer them. */
export interface Variants {
  type: "variants";
  variants: Variant[];
  id?: number;
}

/** A seat of the electorate answered. */
export interface Voted {
  type: "voted";
  proposal: number;
  seat: string;
  accept: boolean;
}

/** The number of watchers. Not part of the log. */
export interface Watchers {
  type: "watchers";
  room: string;
  count: number;
}

/**
 * Who you are. `player` is public; `token` is secret and proves that you are this player. `build` is the
 * version of the browser client that this server serves, empty if it has none. `account` is true if the
 * player has an account. `accounts` says who may have one: `open`, everybody; `oidc`, who signs in at the
 * server's OpenID provider, which is called `provider` (empty: there is none); `closed`, those who have one;
 * `off`, nobody.
 */
export interface Welcome {
  type: "welcome";
  player: string;
  name: string;
  token: string;
  server: string;
  time: number;
  build: string;
  account: boolean;
  accounts: string;
  provider: string;
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
  games: GamesRequest;
  download: DownloadRequest;
  results: ResultsRequest;
  ratings: RatingsRequest;
  leaderboard: LeaderboardRequest;
  strengths: StrengthsRequest;
  explore: ExploreRequest;
  analyse: AnalyseRequest;
  unanalyse: UnanalyseRequest;
  review: ReviewRequest;
  puzzles: PuzzlesRequest;
  solve: SolveRequest;
  seek: SeekRequest;
  unseek: UnseekRequest;
  challenge: ChallengeRequest;
  answer: AnswerRequest;
  cancel: CancelRequest;
  people: PeopleRequest;
  follow: FollowRequest;
  unfollow: UnfollowRequest;
  following: FollowingRequest;
  serve: ServeRequest;
  found: FoundRequest;
  examined: ExaminedRequest;
  variants: VariantsRequest;
  account: AccountRequest;
  passkey: PasskeyRequest;
  oidc: OidcRequest;
  register: RegisterRequest;
  login: LoginRequest;
  enroll: EnrollRequest;
  recovery: RecoveryRequest;
  rename: RenameRequest;
  administer: AdministerRequest;
  grant: GrantRequest;
  revoke: RevokeRequest;
  moderate: ModerateRequest;
  moderation: ModerationRequest;
  report: ReportRequest;
  settle: SettleRequest;
  ping: PingRequest;
  study: StudyRequest;
  piece: PieceRequest;
  edit: EditRequest;
  look: LookRequest;
  stand: StandRequest;
  studies: StudiesRequest;
}

/** What a request that is not refused is answered by. */
export interface Answers {
  hello: Welcome;
  create: Created;
  check: Checked;
  read: Parsed;
  join: Joined;
  watch: Ok | Room | Study;
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
  games: Games;
  download: Downloaded;
  results: Results;
  ratings: Ratings;
  leaderboard: Leaderboard;
  strengths: Strengths;
  explore: Explored;
  analyse: Ok;
  unanalyse: Ok;
  review: Reviewed;
  puzzles: Puzzles;
  solve: Solved;
  seek: Joined;
  unseek: Ok;
  challenge: Challenge;
  answer: Challenge;
  cancel: Challenge;
  people: People;
  follow: Ok;
  unfollow: Ok;
  following: Following;
  serve: Ok;
  found: Ok;
  examined: Ok;
  variants: Variants;
  account: Account;
  passkey: Passkey;
  oidc: Oidc;
  register: Account;
  login: Account;
  enroll: Account;
  recovery: Account;
  rename: Account;
  administer: Account;
  grant: Granted;
  revoke: Ok;
  moderate: Ok;
  moderation: Moderation;
  report: Ok;
  settle: Ok;
  ping: Pong;
  study: Created;
  piece: Ok;
  edit: Ok;
  look: Looked;
  stand: Ok;
  studies: Studies;
}

/** Every frame of a server by its `type`. */
export interface Frames {
  welcome: Welcome;
  account: Account;
  granted: Granted;
  passkey: Passkey;
  oidc: Oidc;
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
  games: Games;
  downloaded: Downloaded;
  results: Results;
  ratings: Ratings;
  leaderboard: Leaderboard;
  strengths: Strengths;
  explored: Explored;
  reviewed: Reviewed;
  puzzles: Puzzles;
  solved: Solved;
  lines: Lines;
  lobby: Lobby;
  paired: Paired;
  challenge: Challenge;
  people: People;
  following: Following;
  online: Online;
  summon: Summon;
  consult: Consult;
  examine: Examine;
  dismiss: Dismiss;
  moderation: Moderation;
  announced: Announced;
  closing: Closing;
  study: Study;
  looked: Looked;
  studies: Studies;
  cursors: Cursors;
}

/** Every event of a room's `update` by its `type`. */
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
  adjourned: Adjourned;
  eliminated: Eliminated;
  proposed: Proposed;
  voted: Voted;
  closed: Closed;
  undone: Undone;
  redone: Redone;
  finished: Finished;
  archived: Archived;
  rematched: Rematched;
}

/** Every event of a study's `update` by its `type`. */
export interface StudyEvents {
  opened: Opened;
  named: Named;
  titled: Titled;
  shared: Shared;
  allowed: Allowed;
  deleted: Deleted;
  chapter_added: ChapterAdded;
  chapter_titled: ChapterTitled;
  chapter_ordered: ChapterOrdered;
  chapter_removed: ChapterRemoved;
  node_added: NodeAdded;
  node_removed: NodeRemoved;
  promoted: Promoted;
  commented: Commented;
  annotated: Annotated;
  drawn: Drawn;
}

/** Every change of an `edit` by its `type`. */
export interface Changes {
  retitle: Retitle;
  share: Share;
  allow: Allow;
  delete: Delete;
  add_chapters: AddChapters;
  title_chapter: TitleChapter;
  order_chapter: OrderChapter;
  remove_chapter: RemoveChapter;
  play: Play;
  remove: Remove;
  promote: Promote;
  comment: Comment;
  annotate: Annotate;
  draw: Draw;
}

export type Request = Requests[keyof Requests];
export type Frame = Frames[keyof Frames];
export type StudyEvent = StudyEvents[keyof StudyEvents];
/** An event of an `update` of a game's room. Those of a study's are `StudyEvent`s: which it is, its room says. */
export type Event = Events[keyof Events];
export type Change = Changes[keyof Changes];
