"""The full-screen program with real servers: from the lobby to a game and back, alone and with others."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from textual.widgets import DataTable

from fourfold.clients.connection import Connection
from fourfold.clients.errors import RequestError
from fourfold.clients.games.remote import RemoteVenue
from fourfold.clients.terminal.fullscreen.app import FourfoldApp
from fourfold.clients.terminal.fullscreen.create import CreateScreen
from fourfold.clients.terminal.fullscreen.lobby import LobbyScreen
from fourfold.clients.terminal.fullscreen.main_screen import Banner
from fourfold.clients.terminal.fullscreen.room import RoomScreen
from fourfold.clients.terminal.fullscreen.votes import VoteBar
from tests.clients.terminal.fullscreen.driving import Driver
from tests.games.conftest import ServerProcess


@asynccontextmanager
async def program(url: str, *first: str, name: str = "Ann") -> AsyncIterator[Driver]:
    async with RemoteVenue(url, name) as venue:
        app = FourfoldApp(venue, first)
        async with app.run_test(size=(80, 24)) as pilot:
            yield Driver(app, pilot)


@pytest.mark.by_default
async def test_from_the_lobby_to_a_game_against_a_computer_and_back(server_with_bots: ServerProcess) -> None:
    async with program(server_with_bots.url) as at:
        await at.at(LobbyScreen)
        await at.press("#create")
        await at.until(lambda: isinstance(at.app.screen, CreateScreen) and at.app.screen.query("#seat-1 #label"))
        at.app.screen.query_one("#seat-1").value = "2"  # type: ignore[attr-defined]
        await at.pilot.press("f2")
        await at.at(RoomScreen)
        await at.until(lambda: at.app.desk.game is not None and at.app.desk.game.mover == "white")
        await at.until(lambda: "your move" in str(at.screen.query_one("#title").render()))
        await at.click("e2", "e4")
        await at.moved(2)
        await at.type("undo 2")
        await at.moved(0)  # the computer agrees
        await at.pilot.press("f8")
        vote = at.screen.query_one(VoteBar)
        await at.until(lambda: vote.open)
        await at.press("#yes")
        await at.until(lambda: "resignation" in str(at.screen.query_one("#result").render()))
        await at.pilot.press("f9")
        await at.at(LobbyScreen)


async def test_a_room_that_is_not_there_ends_it(server: ServerProcess) -> None:
    async with program(server.url, "join nosuchroom") as at:
        await at.until(lambda: not at.app.is_running)
    assert isinstance(at.app.fault, RequestError)
    assert at.app.fault.code == "no_such_room"


@pytest.mark.slow
async def test_two_find_each_other_talk_and_vote(server: ServerProcess) -> None:
    async with (
        program(server.url, "create 2 5+3") as ann,
        program(server.url, name="Bob") as bob,
    ):
        await ann.at(RoomScreen)
        await bob.at(LobbyScreen)
        assert ann.app.desk.game is not None
        room = ann.app.desk.game.table.room
        table = bob.screen.query_one(DataTable)
        await bob.until(lambda: room in table.rows)
        table.focus()
        table.move_cursor(row=table.get_row_index(room))
        await bob.pilot.press("enter")
        await bob.at(RoomScreen)
        await ann.until(lambda: ann.app.desk.game is not None and ann.app.desk.game.mover == "white")
        await ann.click("e2", "e4")
        await bob.moved(1)
        assert bob.app.desk.view is not None
        assert bob.app.desk.view.orientation.name(7, 0) == "h8"  # black sits below
        await bob.type("e7e5")
        await ann.moved(2)
        await ann.type("say good luck")
        await bob.until(lambda: "good luck" in bob.said)
        await bob.pilot.press("f5")
        vote = ann.screen.query_one(VoteBar)
        await ann.until(lambda: vote.open)
        assert "undo" in str(vote.query_one("#question").render())
        await ann.pilot.click("#yes")
        await bob.moved(1)
        await ann.pilot.press("f6")
        theirs = bob.screen.query_one(VoteBar)
        await bob.until(lambda: theirs.open)
        bob.screen.query_one("#board").focus()
        await bob.pilot.press("y")
        await ann.until(lambda: "agreement" in str(ann.screen.query_one("#result").render()))
        await ann.type("rematch")
        await bob.until(lambda: theirs.open)
        await bob.pilot.press("ctrl+y")
        await bob.until(lambda: bob.app.desk.game is not None and bob.app.desk.game.mover == "white")
        await ann.moved(0)


async def test_a_line_typed_fast_does_not_open_the_game_that_is_chosen_in_the_list(server: ServerProcess) -> None:
    async with Connection(server.url, name="Bob") as bob:
        await bob.create("standard")
        async with program(server.url) as ann:
            await ann.at(LobbyScreen)
            await ann.until(lambda: ann.screen.query_one(DataTable).has_focus)
            ann.rattle("create 4")
            await ann.at(RoomScreen)
            assert ann.app.desk.game is not None
            assert len(ann.app.desk.game.table.seats) == 4


async def test_the_list_may_come_while_the_lobby_is_taken_away(
    server: ServerProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with program(server.url) as at:
        await at.at(LobbyScreen)
        lobby, venue = at.screen, at.app.desk.venue
        listed = venue.rooms
        gone = []

        async def rooms() -> object:
            found = await listed()
            if not gone:
                await lobby.query_one("#filters").remove()  # a screen loses its widgets one by one
                gone.append(at.app.pop_screen())
            return found

        monkeypatch.setattr(venue, "rooms", rooms)
        await at.until(lambda: gone)
        await gone[0]
        assert at.app.is_running


async def test_watching_and_looking_back_at_a_finished_game(server: ServerProcess) -> None:
    async with Connection(server.url, name="White") as white, Connection(server.url, name="Black") as black:
        room = await white.create("standard")
        await white.join(room, "white")
        await black.join(room, "black")
        async with program(server.url, f"watch {room}") as at:
            await at.at(RoomScreen)
            seq = 0
            for player, move in ((white, "f2f3"), (black, "e7e5"), (white, "g2g4"), (black, "d8h4")):
                assert at.app.desk.game is not None
                seq = max(seq, at.app.desk.game.table.seq)
                seq = await player.move(room, move, seq)
            await at.moved(4)
            await at.until(lambda: "checkmate" in str(at.screen.query_one("#result").render()))
            await at.click("e2", "e4")
            await at.pilot.press("left", "left")
            await at.until(lambda: at.app.desk.view is not None and at.app.desk.view.ply == 2)
            assert "After move 2 of 4" in str(at.screen.query_one("#past").query_one("Static").render())
        async with program(server.url, f"watch {room}") as later:
            await later.at(RoomScreen)
            await later.moved(4)
            await later.pilot.press("home")
            await later.until(lambda: later.app.desk.view is not None and later.app.desk.view.ply == 0)


async def test_a_server_that_dies_is_said_so_and_the_game_goes_on(mortal_server: ServerProcess) -> None:
    async with program(mortal_server.url, "create 2") as at:
        await at.at(RoomScreen)
        assert at.app.desk.game is not None
        async with Connection(mortal_server.url, name="Bob") as bob:
            await bob.join(at.app.desk.game.table.room)
            await at.until(lambda: at.app.desk.game is not None and at.app.desk.game.mover == "white")
            mortal_server.kill()
            banner = at.screen.query_one(Banner)
            await at.until(lambda: banner.region.height)  # it has moved the board down
            await at.click("e2", "e4")
            mortal_server.start()
            await at.until(lambda: not banner.has_class("-up"))
            await at.moved(1)


async def test_what_is_refused_is_said(server: ServerProcess) -> None:
    async with program(server.url) as at:
        await at.at(LobbyScreen)
        await at.told("join nowhere", "no such room")
        await at.told("create draughts", "is not a variant")
        await at.type("create 4")
        await at.at(RoomScreen)
        await at.told("h2h4", "free")
