"""Challenges typed at two terminals on a real server."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from typing import Any, Literal

import pytest

from fourfold.clients.games.game import News
from fourfold.clients.games.remote import RemoteVenue
from fourfold.clients.terminal.controller.controller import Controller

from .conftest import ServerProcess


class Keyboard:
    """A terminal at a server, which keeps its output."""

    def __init__(self, venue: RemoteVenue) -> None:
        self.desk = Controller(venue, self)
        self.lines: list[str] = []
        self.room: tuple[int, int] | None = None

    def say(self, text: str) -> None:
        self.lines.append(text)

    def show(self) -> None: ...

    def zoom(self, by: Literal[-1, 0, 1]) -> None: ...

    def heard(self, news: News) -> None: ...

    def moved(self) -> None: ...

    def bell(self) -> None: ...

    async def types(self, line: str) -> None:
        async with asyncio.timeout(240):
            await self.desk.do(line)

    async def until(self, ready: Callable[[], bool]) -> None:
        async with asyncio.timeout(240):
            while not ready():  # noqa: ASYNC110 - a front end is not told of everything
                await asyncio.sleep(0.02)

    async def hears(self, text: str) -> None:
        await self.until(lambda: any(text in line for line in self.lines))


@pytest.fixture
async def sit(server: ServerProcess) -> AsyncIterator[Any]:
    """Opens a terminal for a player."""
    async with AsyncExitStack() as stack:

        async def sit(name: str) -> Keyboard:
            one = Keyboard(await stack.enter_async_context(RemoteVenue(server.url, name)))
            await stack.enter_async_context(one.desk)
            return one

        yield sit


async def test_yes_brings_both_to_the_game(sit: Any) -> None:
    ann, bob = await sit("Ann T"), await sit("Bob T")
    await ann.types("players")
    assert "Bob T  guest" in ann.lines and "Ann T  you, guest" in ann.lines
    await ann.types("challenge Bob T 5+3 seat=white")
    await bob.hears("Ann T challenges you: standard, 5 min + 3 s a move. 'challenge yes' or 'challenge no' answers.")
    await bob.types("challenge")
    assert bob.lines[-1].startswith("1 Ann T challenges you")
    await bob.types("challenge yes")
    await bob.until(lambda: bob.desk.game is not None)
    await ann.until(lambda: ann.desk.game is not None and ann.desk.game.mover == "white")
    assert ann.desk.game.table.room == bob.desk.game.table.room


async def test_ratings_are_beside_names_and_a_range_finds_those_near(sit: Any) -> None:
    ann, bob, guest = await sit("Ann V"), await sit("Bob V"), await sit("Guest V")
    await guest.types("seek 5+3 range=100")
    await guest.hears("A range is for players with ratings")
    for one, name in ((ann, "Ann of V"), (bob, "Bob of V")):
        await one.types(f"account new {name}")
        await one.hears(name)
    await ann.types("seek 5+3 range=100")
    async with asyncio.timeout(240):
        while not any("Ann of V 1500?" in line for line in bob.lines):
            await bob.types("rooms")
    assert any("waits 0:" in line for line in bob.lines)
    await bob.types("seek 5+3 range=100")
    await ann.until(lambda: ann.desk.game is not None and ann.desk.game.table.status == "playing")
    await bob.until(lambda: bob.desk.game is not None and len(bob.desk.game.ratings) == 2)
    del bob.lines[:]
    await bob.types("who")
    await bob.hears("Ann of V 1500?")


async def test_a_challenge_is_told_with_the_ratings_of_who_plays(sit: Any) -> None:
    ann, bob = await sit("Ann Z"), await sit("Bob Z")
    await ann.types("account new Ann of Z")
    await ann.hears("Ann of Z")
    await ann.types("challenge Bob Z 5+3")
    await bob.hears("Ann of Z 1500? challenges you: standard, 5 min + 3 s a move.")
    await ann.types("challenge cancel")
    await bob.hears("The challenge to you was taken back.")


async def test_who_is_paired_elsewhere_goes_there(sit: Any) -> None:
    ann, bob = await sit("Ann W"), await sit("Bob W")
    await ann.types("seek 7+7")
    await bob.types("create 7+7")
    await ann.until(lambda: ann.desk.game is not None)
    await bob.until(lambda: bob.desk.game is not None)
    room = bob.desk.game.table.room
    ann.desk.venue.paired(room)  # as it does when the server says so
    await ann.until(lambda: ann.desk.game is not None and ann.desk.game.table.room == room)
    await bob.until(lambda: bob.desk.game.table.status == "playing")


async def test_following_and_playing_again_with_the_same(sit: Any) -> None:
    ann, bob = await sit("Ann X"), await sit("Bob X")
    await ann.types("follow")
    assert "need an account" in ann.lines[-1]
    await ann.types("account new Ann of X")
    await bob.types("account new Bob of X")
    await ann.types("follow bob of x")
    await ann.types("follow")
    assert ann.lines[-1] == "Bob of X  online"
    await ann.types("unfollow Bob of X")
    await ann.types("follow")
    assert ann.lines[-1].startswith("You follow no players")
    await ann.types("create 5+3 seat=white")
    await ann.types("challenge again")
    assert ann.lines[-1].startswith("Nobody to play again")
    await bob.types(f"join {ann.desk.game.table.room}")
    await bob.until(lambda: bob.desk.game.table.status == "playing")
    await bob.desk.game.resign()
    await ann.until(lambda: ann.desk.game.table.status == "finished")
    await ann.types("challenge again")
    await bob.hears("Ann of X 1500? challenges you: standard, 5 min + 3 s a move.")
    assert [seat.seat for seat in bob.desk.venue.challenges()[-1].seats if seat.name == "Ann of X"] == ["black"]


async def test_no_and_taking_back(sit: Any) -> None:
    ann, bob = await sit("Ann U"), await sit("Bob U")
    await ann.types("challenge Bob U")
    await bob.hears("challenges you")
    await bob.types("challenge no in an hour")
    await ann.hears('Bob U says no to standard, untimed. "in an hour"')
    await ann.types("challenge Bob U 4")
    assert "`player` is for two-player games" in ann.lines[-1]
    await ann.types("challenge Bob U 1+0")
    await ann.hears("You challenge Bob U: standard, 1 min.")
    await ann.types("challenge cancel")
    await bob.hears("The challenge to you was taken back.")
    await bob.types("challenge yes")
    assert bob.lines[-1].startswith("There is no such challenge")


async def test_somebody_is_asked_to_a_seat_of_a_table(sit: Any) -> None:
    ann, bob = await sit("Ann I"), await sit("Bob I")
    await ann.types("create ffa 5+3 seat=red")
    room = ann.desk.game.table.room
    await ann.types("invite yellow=Bob I")
    await ann.hears(f"You ask Bob I to yellow of {room}. 'challenge cancel' takes it back.")
    await bob.hears(f"Ann I asks you to yellow of {room}: ffa, 5 min + 3 s a move. 'challenge yes' or 'challenge no'")
    assert bob.desk.game is None
    await bob.types("challenge no not today")
    await ann.hears('Bob I says no to ffa, 5 min + 3 s a move. "not today"')
    assert bob.desk.game is None
    await ann.types("invite Bob I to g")
    await bob.hears(f"asks you to green of {room}")
    await bob.types("challenge yes")
    await bob.until(lambda: bob.desk.game is not None and bob.desk.game.table.seats["green"].name == "Bob I")
    await ann.hears(f"Bob I sits at green of {room}.")
    await ann.types("invite Bob I")
    await ann.hears("already sits at this table")
    await ann.types("invite")
    assert any("'invite NAME' invites one" in line or "No bots for this game" in line for line in ann.lines)
    await bob.types("invite Ann I")
    await bob.hears("Only the host can")
    await ann.types("invite blue=2")
    await ann.until(lambda: ann.desk.game.table.seats["blue"].invited == 2)


async def test_a_table_is_gone_before_the_answer(sit: Any) -> None:
    ann, bob = await sit("Ann J"), await sit("Bob J")
    await ann.types("create 5+3 seat=white")
    room = ann.desk.game.table.room
    await ann.types("invite Bob J")
    await bob.hears(f"asks you to black of {room}")
    await ann.types("close")
    await bob.hears("The challenge to you is off: the table was closed.")
    await ann.hears("The challenge to Bob J is off: the table was closed.")
    await bob.types("challenge yes")
    assert bob.lines[-1].startswith("There is no such challenge")


async def test_a_computer_player_is_challenged_by_name(server_with_bots: ServerProcess) -> None:
    async with RemoteVenue(server_with_bots.url, "Ann V") as venue:
        ann = Keyboard(venue)
        async with ann.desk:
            async with asyncio.timeout(240):
                while "level3  bot" not in ann.lines:  # the bot host connects after the server has started
                    await ann.types("players")
            await ann.types("challenge level3 5+3 seat=white")
            await ann.until(lambda: ann.desk.game is not None and ann.desk.game.mover == "white")
