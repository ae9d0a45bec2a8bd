"""The ways a message can fail, the codes that name them, and the close codes of a connection.

Three kinds are kept apart, because their cure differs:

* *unreadable*: the bytes or the fields are not what the protocol allows; the client has a bug;
* *refused*: understood, but impossible now (no such room, not your seat, stale); look again;
* *illegal*: a move that the rules of chess forbid in this position; choose another.

Codes are stable and meant for programs; messages are sentences meant for people and may change.
"""

from enum import IntEnum, StrEnum
from typing import Final, NamedTuple

SUBPROTOCOL_MSGPACK = "fourfold.v1+msgpack"
SUBPROTOCOL_JSON = "fourfold.v1+json"


class ErrorKind(StrEnum):
    """Which of the three kinds an error is."""

    UNREADABLE = "unreadable"
    REFUSED = "refused"
    ILLEGAL = "illegal"


class Unreadable(ValueError):
    """A frame that is no message of this protocol.

    `id` is the request's own id where it could still be read, so that the error can be answered to it.
    """

    def __init__(self, code: str, message: str, id: int | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.id = id


class CloseCode(IntEnum):
    """Why the server closed a connection (RFC 6455 §7.4; 4000 and up are ours); `CLOSES` says what to do about it."""

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
    """What an error code means, and what helps."""

    kind: ErrorKind
    meaning: str
    cure: str


def _faults(kind: ErrorKind, *rows: tuple[str, str, str]) -> dict[str, Fault]:
    return {code: Fault(kind, meaning, cure) for code, meaning, cure in rows}


ERRORS: Final[dict[str, Fault]] = {
    **_faults(
        ErrorKind.UNREADABLE,
        ("wrong_frame", "text where binary is due, or the reverse", "text frames for JSON, binary for MessagePack"),
        ("not_a_message", "no map in the encoding of this connection", "send one map a frame"),
        ("no_type", "`type` is missing or no string", "say which request it is"),
        ("unknown_type", "no request of this server has this `type`", "the message lists those there are"),
        ("bad_field", "a field is missing, unknown, of the wrong type or over its limit", "the message names it"),
        ("unknown_variant", "there is no such variant", "the message lists those there are"),
        ("unknown_setup", "the variant has no start array of this name", "the message lists those there are"),
        ("invalid_fen", "`position` is no FEN, or for four no FEN4", "the message says where it stops making sense"),
        ("no_game", "the text has no game that can begin here", "the message says what is wrong with it"),
        ("bad_source", "the first half of the move names no square", "write moves like `e2e4`"),
        ("bad_destination", "the second half of the move names no square", "write moves like `e2e4`"),
        ("unknown_promotion", "the last letter of the move is no piece to promote to", "the message lists them"),
    ),
    **_faults(
        ErrorKind.REFUSED,
        # the connection
        ("hello_first", "only `ping` may come before `hello`", "say `hello`"),
        ("already_greeted", "this connection has said `hello`", "open another connection for another player"),
        (
            "bad_token",
            "this server did not sign the token, or it has expired, or its device was signed out",
            "say `hello` without one, as a new guest, or sign in again",
        ),
        ("bad_key", "not the key of this server's bot hosts", "ask the server's operator: it is its `BOTS_KEY`"),
        ("unavailable", "the store is away; it is not known whether a command was kept", "send it again, same `key`"),
        ("failed", "a fault of the server: the command is not carried out", "go on with something else, and report it"),
        ("too_fast", "done too often", "wait for `retry` milliseconds"),
        ("watchers_only", "this server is for watchers, and changes no room", "connect to another server to play"),
        ("store_full", "the store is nearly full: games go on, but no new rooms are opened", "wait for `retry`"),
        (
            "too_many_rooms",
            "too many rooms from this address, in a minute or that have not begun; or too many in all",
            "wait for `retry` milliseconds; without it, `close` one",
        ),
        # accounts
        ("accounts_off", "this server has no accounts", "play as a guest"),
        ("accounts_closed", "this server makes no new accounts", "ask the server's operator"),
        ("no_account", "you are a guest", "`register`, or `login`"),
        ("has_account", "this player has an account", "`rename` gives it another name; or `login`"),
        ("is_bot", "a bot has no account of its own", "make one for the person who runs it"),
        ("bad_name", "no account may have this name", "the message says why"),
        ("name_taken", "the name of another account looks like this one", "choose another"),
        ("no_passkeys", "the page that opened this connection can't use passkeys", "use a recovery code"),
        ("no_ceremony", "nothing was begun on this connection that this answers", "ask for a `passkey` first"),
        ("bad_passkey", "this proves no passkey of an account", "the message says why"),
        ("no_provider", "this server knows no OpenID provider", "sign in by a passkey or a recovery code"),
        ("provider_refused", "the OpenID provider has not proved who you are", "the message says why; begin again"),
        ("provider_away", "the OpenID provider does not answer", "try again later, or sign in another way"),
        ("wrong_code", "this is nobody's recovery code, or not the admin's", "check it; a newer one replaces it"),
        ("no_such_session", "your account is not signed in there", "look at your `account`"),
        ("no_such_passkey", "your account has no such passkey", "look at your `account`"),
        ("out_of_scope", "an access token does not allow this", "sign in to the account"),
        ("too_many_tokens", "the account has as many access tokens as there may be", "`revoke` one"),
        ("last_proof", "nothing else would prove the account", "make a `recovery` code first"),
        ("no_rating", "a range is for players with ratings, and guests have none", "`register`, or seek without it"),
        ("no_such_rating", "a game for two has a rating for each speed, other games one for all", "see *Ratings*"),
        # order
        ("banned", "the player, or the address, is banned", "the message says why, and until when: `retry`"),
        ("muted", "the player says nothing, nor do guests from there", "the message says why, and until when: `retry`"),
        ("chat_closed", "a moderator has turned chat off on this server", "wait"),
        ("unwanted_word", "a word of the text is not wanted on this server", "say it otherwise"),
        ("room_locked", "a moderator lets nobody new into this room", "play elsewhere"),
        ("not_moderator", "only moderators do this; some things only admins", "ask an admin for the role"),
        ("outranked", "only an admin does this to somebody with a role", "ask an admin"),
        ("bad_target", "this can't be done to whom or what `target` or `text` names", "the message says why"),
        ("no_such_order", "no order of this id is in force", "ask for `moderation`"),
        ("no_such_report", "no report of this id is open", "ask for `moderation`"),
        ("not_here", "nobody of this id sits or has talked in the room", "look at the room"),
        ("left_games", "the player has left games before their end", "wait for `retry`; without an `id`, only be told"),
        # rooms and seats
        ("no_such_room", "there is no room of this id, or it is no longer kept", "check the id"),
        ("damaged", "the log of this room can't be read", "play elsewhere, and tell the server's operator"),
        ("newer", "a newer version of the server has written this room's log", "connect again, or later"),
        ("room_exists", "a room of this id is there already", "create again"),
        ("invalid_setup", "no game can begin from this position", "the message names every reason, and `check` each"),
        ("password_needed", "this room asks for a password", "`join` or `watch` with one"),
        ("wrong_password", "not the password of this room", "ask the host"),
        ("no_such_seat", "this variant has no seat of this name", "the message lists those there are"),
        ("already_seated", "you have another seat here", "leave it first, while the game has not started"),
        ("seat_taken", "another player has this seat", "take another; the message lists the free ones"),
        ("seat_free", "the seat is free", "nothing"),
        ("kicked", "the host has removed you, or a player from your address", "`watch`, or play elsewhere"),
        ("same_address", "a player from your address sits at this rated table", "play elsewhere, or a casual game"),
        ("seats_reserved", "the free seats are kept for bots", "name one to take it all the same"),
        ("not_seated", "you have no seat here", "join first"),
        ("not_host", "only the player who opened the room may do this", "ask the host"),
        ("not_invited", "only a bot that this server calls stands in, at the level voted for", "wait for a `summon`"),
        ("not_following", "you neither watch nor have a seat here", "`join` or `watch` first"),
        ("too_many_rooms_followed", "this connection follows as many rooms as one may", "`leave` one"),
        ("ahead", "`since` or `seq` is a version this room has not reached, or now another", "`watch` without `since`"),
        # challenges
        ("no_such_player", "no account has this name, nor, for a challenge, a guest online", "name the player's id"),
        ("ambiguous_player", "several players who are online have this name", "name one by id: the message lists them"),
        ("bad_challenge", "a challenge names each player once, and all seats, or all but your own", "the message says"),
        ("too_many_followed", "you follow as many players as one may", "`unfollow` somebody"),
        ("too_many_challenges", "too many challenges are open", "`cancel` one, or wait until one has ended"),
        ("no_such_challenge", "no challenge of this id concerns you, or it ended a while ago", "nothing"),
        ("challenge_over", "the challenge has ended, or you have answered it", "look at its `status`"),
        ("player_away", "a player who is to play is not here now", "answer again after `retry` milliseconds"),
        # the game
        ("not_started", "seats are still free", "wait for `started`"),
        ("already_started", "the game has begun", "`watch` it; to leave a seat, `resign`"),
        ("game_over", "the game has ended", "propose a rematch"),
        ("archived", "the game is in the archive, where nothing more happens", "`create` a room, and play again there"),
        ("out_of_game", "this seat is out of the game", "`watch`"),
        ("stale", "the position has changed since `seq`", "look at the game as it is, then decide anew"),
        ("flag_fallen", "your time was over before this move came", "the `flagged` event follows"),
        ("too_late", "too late: every player has moved, or the vote has ended", "nothing"),
        ("bad_square", "the board has no such square", "name one, or leave `square` out"),
        ("fair_play", "a game that you or your address play is near", "ask again when that game is over"),
        ("no_such_job", "nobody waits for this `job` any more", "stop working on it"),
        ("no_such_puzzle", "the game has no puzzle there", "`puzzles` tells where there are some"),
        ("no_such_format", "this variant is not written in this format", "the message lists those it is written in"),
        # votes
        ("proposal_open", "another vote is open", "wait for `closed`"),
        ("too_soon", "your last proposals were refused", "wait for `retry` milliseconds"),
        ("bad_plies", "there are not so many moves to undo or redo, or this vote takes no `plies`", "ask for fewer"),
        ("bad_seat", "this vote takes no `seat`", "leave it out"),
        ("bad_level", "this vote takes no `level`, or needs one", "a stand-in needs one, nothing else takes one"),
        (
            "not_absent",
            "the player is here, or not away for long enough, or the game is so slow that nobody counts as absent",
            "play on, or wait for `retry` milliseconds if there are any",
        ),
        ("rated_game", "a rated game for two has no stand-in", "wait, or `remove` the absent player"),
        ("only_stands_in", "a stand-in moves and may agree to an undo, nothing else", "vote no, or leave it"),
        ("not_finished", "a rematch follows a game that is over", "wait for `finished`"),
        ("no_such_proposal", "no proposal of this number is open", "look for `proposed` and `closed`"),
        ("not_yours", "another player has made this proposal", "vote against it"),
        ("nothing_to_claim", "the rules let you claim nothing now", "look for `claims` in `turn` and `room`"),
        ("no_vote", "your seat is not in its electorate", "nothing"),
        ("already_voted", "you have answered this proposal", "nothing"),
        # studies
        ("not_owner", "only the owner of the study may do this", "ask the owner"),
        ("not_writer", "you may read this study, and not write in it", "ask its owner"),
        ("no_such_chapter", "the study has no such chapter", "perhaps it was removed just now: look again"),
        ("missing_pieces", "the pieces of the text before this one are not here", "send all of them again"),
        ("no_such_node", "the chapter has no such move", "perhaps it was removed just now: look again"),
        ("bad_title", "a title has 1 to 100 characters", "write another"),
        (
            "comment_changed",
            "somebody has changed the comment since `seq`",
            "the message has the new text: send yours again with the `seq` of the error, to replace it",
        ),
        ("too_long", "the comment is too long", "the message says how long it may be"),
        ("bad_glyphs", "a move has no such glyphs, or not so many", "the message says which there are"),
        ("too_many_shapes", "a position has not so many arrows and marks", "draw fewer"),
        ("bad_colour", "arrows and marks are not drawn in this colour", "the message lists those there are"),
        ("too_many_writers", "not so many writers may be named", "name fewer, or let everybody write"),
        ("study_full", "the study has as much of it as a study may have", "open another study"),
        ("too_many_studies", "you have as many studies as you may have", "`delete` one; guests may have fewer"),
        # talk
        ("chat_off", "the host has turned chat off", "nothing"),
        ("nothing_said", "there is nothing in the text to be shown", "write something"),
    ),
    **_faults(
        ErrorKind.ILLEGAL,
        ("not_your_turn", "another player is to move", "wait for `turn`"),
        ("no_piece", "nothing stands on the first square", "choose another move"),
        ("not_your_piece", "the piece there is another player's, or grey", "choose another move"),
        ("own_piece", "your own piece stands on the second square", "choose another move"),
        ("promotion_missing", "the pawn promotes there", "add the piece's letter: `e7e8q`"),
        ("king_in_check", "your king would be, or would stay, in check", "choose another move"),
        ("cannot_move_there", "the piece does not move like that", "choose another move"),
    ),
}
"""Every code that an `error` can have."""


class Close(NamedTuple):
    """What a close code means, and what helps."""

    meaning: str
    cure: str


_RESUME: Final = "connect again and resume with `watch {since}`"

CLOSES: Final[dict[CloseCode, Close]] = {
    CloseCode.PROTOCOL: Close("frames that are no WebSocket frames", "fix the client"),
    CloseCode.BAD_TEXT: Close("a text frame that is no UTF-8", "fix the client"),
    CloseCode.POLICY: Close("no `hello`; too many bad frames, forged tokens, pings, fragments", "fix the client"),
    CloseCode.TOO_BIG: Close("a frame over the size limit", "fix the client"),
    CloseCode.INTERNAL: Close("a fault of the server", _RESUME),
    CloseCode.RESTART: Close("the server is going away, or can't reach its store", _RESUME),
    CloseCode.SLOW_READER: Close("frames were not read fast enough", _RESUME),
    CloseCode.SIGNED_OUT: Close("this device was signed out", "say `hello` without a token, or sign in again"),
    CloseCode.BANNED: Close("the player or the address is banned: the reason says why, and until when", "stay away"),
    CloseCode.SILENT: Close("no sign of life, not even an answer to a ping", _RESUME),
}
"""Every code that the server closes with."""
