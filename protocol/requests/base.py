"""The base of all requests, and the types of their fields."""

from typing import Annotated, ClassVar, Literal

from msgspec import Meta, Struct

MAX_DELAY = 15 * 60_000
"""The longest delay for watchers, in milliseconds."""

MAX_MOVES = 1500
"""The most moves with which a game can begin. A frame may have room for fewer."""

MoveText = Annotated[str, Meta(min_length=1, max_length=16)]
RoomId = Annotated[str, Meta(min_length=1, max_length=32)]
SeatName = Annotated[str, Meta(min_length=1, max_length=16)]
CommandKey = Annotated[str, Meta(min_length=1, max_length=64)]
RegistrationKey = Annotated[str, Meta(min_length=22, max_length=64)]
Seq = Annotated[int, Meta(ge=0, le=2**53)]
Variant = Annotated[str, Meta(min_length=1, max_length=32)]
Level = Annotated[int, Meta(ge=1, le=5)]
Password = Annotated[str, Meta(min_length=1, max_length=64)]
PlayerId = Annotated[str, Meta(min_length=1, max_length=64)]
PlayerName = Annotated[str, Meta(min_length=1, max_length=64)]
Time = Annotated[int, Meta(ge=0, le=2**53)]
Number = Annotated[int, Meta(ge=1, le=2**31)]
Device = Annotated[str, Meta(max_length=64)]
PasskeyAnswer = Annotated[str, Meta(min_length=2, max_length=6000)]
Speed = Literal["bullet", "blitz", "rapid", "classical", "untimed"]
GameResult = Literal["won", "drawn", "lost", "aborted"]
PageMark = Annotated[str, Meta(pattern=r"^[0-9]{1,16}\.[0-9a-z]{1,32}\.[0-9]{1,9}$")]
Choice = Annotated[str, Meta(pattern=r"^[a-z0-9-]{1,24}$")]
PoolCode = Annotated[str, Meta(pattern=r"^[A-Za-z0-9-]{4,32}$")]
ChallengeId = Annotated[str, Meta(min_length=1, max_length=32)]


class Request(Struct, forbid_unknown_fields=True, omit_defaults=True, kw_only=True, tag_field="type", tag=str.lower):
    """The base of all requests."""

    answers: ClassVar[tuple[str, ...]] = ("ok",)
    """The frame types that can answer this request, besides `error`."""

    id: Annotated[int, Meta(ge=0, le=2**53)] | None = None
