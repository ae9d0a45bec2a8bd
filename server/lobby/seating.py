"""Seats are taken here, whatever has led to it: a request to join, a seek, a challenge.

Each seat has a mark, kept in the log, that stands for the address its player comes from. The log can so tell, on any
server and at any time, whether two seats of a match have one address: such a game is not rated between opponents, and
in a rated game of more than two, no account sits beside another of its address. A mark is made with the servers'
secret, for one room: it tells neither the address nor that the same player has sat elsewhere. The bots that the service
calls have none, nor have players on the servers' own machine.

Players of one address are rated in a pool, in games that a moderator has arranged, and where the operator says so.
Bots never: they would be partners against the others.
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

    def __init__(self, secret: bytes, has_account: Callable[[str], bool], *, same_address: bool = False) -> None:
        """`secret` is that of the servers; `same_address` is the setting SAME_ADDRESS_RATED."""
        self.same_address = same_address
        """Whether all games are rated between players of one address."""
        self._secret = secret
        self._has_account = has_account

    def digest(self, origin: str) -> str:
        """What stands for an address in the store; empty for the server's own machine."""
        return origin and self._digest(origin, b"address")

    def command(self, room: Room, player: str, name: str, seat: str | None, digest: str) -> Sit:
        """The command by which a player, who comes from where `digest` stands for, takes a seat (None: the first that
        is free) of a room."""
        assert room.state is not None  # found or opened
        level, guest = level_of(player), not self._has_account(player)
        mark = self._digest(digest, room.id.encode()) if digest and level is None else ""
        apart = not guest and sits_apart(room.state, bot=is_bot(player)) and not self._has_guests(room.state)
        return Sit(name, seat, is_bot(player), mark, level, apart, guest)

    def _has_guests(self, state: State) -> bool:
        """Whether guests sit at a table, so that its game will not be rated."""
        players = [seat.player for seat in state.seats if seat.player is not None]
        return not all(self._has_account(player) or level_of(player) is not None for player in players)

    async def seat(self, room: Room, player: str, name: str, seat: str | None, digest: str) -> int | Rejection:
        """Seat a player; returns the room's version then, or why not."""
        return await room.judge(self.command(room, player, name, seat, digest), player)

    def _digest(self, text: str, salt: bytes) -> str:
        key = hashlib.blake2b(self._secret, person=b"seats", digest_size=32).digest()
        return hashlib.blake2b(text.encode(), key=key, salt=salt[:16], digest_size=8).hexdigest()


def sits_apart(state: State, *, bot: bool) -> bool:
    """Whether an account, or a `bot` with one, sits at no table of a match beside another of its address: the game may
    be rated, and has more than two players, of whom bots may be partners."""
    if not state.terms.rated or len(state.seats) == 2:
        return False
    return not rules_of(state.variant).in_teams if bot else not state.terms.same_address
