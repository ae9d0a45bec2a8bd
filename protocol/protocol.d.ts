/**
 * The messages of the Fourfold protocol, version 1: see README.md beside this file.
 * Made by `python -m fourfold.protocol`; do not edit.
 */

/** End the game without a result, while some player has never moved. A move counts even if it was undone. */
export interface AbortRequest {
  type: "abort";
  /** 1 to 32 characters */
  room: string;
  /** 1 to 64 characters */
  key: string;
  /** 0 to 9007199254740992 */
  id?: number | null;
}

/** Ask for the data of your account: its name, passkeys, and signed-in devices. */
export interface AccountRequest {
  type: "account";
  /** 0 to 9007199254740992 */
  id?: number | null;
}

/**
 * Find accounts by a part of their name, or by a player's id; without a `text`, the newest. Only admins can
 * do this.
 */
export interface AccountsRequest {
  type: "accounts";
  /** 0 to 64 characters */
  text?: string;
  /** 0 to 9007199254740992 */
  id?: number | null;
}

/** Add chapters after the others. */
export interface AddChapters {
  type: "add_chapters";
  source?: Source;
}

/**
 * Become the server's first admin, by the `code` that the server printed at its start. The code works once,
 * for an account only.
 */
export interface AdministerRequest {
  type: "administer";
  /** 1 to 64 characters */
  code: string;
  /** 0 to 9007199254740992 */
  id?: number | null;
}

/**
 * Choose who can write: the `owner` alone, also `named` writers, or `everybody` who can see the study.
 * Writers are player ids or account names. Only the owner can do this.
 */
export interface Allow {
  type: "allow";
  write: "everybody" | "named" | "owner";
  /** 0 to 64 items */
  writers?: string[];
}

/**
 * Ask for the best `lines` in a position, by computer level 5 or by an engine that the operator has set. Name
 * the position as in `explore`. The server sends `lines` frames with this `key`, with increasing depth, for
 * up to `ms` milliseconds. The last one is marked `done`. A connection has one analysis; the next one or
 * `unanalyse` ends it. All analyses share the time that games leave. Refused (`fair_play`) while a running
 * game of your account or address is near this position: see *Fair play*.
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

/** Replace the glyphs of a move: PGN's Numeric Annotation Glyphs (1 is `!`, 2 is `?`). */
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
 * Answer a `challenge` with yes or no. A no can have a `reason` and a `text` of your own. A yes is refused
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

/** Ask for a part of a backup, from the byte `start` on. Only admins can do this. */
export interface BackupRequest {
  type: "backup";
  /** 1 to 64 characters */
  name: string;
  /** 0 to 9007199254740992 */
  start?: number;
  /** 0 to 9007199254740992 */
  id?: number | null;
}

/** Ask for the automatic backups in this server's folder, newest first. Only admins can do this. */
export interface BackupsRequest {
  type: "backups";
  /** 0 to 9007199254740992 */
  id?: number | null;
}

/** Before your first move, give up half of your time, and the increment. */
export interface BerserkRequest {
  type: "berserk";
  /** 1 to 32 characters */
  room: string;
  /** 1 to 64 characters */
  key: string;
  /** 0 to 9007199254740992 */
  id?: number | null;
}

/**
 * Invite a bot of a level to a free seat, by name or the first one. Only the host, who opened the room, can
 * do this. Refused (`fair_play`) if the bot's moves would help in another game: see *Fair play*.
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

/** Take back your own `challenge`. */
export interface CancelRequest {
  type: "cancel";
  /** 1 to 32 characters */
  challenge: string;
  /** 0 to 9007199254740992 */
  id?: number | null;
}

/**
 * Challenge players to a game. For two, name the `player`. For more, `seats` maps each seat to the player to
 * ask, or to the level of a computer player. Name all seats but one; that one, or `seat`, is the
 * challenger's. For two players without a named seat, sides are drawn. `rated` is as in `create`. If `seats`
 * names all seats and not the challenger, the challenge arranges a game between others. Only moderators can
 * do this, or programs with a token to `organize`. With a `room`, which must be open, `seats` maps one of its
 * seats to a player or a level. Only the host can do this. The room's terms apply, whatever the request says.
 * A yes takes the seat. If the seat is no longer available, the challenge is `cancelled`, and its `reason` is
 * the code of the refusal. Name a player by id, or by a name that only one player has: an account, or a guest
 * who is online. All of them receive the `challenge` on all their connections, and again when they connect.
 * When all have said yes, the server opens a room with all of them seated. Computer players, by level or as
 * `level1` to `level5`, say yes at once. Without an `answer` from all, the challenge expires after five
 * minutes. A repeated request with the same `key` makes no second challenge.
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
 * Parse games with their variations and comments, to read them. Nothing is stored. The reply has the titles
 * of all games, and one of them, `chapter`, counted from 1.
 */
export interface ChaptersRequest {
  type: "chapters";
  source: Source;
  /** 1 to 2147483648 */
  chapter?: number;
  /** 0 to 9007199254740992 */
  id?: number | null;
}

/**
 * Ask for the latest chat lines of a followed room, at most 100. The server keeps them until the room is
 * archived.
 */
export interface ChatRequest {
  type: "chat";
  /** 1 to 32 characters */
  room: string;
  /** 0 to 9007199254740992 */
  id?: number | null;
}

/**
 * Check whether a game can begin from a position, without opening a room. The reply lists every reason
 * against it. `variant` and `position` are as in `create`.
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
 * End the game by a claim that the rules allow this player: see `claims` in `room` and `turn`. A claim needs
 * no vote.
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
 * `base` of 0, the `delay` is a time limit for each move, and must be more than 0.
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
 * Close a room whose game has not started. It ends with `finished`, for the reason `aborted`, and leaves the
 * lobby. Only the host can do this.
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
 * Replace the comment on a move. An empty one removes it. `seq` is the version of the study that the writer
 * saw. If somebody has changed the comment since, the server refuses the edit (`comment_changed`), and its
 * message has the new text. Without `seq` the edit replaces any text.
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
 * `classic`). The default is the variant's usual start. `moves` (as in `move`) have been played from there
 * already, and can be undone. Without a `clock` the game is untimed. A `private` room is in no list; clients
 * need its id. A `password` is needed to join or watch, but not by the host, by seated players, or by bots
 * that this server runs. `chat` false turns chat off. With a `delay`, in milliseconds, watchers see the game
 * that much later than the players. With `rated` false the game changes no ratings. Otherwise it does if
 * everybody who plays has a rating: see *Ratings*. A repeated request with the same `key` opens no second
 * room.
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

/** Delete the study for good. Only the owner can do this. */
export interface Delete {
  type: "delete";
}

/** A seat that went out of a game for four, why, and the seat that eliminated it, if any. */
export interface Departed {
  seat: string;
  reason: string;
  by: string | null;
}

/** Run the checks of `fourfold-server doctor` in this server. Only admins can do this. */
export interface DoctorRequest {
  type: "doctor";
  /** 0 to 9007199254740992 */
  id?: number | null;
}

/**
 * Download your own finished games as text, newest first. The other fields select games as in `games`, with
 * your own id as the `player`. The `format` `pgn` has games for two players, `pgn4` games for four, and
 * `ndjson` all games, as one line of JSON each. A reply has some of the games, and a mark to send as `after`
 * to get more.
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

/** Replace the arrows and marks on a position. */
export interface Draw {
  type: "draw";
  /** 1 to 2147483648 */
  chapter: number;
  /** 0 to 2147483648 */
  node: number;
  /** 0 to 64 items */
  shapes: Shape[];
}

/** Change a study. An `ok` without an `update` means that the study was already in that state. */
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

/** Add a passkey to your account: a browser's answer as JSON. */
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
 * From a host of bots: progress on the job of an `examine`. `looked` is the number of positions examined so
 * far. Then come the positions in order, each as `judged`, and at the end the `summary` and the `puzzles` of
 * the game. Refused (`no_such_job`) if the job is no longer wanted.
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
 * Ask which moves were played from a position in archived games. It covers the first 40 moves of public and
 * imported games that were not aborted. `variant` and `position` are as in `create`. Or `room` names a room,
 * and `ply` the number of moves of its game (null: all). `moves` (as in `move`) continue from there.
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
 * Ask for the game as text: `pgn` (two players), `pgn4` (four), `smith`, `fen` or `json`. An imported game
 * comes word for word as its record, in the format of the record. With `ply` and the format `fen`, the reply
 * has the position after that many moves; the other formats always have the whole game. A study has `pgn` or
 * `pgn4`: all chapters of that format with their variations, or one `chapter`, by number.
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
 * Follow a player who has an account, by id or name. You need an account too. `following` lists the players
 * that you follow.
 */
export interface FollowRequest {
  type: "follow";
  /** 1 to 64 characters */
  player: string;
  /** 0 to 9007199254740992 */
  id?: number | null;
}

/** List the players that you follow. */
export interface FollowingRequest {
  type: "following";
  /** 0 to 9007199254740992 */
  id?: number | null;
}

/**
 * From a host of bots: results for the `job` of a `consult`. Refused (`no_such_job`) if the job is no longer
 * wanted.
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
 * Search for games, newest first: the games of a `player`, of a player `with` another, of a `room`, or all
 * public games. Name players by id or by name. `name` finds the public games of all players with this name,
 * and `with_name` those in which such a player took part too. Upper and lower case are the same. `players` is
 * the number of players in the game. `result` is the player's result; without `player` and `name`, `drawn`
 * and `aborted` are the game's. `since` and `until` bound the time of the end, in milliseconds since 1970.
 * The first page starts with running games. Each page has a mark; send it as `after` to get the next page.
 * Players find all of their own games. Others find public games only.
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
 * Give the opponent at `seat` 15 seconds more, at most 20 times in a game. Not in rated games for more than
 * two.
 */
export interface GiveRequest {
  type: "give";
  /** 1 to 32 characters */
  room: string;
  /** 1 to 16 characters */
  seat: string;
  /** 1 to 64 characters */
  key: string;
  /** 0 to 9007199254740992 */
  id?: number | null;
}

/**
 * Make an access token, with which a program says `hello`. A token to `play` lets the program play as this
 * player. A token to `moderate` also lets it moderate, and a token to `organize` lets it arrange games
 * between others; only moderators get these two. A token for a `bot` creates a bot with its own `name`, which
 * belongs to this player's account and is marked as a bot everywhere. An access token cannot change the
 * account. It lasts ten years. The account's list of sessions shows it; revoke it there.
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
 * The first request of a connection: identifies the client. Without a `token` the client becomes a new guest,
 * or a new bot if `bot` is true. With a token it becomes the player of that token, under the same name as
 * before. A `name` renames a guest; an account keeps its own name. A guest's name that looks like an account,
 * a computer player or the staff gets the suffix "(guest)". A bot without an account gets "(bot)". A bot can
 * declare the games that it `plays`. `people` shows this, and the server declines all other challenges to the
 * bot. After a `register` without an answer, a guest sends its `key` here. If the guest has the account, the
 * guest's token is void, and the client becomes the account by this key.
 */
export interface HelloRequest {
  type: "hello";
  /** 0 to 256 characters */
  token?: string | null;
  /** 0 to 64 characters */
  name?: string | null;
  bot?: boolean;
  plays?: Plays | null;
  /** 22 to 64 characters */
  key?: string | null;
  /** 0 to 9007199254740992 */
  id?: number | null;
}

/**
 * Add a game that was played elsewhere to the archive: one game, as PGN or PGN4. The reply names its room. A
 * game that is there already is not added again. Only players with an account can do this.
 */
export interface ImportRequest {
  type: "import";
  source: Source;
  /** 0 to 9007199254740992 */
  id?: number | null;
}

/**
 * Take a seat, by name or the first free one, and follow the room. After `joined` comes the `room` snapshot.
 * A player who already has a seat in the room gets that seat again. If they go by another name now, the seat
 * has it too (`renamed`), until five rounds have been played. In a rated game for more than two, the server
 * refuses an account if another player from its address is seated (`same_address`). Outside team games, this
 * also applies to bots with an account. See *Ratings*.
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
 * A position of a reviewed game. `shares` are as in `lines`, and `best` is the best move. The other fields
 * are about the move that led to the position. `seat` made it (null at the start). `mark` is its mark (`?!`,
 * `?`, `??`; null: none), and `remark` a comment on it. `out` has the seats that went out before the next
 * move. `points` are the points of each seat, where they count.
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
 * Remove the player or the invited bot from a seat before the game has started. The player can't take a seat
 * in this room again, and neither can guests from the player's address. Only the host can do this.
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
 * Ask for the highest ratings in a variant, and for two players at a `speed`. It lists accounts with a
 * certain rating that have played in the last 90 days. Computer players appear among them. With `bots` true,
 * it lists only bots.
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

/** Stop following a room or a study. Before the game has started, this also frees the player's seat. */
export interface LeaveRequest {
  type: "leave";
  /** 1 to 32 characters */
  room: string;
  /** 0 to 9007199254740992 */
  id?: number | null;
}

/** Ask for the legal moves of the player to move, or for those from one square. */
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
 * A line of play: its `moves` as in `move`, their `texts` in SAN or long algebraic notation, and the `seats`
 * that make them. `score` is the value of the line for the player to move, in hundredths of a pawn. `mate` is
 * the number of moves of the line to a forced win, or if negative, to a forced loss; null if none was found.
 * `shares` are each seat's chances to win the game, with a draw as half. They add up to 1.
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
 * Sign in to an account by a passkey (a browser's answer as JSON), a recovery code, or the values from an
 * OpenID provider. The reply has a token for the `hello` of a new connection. This connection keeps its
 * player. The first sign-in with an identity of the provider links it to this player. A guest then becomes an
 * account, under a name from the provider.
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
 * Ask for the boards after some moves of a chapter, with their legal moves. With `attacks`, also ask for the
 * squares that each seat's pieces attack. The reply leaves out removed moves.
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
 * Act as a moderator, with an account that has the role or a token to `moderate`. The affected players and
 * the audit log get the reason `why`. `seconds` is the duration (null: for good). `ban` or `mute` a player,
 * by id or account name, together with all bots of the account. `ban` also takes an address or a network
 * (`203.0.113.0/24`). `lock` a room, so that nobody new can enter. `silence` the chat of the whole server.
 * `word` keeps a word out of chat and names, in any spelling. `lift` an order by its id. `kick` the seat in
 * `text` from a room, or `close` the room, before its game begins. `rename` an account to `text`. `announce`
 * a `text` to everybody. `appoint` an account to the role in `text` (`moderator`, `admin`, or empty); only
 * admins can do this.
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
 * Ask for the orders in force, the open reports, and the moderators' latest acts. Only moderators can do
 * this.
 */
export interface ModerationRequest {
  type: "moderation";
  /** 0 to 9007199254740992 */
  id?: number | null;
}

/**
 * Play a move, in coordinate notation (`e2e4`, `e7e8q`, castling as the king's move `e1g1`, a drop as
 * `N@f3`).
 */
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
 * Begin to sign in at the server's OpenID provider. The page opens the address in the reply. The provider
 * then sends the browser back to `/signed-in` with a `state` and a `code`. Send these in `login`, as the same
 * player.
 */
export interface OidcRequest {
  type: "oidc";
  /** 0 to 9007199254740992 */
  id?: number | null;
}

/**
 * Act as the server's admin. The audit log gets the reason `why`. `back_up` makes a backup, and answers when
 * it has begun. `log_level` sets the level of all servers' logs to `text` (`debug`, `info`, `warning` or
 * `error`) until they restart. `sign_out` ends the session `text` of the account `target`, or all its
 * sessions.
 */
export interface OperateRequest {
  type: "operate";
  act: "back_up" | "log_level" | "sign_out";
  /** 0 to 64 characters */
  target?: string;
  /** 0 to 64 characters */
  text?: string;
  /** 0 to 200 characters */
  why?: string;
  /** 0 to 9007199254740992 */
  id?: number | null;
}

/** Move a chapter to another place among the chapters, 0 for the first. */
export interface OrderChapter {
  type: "order_chapter";
  /** 1 to 2147483648 */
  chapter: number;
  /** 0 to 1000 */
  place: number;
}

/**
 * Begin to `make` a passkey or to `use` one. A page passes the reply to `navigator.credentials`. It sends the
 * result on the same connection in `register`, `enroll` or `login`.
 */
export interface PasskeyRequest {
  type: "passkey";
  to: "make" | "use";
  /** 0 to 9007199254740992 */
  id?: number | null;
}

/**
 * Ask who is online, on all nodes. Players who wait for a game come first, then players without a game. Each
 * page has a mark; send it as `after` to get the next page. With `follow` true, the server then sends changes
 * of this page on this connection as `online`, until a request with `follow` false or for another page. With
 * a `room`, the reply lists only bots, all that play games like this room's. Bots without a game come first.
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
 * Send a piece of a text that is too long for one request, before the `study` or `edit` that uses it. The
 * `source` of that request has the last part of the text and the number of pieces. The server keeps the
 * pieces until then, while the connection lasts. A piece with the `number` 0 starts again.
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
 * Add a move after the move `after`, as in `move`. `--` passes the turn in a game for two. `R`, `T` and `A`
 * eliminate a player in a game for four, with the seat's letter if another player is to move. A move that
 * exists already is not added again.
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
 * The games that a bot plays. Empty `variants` and `speeds` mean all. `rated` is true for rated games, false
 * for unrated ones, null for both. `games` is the most games at once (null: any number).
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
 * Ask for the running games of a pool, such as a class or a club, newest first. Everybody who has its `code`
 * can watch them.
 */
export interface PoolRequest {
  type: "pool";
  code: string;
  /** 1 to 30 */
  limit?: number;
  /** 0 to 9007199254740992 */
  id?: number | null;
}

/**
 * Read the preferences kept with your account, and change those that are given. The server stores the names
 * that clients choose, and does not interpret them.
 */
export interface PreferencesRequest {
  type: "preferences";
  board?: string | null;
  pieces?: string | null;
  coordinates?: string | null;
  animation?: string | null;
  confirmation?: string | null;
  sounds?: string | null;
  facing?: string | null;
  /** 0 to 9007199254740992 */
  id?: number | null;
}

/** Promote the variation of a move by one level. With `whole`, make it the main line from the start. */
export interface Promote {
  type: "promote";
  /** 1 to 2147483648 */
  chapter: number;
  /** 0 to 2147483648 */
  node: number;
  whole?: boolean;
}

/**
 * Open a vote, by its `kind`. `undo` and `redo` are about `plies` moves. `draw` ends the game; in `ffa`, it
 * ends on points. `rematch` is possible after the end. `pause` stops a game with clocks for at most ten
 * minutes, and `resume` ends the pause. `stand_in` lets a bot of `level` play for the absent player at
 * `seat`, and `remove` takes that player out of the game.
 */
export interface ProposeRequest {
  type: "propose";
  /** 1 to 32 characters */
  room: string;
  kind: "draw" | "pause" | "redo" | "rematch" | "remove" | "resume" | "stand_in" | "undo";
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
 * A puzzle: a position of a game, after `ply` moves, in which the player of `seat` missed a `mate` or a
 * `gain` (the `goal`). The `line` is the solution: a move of the seat, a reply, and so on. Each move in
 * `last` is as good as its final move.
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
 * Ask for puzzles: positions of reviewed games in which a player missed a mate or a gain. They are from the
 * game of a `room`, or by default from your latest archived games.
 */
export interface PuzzlesRequest {
  type: "puzzles";
  /** 1 to 32 characters */
  room?: string | null;
  /** 0 to 9007199254740992 */
  id?: number | null;
}

/**
 * Ask for the ratings of a player, by id or by the `name` of an account. Without either, ask for your own.
 * The reply has at most `points` recent values of each rating.
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
 * Show a quick reaction to everybody in a followed room. Only seated players can react, at most four times in
 * ten seconds. The rules of chat hold. The reaction arrives as `reacted`.
 */
export interface ReactRequest {
  type: "react";
  /** 1 to 32 characters */
  room: string;
  reaction: "good_game" | "good_luck" | "good_move" | "hello" | "oops" | "thanks";
  /** 0 to 9007199254740992 */
  id?: number | null;
}

/**
 * Parse a game or a position from a text, to open a room with it (`create`). If the text has several games,
 * the server reads the first. Without a `format` the server guesses the format. Leave out comments and
 * variations: one frame has room for a game of a few hundred moves.
 */
export interface ReadRequest {
  type: "read";
  /** 1 to 8000 characters */
  text: string;
  format?: "fen" | "pgn" | "pgn4" | "smith" | null;
  /** 0 to 9007199254740992 */
  id?: number | null;
}

/** Make a new recovery code for your account. Only this reply shows it. The code before becomes invalid. */
export interface RecoveryRequest {
  type: "recovery";
  /** 0 to 9007199254740992 */
  id?: number | null;
}

/**
 * Turn this guest into an account with a name of its own. The player id stays the same, and so do seats and
 * games. Account names must not look alike. A passkey proves the account, if `passkey` has a browser's answer
 * as JSON. Otherwise a recovery code does; only this reply shows it. The reply has a new token. Use it from
 * now on: the guest's token is void at once. `device` is the name of this device in the account's list. A
 * repeated request with the same `key` gets the first answer again. The key opens the account, like a
 * password: make it from 128 random bits or more for each account, and store it until the answer is there.
 * After a lost connection, send it with the guest's token in `hello`, and then repeat the request.
 */
export interface RegisterRequest {
  type: "register";
  /** 1 to 64 characters */
  name: string;
  /** 2 to 6000 characters */
  passkey?: string | null;
  /** 0 to 64 characters */
  device?: string;
  /** 22 to 64 characters */
  key?: string | null;
  /** 0 to 9007199254740992 */
  id?: number | null;
}

/** Remove a move and everything after it. */
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

/** Rename your account. The reply has a new token. Muted players cannot rename themselves. */
export interface RenameRequest {
  type: "rename";
  /** 1 to 64 characters */
  name: string;
  /** 0 to 9007199254740992 */
  id?: number | null;
}

/**
 * Report a player to the moderators, from a room that you follow. The player must be seated there or have
 * talked there. The report includes the latest chat lines and moves.
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

/** Resign the game. */
export interface ResignRequest {
  type: "resign";
  /** 1 to 32 characters */
  room: string;
  /** 1 to 64 characters */
  key: string;
  /** 0 to 9007199254740992 */
  id?: number | null;
}

/** Ask for a player's results: by variant, by seat, and against each opponent. */
export interface ResultsRequest {
  type: "results";
  /** 1 to 64 characters */
  player: string;
  /** 0 to 9007199254740992 */
  id?: number | null;
}

/** Rename the study. Only the owner can do this. */
export interface Retitle {
  type: "retitle";
  /** 1 to 200 characters */
  title: string;
}

/**
 * Ask for the review of a room's finished game: the value of each position for each seat, the bad moves with
 * explanations, and each player's accuracy. A review takes a while; ask again until the reply has a
 * `summary`. With `start` false, the request only asks whether a review exists. With `idle`, a review starts
 * only for a player of the game, and only while the server makes no other; it then stands still while anybody
 * waits for an analysis.
 */
export interface ReviewRequest {
  type: "review";
  /** 1 to 32 characters */
  room: string;
  start?: boolean;
  idle?: boolean;
  /** 0 to 9007199254740992 */
  id?: number | null;
}

/**
 * Sign out a device, by its `session`. The server closes all its connections, on every node, and its token
 * becomes void. If it is this device, the connection closes after the reply. Or remove a `passkey`.
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
 * Ask for the public rooms that are open or being played, newest first. Rooms without players and watchers
 * come last. With `follow` true, the server then sends changes of that list on this connection as `lobby`,
 * until a request with `follow` false or for another list. A request without `follow` changes nothing.
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
 * Send a chat message to `all` in a followed room, or to the `table`. Only seated players send and receive
 * table messages. The message arrives as `said`.
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
 * Find opponents who seek the same game: take a seat in a room where they wait, or be the first to wait.
 * After `joined` comes the `room` snapshot, as after a `join`. A connection seeks one game at a time; another
 * `seek` ends the earlier one. Before a game begins, the waiting players must answer a ping. A player who
 * does not answer loses the seat. At a table for more than two, all players must have different addresses,
 * unless they connect from the server's own machine or name a pool. Only players with the same `rated` (as in
 * `create`) meet. With the code of a `pool`, for example of a class or club, a player meets only players with
 * the same code, in a private room. A player with a rating can set a `range`, in points. Then all opponents
 * have ratings, and these differ by no more than the range. It widens by 5 points for each second of waiting.
 * If a suitable player waits in another room, the server moves this player there and sends `paired`. After a
 * reconnection, the search goes on when the client watches its room. With `fill`, a level, computer players
 * take the other seats, and the game begins at once. Players who seek the same take these seats over during
 * the first five rounds: all followers are told by `seated`. Such a game is not rated. `fill` and `range`
 * can't be combined. A repeated request with the same `key` seeks no second game. For ten minutes, the answer
 * is the room in which the first request took a seat, even if its game has begun.
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
  /** 1 to 5 */
  fill?: number | null;
  /** 1 to 64 characters */
  key?: string | null;
  /** 0 to 9007199254740992 */
  id?: number | null;
}

/**
 * Become a host of bots, and receive a `summon` for every seat that waits for a bot. `key` is the `BOTS_KEY`
 * of the server. The server's own host of bots has it.
 */
export interface ServeRequest {
  type: "serve";
  /** 1 to 256 characters */
  key: string;
  /** 0 to 9007199254740992 */
  id?: number | null;
}

/**
 * Choose settings of this server, which restarts with them: the service's name, whether new `accounts` are
 * `open` to everybody or `closed`, whether it runs `computers` (computer players), and the `origin` whose
 * pages may connect (empty: any), which must be that of your page. Settings that the operator has fixed stay.
 * Only admins can do this.
 */
export interface SetUpRequest {
  type: "set_up";
  /** 1 to 40 characters */
  service: string;
  accounts?: "closed" | "open";
  computers?: boolean;
  /** 0 to 200 characters */
  origin?: string;
  /** 0 to 9007199254740992 */
  id?: number | null;
}

/** Close a report, by its id. `outcome` is a note on the result. Only moderators can do this. */
export interface SettleRequest {
  type: "settle";
  /** 1 to 64 characters */
  report: string;
  /** 0 to 200 characters */
  outcome?: string;
  /** 0 to 9007199254740992 */
  id?: number | null;
}

/** A marked square, or an arrow if it has a `target`. */
export interface Shape {
  colour: "blue" | "green" | "red" | "yellow";
  /** 2 to 3 characters */
  square: string;
  /** 2 to 3 characters */
  target?: string | null;
}

/**
 * Choose who can see the study: `private`, the owner and the named writers; `link`, everybody with its id;
 * `public`, everybody, and lists show it. Only the owner can do this.
 */
export interface Share {
  type: "share";
  visibility: "link" | "private" | "public";
}

/** The values with which an OpenID provider sends the browser back. */
export interface SignedIn {
  /** 1 to 128 characters */
  state: string;
  /** 1 to 4096 characters */
  code: string;
}

/**
 * Solve a puzzle of a room's game that starts after `ply` moves. `moves` are the moves of the seat to move
 * there. Without moves, the reply shows the start of the puzzle. With `show`, it has the solution.
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
 * The content of new chapters: a `text`, or a `game`, named by its room, or a `position` of a `variant` (as
 * in `create`). A text is PGN or PGN4, with a chapter for each game; or moves without tags; or a position; or
 * the link of a game of this server. Moves without tags belong to the `variant`. If `variant` is not
 * `standard`, games of other variants are rejected. `title` is the title of the first chapter. The default is
 * that of the text (the tag `ChapterName`), or the names of the game's players. If the `text` is too long for
 * one request, send its beginning by `piece`, and the number of these pieces as `pieces`. `first` is the
 * number of the text's first game in a whole file. The `notes` of the answer count from it.
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

/** Report the study's move that you are viewing. Others see it by `cursors`. You must follow the study. */
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
 * Ask for this server's vital signs of the last hour: those after the time `since`. With several servers,
 * each has its own. Only admins can do this.
 */
export interface StatusRequest {
  type: "status";
  /** 0 to 9007199254740992 */
  since?: number;
  /** 0 to 9007199254740992 */
  id?: number | null;
}

/**
 * Ask for the ratings of players in one kind of game: a variant, and for two players the speed of a `clock`
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
 * Ask for studies, latest changes first: your own, or the public ones. Your own do not include studies of
 * others in which you are a writer. `after` is the mark at the end of the previous page.
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
 * Open a study: chapters, each a position with a tree of moves. `visibility` and `write` are as in the
 * changes `share` and `allow`. `source` is the initial content. The default `title` is that of the text (the
 * tag `StudyName`), or `Study`. A repeated request with the same `key` opens no second study.
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
 * The summary of a reviewed game. `accuracy` is from 0 to 100 for each seat (null: it made no move). `lost`
 * is the number of moves after which the seat had lost the game (null: it had not).
 */
export interface Summary {
  accuracy: Record<string, number | null>;
  lost: Record<string, number | null>;
}

/**
 * A threat of an opponent: a move of `seat`, if it were that seat's turn now. It would win material worth
 * `gain` from the player to move, or mate that player (`mate`).
 */
export interface Threat {
  seat: string;
  move: string;
  text: string;
  gain: number;
  mate: boolean;
}

/** Rename a chapter. */
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

/** Stop following a player. */
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

/** Ask for the variants of this server: seats, start arrays, boards, and differences of rules. */
export interface VariantsRequest {
  type: "variants";
  /** 0 to 9007199254740992 */
  id?: number | null;
}

/** Vote yes or no on the open proposal, by its number. */
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
 * Follow a room or a study. The answer is the snapshot: `room`, or `study` for a study. With `since`, the
 * last `seq` that the client has, the answer is `ok` and then every later `update`, however old. `decided` is
 * the `time` of the update at `since`, or the `decided` of the snapshot. It lets the server detect that the
 * client has seen another game than the log has; it then refuses with `ahead`. With `preview`, for example
 * for a lobby's small board, the client does not count as a watcher, and its player does not appear online. A
 * `join` or another `watch` ends the preview.
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

/** Take back the open proposal, by its number. Only its proposer can do this. */
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
 * An account: its player's id and name, the time of its creation, whether it has a `recovery` code, and its
 * passkeys and devices. `token` is a new token to use from now on. `code` is a new recovery code. Neither is
 * shown again. `issuers` are the OpenID providers by which it is signed in to. `role` is `moderator`,
 * `admin`, or empty.
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

/** The accounts found, newest first; at most 50. */
export interface Accounts {
  type: "accounts";
  accounts: Listed[];
  id?: number;
}

/**
 * A row of the audit log: the moderator's `action` on a target, at the time `at`. It holds `until` then
 * (null: for good, or it has no duration).
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
 * An untimed game had no person present for ten minutes. It leaves the lists until a move or `returned`. At
 * `deadline` the server ends it, for the reason `aborted`.
 */
export interface Adjourned {
  type: "adjourned";
  deadline: number;
}

/** A player's results against an opponent. `name` is the opponent's latest name. */
export interface Against {
  won: number;
  drawn: number;
  lost: number;
  player: string;
  name: string;
}

/** The right to write changed. `writers` are the ids of the named writers, and `names` their names. */
export interface Allowed {
  type: "allowed";
  write: "everybody" | "named" | "owner";
  writers: string[];
  names: Record<string, string>;
}

/** The glyphs of a move changed. `glyphs` are all it has now. */
export interface Annotated {
  type: "annotated";
  chapter: number;
  node: number;
  glyphs: number[];
}

/** An announcement of the moderators to everybody. */
export interface Announced {
  type: "announced";
  text: string;
  time: number;
}

/** The room is closed for good, so no rematch is possible. The game can still be watched and exported. */
export interface Archived {
  type: "archived";
}

/** A start array: its names, each of which `create` takes as `position`, and its FEN or FEN4. */
export interface Array {
  names: string[];
  position: string;
}

/** A part of a backup's bytes (base64), and the `size` of the whole. */
export interface Backup {
  type: "backup";
  data: string;
  size: number;
  id?: number;
}

/** A backup: its file's name, its size in bytes, and when it was made. */
export interface BackupFile {
  name: string;
  size: number;
  made: number;
}

/**
 * The backups in this server's folder, newest first. `making` is true while it makes one; `failed` says why
 * the last one that an admin began has failed, or is empty.
 */
export interface Backups {
  type: "backups";
  folder: string;
  backups: BackupFile[];
  making: boolean;
  failed: string;
  id?: number;
}

/** A player gave up half of the time, and the increment. `left` is the time on the clock, as in `clocks`. */
export interface Berserked {
  type: "berserked";
  seat: string;
  left: number;
}

/**
 * A board, as the first seat sees it. Files have letters from a on the left, and ranks numbers from 1 at the
 * bottom. `missing` has the missing squares.
 */
export interface Board {
  files: number;
  ranks: number;
  missing: string[];
}

/** A player's results against the computer players of a level. */
export interface ByLevel {
  won: number;
  drawn: number;
  lost: number;
  level: number;
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
 * The present state of a challenge. All its players receive it at each change, and when they connect. `by` is
 * the challenger. `status` is `open`, `accepted`, `declined`, `cancelled` or `expired`. After `accepted`, the
 * game is in `room`, whose id is the challenge's, and all players have their seats there. After `declined`,
 * the seat with the `answer` false declined, with a `reason` and a `text` of the player's own. The challenge
 * is open `until` then, and still shown for a minute after it has ended. In a rated game for more than two
 * without teams, all addresses must differ. A second yes from one address declines the challenge, with the
 * `reason` `same_address`. A challenge to a seat of an open table has the `room` from the beginning. Its
 * `seats` are only that seat and the challenger's. If the seat is no longer available, the challenge is
 * `cancelled`, and the `reason` is the code of the refusal, such as `seat_taken`, `already_started`,
 * `no_such_room` or `same_address`.
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
 * player. If `seat` is null, it is drawn when the game begins.
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
 * itself. Parents come before their children. The children of a parent are in order, the main line first.
 * `tags` are those of the original game. `by` is the player who added the chapter.
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

/** A chapter was added after the others. */
export interface ChapterAdded {
  type: "chapter_added";
  chapter: Chapter;
}

/** A chapter moved to another place among the chapters, 0 for the first. */
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

/** A chapter was renamed. */
export interface ChapterTitled {
  type: "chapter_titled";
  chapter: number;
  title: string;
}

/**
 * A game of a text, as a `chapter` of a study would have it, with the `boards` after its first moves.
 * `titles` are those of all games. `notes` are sentences about parts of the text that were not read.
 */
export interface Chapters {
  type: "chapters";
  titles: string[];
  chapter: Chapter;
  boards: NodeBoard[];
  notes: string[];
  id?: number;
}

/** The latest chat lines of a room that you may read, oldest first. */
export interface Chat {
  type: "chat";
  room: string;
  lines: ChatLine[];
  id?: number;
}

/** A chat line: the fields of `said`. `seat` is the seat of its player at that time. */
export interface ChatLine {
  seat: string | null;
  name: string;
  text: string;
  to: string;
  time: number;
  bot: boolean;
}

/** Every fault of a position. If the list is empty, a game can begin from it. */
export interface Checked {
  type: "checked";
  faults: Fault[];
  id?: number;
}

/**
 * A setting: its variable, its value (empty: none; a secret is just `set`), and where that comes from:
 * `default`, `environment`, `file` or `flag`.
 */
export interface Chosen {
  variable: string;
  value: string;
  source: string;
}

/**
 * The clocks, in milliseconds. `base`, `increment` and `delay` are the time control. `left` is the remaining
 * time of each seat. `since` is the start of the clock of the seat to move (null: all clocks are stopped).
 */
export interface Clocks {
  base: number;
  increment: number;
  delay: number;
  left: Record<string, number>;
  since: number | null;
}

/**
 * A vote is over: `carried`, `refused`, `expired` (somebody did not answer in time), `superseded` (the game
 * went on) or `withdrawn` (by its proposer).
 */
export interface Closed {
  type: "closed";
  proposal: number;
  outcome: string;
}

/**
 * The server is about to close the connection. Reconnect after `retry` milliseconds and resume. The `reason`
 * is `restart`, or `store`: this server can't reach its store, but another one may.
 */
export interface Closing {
  type: "closing";
  reason: string;
  retry: number;
}

/** The comment on a move changed; an empty `text` removed it. */
export interface Commented {
  type: "commented";
  chapter: number;
  node: number;
  text: string;
}

/**
 * A request to analyse a position. Only hosts of bots get this frame. The host sends `found {job}` at each
 * depth, with that many `lines`, until `ms` milliseconds are over or a `dismiss` comes.
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

/** The room is open. For a study, `notes` are sentences about parts of its text that were not read. */
export interface Created {
  type: "created";
  room: string;
  notes?: string[];
  id?: number;
}

/** A clock got back `milliseconds` for outages of the service up to the time `until`. */
export interface Credited {
  type: "credited";
  seat: string;
  milliseconds: number;
  until: number;
}

/**
 * A person who looks at the study, and their current move; null until they report one. `writes` tells whether
 * they can change the study, `bot` whether they are a bot.
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
 * The people who look at a study, with their current moves: writers first, at most 50. `count` is the number
 * of all. Sent whole at each change, at most a few times a second. Not part of the log.
 */
export interface Cursors {
  type: "cursors";
  room: string;
  cursors: Cursor[];
  count: number;
}

/** The study was deleted for good. */
export interface Deleted {
  type: "deleted";
}

/** A seat that went out of a game for four, why, and the seat that eliminated it, if any. */
export interface Departed {
  seat: string;
  reason: string;
  by: string | null;
}

/** The `job` is no longer wanted. Only hosts of bots get this frame. */
export interface Dismiss {
  type: "dismiss";
  job: string;
}

/**
 * Some of your own games: their `text`, and the number of `games` in it. Send `next` as `after` to get the
 * next part; null if this is the last. A part may be empty although more follow. `damaged` names the rooms
 * whose games are unreadable and left out.
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

/** The arrows and marks of a position changed. `shapes` are all it has now. */
export interface Drawn {
  type: "drawn";
  chapter: number;
  node: number;
  shapes: Shape[];
}

/**
 * A player of a four-player game is out. The pieces turn grey and stay on the board. `reason` is why, and
 * `by` is the seat whose move did it (null: no move did). For a walking king, a second such event comes when
 * it is lost: `checkmate`, `stalemate` or `king_captured`.
 */
export interface Eliminated {
  type: "eliminated";
  seat: string;
  reason: string;
  by: string | null;
}

/**
 * The server refused the request: see *Errors* for the codes. `seq` is the room's current version, if the
 * request named a room. `retry` is the number of milliseconds after which the same request can succeed, if it
 * only came too early.
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
 * A request to review a game. Only hosts of bots get this frame. The game starts at `position`. Its `steps`
 * are moves, as in `move`, and departures: a seat and a reason, such as `blue resignation`. The first
 * `theory` moves belong to a named opening, and are no mistakes unless they are blunders. The host has on
 * average `ms` milliseconds for each position. It sends `examined {job}` for its progress, then one for each
 * position after it has seen all, and a last one with the summary. An `idle` job, which nobody waits for,
 * stands still while the host has others.
 */
export interface Examine {
  type: "examine";
  job: string;
  variant: string;
  position: string;
  steps: string[];
  ms: number;
  theory: number;
  idle: boolean;
}

/**
 * The moves played from a `position`, the most frequent first. `games` is the number of games with the
 * position. A game that reached it twice and continued in two ways counts for both.
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
 * A reason why no game can begin from a position: a code for programs, and a sentence for people. The codes:
 * `missing_king`, `extra_king`, `extra_walking_king` (of a player who is out), `adjacent_kings` (of enemies),
 * `turn_of_dead_seat`, `dead_seat_in_teams`, `pawn_on_first_rank`, `pawn_on_last_rank`,
 * `impossible_castling_right`, `impossible_en_passant`, `opponent_in_check` (the player who has just moved),
 * `impossible_check` (three checks or more at once that no moves lead to), `position_over`.
 */
export interface Fault {
  code: string;
  message: string;
}

/** A finding of `doctor`: its subject, its level (`ok`, `warning` or `failure`), its text, and what to do. */
export interface Finding {
  topic: string;
  level: string;
  text: string;
  cure: string;
}

/**
 * The findings of `doctor`, and all settings of this server. `setup` says whether `set_up` was `done`, or is
 * `open`; it is null if this server has none. `fixed` are the variables that it can't change.
 */
export interface Findings {
  type: "findings";
  findings: Finding[];
  settings: Chosen[];
  setup: "done" | "open" | null;
  fixed: string[];
  id?: number;
}

/**
 * The game is over. `scores` has the score of every seat in the series: 1 for a win, ½ for a draw of the
 * players still in.
 */
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

/** A player that you follow. While they are `online`, `room` and `status` are as in `people`. */
export interface Followed {
  player: string;
  name: string;
  online: boolean;
  bot: boolean;
  room: string | null;
  status: "open" | "playing" | null;
}

/** The players that you follow, online ones first. */
export interface Following {
  type: "following";
  people: Followed[];
  id?: number;
}

/**
 * A running or finished game: number `number` of its room. `position` is the last position, as FEN or FEN4.
 * `clock` is null in an untimed game. `reason` is why the game ended, and `winners` are the winners (empty: a
 * draw), as in `Result`. `ended` is null while the game goes on. `started` is the time at which the room was
 * opened, until the game is archived. An `imported` game was played elsewhere. Its times come from its
 * record, 0 if unknown, and its players' ids are their names with the prefix `imported:`. `unrated` is the
 * reason why the game is not rated: see *Ratings*. It is empty for a rated game, and null until it is known,
 * at the latest when the game is archived.
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

/** The games that the search found. Send `next` as `after` to get the next page; null if this is the last. */
export interface Games {
  type: "games";
  games: Game[];
  next: string | null;
  id?: number;
}

/** The player at `seat` gave the opponent at the seat `to` more time, in milliseconds. */
export interface Gave {
  type: "gave";
  seat: string;
  to: string;
  milliseconds: number;
}

/** An access token, and the player of programs that use it. The token is not shown again. */
export interface Granted {
  type: "granted";
  player: string;
  name: string;
  scope: string;
  token: string;
  id?: number;
}

/** A bot of a level was invited to a free seat, or as a stand-in for its absent player. */
export interface Invited {
  type: "invited";
  seat: string;
  level: number;
}

/** You have the seat. */
export interface Joined {
  type: "joined";
  room: string;
  seat: string;
  seq: number;
  id?: number;
}

/**
 * A position of a reviewed game. `shares` are as in `lines`, and `best` is the best move. The other fields
 * are about the move that led to the position. `seat` made it (null at the start). `mark` is its mark (`?!`,
 * `?`, `??`; null: none), and `remark` a comment on it. `out` has the seats that went out before the next
 * move. `points` are the points of each seat, where they count.
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
 * A player on a leaderboard. A computer player has an id such as `level3`. `fixed` is true if its rating
 * never changes.
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

/** The highest ratings, from the top. */
export interface Leaderboard {
  type: "leaderboard";
  variant: string;
  speed: string | null;
  leaders: Leader[];
  id?: number;
}

/** The legal moves of the player to move: all of them, or those from the requested square. */
export interface Legal {
  type: "legal";
  room: string;
  seat: string;
  moves: string[];
  seq: number;
  id?: number;
}

/**
 * A line of play: its `moves` as in `move`, their `texts` in SAN or long algebraic notation, and the `seats`
 * that make them. `score` is the value of the line for the player to move, in hundredths of a pawn. `mate` is
 * the number of moves of the line to a forced win, or if negative, to a forced loss; null if none was found.
 * `shares` are each seat's chances to win the game, with a draw as half. They add up to 1.
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
 * The best `lines` so far in the position of `analyse {key}`, the best first, with the threats of each
 * opponent. `depth` is the search depth in plies, and `nodes` the number of searched positions. After `done`,
 * no more frames come. If `depth` is then 0, no computer player had time for the position.
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
 * An account as an admin sees it. `owner` is the name of a bot's owner. `closed` is when it was closed.
 * `orders` are the kinds of the orders in force about it. `sessions` are its devices and tokens, and those of
 * its bots.
 */
export interface Listed {
  player: string;
  name: string;
  created: number;
  role: string;
  owner: string;
  closed: number | null;
  orders: string[];
  sessions: OwnSession[];
}

/**
 * A seat in the lobby's list, with its player's id and name, both null while it is free. `bot` is true if a
 * bot has the seat or is invited to it.
 */
export interface ListedSeat {
  seat: string;
  name: string | null;
  bot: boolean;
  player: string | null;
}

/**
 * A room in the lobby's list. `clock` is null in an untimed game. `locked` is true if the room has a
 * password, `seek` if a `seek` opened it, and `empty` if it has no players and watchers now. `rated` is
 * whether the game can still be rated. `ply`, `watchers` and `empty` may be some seconds old.
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
  rated: boolean;
}

/**
 * The changes of the list of rooms that this connection follows: new or changed entries, and rooms that are
 * no longer in it. At most twice a second.
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

/** The orders in force, the open reports, and the latest acts, newest first; and the asking player's `role`. */
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

/** The points for a move whose piece checks that many `kings`: by a `queen`, or by any `other` piece. */
export interface MultiCheck {
  kings: number;
  queen: number;
  other: number;
}

/** The name of a player who writes in the study, or can. */
export interface Named {
  type: "named";
  player: string;
  name: string;
}

/**
 * A move of a chapter, after the move `parent`. `move` is in coordinate notation. `--` is a null move. In
 * games for four, `R`, `T` or `A` with a seat's letter is a departure. `text` is the move in SAN or long
 * algebraic notation, and `seat` the seat that moves. `lead` is a comment before the move, at the start of a
 * variation. `glyphs` are PGN's Numeric Annotation Glyphs. `clock` is the remaining time in milliseconds.
 * `by` is the player who added the move; left out for the player who added the chapter.
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

/** A move was added, as the last child of its parent. */
export interface NodeAdded {
  type: "node_added";
  chapter: number;
  node: Node;
}

/**
 * The board after a move of a chapter, as FEN or FEN4, with the seats in check, and the eliminated seats of a
 * game for four.
 */
export interface NodeBoard {
  node: number;
  position: string;
  check: string[];
  out: string[];
}

/**
 * The board after a move of a chapter, with its legal moves. If the game is over there, `ended` is the
 * reason, `turn` is null and `legal` is empty. `check` has the seats in check, and `out` the eliminated seats
 * of a game for four. `points` are those of `ffa`, by seat. `attacks`, if requested, has the squares that
 * each seat's pieces attack.
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

/** A move was removed, with everything after it. */
export interface NodeRemoved {
  type: "node_removed";
  chapter: number;
  node: number;
}

/** The start of signing in at the OpenID provider: open `url` in the browser. */
export interface Oidc {
  type: "oidc";
  url: string;
  id?: number;
}

/**
 * The server has carried out the request, and the result is durable. `seq` is the version at which this
 * happened. If chapters were added, `notes` are sentences about parts of their text that were not read.
 */
export interface Ok {
  type: "ok";
  room?: string;
  seq?: number;
  notes?: string[];
  id?: number;
}

/**
 * The changes of the page of `people` that this connection follows: new or changed players, and players who
 * are no longer there. At most once in two seconds.
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

/** The name of the opening that a game for two has reached after `ply` moves, and its `code` (ECO). */
export interface Opening {
  ply: number;
  code: string;
  name: string;
}

/** An order of a moderator. `kind` is the `act` of `moderate`. It holds `until` then (null: for good). */
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
 * A passkey of your account: the id of its credential, the device on which it was made, and when it was
 * created and last used.
 */
export interface OwnPasskey {
  passkey: string;
  device: string;
  created: number;
  used: number;
}

/**
 * A device on which your account is signed in: since when, and the day of its last use. `here` is true for
 * the device that asks. With a `scope` it is an access token with that scope.
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
 * The player's `seek`, which has a range, continues in another room, or has started a game there. The player
 * has this seat, and the connection follows the room.
 */
export interface Paired {
  type: "paired";
  room: string;
  seat: string;
}

/**
 * A game that was read, in the form for a `create` that continues it. A room begins with the players who are
 * still in the game. If a player leaves the game in the text, `position` is the position after that, and
 * `skipped` the number of moves before it (null: no player leaves). `last` is the move after `moves` that
 * ends the game. `ended` is the reason if the game ended without a move. `stopped` is the first place that
 * could not be read. `remarks` are places that did not stop the reading: a draw by our rules (`past_draw`), a
 * null move (`null_move`), a comment without an end (`open_comment`), a parenthesis without an end
 * (`open_variation`) or without a start (`stray_parenthesis`).
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
 * The start of a passkey ceremony. `options` is JSON for the browser's
 * `PublicKeyCredential.parseCreationOptionsFromJSON` or `parseRequestOptionsFromJSON`.
 */
export interface Passkey {
  type: "passkey";
  options: string;
  id?: number;
}

/**
 * The players paused the game. All clocks stand at `left`, and nobody can move. The game goes on at the time
 * `until`, or when the players have voted to go on.
 */
export interface Paused {
  type: "paused";
  until: number;
  left: Record<string, number>;
}

/**
 * Players who are online, and the number of all (`count`). Send `next` as `after` to get the next page; null
 * if this is the last.
 */
export interface People {
  type: "people";
  people: Person[];
  count: number;
  next: string | null;
  id?: number;
}

/**
 * A player who is online. `account` is true if they have an account. `room` is the public room in which they
 * wait for others (`status` is `open`) or play (`playing`). `plays` has the games that a bot plays. While a
 * host of bots is connected, the computer players of the service come last, as `level1` to `level5`. They say
 * yes to every challenge at once.
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

/** The games that a bot plays, as in `hello`. */
export interface Played {
  variants: string[];
  speeds: string[];
  rated: boolean | null;
  games: number | null;
}

/**
 * A move that was played from a position: as in `move`, and in SAN or long algebraic notation (`text`).
 * `games` is the number of games with it, `drawn` the number without a winner.
 */
export interface PlayedMove {
  move: string;
  text: string;
  games: number;
  drawn: number;
  seats: SeatResults[];
}

/**
 * A seat of a game: its player's id and name. Once the game is over, it also has the `result` (`won`,
 * `drawn`, `lost` or `aborted`), the place, and the points where they count. `change` is the effect of a
 * rated game on the player's rating.
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
 * The points of a variant in which points decide. `pieces` has the points for the capture of each piece,
 * `king` those for the mate or capture of a king, and `stalemate` those for a stalemated player. If a walking
 * king is stalemated, every active player gets `walking_stalemate`. In a draw, every active player gets
 * `draw`, and the same again for each walking king. The last active player gets `last` for each walking king.
 * The leader of the last two can claim the game with a lead of `lead`, and `king` more for each walking king.
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

/** The server is there. `time` is its time. */
export interface Pong {
  type: "pong";
  time: number;
  id?: number;
}

/**
 * A puzzle. It starts after `ply` moves of a game, with `seat` to move. `moves` is the number of moves of
 * that seat. The `goal` is a `mate` or a `gain`. `own` is true if the asking player had that seat and missed
 * it.
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
 * The preferences kept with an account: the theme of the `board`, the set of `pieces`, the place of the
 * `coordinates`, the speed of the `animation`, the `confirmation` of moves, the set of `sounds`, and whether
 * pieces are `facing` their players. Preferences that were never chosen are null.
 */
export interface Preferences {
  type: "preferences";
  board: string | null;
  pieces: string | null;
  coordinates: string | null;
  animation: string | null;
  confirmation: string | null;
  sounds: string | null;
  facing: string | null;
  id?: number;
}

/**
 * A player came online or went offline. `since` is the time from which an offline player counts as away (null
 * while online). It changes after an outage of the service. Not part of the log.
 */
export interface Presence {
  type: "presence";
  room: string;
  seat: string;
  online: boolean;
  since: number | null;
}

/** A move became the first child of its parent: the main line. */
export interface Promoted {
  type: "promoted";
  chapter: number;
  node: number;
}

/** A promotion of a pawn: the letter at the end of the move (`e7e8q`), and the letter of the new piece. */
export interface Promotion {
  move: string;
  piece: string;
}

/** The open vote: the fields of `proposed`, and the votes so far by seat. */
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
 * The player at `seat` opened a vote: see `propose` for the kinds. An undo or redo leads to `ply` and its
 * `position`. `electorate` has the seats that must all agree before `deadline`; the proposer has agreed
 * already. A stand-in or removal is about the seat `absentee`. `level` is the level of the stand-in.
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
 * A player's rating in a variant, and for two players at a `speed` (null: all speeds), after a number of
 * `games`. `last` is the end of the latest. `deviation` is today's value. `certain` is true if the rating
 * qualifies for the leaderboard. `points` are the latest values, oldest first.
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
 * The effect of a game on a player's rating, in points: `before` and `after` it, with the `deviation` after
 * it. `scored` is the share of opponents that the player (in `teams`, the team) beat, from 0 to 1; opponents
 * with the same place count half. `expected` is the share that the ratings predicted.
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

/** A quick reaction of a player: see `react`. `bot` is true for a bot's. Not part of the log. */
export interface Reacted {
  type: "reacted";
  room: string;
  seat: string;
  name: string;
  reaction: string;
  time: number;
  bot: boolean;
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
 * The next game of the series begins from the same start, with full clocks. Every player moves to the next
 * seat.
 */
export interface Rematched {
  type: "rematched";
  game: number;
  seats: Player[];
}

/** The other players voted an absent player out. */
export interface Removed {
  type: "removed";
  seat: string;
  sight: Sight | null;
}

/** The player at a seat goes by another name from now on: see `join`. */
export interface Renamed {
  type: "renamed";
  seat: string;
  name: string;
}

/**
 * An open report at the time `at`. `by` and `reporter` are the reporter's id and name, `player` and `name`
 * those of the reported player. `lines` and `moves` are the latest of the room.
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
 * The result of a game: its reason, the winners, the place of every seat, and the points where they count. If
 * `winners` is empty, the game is a draw. Several winners are partners in `teams`, or share the first place
 * in `ffa`. If a game of `ffa` ends by `agreement` or any other draw, the leaders on points are the winners.
 * `unrated` is the reason why the game cannot be rated, `too_short` or `same_address`: see *Ratings*.
 */
export interface Result {
  reason: string;
  winners: string[];
  standings: Record<string, number>;
  points: Record<string, number> | null;
  unrated: string | null;
}

/**
 * A player's results, without aborted games. `name` is the player's latest name. `since` is the start of the
 * first of these games (null: there are none). `against` has the most frequent opponents, `computers` the
 * results by level, and `best` the wins against the highest-rated people and bots, each opponent once.
 */
export interface Results {
  type: "results";
  player: string;
  name: string | null;
  since: number | null;
  variants: ByVariant[];
  seats: BySeat[];
  against: Against[];
  computers: ByLevel[];
  best: Win[];
  id?: number;
}

/** The pause is over. The clock of the player to move runs again; that player gets a `turn`. */
export interface Resumed {
  type: "resumed";
}

/** A player is back, at a seat with a stand-in or an invited bot, or in an adjourned game. */
export interface Returned {
  type: "returned";
  seat: string;
}

/**
 * The review of game number `game` of a room. `looked` is the number of its `plies` + 1 positions examined so
 * far; null if no review is running. A complete review has `judged`, the positions from the start on, and a
 * `summary`. `openings` are available at once: the named positions of a game for two, in their order.
 * `puzzles` is the number of puzzles in the game.
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
 * The snapshot: the whole state of a room at `seq`. `status` is `open` (seats are free), `playing` or
 * `finished`. `start` is the FEN or FEN4 from which the game began, `moves` the moves so far, and `position`
 * the current position. `turn` is null unless the game is being played. `redo` is the number of undone moves
 * that a redo can bring back. `game` is the number of the game in the series, from 1. `check` has the seats
 * in check. `claims` has the possible claims of each seat (`claim`): `fifty_moves` or `threefold` on its
 * turn, `points` at any time. `host` is the player who opened the room. `visibility` is `public` or
 * `private`. `locked` is true if the room has a password, `chat` if chat is on. With a `delay` (milliseconds)
 * watchers see the game that much later; `time` is then the time of what they see. After `absence`
 * milliseconds away, a player is absent (2⁵³ - 1: never). `absentee_votes` are the votes about that player
 * that others can then open in a running game: see *Votes*. `decided` is the time of the decision that led to
 * `seq`. An `archived` game can be watched and exported, but its room accepts nothing more. An `imported`
 * game was played elsewhere. With `rated` false the games change no ratings. `unrated` is the reason why the
 * current game does not, left out if it may: it began from a `position` or with `moves` of the host's choice,
 * a vote has `undone` or redone moves, or a `stand_in` has played. With a `fill`, a level, computer players
 * fill the free seats, and people take seats over from them (by `join` or `seek`) during the first five
 * rounds. `paused` is the time at which a paused game goes on; left out otherwise.
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
  unrated?: string;
  fill: number;
  paused?: number;
  id?: number;
}

/** The requested public rooms, newest first. `more` is true if there are others beyond the limit. */
export interface Rooms {
  type: "rooms";
  rooms: Listing[];
  more: boolean;
  id?: number;
}

/**
 * A chat message of a player, or of a watcher (`seat` is null), to `all` or to the `table`. `bot` is true for
 * a message of a bot. Not part of the log.
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
 * A server's vital signs at the time `at`. `rooms` are held there; a game of `playing` of them is not over.
 * `moves` is the number of moves per second since the sample before, `append` the milliseconds within which
 * 99 of 100 decisions became durable meanwhile (null: there was none), and `errors` how many requests were
 * answered with an error. `memory` is that of its processes, in bytes.
 */
export interface Sample {
  at: number;
  connections: number;
  rooms: number;
  playing: number;
  moves: number;
  append: number | null;
  memory: number;
  errors: number;
}

/**
 * A seat in the snapshot. `player` and `name` are null while it is free. `out` is the reason why a player of
 * four is out of the game (`checkmate`, `resignation`, ..., or `set_up` if the game began without that army).
 * It is null for players still in. `invited` is the level of a bot that is invited to the seat. `stand_in` is
 * the name of a bot that plays for the absent player. `bot` is true if the player is a bot. `score` is the
 * player's score in the series. `since` is the time from which the absence of an offline player counts; null
 * for others. `berserk` is true if the player has given up half of the time in this game, otherwise left out.
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
  berserk?: boolean;
}

/**
 * A seat's results in the games with a move: the number won, the average place (1 for the first), and the
 * average points where they count.
 */
export interface SeatResults {
  seat: string;
  won: number;
  place: number;
  points: number | null;
}

/** A player took a seat; in a game that is played, from a computer player (see `seek` and its `fill`). */
export interface Seated {
  type: "seated";
  seat: string;
  player: string;
  name: string;
}

/** A marked square, or an arrow if it has a `target`. */
export interface Shape {
  colour: "blue" | "green" | "red" | "yellow";
  /** 2 to 3 characters */
  square: string;
  /** 2 to 3 characters */
  target?: string | null;
}

/**
 * The visibility of the study changed. Readers who can no longer see it get `error` with the code
 * `no_such_room`, and no further frames about it.
 */
export interface Shared {
  type: "shared";
  visibility: "link" | "private" | "public";
}

/**
 * A seat of a variant. `letter` is the letter of its pieces in FEN4 and in `sight`. Seats with the same
 * `team` number are partners. `forward` is the direction of its pawns: `north` to higher ranks, `east` to
 * later files, `south` or `west`.
 */
export interface Side {
  seat: string;
  letter: string;
  team: number;
  forward: string;
}

/**
 * The board after a step, for clients that do not know the rules. `text` is the move in SAN for two players,
 * in long algebraic notation for four; empty if a player left. `changes` has the changed squares, each with
 * its piece now: a cell of FEN4 (`rP`, `drP` if grey), with `w` and `b` for two players; null if it is empty.
 * `check` has the seats in check. `points` has the points of each seat, where points count. In variants with
 * drops, `hands` has the letters of the pieces in each seat's hand (`qpp`).
 */
export interface Sight {
  text: string;
  changes: Record<string, string | null>;
  check: string[];
  points: Record<string, number> | null;
  hands?: Record<string, string>;
}

/**
 * The state of a puzzle's solution. `right` tells whether the last move was right (true without one), and
 * `done` whether the puzzle is solved. `played` are the moves so far, with the replies and without a wrong
 * last move; `texts` are the same in SAN or long algebraic notation. They lead to the `position`. There,
 * `turn` is the seat to move, with these `legal` moves (empty if it is done). `check` has the seats in check,
 * and `out` the eliminated seats.
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

/** The game started: all seats are taken. The first seat is to move. */
export interface Started {
  type: "started";
}

/**
 * The vital signs of this server, oldest first, a sample every `period` milliseconds; when it `started`, and
 * its `name` with the version. `errors` counts the error codes of the last hour. `level` is the level of its
 * log.
 */
export interface Status {
  type: "status";
  name: string;
  started: number;
  period: number;
  level: string;
  samples: Sample[];
  errors: Record<string, number>;
  id?: number;
}

/** A bot plays for an absent player, until that player returns. */
export interface StoodIn {
  type: "stood_in";
  seat: string;
  player: string;
  name: string;
}

/**
 * The place where the reading of a game stopped: a line of the text (0: our rules stopped it, not the text),
 * the number of the move, and the move's text. `message` is the reason.
 */
export interface Stop {
  line: number;
  ply: number;
  move: string;
  code: string;
  message: string;
}

/** A player's rating in one kind of game, in points. Show it with a `?` unless it is `certain`. */
export interface Strength {
  player: string;
  rating: number;
  deviation: number;
  certain: boolean;
}

/** The ratings of the requested players in one kind of game. Players without a rating are left out. */
export interface Strengths {
  type: "strengths";
  strengths: Strength[];
  id?: number;
}

/** Studies, latest changes first. Send `after` to get the next page; null if this is the last. */
export interface Studies {
  type: "studies";
  studies: StudyListing[];
  after: string | null;
  id?: number;
}

/**
 * The snapshot of a study at `seq`. `role` is the reader's role: `owner`, `writer` or `reader`. `writers` are
 * the ids of the named writers. `names` has the names of all writers so far. `cursors` and `count` are as in
 * `cursors`. `decided` is the time of the decision that led to `seq`.
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
 * A study in a list. `name` is the owner's name, and `variants` are those of the chapters. `changed` and
 * `created` are times in milliseconds since 1970.
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
 * The summary of a reviewed game. `accuracy` is from 0 to 100 for each seat (null: it made no move). `lost`
 * is the number of moves after which the seat had lost the game (null: it had not).
 */
export interface Summary {
  accuracy: Record<string, number | null>;
  lost: Record<string, number | null>;
}

/**
 * A seat waits for a bot of `level`. Only hosts of bots get this frame. The bot says `hello` with this
 * `token`, and joins.
 */
export interface Summon {
  type: "summon";
  room: string;
  seat: string;
  level: number;
  token: string;
}

/**
 * A threat of an opponent: a move of `seat`, if it were that seat's turn now. It would win material worth
 * `gain` from the player to move, or mate that player (`mate`).
 */
export interface Threat {
  seat: string;
  move: string;
  text: string;
  gain: number;
  mate: boolean;
}

/**
 * The effect of a move on its player's clock, in milliseconds: the time `spent`, the time `gained`, and the
 * time `left`. `lag` is the network's part. It was given back and is not in `spent`.
 */
export interface Tick {
  spent: number;
  lag: number;
  gained: number;
  left: number;
}

/** The study was renamed. */
export interface Titled {
  type: "titled";
  title: string;
}

/**
 * It is your turn. Only the player to move gets this frame, with the legal moves. `claims` has the possible
 * claims (`claim`); left out if there are none.
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
 * The game went back `plies` moves, to `ply`, with its whole state. `out` has the seats that were eliminated
 * at that ply, with the reason. `left` has the clocks.
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
 * A seat is free again before the start. Its player left or was away for too long, or the host removed the
 * player (`kicked`).
 */
export interface Unseated {
  type: "unseated";
  seat: string;
  kicked?: boolean;
}

/** One decision: all its events happened at once, at `seq`. In a study, `by` is the player who made the edit. */
export interface Update {
  type: "update";
  room: string;
  seq: number;
  time: number;
  events: Event[];
  by?: string;
}

/**
 * A variant, and the differences of its rules from others. `starts` has the usual array first, or a single
 * one if the server draws the array. Pawns promote at `promotion_rank`, counted from their own side with 1 as
 * the king's rank. If it is null, they promote at the end of the board. `worth` has the usual values of the
 * pieces. `en_passant` and `dead_kings_walk` tell whether the variant has these rules. `stalemate` is
 * `"draw"`, `"out"` if it eliminates its player, or `"win"` for its player. With `lone_minors_draw`, the last
 * two also draw with a knight or bishop each. After `moves_without_progress` moves of each player without a
 * capture or pawn move, the game is drawn (0: never); if `claims` has `fifty_moves`, a player can claim the
 * draw instead. `drops` has the letters of the pieces that go to the captor's hand and can be dropped. With
 * `one_player_a_team`, a player has all seats of a team; the first of them is in votes, chats and challenges.
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
  drops: string[];
  one_player_a_team: boolean;
}

/** The variants of this server, in the order for menus. */
export interface Variants {
  type: "variants";
  variants: Variant[];
  id?: number;
}

/** A seat of the electorate voted. */
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
 * Your identity. `player` is public. `token` is secret and proves that you are this player. `build` is the
 * version of the browser client that this server serves, empty if it has none. `account` is true if the
 * player has an account. `accounts` tells who can have one: `open`, everybody; `oidc`, people who sign in at
 * the server's OpenID provider; `closed`, only those who have one already; `off`, nobody. `provider` is the
 * name of the OpenID provider, empty without one. `service` is the name that the operator has given this
 * service.
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
  service: string;
  id?: number;
}

/** A rated game in which a player placed before a strong opponent. `rating` is the opponent's before the game. */
export interface Win {
  room: string;
  number: number;
  variant: string;
  ended: number;
  player: string;
  name: string;
  rating: number;
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
  give: GiveRequest;
  berserk: BerserkRequest;
  legal: LegalRequest;
  say: SayRequest;
  react: ReactRequest;
  chat: ChatRequest;
  export: ExportRequest;
  rooms: RoomsRequest;
  pool: PoolRequest;
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
  preferences: PreferencesRequest;
  administer: AdministerRequest;
  grant: GrantRequest;
  revoke: RevokeRequest;
  moderate: ModerateRequest;
  moderation: ModerationRequest;
  report: ReportRequest;
  settle: SettleRequest;
  ping: PingRequest;
  status: StatusRequest;
  doctor: DoctorRequest;
  accounts: AccountsRequest;
  backups: BackupsRequest;
  backup: BackupRequest;
  operate: OperateRequest;
  set_up: SetUpRequest;
  study: StudyRequest;
  piece: PieceRequest;
  chapters: ChaptersRequest;
  import: ImportRequest;
  edit: EditRequest;
  look: LookRequest;
  stand: StandRequest;
  studies: StudiesRequest;
}

/** The reply to each request, unless it is refused. */
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
  give: Ok;
  berserk: Ok;
  legal: Legal;
  say: Ok;
  react: Ok;
  chat: Chat;
  export: Exported;
  rooms: Rooms;
  pool: Rooms;
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
  preferences: Preferences;
  administer: Account;
  grant: Granted;
  revoke: Ok;
  moderate: Ok;
  moderation: Moderation;
  report: Ok;
  settle: Ok;
  ping: Pong;
  status: Status;
  doctor: Findings;
  accounts: Accounts;
  backups: Backups;
  backup: Backup;
  operate: Ok;
  set_up: Ok;
  study: Created;
  piece: Ok;
  chapters: Chapters;
  import: Created;
  edit: Ok;
  look: Looked;
  stand: Ok;
  studies: Studies;
}

/** Every frame of a server by its `type`. */
export interface Frames {
  welcome: Welcome;
  account: Account;
  preferences: Preferences;
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
  reacted: Reacted;
  chat: Chat;
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
  status: Status;
  findings: Findings;
  accounts: Accounts;
  backups: Backups;
  backup: Backup;
  study: Study;
  chapters: Chapters;
  looked: Looked;
  studies: Studies;
  cursors: Cursors;
}

/** Every event of a room's `update` by its `type`. */
export interface Events {
  seated: Seated;
  renamed: Renamed;
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
  paused: Paused;
  resumed: Resumed;
  gave: Gave;
  berserked: Berserked;
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
/** An event of an `update` of a game's room. A study's events are `StudyEvent`s: the room's id tells which. */
export type Event = Events[keyof Events];
export type Change = Changes[keyof Changes];
