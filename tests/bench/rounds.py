"""Requests that are accepted only in a certain situation: how to get there, again and again, and the request.

Each function of `ROUNDS` prepares what a request needs, yields who sends it and the request itself, and is sent the
answer. `prices` measures the processor time of that one request alone.
"""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from itertools import count
from typing import Any, Final, Protocol

Sent = dict[str, Any]

KEYS: Final[Iterator[str]] = (f"r{time.time_ns()}" for _ in count())


class Player(Protocol):
    """Who sends requests, and gets their answers."""

    name: str
    player: str

    async def ask(self, type: str, **fields: Any) -> Sent:
        """Send a request; returns its answer."""
        ...


Round = AsyncGenerator[tuple[Player, Sent], Sent]


@asynccontextmanager
async def room(ann: Player, bob: Player | None = None, variant: str = "standard") -> AsyncIterator[tuple[str, int]]:
    """A new room in which the first player, and perhaps the second, sit; its id and version. Both leave it."""
    id = (await ann.ask("create", variant=variant))["room"]
    seq = (await ann.ask("join", room=id))["seq"]
    if bob is not None:
        seq = (await bob.ask("join", room=id))["seq"]
    yield id, seq
    for player in (ann, bob):
        if player is not None:
            await player.ask("leave", room=id)


@asynccontextmanager
async def game(ann: Player, bob: Player, *moves: str) -> AsyncIterator[tuple[str, int]]:
    """A running game between both, after some moves."""
    async with room(ann, bob) as (id, seq):
        for number, move in enumerate(moves):
            mover = (ann, bob)[number % 2]
            seq = (await mover.ask("move", room=id, move=move, seq=seq, key=next(KEYS)))["seq"]
        yield id, seq


OPENING: Final = ("e2e4", "e7e5", "g1f3", "b8c6")
BACK_AND_FORTH: Final = ("g1f3", "g8f6", "f3g1", "f6g8")


async def _move(ann: Player, bob: Player) -> Round:
    async with game(ann, bob, *OPENING) as (id, seq):
        yield ann, {"room": id, "move": "f1b5", "seq": seq, "key": next(KEYS)}


async def _propose(ann: Player, bob: Player) -> Round:
    async with game(ann, bob, *OPENING) as (id, seq):
        yield ann, {"room": id, "kind": "draw", "seq": seq, "key": next(KEYS)}


@asynccontextmanager
async def _proposed(ann: Player, bob: Player) -> AsyncIterator[tuple[str, int]]:
    """A game with a proposal of the first player, and the number of the proposal in its game."""
    async with game(ann, bob, *OPENING) as (id, seq):
        await ann.ask("propose", room=id, kind="draw", seq=seq, key=next(KEYS))
        yield id, 1


async def _vote(ann: Player, bob: Player) -> Round:
    async with _proposed(ann, bob) as (id, proposal):
        yield bob, {"room": id, "proposal": proposal, "accept": True, "key": next(KEYS)}


async def _withdraw(ann: Player, bob: Player) -> Round:
    async with _proposed(ann, bob) as (id, proposal):
        yield ann, {"room": id, "proposal": proposal, "key": next(KEYS)}


async def _claim(ann: Player, bob: Player) -> Round:
    async with game(ann, bob, *BACK_AND_FORTH, *BACK_AND_FORTH) as (id, _):  # the same position for the third time
        yield ann, {"room": id, "key": next(KEYS)}


async def _resign(ann: Player, bob: Player) -> Round:
    async with game(ann, bob, *OPENING) as (id, _):
        yield ann, {"room": id, "key": next(KEYS)}


async def _abort(ann: Player, bob: Player) -> Round:
    async with game(ann, bob) as (id, _):
        yield ann, {"room": id, "key": next(KEYS)}


async def _review(ann: Player, bob: Player) -> Round:
    async with game(ann, bob, *OPENING) as (id, _):
        await bob.ask("resign", room=id, key=next(KEYS))
        yield ann, {"room": id}


async def _report(ann: Player, bob: Player) -> Round:
    async with game(ann, bob) as (id, _):
        yield ann, {"room": id, "player": bob.player, "why": "Rude talk"}


async def _kick(ann: Player, bob: Player) -> Round:
    async with room(ann, variant="ffa") as (id, _):
        await bob.ask("join", room=id, seat="blue")
        yield ann, {"room": id, "seat": "blue", "key": next(KEYS)}
        await bob.ask("leave", room=id)


async def _bot(ann: Player, bob: Player) -> Round:
    async with room(ann, variant="ffa") as (id, _):
        yield ann, {"room": id, "level": 1, "seat": "blue"}


async def _close(ann: Player, bob: Player) -> Round:
    async with room(ann) as (id, _):
        yield ann, {"room": id, "key": next(KEYS)}


async def _challenge(ann: Player, bob: Player) -> Round:
    made = yield ann, {"player": bob.name, "key": next(KEYS)}
    await ann.ask("cancel", challenge=made["challenge"])


async def _answer(ann: Player, bob: Player) -> Round:
    made = await ann.ask("challenge", player=bob.name, key=next(KEYS))
    yield bob, {"challenge": made["challenge"], "accept": False}


async def _cancel(ann: Player, bob: Player) -> Round:
    made = await ann.ask("challenge", player=bob.name, key=next(KEYS))
    yield ann, {"challenge": made["challenge"]}


async def _follow(ann: Player, bob: Player) -> Round:
    yield ann, {"player": bob.name}
    await ann.ask("unfollow", player=bob.name)


async def _unfollow(ann: Player, bob: Player) -> Round:
    await ann.ask("follow", player=bob.name)
    yield ann, {"player": bob.name}


ROUNDS: Final[dict[str, Callable[[Player, Player], Round]]] = {
    function.__name__[1:]: function
    for function in (
        *(_move, _propose, _vote, _withdraw, _claim, _resign, _abort, _review, _report),
        *(_kick, _bot, _close),
        *(_challenge, _answer, _cancel, _follow, _unfollow),
    )
}
