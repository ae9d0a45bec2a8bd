"""A client sends a text to read, and opens a room with the result."""

from pathlib import Path
from typing import Any

from fourfold.protocol.codec import MAX_FRAME

Dial = Any  # see conftest
GAMES = Path(__file__).parents[2] / "engine" / "notation" / "data"


async def test_a_room_is_opened_with_what_was_read(dial: Dial) -> None:
    wire = await dial()
    text = next(iter((GAMES / "ffa.pgn4").read_text().split("[GameNr", 2)[1:]))
    parsed = await wire.asks("read", text="[GameNr" + text)
    assert (parsed["type"], parsed["variant"], parsed["stopped"]) == ("parsed", "ffa", None)
    opened = {name: parsed[name] for name in ("variant", "position", "moves")}
    room = (await wire.asks("create", **opened))["room"]
    snapshot = await wire.asks("watch", room=room)
    assert snapshot["moves"] == parsed["moves"]


async def test_a_bad_move_is_named(dial: Dial) -> None:
    parsed = await (await dial()).asks("read", text="1. e4 e5\n2. Ke3", format="pgn")
    assert parsed["moves"] == ["e2e4", "e7e5"]
    assert (parsed["stopped"]["line"], parsed["stopped"]["ply"], parsed["stopped"]["move"]) == (2, 3, "Ke3")
    assert parsed["stopped"]["message"]


async def test_no_game_is_told_so(dial: Dial) -> None:
    wire = await dial()
    for text in ("hello", "8/8/8/8/8/8/8/8 w - - 0 1", "1. Zz9"):
        error = await wire.asks("read", text=text)
        assert (error["code"], error["kind"]) == ("no_game", "unreadable")
    assert (await wire.asks("read", text="x" * (MAX_FRAME - 100)))["code"] == "bad_field"
    assert (await wire.asks("read", text="1. e4", format="doc"))["code"] == "bad_field"


async def test_the_build_of_the_pages_is_told(dial: Dial) -> None:
    from fourfold.server.transport.static_files import load

    wire = await dial(hello=False)
    assert (await wire.asks("hello"))["build"] == load().build


async def test_what_was_read_past_is_told(dial: Any) -> None:
    wire = await dial()
    told = await wire.asks("read", text="1. e4 -- 2. d4 d5")
    assert told["type"] == "parsed" and told["stopped"] is None
    assert [(remark["code"], remark["ply"], remark["move"]) for remark in told["remarks"]] == [("null_move", 2, "--")]
    # A room begins with it: no player may pass.
    assert told["position"].split()[1] == "w" and told["moves"] == ["d2d4", "d7d5"]
