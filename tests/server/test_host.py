"""The rights of a room's host before the game has begun, over real sockets and on two nodes."""

from typing import Any

import pytest

Dial = Any  # see conftest


async def opened(dial: Dial, **terms: Any) -> tuple[Any, str]:
    """A host and their room."""
    host = await dial(name="Host")
    return host, (await host.asks("create", **terms))["room"]


async def test_a_seat_is_freed_and_stays_closed_to_who_held_it(dial: Dial, elsewhere: str) -> None:
    host, room = await opened(dial, variant="survivor")
    await host.asks("watch", room=room)
    eve = await dial(at=elsewhere)
    await eve.asks("join", room=room, seat="blue")
    done = await host.asks("kick", room=room, seat="blue", key="k")
    assert done["type"] == "ok"
    for wire in (host, eve):
        update = await wire.seq(done["seq"])
        assert update["events"] == [{"type": "unseated", "seat": "blue", "kicked": True}]
    refusal = await eve.asks("join", room=room, seat="green")
    assert (refusal["kind"], refusal["code"], refusal["seq"]) == ("refused", "kicked", done["seq"])
    assert (await host.asks("kick", room=room, seat="blue", key="k"))["seq"] == done["seq"]  # not done again
    assert (await host.asks("kick", room=room, seat="blue"))["code"] == "seat_free"
    other = await dial(at=elsewhere)
    assert (await other.asks("join", room=room, seat="blue"))["type"] == "joined"


async def test_a_room_is_closed_and_leaves_the_lobby(dial: Dial, elsewhere: str) -> None:
    host, room = await opened(dial)
    guest, looking = await dial(), await dial(at=elsewhere)
    await guest.asks("join", room=room)
    await looking.asks("rooms", follow=True)
    await looking.seen(lambda f: f["type"] in ("rooms", "lobby") and room in str(f))
    assert (await guest.asks("close", room=room))["code"] == "not_host"
    done = await host.asks("close", room=room, key="c")
    assert done["type"] == "ok"
    (finished,) = (await guest.seq(done["seq"]))["events"]
    assert (finished["type"], finished["result"]["reason"]) == ("finished", "aborted")
    await looking.seen(lambda f: f["type"] == "lobby" and room in f["removed"])
    assert (await (await dial(at=elsewhere)).asks("join", room=room))["code"] == "game_over"
    assert (await guest.asks("propose", room=room, kind="rematch", seq=done["seq"], key="r"))["code"] == "not_started"
    assert (await host.asks("close", room=room, key="c"))["seq"] == done["seq"]
    assert (await host.asks("close", room=room))["code"] == "game_over"


@pytest.mark.parametrize("format", ["pgn", "json", "fen"])
async def test_a_closed_room_can_be_exported(dial: Dial, format: str) -> None:
    host, room = await opened(dial)
    await host.asks("close", room=room)
    assert (await host.asks("export", room=room, format=format))["type"] == "exported"


@pytest.mark.parametrize(("request_", "fields"), [("kick", {"seat": "white"}), ("close", {})])
async def test_neither_once_the_game_has_begun(dial: Dial, request_: str, fields: dict[str, Any]) -> None:
    host, room = await opened(dial)
    for wire in (await dial(), await dial()):
        await wire.asks("join", room=room)
    assert (await host.asks(request_, room=room, **fields))["code"] == "already_started"
