"""Search for games: running, finished and archived ones; and who may find them."""

import asyncio
import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from fourfold.engine.notation import pgn
from fourfold.server.archive import database
from fourfold.server.archive.address import FILE
from fourfold.server.sessions import games
from tests.server.conftest import Dial, Wire, left

pytestmark = pytest.mark.archiving

assert database.HEAD, "loaded before the first test, which would otherwise wait for it"

PAWN = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"


async def play(white: Wire, black: Wire, *, to_the_end: bool = True, **terms: Any) -> str:
    room: str = (await white.asks("create", variant="standard", **terms))["room"]
    await white.asks("join", room=room, seat="white")
    seq = (await black.asks("join", room=room, seat="black"))["seq"]
    await white.asks("move", room=room, move="e2e4", seq=seq, key="m")
    if to_the_end:
        await black.asks("resign", room=room, key="r")
    return room


async def found(wire: Wire, **search: Any) -> list[tuple[str, str]]:
    games = (await wire.asks("games", **search))["games"]
    return [(game["room"], game["status"]) for game in games]


@pytest.mark.slow
async def test_a_game_is_found_from_its_first_move_on(dial: Dial, common_url: str) -> None:
    ann, bob, eve = await dial(name="Ann"), await dial(name="Bob"), await dial()
    over = await play(ann, bob)
    running = await play(bob, ann, to_the_end=False, clock={"base": 600_000})
    async with asyncio.timeout(240):
        for wire in (ann, eve):
            while await found(wire, player=ann.player) != [(running, "playing"), (over, "finished")]:
                pass  # the store has it a moment after the first move
    await left(common_url, over)
    for wire in (ann, eve):
        page = await wire.asks("games", player=bob.player, **{"with": ann.player})
        first, second = page["games"]
        assert (first["room"], first["ply"], first["clock"]["base"]) == (running, 1, 600_000)
        assert [(seat["name"], seat["result"]) for seat in first["seats"]] == [("Bob", None), ("Ann", None)]
        assert (second["room"], second["reason"], second["winners"]) == (over, "resignation", ["white"])
        assert [(seat["name"], seat["result"]) for seat in second["seats"]] == [("Ann", "won"), ("Bob", "lost")]
        assert second["position"].startswith("rnbqkbnr/pppppppp/8/8/4P3/8/")
        assert page["next"] is None
    assert await found(eve) == [(running, "playing"), (over, "finished")]
    assert await found(eve, player=ann.player, result="won") == [(over, "finished")]
    assert await found(eve, player=ann.player, result="lost") == []
    assert await found(eve, variant="ffa") == []
    results = await eve.asks("results", player=ann.player)
    assert (results["name"], results["variants"][0]["won"], results["variants"][0]["places"]) == ("Ann", 1, [1])
    assert [(one["seat"], one["won"]) for one in results["seats"]] == [("white", 1)]
    assert [(one["player"], one["name"], one["won"], one["lost"]) for one in results["against"]] == [
        (bob.player, "Bob", 1, 0)
    ]


async def test_a_private_game_is_found_by_its_players_alone(dial: Dial, common_url: str) -> None:
    ann, bob, eve = await dial(name="Ann"), await dial(name="Bob"), await dial()
    room = await play(ann, bob, visibility="private")
    assert await found(ann, player=ann.player) == [(room, "finished")]
    assert await found(eve, player=ann.player) == []
    await left(common_url, room)
    assert await found(bob, player=bob.player) == [(room, "finished")]
    assert await found(bob, player=ann.player) == []
    assert await found(eve, player=ann.player) == await found(eve) == []
    assert (await ann.asks("results", player=ann.player))["variants"] != []
    assert (await eve.asks("results", player=ann.player))["variants"] == []


async def test_games_are_found_by_a_players_name(dial: Dial, common_url: str) -> None:
    ann, bob, other, eve = await dial(name="Ann"), await dial(name="Bob"), await dial(name="ANN"), await dial()
    both = await play(ann, other)
    secret = await play(ann, bob, visibility="private")
    running = await play(bob, other, to_the_end=False)
    for room in (both, secret):
        await left(common_url, room)
    async with asyncio.timeout(240):
        while await found(eve, name="ann") != [(running, "playing"), (both, "finished")]:
            pass  # the running one is listed a moment after it has begun
    assert await found(eve, name="bob") == [(running, "playing")]
    assert await found(eve, name="Ann", with_name="ann") == [(both, "finished")]
    assert await found(eve, name="Ann", result="lost") == [(both, "finished")]
    assert await found(eve, name="Ann", **{"with": bob.player}) == [(running, "playing")]
    assert await found(bob, player=bob.player, with_name="ann") == [(running, "playing"), (secret, "finished")]
    assert await found(eve, name="An") == []


async def test_ones_own_games_are_downloaded(
    dial: Dial, common_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(games, "PART", 2)
    ann, bob = await dial(name="Ann"), await dial(name="Bob")
    rooms = [await play(ann, bob, **terms) for terms in ({}, {"visibility": "private"}, {"position": PAWN})]
    for room in rooms:
        await left(common_url, room)
    rooms.append(await play(bob, ann))
    await play(ann, bob, to_the_end=False)
    texts, after = [], {}
    while True:
        part = await ann.asks("download", format="pgn", **after)
        texts.append(part["text"])
        if part["next"] is None:
            break
        after = {"after": part["next"]}
    found = [game.tags["Site"] for text in texts for game in pgn.read(text)]
    assert len(texts) == 2 and [site.rpartition("/")[2] for site in found] == rooms[::-1]
    lines = (await ann.asks("download", format="ndjson", result="lost"))["text"].splitlines()
    assert [json.loads(line)["room"] for line in lines] == rooms[3:]
    one = await ann.asks("download", format="pgn", until=1)
    assert (one["text"], one["games"], one["next"]) == ("", 0, None)
    assert (await ann.asks("download", format="pgn4"))["games"] == 0
    exported = await bob.asks("export", room=rooms[0], format="pgn")
    assert texts[-1].endswith(exported["text"])


@pytest.mark.slow
async def test_a_damaged_game_is_left_out_of_a_download(dial: Dial, common_url: str, tmp_path: Path) -> None:
    ann, bob = await dial(name="Ann"), await dial(name="Bob")
    rooms = [await play(ann, bob) for _ in range(2)]
    for room in rooms:
        await left(common_url, room)

    def damage() -> None:
        with closing(sqlite3.connect(tmp_path / FILE, timeout=240)) as archive, archive:
            archive.execute("UPDATE logs SET lineage = log WHERE room = ?", rooms[:1])

    await asyncio.to_thread(damage)  # the server may write at this moment, and would wait for this event loop
    part = await ann.asks("download", format="ndjson")
    assert ([json.loads(line)["room"] for line in part["text"].splitlines()], part["damaged"]) == (rooms[1:], rooms[:1])


async def test_pages(dial: Dial, common_url: str) -> None:
    ann, bob = await dial(name="Ann"), await dial(name="Bob")
    rooms = [await play(ann, bob) for _ in range(3)]
    for room in rooms:
        await left(common_url, room)
    first = await ann.asks("games", player=ann.player, limit=2)
    second = await ann.asks("games", player=ann.player, limit=2, after=first["next"])
    assert [game["room"] for game in first["games"] + second["games"]] == rooms[::-1]
    assert second["next"] is None
    assert (await ann.asks("games", after="the next"))["code"] == "bad_field"


async def test_no_archive_is_no_games(dial: Dial, start: Any) -> None:
    wire = await dial(at=await start(database_url="postgresql://nobody@/nothing?host=/nowhere"))
    assert (await wire.asks("games"))["code"] == "unavailable"
