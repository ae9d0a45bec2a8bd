"""Challenges to a game for two or four, or to a seat of an open table. All players must hear of the same end."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Final, Literal, NamedTuple

from fourfold.clients.errors import RequestError
from fourfold.engine.variants import opening
from fourfold.protocol import from_client as ask
from fourfold.protocol import from_server as told
from fourfold.server.lobby import challenges
from tests.faults.blows import Stage
from tests.faults.guests import World
from tests.world.blows import loses
from tests.world.passers import GIVEN_UP, Passer, insist
from tests.world.rated import count_for, register

End = Literal["accepted", "declined", "cancelled", "expired"]

ENDS: Final[dict[End, int]] = {"accepted": 6, "declined": 2, "cancelled": 2, "expired": 1}
"""How challenges end, with the weights."""

KINDS: Final = {"two": 5, "four": 2, "table": 2}
"""What they are about, with the weights."""

CLOSED: Final = 0.5
"""The chance that the challenger does not take a seat's challenge back, but closes the table."""

PASSING: Final = {"unavailable", "store_full", "no_such_player", "player_away"}
"""Codes after which the same request may be granted: of a store that is away, and of players who are connecting."""


class _Parties(NamedTuple):
    one: Passer
    others: Sequence[Passer]

    @property
    def all(self) -> Sequence[Passer]:
        return (self.one, *self.others)


async def challenge(stage: Stage, world: World) -> None:
    """One challenges others. They accept, one of them declines, the challenge is taken back, or nobody answers."""
    chance = world.chance
    [kind] = chance.choices(list(KINDS), list(KINDS.values()))
    [end] = chance.choices(list(ENDS), list(ENDS.values()))
    rated = kind == "two" and chance.random() < 0.7
    others = [Passer(world, "challenged") for _ in range(3 if kind == "four" else 1)]
    parties = _Parties(Passer(world, "challenger"), others)
    await asyncio.gather(*(one.reach() for one in parties.all))
    try:
        if rated:
            await asyncio.gather(*(register(stage, one) for one in parties.all))
        async with asyncio.timeout(GIVEN_UP + (challenges.LIFE / 1000 if end == "expired" else 0)):
            made = await _insist(parties.one, await _wish(parties, kind, rated))
            room = await _end(stage, parties, made, end)
            if room is not None:
                await asyncio.gather(*(_insist(one, ask.Join(room=room)) for one in parties.all))
                for one in parties.all:
                    one.start(room)
                await asyncio.gather(*(one.play() for one in parties.all))
        if room is not None and rated:
            await count_for(stage, room, parties.one, others[0])
    except (RequestError, TimeoutError) as error:
        if not loses(stage):
            held = [f"{one.who} in {one.room}, {one.table and one.table.status}" for one in parties.all]
            stage.wrong.append(f"a challenge of {parties.one.who} has not been {end}: {error!r}, {held}")
    finally:
        await asyncio.gather(*(one.go() for one in parties.all))


async def _wish(parties: _Parties, kind: str, rated: bool) -> ask.Challenge:
    """The request. For the seat of a table, opens the table."""
    host, key = parties.one.connection, parties.one.connection.new_key()
    asked: list[Any] = [one.connection.player for one in parties.others]
    if kind == "four":
        return ask.Challenge(variant="teams", seats=dict(zip(opening("teams").seats[1:], asked, strict=True)), key=key)
    if kind == "two":
        return ask.Challenge(player=asked[0], rated=rated, key=key)
    room = await parties.one.open(ask.Create(visibility="private", key=host.new_key()))
    await _insist(parties.one, ask.Join(room=room, seat="white"))
    return ask.Challenge(room=room, seats={"black": asked[0]}, key=key)


async def _end(stage: Stage, parties: _Parties, made: told.Challenge, end: End) -> str | None:
    """Answer the challenge or take it back, and check that all players hear of this end. Returns the room of the game,
    if there is one."""
    one, others = parties
    id = made.challenge
    await asyncio.gather(*(_hears(other, id, "open") for other in others))
    with suppress(RequestError):
        await others[0].connection.cancel(id)
        stage.wrong.append(f"{others[0].who} has taken the challenge of {one.who} back")
    if end == "cancelled" and made.room is not None and one.chance.random() < CLOSED:
        await _insist(one, ask.Close(room=made.room, key=one.connection.new_key()))
    elif end == "cancelled":
        await _insist(one, ask.Cancel(challenge=id))
    elif end == "declined":
        await _insist(one.chance.choice(others), ask.Answer(challenge=id, accept=False))
    elif end == "accepted":
        await asyncio.gather(*(_insist(other, ask.Answer(challenge=id, accept=True)) for other in others))
    last = await asyncio.gather(*(_hears(party, id, end) for party in parties.all))
    if any(frame != last[0] for frame in last):
        stage.wrong.append(f"the challenge of {one.who} ended in several ways: {last}")
    return last[0].room if end == "accepted" else None


async def _insist(guest: Passer, request: ask.Request) -> Any:
    """The answer to a request that can't be refused for ever."""
    return await insist(lambda: guest.connection.request(request), PASSING)


async def _hears(guest: Passer, id: str, status: str) -> told.Challenge:
    """The challenge with this status, once the guest has been told of it."""
    while True:
        heard = await guest.challenges.get()
        if (heard.challenge, heard.status) == (id, status):
            return heard
