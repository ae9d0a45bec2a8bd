"""A bot at a seat of a room in this process, with choosers that fail."""

import asyncio
import random

import pytest

from fourfold.clients.bots.bot import Bot
from fourfold.clients.bots.thinking import Think, random_moves
from fourfold.clients.games.local_room import ROOM, LocalConnection, LocalRoom
from fourfold.engine.match import Status
from fourfold.engine.match.clock import Control
from fourfold.engine.match.commands import Create, Move, Propose, Resign
from fourfold.engine.match.events import ProposalKind
from fourfold.engine.outcome import Termination
from fourfold.engine.position import Position
from fourfold.protocol.from_server import Said, Turn
from tests.virtual_time import in_virtual_time


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
    async with asyncio.timeout(240):
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


async def quiet(position: Position, _budget: float) -> str:
    """A move that brings the end no nearer, if there is one: no capture, and no pawn."""
    moves = [move for move in position.legal_moves if position.play(move).material() == position.material()]
    return random.Random(position.ply).choice(moves or list(position.legal_moves)).text


def test_computers_end_a_game_within_a_minute_once_all_people_are_out() -> None:
    async def main() -> None:
        room = LocalRoom(Create("survivor"), lambda _: quiet, 0, 0)
        LocalConnection(room, "person", "Ann").sit("red")
        frames = room.follow()
        bots = [
            Bot(LocalConnection(room, f"bot:{seat}", seat, 1), ROOM, seat, quiet, pace=2)
            for seat in ("blue", "yellow", "green")
        ]
        playing = [asyncio.create_task(bot.play()) for bot in bots]
        loop = asyncio.get_running_loop()
        said = []
        async for frame in frames:
            if isinstance(frame, Turn) and frame.seat == "red":
                room.submit(Resign(), "person")
                left = loop.time()
            elif isinstance(frame, Said):
                said.append(frame.text)
            elif room.state.status is Status.FINISHED:
                break
        assert 45 <= loop.time() - left <= 60
        outcome = room.state.outcome
        assert outcome is not None and outcome.termination is Termination.AGREEMENT
        assert said == ["All people are out, so the computers end the game here."]
        await asyncio.gather(*playing)

    in_virtual_time(main())


async def test_a_bot_agrees_to_a_pause_and_does_not_move_meanwhile() -> None:
    room = LocalRoom(Create("standard", control=Control(60_000)), lambda _: faulty, 0, 0)
    ann = LocalConnection(room, "person", "Ann")
    ann.sit("black")
    frames = room.follow()
    chosen = asyncio.Event()
    goes_on = asyncio.Event()

    async def slow(position: Position, budget: float) -> str:
        chosen.set()
        await goes_on.wait()
        return "e2e4"

    playing = asyncio.create_task(bot(room, slow).play())
    async with asyncio.timeout(240):
        await chosen.wait()
        room.submit(Propose(ProposalKind.PAUSE, room.state.seq), "person")
        async for _ in frames:
            if room.state.paused is not None:
                break
        goes_on.set()
        await asyncio.sleep(0)
        assert room.state.ply == 0
        room.submit(Propose(ProposalKind.RESUME, room.state.seq), "person")
        async for _ in frames:
            if room.state.ply == 1:
                break
    assert room.state.paused is None
    room.submit(Resign(), "person")
    assert await playing is not None
