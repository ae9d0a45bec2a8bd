"""The errors of messages: three kinds, their codes, and the close codes of a connection.

The kinds have different remedies:

* *unreadable*: the frame is not a message of the protocol; the client has a bug;
* *refused*: the message was understood, but is impossible now (no such room, not your seat, stale); look again;
* *illegal*: the rules of chess forbid the move in this position; choose another.

Codes are stable, for programs. Messages are sentences for people and may change.
"""

from enum import IntEnum, StrEnum
from typing import Final, NamedTuple

SUBPROTOCOL_MSGPACK = "fourfold.v1+msgpack"
SUBPROTOCOL_JSON = "fourfold.v1+json"


class ErrorKind(StrEnum):
    """The three kinds of errors."""

    UNREADABLE = "unreadable"
    REFUSED = "refused"
    ILLEGAL = "illegal"


class Unreadable(ValueError):
    """A frame that is not a message of this protocol.

    `id` is the id of the request, if it could be read, so that the error can answer it.
    """

    def __init__(self, code: str, message: str, id: int | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.id = id


class CloseCode(IntEnum):
    """The reason why the server closed a connection (RFC 6455 §7.4; codes from 4000 are ours). `CLOSES` says what to
    do."""

    PROTOCOL = 1002
    BAD_TEXT = 1007
    POLICY = 1008
    TOO_BIG = 1009
    INTERNAL = 1011
    RESTART = 1012
    SLOW_READER = 4001
    SILENT = 4002
    SIGNED_OUT = 4003
    BANNED = 4004


class Fault(NamedTuple):
    """The meaning of an error code, and its remedy."""

    kind: ErrorKind
    meaning: str
    cure: str


def _faults(kind: ErrorKind, *rows: tuple[str, str, str]) -> dict[str, Fault]:
    return {code: Fault(kind, meaning, cure) for code, meaning, cure in rows}


ERRORS: Final[dict[str, Fault]] = {
    **_faults(
        ErrorKind.UNREADABLE,
        ("wrong_frame", "text instead of binary, or the reverse", "text frames for JSON, binary ones for MessagePack"),
        ("not_a_message", "not a map in the encoding of this connection", "send one map in each frame"),
        ("no_type", "`type` is missing or not a string", "name the request"),
        ("unknown_type", "this server has no such request", "the message lists the requests"),
        ("bad_field", "a field is missing, unknown, of the wrong type or over its limit", "the message names it"),
        ("unknown_variant", "there is no such variant", "the message lists the variants"),
        ("unknown_setup", "the variant has no start array of this name", "the message lists the arrays"),
        ("invalid_fen", "`position` is not a FEN, or for four not a FEN4", "the message names the first error"),
        ("no_game", "the text has no game that can begin here", "the message says why"),
        ("bad_source", "the first half of the move is not a square", "write moves like `e2e4`"),
        ("bad_destination", "the second half of the move is not a square", "write moves like `e2e4`"),
        ("unknown_promotion", "pawns cannot promote to the piece of the last letter", "the message lists the pieces"),
    ),
    **_faults(
        ErrorKind.REFUSED,
        # the connection
        ("hello_first", "only `ping` can come before `hello`", "send `hello`"),
        ("already_greeted", "this connection has already sent `hello`", "open another connection for another player"),
        (
            "bad_token",
            "this server did not sign the token, or it has expired, or its device was signed out",
            "send `hello` without a token, as a new guest, or sign in again",
        ),
        ("bad_key", "the wrong key for hosts of bots", "ask the operator for the server's `BOTS_KEY`"),
        ("unavailable", "the store is down; the command may or may not be stored", "send it again, same `key`"),
        ("failed", "an internal error of the server: the command failed", "do something else, and report the error"),
        ("too_fast", "too many requests of this kind", "wait for `retry` milliseconds"),
        ("watchers_only", "this server is for watchers only", "connect to another server to play"),
        ("store_full", "the store is nearly full: games go on, but new rooms are refused", "wait for `retry`"),
        (
            "too_many_rooms",
            "too many new or unstarted rooms from this address, or too many rooms in all",
            "wait for `retry` milliseconds; without it, `close` one",
        ),
        # accounts
        ("accounts_off", "this server has no accounts", "play as a guest"),
        ("accounts_closed", "this server creates no new accounts", "ask the server's operator"),
        ("no_account", "you are a guest", "`register`, or `login`"),
        ("has_account", "this player has an account already", "`rename` it, or `login` to another"),
        ("is_bot", "bots cannot have accounts", "create one for the person who runs the bot"),
        ("bad_name", "accounts cannot have this name", "the message says why"),
        ("name_taken", "another account has a similar-looking name", "choose another"),
        ("no_passkeys", "the page that opened this connection can't use passkeys", "use a recovery code"),
        ("no_ceremony", "this connection has begun no ceremony that this answers", "ask for a `passkey` first"),
        ("bad_passkey", "the answer does not prove a passkey of an account", "the message says why"),
        ("no_provider", "this server has no OpenID provider", "sign in by a passkey or a recovery code"),
        ("provider_refused", "the OpenID provider did not confirm your identity", "the message says why; begin again"),
        ("provider_away", "the OpenID provider does not answer", "try again later, or sign in another way"),
        ("wrong_code", "the recovery code, or the admin's code, is wrong", "check it; a newer code replaces it"),
        ("no_such_session", "your account is not signed in there", "look at your `account`"),
        ("no_such_passkey", "your account has no such passkey", "look at your `account`"),
        ("out_of_scope", "an access token does not allow this", "sign in to the account"),
        ("too_many_tokens", "the account has too many access tokens", "`revoke` one"),
        ("last_proof", "the account would have no way to sign in", "make a `recovery` code first"),
        ("no_rating", "only players with ratings can seek with a range", "`register`, or seek without it"),
        ("no_such_rating", "games for two have a rating for each speed, other games just one", "see *Ratings*"),
        # order
        ("banned", "the player, or the address, is banned", "the message says why, and until when: `retry`"),
        ("muted", "the player, or guests from the address, are muted", "the message says why, and until when: `retry`"),
        ("chat_closed", "a moderator has turned chat off on this server", "wait"),
        ("unwanted_word", "the text has a word that this server blocks", "use another word"),
        ("room_locked", "a moderator has locked this room for newcomers", "play elsewhere"),
        ("not_moderator", "only moderators, or only admins, can do this", "ask an admin for the role"),
        ("no_such_backup", "there is no backup of this name", "look at the `backups`"),
        ("busy", "this server is doing this already, or can't do it at all", "the message says why"),
        ("outranked", "only admins can do this to people with a role", "ask an admin"),
        ("bad_target", "the act is impossible for this `target` or `text`", "the message says why"),
        ("no_such_order", "no order with this id is in force", "ask for `moderation`"),
        ("no_such_report", "no report with this id is open", "ask for `moderation`"),
        ("not_here", "the player neither sits nor has talked in the room", "look at the room"),
        ("left_games", "the player has left games early", "wait for `retry`; without an `id` it is only a warning"),
        # rooms and seats
        ("no_such_room", "no room has this id, or it has expired", "check the id"),
        ("damaged", "the log of this room can't be read", "play elsewhere, and tell the server's operator"),
        ("newer", "a newer version of the server wrote this room's log", "connect again, now or later"),
        ("room_exists", "a room with this id exists already", "create again"),
        ("invalid_setup", "no game can begin from this position", "the message has every reason; `check` lists them"),
        ("password_needed", "this room has a password", "`join` or `watch` with it"),
        ("wrong_password", "not the password of this room", "ask the host"),
        ("no_such_seat", "this variant has no seat of this name", "the message lists the seats"),
        ("already_seated", "you have another seat here", "leave it first, before the game starts"),
        ("seat_taken", "another player has this seat", "take another; the message lists the free ones"),
        ("seat_free", "the seat is free", "nothing"),
        ("kicked", "the host has removed you, or a player from your address", "`watch`, or play elsewhere"),
        ("same_address", "a player from your address sits at this rated table", "play elsewhere, or a casual game"),
        ("seats_reserved", "the free seats are reserved for bots", "name one to take it anyway"),
        ("not_seated", "you have no seat here", "join first"),
        ("not_host", "only the host, who opened the room, can do this", "ask the host"),
        ("not_invited", "only a bot that this server calls, of the chosen level, can stand in", "wait for a `summon`"),
        ("not_following", "you do not follow this room", "`join` or `watch` first"),
        ("too_many_rooms_followed", "this connection follows too many rooms", "`leave` one"),
        ("ahead", "the room has no such version (`since`, `seq`), or its log is another", "`watch` without `since`"),
        # challenges
        ("no_such_player", "no account, and for a challenge no online guest, has this name", "use the player's id"),
        ("ambiguous_player", "several online players have this name", "use an id: the message lists them"),
        ("bad_challenge", "the challenge repeats a player, or does not name the right seats", "the message says why"),
        ("too_many_followed", "you follow too many players", "`unfollow` somebody"),
        ("too_many_challenges", "too many challenges are open", "`cancel` one, or wait until one has ended"),
        ("no_such_challenge", "you have no challenge with this id, or it ended a while ago", "nothing"),
        ("challenge_over", "the challenge has ended, or you have answered it", "look at its `status`"),
        ("player_away", "a challenged player is not here now", "answer again after `retry` milliseconds"),
        # the game
        ("not_started", "seats are still free", "wait for `started`"),
        ("already_started", "the game has begun", "`watch` it; to leave a seat, `resign`"),
        ("game_over", "the game has ended", "propose a rematch"),
        ("archived", "the game is in the archive and cannot change", "`create` a room to play again"),
        ("out_of_game", "this seat is out of the game", "`watch`"),
        ("stale", "the position has changed since `seq`", "look at the current position, then decide again"),
        ("flag_fallen", "your time was over before this move came", "the `flagged` event follows"),
        ("too_late", "too late: every player has moved, or the vote has ended", "nothing"),
        ("bad_square", "the board has no such square", "name one, or leave `square` out"),
        ("fair_play", "the position is near a running game of yours or of your address", "ask again after that game"),
        ("no_such_job", "this `job` is no longer wanted", "stop working on it"),
        ("no_such_puzzle", "the game has no puzzle there", "`puzzles` lists its puzzles"),
        ("no_such_format", "this variant has no such format", "the message lists the formats"),
        # time
        ("paused", "the game is paused", "propose to `resume`, or wait for `retry` milliseconds"),
        ("not_paused", "the game is not paused", "nothing"),
        ("no_clock", "the game has no clocks, or none with time for the whole game", "nothing"),
        ("not_opponent", "only opponents can get time from you", "name an opponent"),
        ("too_many_gifts", "you have given time too often in this game", "nothing"),
        ("already_berserk", "you have given up half of your time already", "nothing"),
        # votes
        ("proposal_open", "another vote is open", "wait for `closed`"),
        ("too_soon", "your last proposals were refused", "wait for `retry` milliseconds"),
        ("bad_plies", "there are fewer moves to undo or redo, or this vote takes no `plies`", "ask for fewer"),
        ("bad_seat", "this vote takes no `seat`", "leave it out"),
        ("bad_level", "this vote takes no `level`, or needs one", "give one for a stand-in, and for nothing else"),
        (
            "not_absent",
            "the player is here, or not away for long enough, or never counts as absent in a game this slow",
            "play on, or wait for `retry` milliseconds if there are any",
        ),
        ("rated_game", "a rated game for two has no stand-in, one for more no gifts of time", "the message says it"),
        ("only_stands_in", "a stand-in can only move and agree to an undo", "vote no, or do nothing"),
        ("not_finished", "a rematch follows a game that is over", "wait for `finished`"),
        ("no_such_proposal", "no proposal with this number is open", "look for `proposed` and `closed`"),
        ("not_yours", "another player has made this proposal", "vote against it"),
        ("nothing_to_claim", "you have nothing to claim now", "look for `claims` in `turn` and `room`"),
        ("no_vote", "your seat is not in its electorate", "nothing"),
        ("already_voted", "you have already voted on this proposal", "nothing"),
        # studies
        ("not_owner", "only the owner of the study can do this", "ask the owner"),
        ("not_writer", "you can read this study, but not change it", "ask its owner"),
        ("no_such_chapter", "the study has no such chapter", "perhaps it was removed just now: look again"),
        ("missing_pieces", "earlier pieces of the text are missing", "send all of them again"),
        ("no_such_node", "the chapter has no such move", "perhaps it was removed just now: look again"),
        ("bad_title", "a title has 1 to 100 characters", "write another"),
        (
            "comment_changed",
            "somebody has changed the comment since `seq`",
            "the message has the new text: send yours again with the `seq` of the error, to replace it",
        ),
        ("too_long", "the comment is too long", "the message has the limit"),
        ("bad_glyphs", "unknown glyphs, or too many of them", "the message lists the glyphs"),
        ("too_many_shapes", "too many arrows and marks on the position", "draw fewer"),
        ("bad_colour", "arrows and marks cannot have this colour", "the message lists the colours"),
        ("too_many_writers", "too many named writers", "name fewer, or let everybody write"),
        ("study_full", "the study has reached a limit", "open another study"),
        ("too_many_studies", "you have too many studies", "`delete` one; guests can have fewer"),
        # talk
        ("chat_off", "the host has turned chat off", "nothing"),
        ("nothing_said", "the text has nothing to show", "write something"),
    ),
    **_faults(
        ErrorKind.ILLEGAL,
        ("not_your_turn", "another player is to move", "wait for `turn`"),
        ("no_piece", "the first square is empty", "choose another move"),
        ("not_your_piece", "the piece there is another player's, or grey", "choose another move"),
        ("own_piece", "your own piece is on the second square", "choose another move"),
        ("promotion_missing", "the pawn promotes there", "add the piece's letter: `e7e8q`"),
        ("king_in_check", "your king would be, or would stay, in check", "choose another move"),
        ("cannot_move_there", "the piece does not move like that", "choose another move"),
    ),
}
"""All codes of `error` frames."""


class Close(NamedTuple):
    """The meaning of a close code, and its remedy."""

    meaning: str
    cure: str


_RESUME: Final = "connect again and resume with `watch {since}`"

CLOSES: Final[dict[CloseCode, Close]] = {
    CloseCode.PROTOCOL: Close("invalid WebSocket frames", "fix the client"),
    CloseCode.BAD_TEXT: Close("a text frame that is not UTF-8", "fix the client"),
    CloseCode.POLICY: Close("no `hello`; too many bad frames, forged tokens, pings, fragments", "fix the client"),
    CloseCode.TOO_BIG: Close("a frame over the size limit", "fix the client"),
    CloseCode.INTERNAL: Close("an internal error of the server", _RESUME),
    CloseCode.RESTART: Close("the server is stopping, or can't reach its store", _RESUME),
    CloseCode.SLOW_READER: Close("the client read its frames too slowly", _RESUME),
    CloseCode.SIGNED_OUT: Close("this device was signed out", "send `hello` without a token, or sign in again"),
    CloseCode.BANNED: Close("the player or the address is banned: the reason says why, and until when", "stay away"),
    CloseCode.SILENT: Close("no frames from the client, not even a pong", _RESUME),
}
"""All codes with which the server closes connections."""
