"""Frames of the lobby: open rooms, pairing, challenges, other players, and hosts of bots."""

from typing import Literal

from msgspec import Struct

from fourfold.protocol.frames.base import Frame, Reply


class ListedSeat(Struct):
    """A seat in the lobby's list, with its player's id and name, both null while it is free. `bot` is true if a bot has
    the seat or is invited to it."""

    seat: str
    name: str | None
    bot: bool = False
    player: str | None = None


class Control(Struct):
    """A time control, in milliseconds: see `Clock`."""

    base: int
    increment: int
    delay: int


class Listing(Struct):
    """A room in the lobby's list. `clock` is null in an untimed game. `locked` is true if the room has a password,
    `seek` if a `seek` opened it, and `empty` if it has no players and watchers now. `rated` is whether the game can
    still be rated. `ply`, `watchers` and `empty` may be some seconds old."""

    room: str
    variant: str
    clock: Control | None
    status: Literal["open", "playing"]
    seats: list[ListedSeat]
    ply: int
    watchers: int
    created: int
    locked: bool = False
    seek: bool = False
    empty: bool = False
    rated: bool = True


class Challenged(Struct):
    """A seat in a challenge: its player and their `answer` (null before one), or the `level` of a computer player. If
    `seat` is null, it is drawn when the game begins."""

    seat: str | None
    player: str | None
    name: str
    level: int | None = None
    answer: bool | None = None
    bot: bool = False


class Played(Struct):
    """The games that a bot plays, as in `hello`."""

    variants: list[str] = []
    speeds: list[str] = []
    rated: bool | None = None
    games: int | None = None


class Person(Struct):
    """A player who is online. `account` is true if they have an account. `room` is the public room in which they wait
    for others (`status` is `open`) or play (`playing`). `plays` has the games that a bot plays. While a host of bots is
    connected, the computer players of the service come last, as `level1` to `level5`. They say yes to every challenge
    at once."""

    player: str
    name: str
    bot: bool = False
    account: bool = False
    room: str | None = None
    status: Literal["open", "playing"] | None = None
    plays: Played | None = None


class Followed(Struct):
    """A player that you follow. While they are `online`, `room` and `status` are as in `people`."""

    player: str
    name: str
    online: bool
    bot: bool = False
    room: str | None = None
    status: Literal["open", "playing"] | None = None


class Rooms(Reply):
    """The requested public rooms, newest first. `more` is true if there are others beyond the limit."""

    rooms: list[Listing]
    more: bool


class Challenge(Reply):
    """The present state of a challenge. All its players receive it at each change, and when they connect.

    `by` is the challenger. `status` is `open`, `accepted`, `declined`, `cancelled` or `expired`. After `accepted`, the
    game is in `room`, whose id is the challenge's, and all players have their seats there. After `declined`, the seat
    with the `answer` false declined, with a `reason` and a `text` of the player's own. The challenge is open `until`
    then, and still shown for a minute after it has ended. In a rated game for more than two without teams, all
    addresses must differ. A second yes from one address declines the challenge, with the `reason` `same_address`.

    A challenge to a seat of an open table has the `room` from the beginning. Its `seats` are only that seat and the
    challenger's. If the seat is no longer available, the challenge is `cancelled`, and the `reason` is the code of the
    refusal, such as `seat_taken`, `already_started`, `no_such_room` or `same_address`.
    """

    challenge: str
    status: Literal["open", "accepted", "declined", "cancelled", "expired"]
    by: str
    seats: list[Challenged]
    variant: str
    clock: Control | None
    visibility: Literal["public", "private"]
    made: int
    until: int
    room: str | None = None
    reason: str | None = None
    text: str = ""
    rated: bool = True


class Paired(Frame):
    """The player's `seek`, which has a range, continues in another room, or has started a game there. The player has
    this seat, and the connection follows the room."""

    room: str
    seat: str


class People(Reply):
    """Players who are online, and the number of all (`count`). Send `next` as `after` to get the next page; null if
    this is the last."""

    people: list[Person]
    count: int
    next: str | None = None


class Following(Reply):
    """The players that you follow, online ones first."""

    people: list[Followed]


class Online(Frame):
    """The changes of the page of `people` that this connection follows: new or changed players, and players who are no
    longer there. At most once in two seconds."""

    changed: list[Person]
    removed: list[str]
    count: int


class Lobby(Frame):
    """The changes of the list of rooms that this connection follows: new or changed entries, and rooms that are no
    longer in it. At most twice a second."""

    changed: list[Listing]
    removed: list[str]


class Summon(Frame):
    """A seat waits for a bot of `level`. Only hosts of bots get this frame. The bot says `hello` with this `token`, and
    joins."""

    room: str
    seat: str
    level: int
    token: str


class Dismiss(Frame):
    """The `job` is no longer wanted. Only hosts of bots get this frame."""

    job: str
