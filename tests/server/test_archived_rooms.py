"""Rooms that have moved to the archive, as clients see them: their addresses still work."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from tests.server.conftest import AFTER, Dial, Wire, entries, left

pytestmark = pytest.mark.archiving

FOOLS_MATE = ["f2f3", "e7e5", "g2g4", "d8h4"]


class Played:
    """A game played to its end, by two players who undid a move on the way."""

    def __init__(self, white: Wire, black: Wire, room: str) -> None:
        self.white, self.black, self.room = white, black, room

    async def archived(self) -> None:
        """Wait until it is archived."""
        for wire in (self.white, self.black):
            await wire.seen(lambda frame: frame["type"] == "update" and frame["events"] == [{"type": "archived"}])


Play = Callable[..., Awaitable[Played]]


@pytest.fixture
def play(dial: Dial) -> Play:
    async def play(**terms: Any) -> Played:
        white, black = await dial(name="Ann"), await dial(name="Bob", text=False)
        room = (await white.asks("create", variant="standard", key="opening", **terms))["room"]
        password = {"password": terms["password"]} if "password" in terms else {}
        await white.asks("join", room=room, seat="white")
        seq = (await black.asks("join", room=room, seat="black", **password))["seq"]
        turn = [white, black]
        ply = 0

        async def move(text: str) -> None:
            nonlocal seq, ply
            seq = (await turn[ply % 2].asks("move", room=room, move=text, seq=seq, key=f"{ply}{text}"))["seq"]
            ply += 1

        await move("e2e4")
        proposed = (await white.asks("propose", room=room, kind="undo", seq=seq, key="u"))["seq"]
        assert proposed
        seq = (await black.asks("vote", room=room, proposal=1, accept=True, key="v"))["seq"]
        ply = 0
        for text in FOOLS_MATE:
            await move(text)
        return Played(white, black, room)

    return play


async def test_an_archived_game_is_served_as_before(play: Play, dial: Dial, common_url: str, elsewhere: str) -> None:
    played = await play()
    room = played.room
    before = {format: await played.white.asks("export", room=room, format=format) for format in ("pgn", "json", "fen")}
    held = await played.white.asks("watch", room=room)
    await played.archived()
    await left(common_url, room)
    for at in (elsewhere, elsewhere):  # this server holds it the second time
        stranger = await dial(at=at)
        snapshot = await stranger.asks("watch", room=room)
        assert snapshot["archived"] and snapshot["status"] == "finished"
        for name in ("moves", "position", "result", "game", "redo", "start", "variant", "host"):
            assert snapshot[name] == held[name]
        for format in ("pgn", "fen"):
            assert (await stranger.asks("export", room=room, format=format))["text"] == before[format]["text"]
        again = await dial(at=at)
        answer = await again.asks("watch", room=room, since=2)
        assert answer["type"] == "ok"
        last = await again.seq(snapshot["seq"])
        assert last["events"] == [{"type": "archived"}]
        assert [update["seq"] for update in again.updates()] == list(range(3, snapshot["seq"] + 1))


async def test_nothing_more_happens_in_an_archived_room(
    play: Play, dial: Dial, common_url: str, elsewhere: str
) -> None:
    played = await play()
    await played.archived()
    seq = played.white.updates()[-1]["seq"]
    refused = await played.white.asks("propose", room=played.room, kind="rematch", seq=seq, key="r")
    assert (refused["code"], refused["seq"]) == ("archived", seq)
    await left(common_url, played.room)
    refused = await played.black.asks("propose", room=played.room, kind="rematch", seq=seq, key="r")
    assert refused["code"] == "archived"
    there = await dial(at=elsewhere, token=played.white.token)
    refused = await there.asks("propose", room=played.room, kind="rematch", seq=seq, key="r2")
    assert refused["code"] == "archived"
    assert (await there.asks("join", room=played.room))["seat"] == "white"
    stranger = await dial(at=elsewhere)
    assert (await stranger.asks("join", room=played.room))["code"] == "already_started"


async def test_a_room_is_not_opened_anew_after_it_has_left(
    play: Play, dial: Dial, common_url: str, elsewhere: str
) -> None:
    played = await play()
    await left(common_url, played.room)
    there = await dial(at=elsewhere, token=played.white.token)
    assert (await there.asks("create", variant="standard", key="opening"))["room"] == played.room
    assert (await there.asks("watch", room=played.room))["archived"]


async def test_a_password_still_protects_an_archived_room(
    play: Play, dial: Dial, common_url: str, elsewhere: str
) -> None:
    played = await play(visibility="private", password="open sesame")
    await left(common_url, played.room)
    stranger = await dial(at=elsewhere)
    assert (await stranger.asks("watch", room=played.room))["code"] == "password_needed"
    assert (await stranger.asks("watch", room=played.room, password="open sesame"))["archived"]


@pytest.mark.slow
async def test_a_rematch_in_time_keeps_the_room_in_the_store(play: Play, common_url: str) -> None:
    played = await play()
    seq = (await played.white.asks("watch", room=played.room))["seq"]
    await played.white.asks("propose", room=played.room, kind="rematch", seq=seq, key="r")
    await played.black.asks("vote", room=played.room, proposal=2, accept=True, key="rv")
    await asyncio.sleep(2 * AFTER)  # longer than a finished game takes
    snapshot = await played.white.asks("watch", room=played.room)
    assert (snapshot["status"], snapshot["archived"]) == ("playing", False)
    assert entries(common_url, played.room) > 1
