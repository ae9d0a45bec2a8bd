"""Commands that meet in the store, and lines of chat, once the players of a schedule have stopped.

While nothing else happens, players of a room send commands by different nodes in the same millisecond, and others send
commands that are refused. Then all is quiet for longer than a decision takes to its readers, so a node that has missed
one is late, which the checker finds. Lines reach those whom they are for, once, and are kept.
"""

import asyncio
from contextlib import suppress
from typing import Final, Literal

from fourfold.clients.errors import RequestError
from fourfold.protocol import from_client as ask
from tests.faults.blows import Stage
from tests.faults.guests import Guest
from tests.faults.players import Player
from tests.faults.process import until
from tests.world.deadlines import keep_deadlines
from tests.world.leaving import leave_games
from tests.world.lobby import watched
from tests.world.readings import read_back

ROUNDS: Final = 6
"""How often commands of a room meet."""

APART: Final = 0.0015
"""Seconds in which they are sent: as long as a command is on its way to the store, and its answer back."""

QUIET: Final = 0.11
"""Seconds after them: longer than a decision, or a line, takes to its readers."""

NO_PROPOSAL: Final = 10**6
"""The number of a proposal that no room has."""


async def collide(stage: Stage, rooms: list[str]) -> None:
    """Let commands meet in each of the rooms, and let players talk there."""
    guests = [guest for guest in stage.world.guests if not guest.gone]
    games = zip(stage.plan.games, rooms, strict=True)
    async with watched(stage, rooms):
        await asyncio.gather(*(
            _one(stage, [guest for guest in guests if guest.room == room], game.delay / 1000) for game, room in games
        ))  # fmt: skip
    await read_back(stage, rooms)
    await leave_games(stage)
    await keep_deadlines(stage)


async def _one(stage: Stage, guests: list[Guest], delay: float) -> None:
    for _ in range(ROUNDS):
        await _meet(guests)
    await _talk(stage, guests, delay)


async def _meet(guests: list[Guest]) -> None:
    """One player at each node sends a command. All others send one that is refused."""
    wishes = [(guest, guest.choose() if isinstance(guest, Player) else None) for guest in guests]
    wishes.sort(key=lambda wish: wish[1] is None)
    sending, busy = [], set()
    for guest, request in wishes:
        if request is None or guest.address in busy:
            request = ask.Withdraw(room=guest.room, proposal=NO_PROPOSAL, key=guest.connection.new_key())
        busy.add(guest.address)
        sending.append(_send(guest, request))
    await asyncio.gather(*sending)
    await asyncio.sleep(QUIET)  # whoever has a decision later than that is late


async def _send(guest: Guest, request: ask.Request) -> None:
    await asyncio.sleep(guest.chance.uniform(0, APART))
    with suppress(RequestError):  # it comes too late, or is to be refused
        await guest.connection.request(request)


async def _talk(stage: Stage, guests: list[Guest], delay: float) -> None:
    """A player writes to all and to the table; watchers hear it `delay` seconds later."""
    if stage.fork is not None and delay:  # a watcher who knows a lost version hears nothing until the log is as long
        guests = [guest for guest in guests if isinstance(guest, Player)]
    seated = [guest for guest in guests if isinstance(guest, Player) and guest.seat is not None]
    if not seated:
        return
    speaker, room = seated[0], seated[0].room
    readers: dict[Literal["all", "table"], list[Guest]] = {"all": guests, "table": [*seated]}
    said: dict[str, list[Guest]] = {}
    for to, ears in readers.items():
        text = stage.world.name("line")
        with suppress(RequestError):  # of somebody who has just written too much
            await speaker.connection.say(room, text, to)
            said[text] = ears

    async def heard() -> bool:
        return all(text in guest.lines for text, ears in said.items() for guest in ears)

    with suppress(TimeoutError):
        await until(heard, delay + QUIET, pause=0.02)
    for text, ears in said.items():
        for guest in guests:
            times = guest.lines.count(text)
            if times != (guest in ears):
                stage.wrong.append(f"{guest.who} in {room} has heard {text} of {speaker.who} {times} times")
            if times and guest.speakers[text] != speaker.seat:
                stage.wrong.append(f"{guest.who} in {room} has heard {text} from {guest.speakers[text]}")
    if speaker.table is not None and speaker.table.status == "playing":  # otherwise it may leave the store
        for guest in guests:
            kept = [line.text for line in await guest.connection.chat(room)]
            lost = [text for text, ears in said.items() if (guest in ears) != (text in kept)]
            if lost:
                stage.wrong.append(f"{guest.who} in {room} reads {kept}, which is wrong about {lost}")
