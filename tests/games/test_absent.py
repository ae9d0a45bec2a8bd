"""A player leaves a game in the terminal client. The other clients show the time of the absence, and when their players
may decide."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from .conftest import ServerProcess, running
from .test_plain import Terminal, terminal


@pytest.fixture
def impatient_server() -> Iterator[ServerProcess]:
    """A server on which a player is absent after three seconds."""
    with running(None, 0, "--absence", "3") as server:
        yield server


def room_of(at: Terminal) -> str:
    at.until("/r/")
    at.until("\n")
    return at.shown.rpartition("/r/")[2].split()[0]


@pytest.mark.slow
def test_an_absence_is_told_and_ends_in_a_vote(impatient_server: ServerProcess, tmp_path: Path) -> None:
    where = ["--url", impatient_server.url, "--plain", "--ascii"]
    with terminal(tmp_path, *where, "--players", "2", "--clock", "5+3", NO_COLOR="1") as (at, _):
        room = room_of(at)
        with terminal(tmp_path, *where, "--name", "Bo", room, NO_COLOR="1") as (other, _):
            other.until("White to move" if "White to move" in other.shown else "White plays")
        at.until("Black is away.")
        at.types("who")
        at.until("black: Bo, away 0:0")
        at.until("Black has been away for 0:03. If all others agree, 'remove black' takes black out of the game.")
        at.types("who")
        at.until(", absent")
        at.types("remove black")
        # A server that was too busy to check presence counts an absence from then on, and says when to ask again.
        while "again in" in at.until("White wins by abandonment.", "propose it again in"):
            at.types("remove black")


def test_the_host_sends_somebody_away_and_closes_the_room(server: ServerProcess, tmp_path: Path) -> None:
    where = ["--url", server.url, "--plain", "--ascii"]
    with (
        terminal(tmp_path, *where, "--players", "4", NO_COLOR="1") as (at, _),
        terminal(tmp_path, *where, "--name", "Bo", NO_COLOR="1") as (other, _),
    ):
        room = room_of(at)
        other.until("Lobby: ")
        other.types(f"join {room} blue")
        at.until("Bo sits down at blue.")
        other.types("kick red")
        other.until("Only the host can free the seats of others.")
        at.types("kick blue")
        at.until("Blue is removed by the host.")
        other.until("Blue is removed by the host.")
        other.types("sit blue")
        other.until("The host has removed you from this table; you can watch.")
        at.types("close")
        at.until("The game was aborted: nobody has won.")
