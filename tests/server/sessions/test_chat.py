"""Chat in a room: who gets it, in which form, and how much is allowed."""

from typing import Any

import pytest

from fourfold.server.sessions import chat
from fourfold.server.sessions.chat import PACE, REACTIONS, clean

Dial = Any  # see conftest
Wire = Any


LONG = 600_000
"""Milliseconds of the rate limits. On a busy machine, the usual ten seconds may pass between two messages."""


@pytest.fixture(autouse=True)
def slow(monkeypatch: pytest.MonkeyPatch) -> None:
    """The rate limits hold for minutes."""
    monkeypatch.setattr(chat, "PACE", (PACE[0], LONG))
    monkeypatch.setattr(chat, "REACTIONS", (REACTIONS[0], LONG))


async def table(dial: Dial, at: str | None = None, **fields: Any) -> tuple[str, Wire, Wire, Wire]:
    """A room, its two players and a watcher; with `at`, the second player sits on another node."""
    elsewhere = {} if at is None else {"at": at}
    white, black, watcher = await dial(name="Ann"), await dial(name="Bob", **elsewhere), await dial(name="Eve")
    room = (await white.asks("create", **fields))["room"]
    await white.asks("join", room=room)
    await black.asks("join", room=room)
    await watcher.asks("watch", room=room)
    return room, white, black, watcher


def said(wire: Wire) -> list[tuple[str, str, str]]:
    return [(frame["name"], frame["to"], frame["text"]) for frame in wire.frames if frame["type"] == "said"]


async def heard(wire: Wire, text: str) -> dict[str, Any]:
    frame: dict[str, Any] = await wire.seen(lambda frame: frame["type"] == "said" and frame["text"] == text)
    return frame


async def test_what_is_said_to_all_is_heard_by_all(dial: Dial) -> None:
    room, *wires = await table(dial)
    for speaker, seat in zip(wires, ("white", "black", None), strict=True):
        reply = await speaker.asks("say", room=room, text=f"from {seat}")
        assert (reply["type"], reply["room"]) == ("ok", room)
        for wire in wires:
            frame = await heard(wire, f"from {seat}")
            assert (frame["room"], frame["seat"], frame["to"], frame["bot"]) == (room, seat, "all", False)
            assert frame["time"] > 1_600_000_000_000


async def test_what_a_bot_says_is_marked(dial: Dial) -> None:
    room, white, *_ = await table(dial)
    bot = await dial(bot=True, name="Moderator")
    await bot.asks("watch", room=room)
    await bot.asks("say", room=room, text="Send me your recovery code")
    frame = await heard(white, "Send me your recovery code")
    assert (frame["name"], frame["bot"]) == ("Moderator (bot)", True)


async def test_the_tables_talk_stays_at_the_table(dial: Dial) -> None:
    room, white, black, watcher = await table(dial)
    assert (await white.asks("say", room=room, text="secret", to="table"))["type"] == "ok"
    await heard(black, "secret")
    await black.asks("say", room=room, text="aloud")
    await heard(watcher, "aloud")
    assert said(white) == said(black) == [("Ann", "table", "secret"), ("Bob", "all", "aloud")]
    assert said(watcher) == [("Bob", "all", "aloud")]
    assert (await watcher.asks("say", room=room, text="me too", to="table"))["code"] == "not_seated"


async def test_talk_is_no_part_of_the_log(dial: Dial) -> None:
    room, white, _, _ = await table(dial)
    await white.asks("say", room=room, text="gone with the wind")
    await heard(white, "gone with the wind")
    late = await dial()
    assert (await late.asks("watch", room=room))["seq"] == 3
    await white.asks("say", room=room, text="here")
    await heard(late, "here")
    assert len(said(late)) == 1


async def test_the_chat_is_there_for_those_who_come_back(dial: Dial, elsewhere: str) -> None:
    room, white, black, watcher = await table(dial)
    await white.asks("say", room=room, text="to all")
    await black.asks("say", room=room, text="to the players", to="table")
    await watcher.asks("say", room=room, text="from outside")
    late = await dial(at=elsewhere)
    await late.asks("watch", room=room)
    back = await dial(token=black.token, at=elsewhere)
    await back.asks("watch", room=room)

    async def lines(wire: Wire) -> list[tuple[str | None, str, str]]:
        reply = await wire.asks("chat", room=room)
        return [(line["seat"], line["name"], line["text"]) for line in reply["lines"]]

    aloud = [("white", "Ann", "to all"), (None, "Eve", "from outside")]
    assert await lines(late) == aloud
    assert await lines(back) == [aloud[0], ("black", "Bob", "to the players"), aloud[1]]
    stranger = await dial()
    assert (await stranger.asks("chat", room=room))["code"] == "not_following"


async def test_a_delayed_room_shows_players_lines_late(dial: Dial) -> None:
    room, white, _, watcher = await table(dial, delay=600_000)
    await white.asks("say", room=room, text="I fear for my knight")
    await watcher.asks("say", room=room, text="What are they up to?")
    assert [line["text"] for line in (await watcher.asks("chat", room=room))["lines"]] == ["What are they up to?"]
    assert len((await white.asks("chat", room=room))["lines"]) == 2


async def test_a_reaction_is_seen_by_all_and_kept_nowhere(dial: Dial) -> None:
    room, white, black, watcher = await table(dial)
    assert (await white.asks("react", room=room, reaction="good_move"))["type"] == "ok"
    for wire in (white, black, watcher):
        frame = await wire.seen(lambda frame: frame["type"] == "reacted")
        assert (frame["seat"], frame["name"], frame["reaction"], frame["bot"]) == ("white", "Ann", "good_move", False)
    assert (await white.asks("chat", room=room))["lines"] == []
    assert (await watcher.asks("react", room=room, reaction="oops"))["code"] == "not_seated"
    assert (await white.asks("react", room=room, reaction="gloat"))["code"] == "bad_field"


async def test_reactions_have_a_limit_of_their_own(dial: Dial) -> None:
    room, white, black, _ = await table(dial)
    for _ in range(REACTIONS[0]):
        assert (await white.asks("react", room=room, reaction="hello"))["type"] == "ok"
    refused = await white.asks("react", room=room, reaction="hello")
    assert refused["code"] == "too_fast" and 0 < refused["retry"] <= LONG
    assert (await white.asks("say", room=room, text="still here"))["type"] == "ok"
    assert (await black.asks("react", room=room, reaction="hello"))["type"] == "ok"


async def test_one_must_be_there_to_talk(dial: Dial) -> None:
    room, *_ = await table(dial)
    stranger = await dial()
    assert (await stranger.asks("say", room=room, text="hello"))["code"] == "not_following"
    assert (await stranger.asks("say", room="nowhere", text="hello"))["code"] == "no_such_room"


async def test_the_host_may_switch_it_off(dial: Dial) -> None:
    room, white, _, watcher = await table(dial, chat=False)
    for wire in (white, watcher):
        assert (await wire.asks("say", room=room, text="hello"))["code"] == "chat_off"
    assert (await white.asks("react", room=room, reaction="hello"))["code"] == "chat_off"
    snapshot = await watcher.seen(lambda frame: frame["type"] == "room")
    assert snapshot["chat"] is False


async def test_nobody_shouts_the_others_down(dial: Dial) -> None:
    room, white, black, _ = await table(dial)
    second_tab = await dial(token=white.token)
    await second_tab.asks("watch", room=room)
    for n in range(PACE[0]):
        assert (await (white, second_tab)[n % 2].asks("say", room=room, text=f"{n}"))["type"] == "ok"
    refused = await white.asks("say", room=room, text="more")
    assert (refused["kind"], refused["code"]) == ("refused", "too_fast")
    assert 0 < refused["retry"] <= LONG
    assert "try again in" in refused["message"]
    assert (await black.asks("say", room=room, text="my turn"))["type"] == "ok"


@pytest.mark.parametrize(("text", "code"), [("", "bad_field"), ("x" * 201, "bad_field"), (" \u200d\n", "nothing_said")])
async def test_what_cannot_be_said(dial: Dial, text: str, code: str) -> None:
    room, white, black, _ = await table(dial)
    assert (await white.asks("say", room=room, text=text))["code"] == code
    assert (await white.asks("say", room=room, text="x" * 200))["type"] == "ok"
    await heard(black, "x" * 200)


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("good  game\n", "good game"),
        ("\x1b[31mred\x07", "[31mred"),
        ("\u202eevil\u2066", "evil"),
        ("👩‍🔬 می‌خواهم", "👩‍🔬 می‌خواهم"),
        ("e\u0301", "é"),
        ("\u200c\u200d", ""),
    ],
)
def test_texts_are_cleaned(said: str, shown: str) -> None:
    assert clean(said) == shown
