"""Games whose players leave for good as their node dies: other nodes must carry out their deadlines.

Nobody opens such a room any more. Only the store shows its outcome.
"""

import signal
import time
from contextlib import suppress
from typing import Any, NamedTuple

from fourfold.clients.errors import RequestError
from fourfold.protocol import from_client as ask
from tests.faults.cluster import Node
from tests.faults.guests import Guest, World
from tests.faults.process import until
from tests.faults.store import Spoiled, Store
from tests.faults.voting import VOTE

BASE = 1_500
"""Milliseconds that each player has, where time counts."""

REFUSED = {"damaged", "newer"}
"""The codes with which a spoiled game is refused."""

NOTED = 20.0
"""Seconds within which a node stores a reminder, even while the store has faults."""


class Orphan(NamedTuple):
    """A room, the time of its deadline (milliseconds since 1970), and the event that is due."""

    room: str
    due: float
    event: str

    async def has_ended(self, store: Store) -> bool:
        """Whether the event is in the log."""
        return any(event["type"] == self.event for entry in await store.log(self.room) for event in entry.events)


class Spoil(NamedTuple):
    """The kinds of damage, and the versions of damaged games, by room."""

    how: Spoiled
    rooms: dict[str, int]


async def leave(
    world: World, store: Store, node: Node, *, voting: bool, spoil: Spoil | None = None
) -> tuple[Orphan | None, str]:
    """Begin a game on a node, and kill the node. Returns the game, if it began, and the faults.

    Either a clock runs, or (`voting`) a vote is open. `spoil` says how another game there, whose clock runs too, is
    spoiled before.
    """
    # Blows do not hit them. A blow that waits for the node would wait for these requests, and they for it.
    guests = [Guest(world, "leaver", door=lambda _: node.address) for _ in range(2)]
    for guest in guests:
        await guest.reach()
    room = wrong = ""
    try:
        if spoil is not None:
            wrong = await _spoil(store, spoil, *guests)
        with suppress(RequestError):  # other faults delay it so much that a flag has fallen already
            room = await _open(guests[0], None if voting else ask.Clock(BASE, 0))
            await _play(room, *guests, voting=voting)
        with suppress(TimeoutError):
            await until(lambda: store.notes(room), NOTED, pause=0.02)
    finally:
        node.signal(signal.SIGKILL)
        for guest in guests:
            guest.vanish()
        await node.kill()
        for guest in guests:
            await guest.go()
    now = time.time() * 1000
    if not room:
        return None, wrong
    return (Orphan(room, now + VOTE, "closed") if voting else Orphan(room, now + BASE, "finished")), wrong


async def _spoil(store: Store, spoil: Spoil, white: Guest, black: Guest) -> str:
    """A game with a bad entry; returns the faults in the answers to its players."""
    room = await _open(white, ask.Clock(BASE, 0))
    with suppress(RequestError):
        await _play(room, white, black, voting=False)
    spoil.rooms[room] = await store.spoil(room, spoil.how)
    for guest in (white, black):
        try:
            await guest.connection.resign(room)
        except RequestError as error:
            if error.code not in REFUSED:
                return f"in {room}, which is spoiled ({spoil.how}), {guest.who} is refused by {error.code}"
        else:
            return f"in {room}, which is spoiled ({spoil.how}), {guest.who} has resigned"
    return ""


async def _open(guest: Guest, clock: ask.Clock | None) -> str:
    key = guest.connection.new_key()
    return await guest.open(ask.Create(variant="standard", visibility="private", clock=clock, key=key))


async def _play(room: str, white: Guest, black: Guest, *, voting: bool) -> None:
    """A move each; then it is white's turn, or a vote is open."""
    await white.connection.request(ask.Join(room=room, seat="white"))
    begun: Any = await black.connection.request(ask.Join(room=room, seat="black"))
    seq = await white.connection.move(room, "e2e4", begun.seq)
    seq = await black.connection.move(room, "e7e5", seq)
    if voting:
        await white.connection.propose(room, "undo", seq, 1)
