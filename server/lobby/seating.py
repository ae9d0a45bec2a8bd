"""Seats players, however they come: by joining, seeking or a challenge.

Each seat has a mark in the log, made from the address of its player. So any server can tell at any time whether two
seats of a match have one address. Such a game is not rated between opponents. In a rated game of more than two, no
account may sit beside another of its address. A mark is a keyed digest, with the servers' secret, for one room. It
reveals neither the address nor that the same player has sat elsewhere. The service's own bots have no mark, nor do
players on the servers' own machine.

Games between players of one address are rated in a pool, if a moderator has arranged them, and if the operator allows
it. Games with bots of the same address never are: the bots would be partners against the others.
"""

import hashlib
from collections.abc import Callable
from typing import Final

from fourfold.engine.decisions import Rejection
from fourfold.engine.match import State
from fourfold.engine.match.commands import Sit
from fourfold.engine.variants import rules_of
from fourfold.server.players.identity import is_bot
from fourfold.server.ratings.levels import level_of
from fourfold.server.rooms.room import Room

SAME_ADDRESS: Final = "same_address"
"""The code of the refusal when two players would play from one address."""


class Seating:
    """Seats players."""

    def __init__(self, secret: bytes, has_account: Callable[[str], bool], *, same_address: bool = False) -> None:
        """`secret` is that of the servers; `same_address` is the setting SAME_ADDRESS_RATED."""
        self.same_address = same_address
        """Whether games between players of one address are always rated."""
        self._secret = secret
        self._has_account = has_account

    def digest(self, origin: str) -> str:
        """The digest of an address in the store; empty for the server's own machine."""
        return origin and self._digest(origin, b"address")

    def command(self, room: Room, player: str, name: str, seat: str | None, digest: str) -> Sit:
        """The command that seats a player in a room (None: on the first free seat). `digest` is that of their
        address."""
        assert room.state is not None  # the room was found or opened
        level, guest = level_of(player), not self._has_account(player)
        mark = self._digest(digest, room.id.encode()) if digest and level is None else ""
        apart = not guest and sits_apart(room.state, bot=is_bot(player)) and not self._has_guests(room.state)
        return Sit(name, seat, is_bot(player), mark, level, apart, guest, computers(room.state))

    def _has_guests(self, state: State) -> bool:
        """Whether guests sit at a table, so that its game will not be rated."""
        players = [seat.player for seat in state.seats if seat.player is not None]
        return not all(self._has_account(player) or level_of(player) is not None for player in players)

    async def seat(self, room: Room, player: str, name: str, seat: str | None, digest: str) -> int | Rejection:
        """Seat a player; returns the room's version after it, or a rejection."""
        return await room.judge(self.command(room, player, name, seat, digest), player)

    def _digest(self, text: str, salt: bytes) -> str:
        key = hashlib.blake2b(self._secret, person=b"seats", digest_size=32).digest()
        return hashlib.blake2b(text.encode(), key=key, salt=salt[:16], digest_size=8).hexdigest()


def computers(state: State) -> frozenset[str]:
    """The ids of the computer players at a table that the service has called."""
    players = (seat.player for seat in state.seats)
    return frozenset(player for player in players if player is not None and level_of(player) is not None)


def sits_apart(state: State, *, bot: bool) -> bool:
    """Whether an account, or a `bot` with one, may not sit beside another of its address. That holds if the game may be
    rated and has more than two players. In team games, bots of one address may still be partners."""
    if not state.terms.rated or len(state.seats) == 2:
        return False
    return not rules_of(state.variant).in_teams if bot else not state.terms.same_address
