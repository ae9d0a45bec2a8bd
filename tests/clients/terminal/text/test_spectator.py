"""A watched game as text, with the players' clocks."""

import io
from typing import Any

import pytest

from fourfold.clients.terminal.text.spectator import SpectatorView
from fourfold.protocol import events as happened
from fourfold.protocol.from_server import Clocks, Room, Seat, Update

NOW = 1_700_000_000_000


def room(**changes: Any) -> Room:
    """A game for two with white to move, started two seconds ago."""
    start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
    names = {"white": "Ada", "black": "Bo"}
    seats = [Seat(seat, seat, name, True, None, False, None, None, 0) for seat, name in names.items()]
    known: dict[str, Any] = {
        "room": "abc", "variant": "standard", "status": "playing", "seats": seats, "start": start, "position": start,
        "moves": [], "redo": [], "clocks": Clocks(300_000, 0, 0, {"white": 300_000, "black": 300_000}, NOW - 2000),
        "turn": "white", "proposal": None, "result": None, "watchers": 1, "seq": 3, "time": NOW, "game": 1,
        "visibility": "public", "host": "white", "chat": True, "check": [],
    }  # fmt: skip
    return Room(**(known | changes))


class Screen(io.StringIO):
    """A terminal."""

    def isatty(self) -> bool:
        return True


def test_the_clocks_are_beside_the_names() -> None:
    out = io.StringIO()
    with SpectatorView(out, out, now=lambda: 5000.0) as show:  # this machine's clock is far behind
        show.see(room())
        moved = happened.Moved("white", "e2e4", 1, happened.Tick(10_000, 0, 0, 290_000))
        show.see(Update("abc", 4, NOW + 8000, [moved]))
    assert "W  white  Ada     4:58  to move" in out.getvalue()
    assert "B  black  Bo      5:00\n" in out.getvalue()
    assert "   1 white  e2e4   4:50\n" in out.getvalue()


def test_an_untimed_game_has_no_clocks() -> None:
    out = io.StringIO()
    with SpectatorView(out, out) as show:
        show.see(room(clocks=None))
    assert "W  white  Ada  to move" in out.getvalue()


def test_clocks_run_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    now = [1000.0]
    out = Screen()
    with SpectatorView(out, out, now=lambda: now[0]) as show:
        show.see(room())
        now[0] += 3
        out.truncate(0)
        show.tick()
    assert "4:55" in out.getvalue()
