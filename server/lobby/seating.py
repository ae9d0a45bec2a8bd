"""Seats are taken here, whatever has led to it: a request to join, a seek, a challenge.

In a rated game of more than two in which each is alone, two bots of one address would be partners against the others.
So a bot's seat there has a mark, kept in the log, and the match seats no two of the same mark: not on two servers at
once either. A mark is made with the servers' secret, for one room: it tells neither the address nor that the same bot
has sat elsewhere. Guests have none, since no game with a guest is rated, nor have the bots that the service calls.
"""

import hashlib
from collections.abc import Callable
from typing import Final

from fourfold.engine.match import State
from fourfold.engine.match.commands import Sit
from fourfold.engine.match.events import Rejection
from fourfold.engine.variants import rules_of
from fourfold.server.players.identity import is_bot
from fourfold.server.ratings.levels import level_of
from fourfold.server.rooms.room import Room

SAME_ADDRESS: Final = "same_address"
"""The code of the refusal of a seat, or of a challenge, in which two would play from one address."""


class Seating:
    """Seats players."""

    def __init__(self, secret: bytes, has_account: Callable[[str], bool]) -> None:
        """`secret` is that of the servers."""
        self._secret = secret
        self._has_account = has_account

    def digest(self, origin: str) -> str:
        """What stands for an address in the store; empty for the server's own machine."""
        return origin and self._digest(origin, b"address")

    def command(self, room: Room, player: str, name: str, seat: str | None, digest: str) -> Sit:
        """The command by which a player, who comes from where `digest` stands for, takes a seat (None: the first that
        is free) of a room."""
        assert room.state is not None  # found or opened
        alone = digest and is_bot(player) and self._has_account(player) and is_each_alone(room.state)
        mark = self._digest(digest, room.id.encode()) if alone else ""
        return Sit(name, seat, is_bot(player), mark, level_of(player))

    async def seat(self, room: Room, player: str, name: str, seat: str | None, digest: str) -> int | Rejection:
        """Seat a player; returns the room's version then, or why not."""
        return await room.judge(self.command(room, player, name, seat, digest), player)

    def _digest(self, text: str, salt: bytes) -> str:
        key = hashlib.blake2b(self._secret, person=b"seats", digest_size=32).digest()
        return hashlib.blake2b(text.encode(), key=key, salt=salt[:16], digest_size=8).hexdigest()


def is_each_alone(state: State) -> bool:
    """Whether a game may be rated, and has more than two players of whom each plays for themselves."""
    return state.terms.rated and len(state.seats) > 2 and not rules_of(state.variant).in_teams
