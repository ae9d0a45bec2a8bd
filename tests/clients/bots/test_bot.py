"""A bot at a seat of a room in this process, with choosers that fail."""

import asyncio

import pytest

from fourfold.clients.bots.bot import Bot
from fourfold.clients.bots.thinking import Think, random_moves
from fourfold.clients.games.local_room import ROOM, LocalConnection, LocalRoom
from fourfold.engine.match.commands import Create, Move, Resign
from fourfold.engine.position import Position
from fourfold.protocol.from_server import Said, Turn


async def faulty(position: Position, budget: float) -> str:
    raise KeyError(61)


async def illegal(position: Position, budget: float) -> str:
    return "e2e5"


def table() -> LocalRoom:
    """A game in which a person plays black."""
    room = LocalRoom(Create("standard"), lambda _: faulty, 0, 0)
    LocalConnection(room, "person", "Ann").sit("black")
    return room


def bot(room: LocalRoom, think: Think, **options: object) -> Bot:
    return Bot(LocalConnection(room, "bot", "Level 4", 4), ROOM, "white", think, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize(("think", "fault"), [(faulty, "KeyError"), (illegal, "IllegalMove")])
async def test_where_a_chooser_fails_its_fallback_plays_on(think: Think, fault: str) -> None:
    room = table()
    reports: list[str] = []
    said: list[str | None] = []
    frames = room.follow()
    playing = asyncio.create_task(bot(room, think, fallback=random_moves(), report=reports.append).play())
    async with asyncio.timeout(60):
        async for frame in frames:
            if isinstance(frame, Said):
                said += [frame.seat, frame.text]
            elif isinstance(frame, Turn) and frame.seat == "black":
                if room.state.position.ply == 5:
                    room.submit(Resign(), "person")
                    break
                room.submit(Move(sorted(frame.legal)[0], frame.seq), "person")
    assert await playing is not None
    assert said == ["white", f"I could not choose a move ({fault}). From now on I play at level 1."]
    assert len(reports) == 1 and reports[0].startswith("local white: rnbqkbnr/") and fault in reports[0]


async def test_without_a_fallback_the_fault_is_raised() -> None:
    with pytest.raises(ExceptionGroup) as raised:
        await bot(table(), faulty).play()
    assert raised.group_contains(KeyError)
