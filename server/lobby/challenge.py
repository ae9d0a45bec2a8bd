"""A challenge: who has asked whom to which game, and what they have said. Pure."""

import random
from typing import Final, Literal

import msgspec

from fourfold.engine.match.clock import Control
from fourfold.engine.variants import rules_of, seats
from fourfold.protocol import from_server as wire
from fourfold.server.players.identity import is_bot
from fourfold.server.ratings.kinds import speed_of

GRACE: Final = 60_000
"""For how many milliseconds longer a challenge is open to which all have said yes: its game is about to begin."""

Ending = Literal["accepted", "declined", "cancelled", "expired"]
"""How a challenge ends."""


def against(plays: wire.Played, challenge: "Challenge") -> str | None:
    """Why a bot that plays this declines a challenge; None if it does not."""
    control = None if challenge.clock is None else Control(*challenge.clock)
    if plays.variants and challenge.variant not in plays.variants:
        return "variant"
    if plays.speeds and speed_of(control) not in plays.speeds:
        return "time_control"
    if plays.rated is not None and plays.rated != challenge.rated:
        return "rated" if plays.rated else "casual"
    return None


class Side(msgspec.Struct, array_like=True, frozen=True):
    """A seat of the game (None: to be drawn): a player's with their answer, or a computer player's of a level. `origin`
    stands for the address from which a yes came; it is empty for the server's own machine."""

    seat: str | None
    player: str | None
    name: str
    level: int | None = None
    answer: bool | None = None
    origin: str = ""


class Challenge(msgspec.Struct, array_like=True, frozen=True):
    """A challenge; `origin` stands for the address it was made from, empty for the server's own machine. `ended` is
    when it was no longer open."""

    id: str
    by: str
    origin: str
    variant: str
    clock: tuple[int, int, int] | None
    visibility: Literal["public", "private"]
    sides: tuple[Side, ...]
    made: int
    until: int
    status: Literal["open"] | Ending = "open"
    ended: int | None = None
    room: str | None = None
    reason: str | None = None
    text: str = ""
    rated: bool = True

    def concerns(self, player: str) -> bool:
        """Whether a player has made it or is challenged."""
        return player == self.by or self.side(player) is not None

    @property
    def players(self) -> list[str]:
        """Whom it concerns: who has made it, and all who are to play."""
        return list(dict.fromkeys([self.by, *(side.player for side in self.sides if side.player is not None)]))

    @property
    def apart(self) -> bool:
        """Whether no two may play from one address: in a rated game of more than two in which each is alone, they
        would be partners against the others."""
        return self.rated and len(self.sides) > 2 and not rules_of(self.variant).in_teams

    @property
    def agreed(self) -> bool:
        """Whether all have said yes."""
        return all(side.answer for side in self.sides if side.player is not None)

    def lapsed(self, now: int) -> bool:
        """Whether it has expired, although nobody has noted it. One to which all have said yes is to begin soon."""
        return self.ended is None and self.until + (GRACE if self.agreed else 0) <= now

    def over(self, status: Ending, now: int) -> "Challenge":
        """The challenge, when it has ended."""
        return msgspec.structs.replace(self, status=status, ended=now)

    def side(self, player: str) -> Side | None:
        """The seat of a player; None for one who has none."""
        return next((side for side in self.sides if side.player == player), None)

    def answered(self, player: str, *, accept: bool, origin: str = "") -> "Challenge":
        """The challenge with a player's answer, from an address."""
        replace = msgspec.structs.replace
        sides = (
            replace(side, answer=accept, origin=origin) if side.player == player else side for side in self.sides
        )
        return replace(self, sides=tuple(sides))

    def declined(self, player: str, reason: str, text: str, now: int) -> "Challenge":
        """The challenge, when a player has said no."""
        over = self.answered(player, accept=False).over("declined", now)
        return msgspec.structs.replace(over, reason=reason, text=text)

    def arranged(self) -> list[tuple[str, Side]]:
        """Who sits where: the seats that were left open are drawn, always in the same way for one challenge."""
        taken = {side.seat: side for side in self.sides if side.seat is not None}
        rest = [side for side in self.sides if side.seat is None]
        random.Random(self.id).shuffle(rest)
        return [(seat, taken[seat] if seat in taken else rest.pop()) for seat in seats(self.variant)]

    def frame(self) -> wire.Challenge:
        """The challenge as a message."""
        return wire.Challenge(
            self.id,
            self.status,
            self.by,
            [
                wire.Challenged(one.seat, one.player, one.name, one.level, one.answer, is_bot(one.player or ""))
                for one in self.sides
            ],
            self.variant,
            None if self.clock is None else wire.Control(*self.clock),
            self.visibility,
            self.made,
            self.until,
            self.room,
            self.reason,
            self.text,
            self.rated,
        )
