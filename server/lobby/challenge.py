"""A challenge: who has asked whom to which game, and what they have said. Pure."""

import random
from typing import Final, Literal

import msgspec

from fourfold.engine.match import State, decide
from fourfold.engine.match.clock import Control
from fourfold.engine.match.commands import Invite
from fourfold.engine.match.events import Rejection, refused
from fourfold.engine.variants import rules_of, seats
from fourfold.protocol import from_server as wire
from fourfold.server.players.identity import is_bot
from fourfold.server.ratings.kinds import speed_of

GRACE: Final = 60_000
"""For how many milliseconds longer a challenge is open to which all have said yes: its game is about to begin."""

Ending = Literal["accepted", "declined", "cancelled", "expired"]
"""How a challenge ends."""


Clock = tuple[int, int, int]
"""A time control: base, increment and delay."""


def against(plays: wire.Played, variant: str, clock: Clock | None, rated: bool) -> str | None:
    """Why a bot that plays this declines a game; None if it does not."""
    control = None if clock is None else Control(*clock)
    if plays.variants and variant not in plays.variants:
        return "variant"
    if plays.speeds and speed_of(control) not in plays.speeds:
        return "time_control"
    if plays.rated is not None and plays.rated != rated:
        return "rated" if plays.rated else "casual"
    return None


def kind_of_game(table: State) -> tuple[str, Clock | None, bool]:
    """The variant and time control of a table, and whether it may be rated."""
    control = None if table.clocks is None else table.clocks.control
    clock = None if control is None else (control.base, control.increment, control.delay)
    return table.variant, clock, table.terms.rated


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
    when it was no longer open. One that has a `room` from the beginning asks somebody to a seat of that open table."""

    id: str
    by: str
    origin: str
    variant: str
    clock: Clock | None
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
    def asked(self) -> list[Side]:
        """The seats of all but who has made it."""
        return [side for side in self.sides if side.player != self.by]

    @property
    def agreed(self) -> bool:
        """Whether all have said yes."""
        return all(side.answer for side in self.sides if side.player is not None)

    def lapsed(self, now: int) -> bool:
        """Whether it has expired, although nobody has noted it. One to which all have said yes is to begin soon."""
        return self.ended is None and self.until + (GRACE if self.agreed else 0) <= now

    def over(self, status: Ending, now: int, reason: str | None = None) -> "Challenge":
        """The challenge, when it has ended."""
        return msgspec.structs.replace(self, status=status, ended=now, reason=reason)

    def to(self, room: str | None, table: State) -> "Challenge":
        """The challenge to a seat of an open table: its game is that of the table."""
        variant, clock, rated = kind_of_game(table)
        return msgspec.structs.replace(
            self, room=room, variant=variant, clock=clock, visibility=table.visibility, rated=rated
        )

    def hindrance(self, table: State) -> Rejection | None:
        """Why those who are asked to seats of an open table cannot take them; None if they can. Who may call computer
        players to a table may ask others to it."""
        for side in self.asked:
            verdict = decide(table, Invite(1, side.seat), self.by, 0)
            if isinstance(verdict, Rejection):
                return verdict
            if side.player is not None and table.seat_of(side.player) is not None:
                return refused("already_seated", f"{side.name} sits at this table already.")
            if side.player in table.kicked:
                return refused("kicked", f"{side.name} was sent away from this table.")
        return None

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
        over = self.answered(player, accept=False).over("declined", now, reason)
        return msgspec.structs.replace(over, text=text)

    def arranged(self) -> list[tuple[str, Side]]:
        """Who sits where of those who are to sit down: the seats that were left open are drawn, always in the same way
        for one challenge. At an open table, who has made it sits already, or does not play."""
        if self.room is not None:
            return [(side.seat, side) for side in self.asked if side.seat is not None]
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
