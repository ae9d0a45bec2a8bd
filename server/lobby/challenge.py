"""A challenge: its game, its players, and their answers. Pure."""

import random
from typing import Final, Literal

import msgspec

from fourfold.engine.decisions import Rejection, refused
from fourfold.engine.match import State, decide
from fourfold.engine.match.clock import Control
from fourfold.engine.match.commands import Invite
from fourfold.engine.variants import player_seats, rules_of
from fourfold.protocol import from_server as wire
from fourfold.server.players.identity import is_bot
from fourfold.server.ratings.kinds import speed_of

GRACE: Final = 60_000
"""Milliseconds by which an accepted challenge stays open longer, because its game is about to begin."""

Ending = Literal["accepted", "declined", "cancelled", "expired"]
"""How a challenge ends."""


Clock = tuple[int, int, int]
"""A time control: base, increment and delay."""


def against(plays: wire.Played, variant: str, clock: Clock | None, rated: bool) -> str | None:
    """Why a bot with this `plays` declines a game; None if it accepts."""
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
    is the digest of the address that accepted; it is empty for the server's own machine."""

    seat: str | None
    player: str | None
    name: str
    level: int | None = None
    answer: bool | None = None
    origin: str = ""


class Challenge(msgspec.Struct, array_like=True, frozen=True):
    """A challenge. `origin` is the digest of the challenger's address, empty for the server's own machine. `ended` is
    when it closed. A challenge with a `room` from the beginning invites a player to a seat of that open table."""

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
        """Whether a player has made this challenge or is challenged by it."""
        return player == self.by or self.side(player) is not None

    @property
    def players(self) -> list[str]:
        """The ids of everybody involved: the challenger, and all players of the game."""
        return list(dict.fromkeys([self.by, *(side.player for side in self.sides if side.player is not None)]))

    @property
    def apart(self) -> bool:
        """Whether players from one address are excluded: in a rated game of more than two without teams, they would be
        partners against the others."""
        return self.rated and len(self.sides) > 2 and not rules_of(self.variant).in_teams

    @property
    def asked(self) -> list[Side]:
        """The seats of all players but the challenger."""
        return [side for side in self.sides if side.player != self.by]

    @property
    def agreed(self) -> bool:
        """Whether all have accepted."""
        return all(side.answer for side in self.sides if side.player is not None)

    def lapsed(self, now: int) -> bool:
        """Whether it has expired, even if no server has recorded that. An accepted challenge gets `GRACE` more."""
        return self.ended is None and self.until + (GRACE if self.agreed else 0) <= now

    def over(self, status: Ending, now: int, reason: str | None = None) -> "Challenge":
        """The challenge in its ended form."""
        return msgspec.structs.replace(self, status=status, ended=now, reason=reason)

    def to(self, room: str | None, table: State) -> "Challenge":
        """The challenge as an invitation to a seat of an open table: it takes the game of the table."""
        variant, clock, rated = kind_of_game(table)
        return msgspec.structs.replace(
            self, room=room, variant=variant, clock=clock, visibility=table.visibility, rated=rated
        )

    def hindrance(self, table: State) -> Rejection | None:
        """Why the invited players can't take their seats at an open table; None if they can. Anyone who may call
        computer players to a table may invite people to it."""
        for side in self.asked:
            verdict = decide(table, Invite(1, side.seat), self.by, 0)
            if isinstance(verdict, Rejection):
                return verdict
            if side.player is not None and table.seat_of(side.player) is not None:
                return refused("already_seated", f"{side.name} already sits at this table.")
            if side.player in table.kicked:
                return refused("kicked", f"{side.name} was removed from this table.")
        return None

    def side(self, player: str) -> Side | None:
        """The seat of a player; None if they have none."""
        return next((side for side in self.sides if side.player == player), None)

    def answered(self, player: str, *, accept: bool, origin: str = "") -> "Challenge":
        """The challenge with a player's answer, from an address."""
        replace = msgspec.structs.replace
        sides = (
            replace(side, answer=accept, origin=origin) if side.player == player else side for side in self.sides
        )
        return replace(self, sides=tuple(sides))

    def declined(self, player: str, reason: str, text: str, now: int) -> "Challenge":
        """The challenge after a player has declined."""
        over = self.answered(player, accept=False).over("declined", now, reason)
        return msgspec.structs.replace(over, text=text)

    def arranged(self) -> list[tuple[str, Side]]:
        """The seats of the players who will sit down. Open seats are drawn, always in the same way for one challenge.
        At an open table, the inviting player already has a seat, or does not play."""
        if self.room is not None:
            return [(side.seat, side) for side in self.asked if side.seat is not None]
        taken = {side.seat: side for side in self.sides if side.seat is not None}
        rest = [side for side in self.sides if side.seat is None]
        random.Random(self.id).shuffle(rest)
        return [(seat, taken[seat] if seat in taken else rest.pop()) for seat in player_seats(self.variant)]

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
