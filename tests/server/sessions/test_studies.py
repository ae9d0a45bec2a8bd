"""Studies over real sockets: opened, edited by several on several servers, followed, resumed, listed and exported."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from redis import Redis

from fourfold.engine.study import state as limits
from fourfold.server.clock import DAY
from fourfold.server.limits import admission
from fourfold.server.limits.admission import READ
from fourfold.server.sessions import studies
from fourfold.server.storage.redis_log import stream
from fourfold.server.studies import catalogue
from fourfold.server.studies.writer import GUEST
from tests.conftest import HANG
from tests.each import each
from tests.faults.tree import Tree
from tests.server.conftest import Dial, Wire
from tests.server.sessions.test_accounts import registered

FOOLS_MATE = '[White "Ada"]\n[Black "Bo"]\n\n1. f3 e5 (1... d5 {or so}) 2. g4 $4 Qh4# {[%cal Rh4e1] Mate.} 0-1\n'


async def opened(wire: Wire, **fields: Any) -> str:
    reply = await wire.asks("study", **({"visibility": "link", "write": "everybody"} | fields))
    assert reply["type"] == "created", reply
    room: str = reply["room"]
    return room


async def change(wire: Wire, room: str, type: str, **fields: Any) -> dict[str, Any]:
    return await wire.asks("edit", room=room, change={"type": type, **fields})


async def refused(wire: Wire, room: str, type: str, **fields: Any) -> str:
    reply = await change(wire, room, type, **fields)
    assert reply["type"] == "error", reply
    code: str = reply["code"]
    return code


async def played(wire: Wire, room: str, after: int, move: str, chapter: int = 1) -> int:
    reply = await change(wire, room, "play", chapter=chapter, after=after, move=move)
    assert reply["type"] == "ok", reply
    return int(reply["seq"])


async def held(wire: Wire, room: str, seq: int) -> Tree:
    """A follower's copy of the study, once they have seen a version."""

    def has(frame: dict[str, Any]) -> bool:
        return frame["type"] in ("study", "update") and frame.get("room") == room and frame["seq"] >= seq

    await wire.seen(has)
    tree = None
    for frame in wire.frames:
        if frame.get("room") != room:
            continue
        if frame["type"] == "study":
            tree = Tree(frame)
        elif frame["type"] == "update" and tree is not None:
            tree.take(frame)
    assert tree is not None
    return tree


async def test_a_study_is_opened_edited_and_followed(dial: Dial, elsewhere: str) -> None:
    ann, bob = await dial(name="Ann"), await dial(at=elsewhere, name="Bob", text=False)
    room = await opened(ann, title="The  Scotch")
    assert len(room) == 14
    snapshot = await ann.asks("watch", room=room)
    assert (snapshot["type"], snapshot["title"], snapshot["role"]) == ("study", "The Scotch", "owner")
    assert [chapter["variant"] for chapter in snapshot["chapters"]] == ["standard"]
    assert (await bob.asks("watch", room=room))["role"] == "writer"
    await played(ann, room, 0, "e2e4")
    seq = await played(bob, room, 1, "e7e5")
    await played(ann, room, 1, "c7c5")
    await change(ann, room, "promote", chapter=1, node=3)
    await change(bob, room, "comment", chapter=1, node=3, text="Sicilian\x07\n{defence}")
    await change(bob, room, "annotate", chapter=1, node=3, glyphs=[1])
    shapes = [{"colour": "green", "square": "g1", "target": "f3"}, {"colour": "red", "square": "d4"}]
    last = await change(ann, room, "draw", chapter=1, node=3, shapes=shapes)
    trees = [(await held(wire, room, last["seq"])).told() for wire in (ann, bob)]
    assert trees[0] == trees[1] == Tree(await ann.asks("watch", room=room)).told()
    update = await ann.seq(seq)
    assert update["by"] == bob.player
    added = {"number": 2, "parent": 1, "move": "e7e5", "text": "e5", "seat": "black", "by": bob.player}
    assert update["events"][-1]["node"] == added
    assert (await bob.asks("watch", room=room))["chapters"][0]["nodes"][2]["comment"] == "Sicilian\n{defence}"
    text = (await bob.asks("export", room=room, format="pgn"))["text"]
    assert "1. e4 c5 $1 { [%csl Rd4] [%cal Gg1f3] Sicilian {defence) } ( 1... e5 ) *" in " ".join(text.split())


async def test_a_move_that_is_there_is_not_added_again(dial: Dial) -> None:
    ann = await dial()
    room = await opened(ann)
    seq = await played(ann, room, 0, "e2e4")
    assert await played(ann, room, 0, "e2e4") == seq
    assert await refused(ann, room, "play", chapter=1, after=0, move="e2e5") == "cannot_move_there"
    assert await refused(ann, room, "play", chapter=1, after=0, move="z2e5") == "bad_source"
    assert await refused(ann, room, "play", chapter=1, after=9, move="e2e4") == "no_such_node"
    assert await refused(ann, room, "play", chapter=9, after=0, move="e2e4") == "no_such_chapter"


async def test_an_edit_that_is_sent_again_is_carried_out_once(dial: Dial, elsewhere: str) -> None:
    ann = await dial()
    room = await opened(ann)
    first = await ann.asks("edit", room=room, key="k", change={"type": "remove_chapter", "chapter": 1})
    again = await dial(at=elsewhere, token=ann.token)
    repeated = await again.asks("edit", room=room, key="k", change={"type": "remove_chapter", "chapter": 1})
    assert first["type"] == "ok" and repeated["seq"] == first["seq"]
    one, two = await ann.asks("study", key="s"), await again.asks("study", key="s")
    assert one["room"] == two["room"]


async def test_who_comes_back_gets_what_was_missed(dial: Dial, elsewhere: str) -> None:
    ann, bob = await dial(), await dial(at=elsewhere)
    room = await opened(ann)
    snapshot = await bob.asks("watch", room=room)
    before = snapshot["seq"]
    await bob.end()
    last, node = 0, 0
    for number in range(1, 71):
        last = await played(ann, room, node, ("g1f3", "g8f6", "f3g1", "f6g8")[(number - 1) % 4])
        node = number
    await (await dial(at=elsewhere)).asks_until(lambda reply: reply["seq"] == last, "watch", room=room)
    bob = await dial(at=elsewhere, token=bob.token)
    reply = await bob.asks("watch", room=room, since=before, decided=snapshot["decided"])
    assert (reply["type"], reply["seq"]) == ("ok", last)
    await bob.seq(last)
    assert [frame["seq"] for frame in bob.updates()] == [*range(before + 1, last + 1)]
    await played(ann, room, node, "e2e4")
    await bob.seq(last + 1)
    assert (await bob.asks("watch", room=room, since=last + 9))["code"] == "ahead"
    assert (await bob.asks("watch", room=room, since=before, decided=1))["code"] == "ahead"


async def test_rights_are_the_servers(dial: Dial, elsewhere: str) -> None:
    ann, bob, cat = await dial(name="Ann"), await dial(name="Bob", at=elsewhere), await dial(name="Cat")
    room = await opened(ann, visibility="private", write="owner")
    for wire in (bob, cat):
        for ask in ("watch", "leave", "export", "edit", "look", "stand"):
            fields: dict[str, Any] = {
                "export": {"format": "pgn"},
                "edit": {"change": {"type": "retitle", "title": "Mine"}},
                "look": {"chapter": 1, "nodes": [0]},
                "stand": {"chapter": 1, "node": 0},
            }.get(ask, {})
            if ask != "leave":
                assert (await wire.asks(ask, room=room, **fields))["code"] == "no_such_room"
    await change(ann, room, "share", visibility="link")
    assert (await bob.asks("watch", room=room))["role"] == "reader"
    await cat.asks("watch", room=room)
    assert await refused(bob, room, "play", chapter=1, after=0, move="e2e4") == "not_writer"
    assert await refused(bob, room, "add_chapters", source={"position": "nonsense"}) == "not_writer"
    await ann.asks("watch", room=room)
    await change(ann, room, "allow", write="named", writers=[cat.player])
    await change(ann, room, "share", visibility="private")
    for wire in (bob,):
        told = await wire.seen(lambda frame: frame["type"] == "error" and "id" not in frame)
        assert (told["code"], told["room"]) == ("no_such_room", room)
    last = await played(cat, room, 0, "e2e4")
    assert await refused(cat, room, "delete") == await refused(cat, room, "share", visibility="public") == "not_owner"
    await cat.seq(last)
    assert (await held(cat, room, last)).rights == ("private", "named", (cat.player,))
    await bob.asks("ping")
    assert all(frame["seq"] < last for frame in bob.updates())  # none, if his server read both changes at once
    assert (await change(ann, room, "allow", write="named", writers=["nobody at all"]))["code"] == "no_such_player"


async def test_a_study_that_is_deleted_is_gone_for_everybody(dial: Dial, elsewhere: str) -> None:
    ann, bob = await dial(), await dial(at=elsewhere)
    room = await opened(ann, visibility="public", key="gone")
    await bob.asks("watch", room=room)
    assert (await change(ann, room, "delete"))["type"] == "ok"
    await bob.seen(lambda frame: frame["type"] == "error" and frame["room"] == room)
    for wire in (ann, bob):
        assert (await wire.asks("watch", room=room))["code"] == "no_such_room"
    assert (await ann.asks("study", key="gone"))["code"] == "no_such_room"
    await listed(ann, "mine")


async def listed(wire: Wire, whose: str, *rooms: str, among: str = "") -> None:
    """Wait until a list has these studies, in this order (`among` those with a title). Lists are written a moment
    later."""
    async with asyncio.timeout(240):
        while True:
            found = (await wire.asks("studies", whose=whose, limit=100))["studies"]
            if [one["room"] for one in found if one["title"].startswith(among)] == list(rooms):
                return
            await asyncio.sleep(0.05)


async def until(holds: Callable[[], bool]) -> None:
    """Wait until a condition holds in the store."""
    async with asyncio.timeout(HANG):
        while True:
            if holds():
                return
            await asyncio.sleep(0.01)


async def test_studies_are_listed(dial: Dial, elsewhere: str) -> None:
    ann, bob = await dial(name="Ann"), await dial(at=elsewhere)
    mark = f"Listed {ann.player}"
    rooms = [await opened(ann, title=f"{mark} {number}", visibility="public") for number in range(3)]
    hidden = await opened(ann, title=f"{mark} hidden", visibility="link")
    await listed(bob, "public", *reversed(rooms), among=mark)
    await listed(ann, "mine", hidden, *reversed(rooms))
    await listed(bob, "mine")
    await played(ann, rooms[0], 0, "e2e4")
    await listed(bob, "public", rooms[0], rooms[2], rooms[1], among=mark)
    await change(ann, rooms[2], "share", visibility="private")
    await listed(bob, "public", rooms[0], rooms[1], among=mark)
    page = await ann.asks("studies", limit=3)
    assert len(page["studies"]) == 3 and page["after"]
    rest = await ann.asks("studies", limit=3, after=page["after"])
    assert (len(rest["studies"]), rest["after"]) == (1, None)
    entry = page["studies"][0]
    assert (entry["name"], entry["owner"], entry["variants"]) == ("Ann", ann.player, ["standard"])


async def test_so_many_studies_and_no_more(dial: Dial, monkeypatch: pytest.MonkeyPatch) -> None:
    ann = await dial()
    rooms = [await opened(ann) for _ in range(studies.OWNED_BY_GUEST)]
    assert (await ann.asks("study"))["code"] == "too_many_studies"
    await registered(ann, f"A{abs(hash(rooms[0])) % 10**8}")
    more = await opened(ann)
    await change(ann, rooms[0], "delete")
    await listed(ann, "mine", more, *reversed(rooms[1:]))


@pytest.mark.interpreted
async def test_guests_write_so_much_a_day_into_studies(
    dial: Dial, start: Callable[..., Awaitable[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(admission, "WRITTEN_BY_GUEST", 6000)
    at = await start(trust_proxy=1)
    ann, bob = [await dial(at=at, headers={"X-Forwarded-For": f"192.0.2.{number}"}) for number in (1, 2)]
    room = await opened(ann)
    assert (await change(ann, room, "comment", chapter=1, node=0, text="x" * 4900))["type"] == "ok"
    refusal = await change(ann, room, "comment", chapter=1, node=0, text="y" * 4900)
    assert (refusal["code"], refusal["kind"]) == ("too_fast", "refused")
    assert "a day as a guest. Try again in 24 h" in refusal["message"] and refusal["retry"] > 23 * 3_600_000
    assert (await ann.asks("study", source={"text": "1. e4 { " + "x" * 4000 + "} *"}))["code"] == "too_fast"
    assert (await change(bob, room, "comment", chapter=1, node=0, text="z"))["type"] == "ok"


async def test_studies_of_guests_end_and_those_of_accounts_do_not(dial: Dial, elsewhere: str, store: Redis) -> None:
    ann = await dial()
    room = await opened(ann, visibility="public")
    await listed(ann, "mine", room)
    keys = stream(room), catalogue.key_of(ann.player)
    await until(lambda: all(0.98 * GUEST < store.pttl(key) <= GUEST for key in keys))
    store.pexpire(keys[0], DAY)
    await (await dial(at=elsewhere)).asks("watch", room=room)
    await until(lambda: store.pttl(keys[0]) > 0.98 * GUEST)
    await registered(ann, f"G{abs(hash(room)) % 10**8}")
    await until(lambda: all(store.pttl(key) == -1 for key in keys))
    await change(ann, room, "retitle", title="For good")
    assert store.pttl(stream(room)) == -1


async def test_studies_that_have_ended_are_listed_no_longer(dial: Dial, store: Redis) -> None:
    lists = catalogue.Catalogue(Commands(store), lambda: 0, lambda _: GUEST)
    ann = await dial()
    rooms = [await opened(ann, visibility="public") for _ in range(3)]
    await listed(ann, "mine", *reversed(rooms))
    await until(lambda: all(store.hexists(catalogue.LISTINGS, room) for room in rooms))
    store.delete(stream(rooms[1]))  # as it is after 90 days
    await lists.sweep()
    assert [store.hexists(catalogue.LISTINGS, room) for room in rooms] == [True, False, True]
    assert await lists.claim(ann.player, "another", 3)
    assert not await lists.claim(ann.player, "one more", 3)


class Commands:
    """Commands to a store."""

    def __init__(self, store: Redis) -> None:
        self._store = store

    async def execute(self, _: str, *command: str | bytes | int) -> Any:
        """The answer to one."""
        return self._store.execute_command(*command)


@pytest.mark.interpreted
async def test_a_study_that_was_never_opened_does_not_count(dial: Dial, store: Redis, monkeypatch: Any) -> None:
    ann = await dial()
    monkeypatch.setattr(catalogue, "OPENING", -1)
    key = catalogue.key_of(ann.player)
    store.hset(key, "23456789abcdef", b"\x01")
    kept = await opened(ann)
    store.hset(key, kept, b"\x01")  # as if this node had died before it stored more
    await listed(ann, "mine", kept)
    assert store.hkeys(key) == [kept.encode()]


async def test_chapters_come_from_texts_games_and_positions(dial: Dial) -> None:
    ann, bob = await dial(name="Ann"), await dial(name="Bob")
    room = await opened(ann, source={"text": FOOLS_MATE + "\n" + FOOLS_MATE})
    snapshot = await ann.asks("watch", room=room)
    assert [chapter["title"] for chapter in snapshot["chapters"]] == ["Ada - Bo", "Ada - Bo"]
    nodes = snapshot["chapters"][0]["nodes"]
    assert [node["text"] for node in nodes] == ["", "f3", "e5", "d5", "g4", "Qh4#"]
    assert nodes[5]["shapes"] == [{"colour": "red", "square": "h4", "target": "e1"}]
    assert (nodes[3]["parent"], nodes[3]["comment"], nodes[4]["glyphs"]) == (1, "or so", [4])
    game = (await ann.asks("create"))["room"]
    for wire, seat in ((ann, "white"), (bob, "black")):
        await wire.asks("join", room=game, seat=seat)
    await ann.asks("move", room=game, move="e2e4", seq=3, key="1")
    await change(ann, room, "add_chapters", source={"game": game, "title": "Ours"})
    await change(ann, room, "add_chapters", source={"variant": "ffa", "position": "modern"})
    await change(ann, room, "order_chapter", chapter=4, place=0)
    last = await change(ann, room, "remove_chapter", chapter=2)
    tree = await held(ann, room, last["seq"])
    titles = [(chapter.number, chapter.title) for chapter in tree.chapters]
    assert titles == [(4, "Chapter"), (1, "Ada - Bo"), (3, "Ours")]
    assert [node["move"] for node in tree.chapters[2].nodes.values()] == ["", "e2e4"]
    assert (await ann.asks("export", room=room, format="pgn4"))["text"].startswith("[")
    assert (await ann.asks("export", room=room, format="pgn", chapter=4))["code"] == "no_such_format"
    assert (await ann.asks("export", room=room, format="pgn", chapter=9))["code"] == "no_such_chapter"
    for source, code in (
        ({"text": "hello"}, "no_game"),
        ({"text": "1. Ke4"}, "no_game"),
        ({"position": "8/8/8/8/8/8/8/8 w - - 0 1"}, "invalid_setup"),
        ({"variant": "draughts"}, "unknown_variant"),
        ({"game": "aaaaaaaa"}, "no_such_room"),
        ({"game": room}, "no_such_room"),
    ):
        assert await refused(ann, room, "add_chapters", source=source) == code, source


def long_game(most: int) -> str:
    """A game with a comment on each move, of up to `most` characters."""
    moves = ["Nf3 Nf6 Ng1 Ng8", "Nc3 Nc6 Nb1 Nb8", "Nh3 Nh6 Ng1 Ng8", "Na3 Na6 Nb1 Nb8"]
    text, number = "", 1
    while len(text) < most - 1100:
        for pair in (moves[number // 2 % 4].split()[:2], moves[number // 2 % 4].split()[2:]):
            text += f"{number}. {pair[0]} {{{'Said of it. ' * 40}}} {number}... {pair[1]} "
            number += 1
    return f"{text}*"


async def test_a_text_that_is_too_long_for_a_request_comes_in_pieces(dial: Dial) -> None:
    ann = await dial(name="Ann")
    text = long_game(60_000)
    parts = [text[at : at + 7500] for at in range(0, len(text), 7500)]
    assert len(parts) > 7
    for number, piece in enumerate(parts[:-1]):
        assert (await ann.asks("piece", number=number, text=piece))["type"] == "ok"
    room = await opened(ann, source={"text": parts[-1], "pieces": len(parts) - 1})
    study = await ann.asks("watch", room=room)
    (chapter,) = study["chapters"]
    assert sum(len(node.get("comment", "")) for node in chapter["nodes"]) > 40_000
    # They are used up, and the next ones start again.
    source = {"text": "1. e4 *", "pieces": 1}
    assert (await ann.asks("study", source=source))["code"] == "missing_pieces"
    assert await refused(ann, room, "add_chapters", source=source) == "missing_pieces"
    assert (await ann.asks("piece", number=1, text="1. d4"))["code"] == "missing_pieces"
    for first in ("1. c4 c5", "1. d4 d5 "):  # sent twice, stored once
        assert (await ann.asks("piece", number=0, text=first))["type"] == "ok"
    reply = await change(ann, room, "add_chapters", source={"text": "2. c4 *", "pieces": 1})
    assert reply["type"] == "ok"
    tree = await held(ann, room, reply["seq"])
    assert [node["text"] for number, node in tree.chapters[1].nodes.items() if number] == ["d4", "d5", "c4"]


async def test_pieces_count_as_texts_that_are_read(start: Callable[..., Awaitable[str]], dial: Dial) -> None:
    ann = await dial(at=await start(trust_proxy=1), name="Ann", headers={"X-Forwarded-For": "192.0.2.7"})
    for _ in range(READ.most):
        assert (await ann.asks("piece", number=0, text="1. e4"))["type"] == "ok"
    assert (await ann.asks("piece", number=0, text="1. e4"))["code"] == "too_fast"


async def test_pieces_are_bounded(dial: Dial) -> None:
    ann = await dial(name="Ann")
    for fields in ({"number": 8, "text": "x"}, {"number": -1, "text": "x"}, {"number": 0, "text": "x" * 8001}):
        assert (await ann.asks("piece", **fields))["code"] == "bad_field"
    assert (await ann.asks("study", source={"pieces": 1}))["code"] == "bad_field"


async def test_boards_and_legal_moves_come_from_the_server(dial: Dial) -> None:
    ann = await dial()
    room = await opened(ann, source={"text": FOOLS_MATE})
    looked = await ann.asks("look", room=room, chapter=1, nodes=[0, 1, 4, 99])
    first, after, mate = looked["positions"]
    assert (first["node"], first["turn"], len(first["legal"])) == (0, "white", 20)
    assert "e7e5" in after["legal"] and after["position"].startswith("rnbqkbnr/pppppppp/8/8/8/5P2/")
    assert (mate["turn"], mate["legal"], mate["check"], mate["ended"]) == (None, [], ["white"], "checkmate")
    assert await refused(ann, room, "play", chapter=1, after=4, move="e1f2") == "game_over"
    four = await opened(ann, source={"variant": "ffa"})
    board = (await ann.asks("look", room=four, chapter=1, nodes=[0]))["positions"][0]
    assert (board["turn"], board["points"]) == ("red", {"red": 0, "blue": 0, "yellow": 0, "green": 0})
    assert board["attacks"] is None
    told = (await ann.asks("look", room=four, chapter=1, nodes=[0], attacks=True))["positions"][0]["attacks"]
    assert {seat: len(squares) for seat, squares in told.items()} == dict.fromkeys(board["points"], 22)
    assert "c7" in told["blue"]
    assert (await ann.asks("look", room=four, chapter=2, nodes=[0]))["code"] == "no_such_chapter"


async def test_each_is_shown_where_they_stand(dial: Dial, elsewhere: str) -> None:
    ann, bob = await dial(name="Ann"), await dial(at=elsewhere, name="Bob")
    room = await opened(ann, write="owner")
    await played(ann, room, 0, "e2e4")
    assert (await ann.asks("stand", room=room, chapter=1, node=1))["code"] == "not_following"
    for wire in (ann, bob):
        await wire.asks("watch", room=room)
    await ann.asks("stand", room=room, chapter=1, node=1)
    await bob.asks("stand", room=room, chapter=1, node=0)
    assert (await bob.asks("stand", room=room, chapter=1, node=7))["code"] == "no_such_node"
    here = [
        {"player": ann.player, "name": "Ann", "chapter": 1, "node": 1, "writes": True, "bot": False},
        {"player": bob.player, "name": "Bob", "chapter": 1, "node": 0, "writes": False, "bot": False},
    ]
    for wire in (ann, bob):
        await wire.seen(lambda frame: frame["type"] == "cursors" and frame["cursors"] == here and frame["count"] == 2)
    snapshot = await (await dial(at=elsewhere)).asks("watch", room=room)
    assert snapshot["cursors"][:2] == here
    await bob.end()
    await ann.seen(lambda frame: frame["type"] == "cursors" and frame["count"] == 1 and len(ann.frames) > 6)


async def test_a_room_is_no_study_and_a_study_no_room(dial: Dial) -> None:
    ann = await dial()
    study, room = await opened(ann), (await ann.asks("create"))["room"]
    for ask, fields in (("join", {}), ("legal", {}), ("resign", {"key": "1"}), ("abort", {"key": "2"})):
        assert (await ann.asks(ask, room=study, **fields))["code"] == "no_such_room"
    assert (await ann.asks("move", room=study, move="e2e4", seq=1, key="1"))["code"] == "no_such_room"
    assert (await ann.asks("look", room=room, chapter=1, nodes=[0]))["code"] == "no_such_room"
    assert await refused(ann, room, "delete") == "no_such_room"


@each(
    "edit",
    [
        {},
        {"type": "explode"},
        {"type": "play"},
        {"type": "play", "chapter": 0, "after": 0, "move": "e2e4"},
        {"type": "play", "chapter": 1, "after": -1, "move": "e2e4"},
        {"type": "play", "chapter": 1, "after": 0, "move": "e2e4" * 9},
        {"type": "comment", "chapter": 1, "node": 0, "text": "x" * 5001},
        {"type": "draw", "chapter": 1, "node": 0, "shapes": [{"colour": "pink", "square": "a1"}]},
        {"type": "annotate", "chapter": 1, "node": 1, "glyphs": [0]},
        {"type": "add_chapters", "source": {"text": "1. e4", "game": "aaaaaaaa"}},
        {"type": "allow", "write": "nobody"},
        {"type": "retitle", "title": ""},
    ],
)
async def test_what_is_no_edit_is_unreadable(dial: Dial, edit: dict[str, Any]) -> None:
    ann = await dial()
    room = await opened(ann)
    reply = await ann.asks("edit", room=room, change=edit)
    assert (reply["kind"], reply["code"]) == ("unreadable", "bad_field")
    assert (await ann.asks("watch", room=room))["type"] == "study"


async def test_hostile_edits_are_refused_and_the_study_stays(dial: Dial, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "COMMENT", 4000)
    ann = await dial()
    room = await opened(ann)
    await played(ann, room, 0, "e2e4")
    square = {"colour": "red", "square": "z9"}
    assert await refused(ann, room, "draw", chapter=1, node=1, shapes=[square]) == "bad_square"
    assert await refused(ann, room, "annotate", chapter=1, node=0, glyphs=[1]) == "no_such_node"
    assert await refused(ann, room, "comment", chapter=1, node=1, text="x" * 4500) == "too_long"
    assert await refused(ann, room, "retitle", title="\x00\x01") == "bad_title"
    assert await refused(ann, room, "remove", chapter=1, node=0) == "no_such_node"
    assert await refused(ann, room, "play", chapter=1, after=1, move="=draw") == "bad_source"
    assert await refused(ann, room, "promote", chapter=2**31, node=2**31) == "no_such_chapter"
    reply = await ann.asks("watch", room=room)
    assert len(reply["chapters"][0]["nodes"]) == 2


async def test_a_server_for_watchers_shows_studies_and_changes_none(dial: Dial, start: Any) -> None:
    ann = await dial()
    gallery = await start(watchers_only=True)
    room = await opened(ann)
    watcher = await dial(at=gallery, token=ann.token)
    assert (await watcher.asks("watch", room=room))["type"] == "study"
    last = await played(ann, room, 0, "e2e4")
    await watcher.seq(last)
    assert await refused(watcher, room, "play", chapter=1, after=1, move="e7e5") == "watchers_only"
    assert (await watcher.asks("study"))["code"] == "watchers_only"
    await listed(ann, "mine", room)


@each(
    ("source", "why"),
    [
        ({"text": "1. Ke7 *"}, "Game 1 stops at move 1, Ke7: "),
        ({"text": '[FEN "nonsense"]\n\n1. e4 *'}, "Game 1 cannot be read: "),
        ({"text": "*"}, "There is no game in this text."),
        ({"text": "nonsense of mine"}, "Game 1 stops at move 1, nonsense: "),
        ({"text": "https://lichess.org/abcdefgh"}, "not the link of a game on this server"),
        ({"text": "/games"}, "not the link of a game on this server"),
        ({"text": "1. e4 e5", "variant": "survivor"}, "Game 1 stops at move 1, e4: "),
    ],
)
async def test_a_text_without_a_game_makes_no_study(dial: Dial, source: dict[str, Any], why: str) -> None:
    wire = await dial()
    reply = await wire.asks("study", source=source)
    assert (reply["kind"], reply["code"]) == ("unreadable", "no_game"), reply
    assert why in reply["message"] and "Chapters can be made from the link of a game" in reply["message"]
    assert (await wire.asks("studies"))["studies"] == []


async def test_what_can_be_read_of_a_text_is(dial: Dial) -> None:
    ann = await dial()
    games = "".join(f'[Event "{event}"]\n\n{moves}\n\n' for event, moves in (
        ("One", "1. e4 *"), ("Two", "1. e4 e5 2. Qd5 Nf6 *"), ("Three", "1. Ke2 *"), ("Four", "1. d4 {well *"),
    ))  # fmt: skip
    reply = await ann.asks("study", source={"text": games})
    assert reply["notes"] == [
        "Game 2 stops at move 2, Qd5: the queen on d1 cannot go to d5.",
        "Game 3 stops at move 1, Ke2: your own piece stands on e2.",
        "Game 4, move 1: this comment has no end: the rest of the text is not read as moves.",
    ]
    snapshot = await ann.asks("watch", room=reply["room"])
    told = [(one["title"], [node["text"] for node in one["nodes"][1:]]) for one in snapshot["chapters"]]
    assert told == [("One", ["e4"]), ("Two", ["e4", "e5"]), ("Four", ["d4"])]
    for text, code in (("1. e4 e5) 2. Nf3", "has no opening one"), ("1. e4 (1. d4 d5 2. c4", "has no end")):
        reply = await change(ann, snapshot["room"], "add_chapters", source={"text": text})
        assert reply["type"] == "ok" and code in reply["notes"][0]
    assert "notes" not in await change(ann, snapshot["room"], "add_chapters", source={"text": "1. e4 e5"})
    later = await change(ann, snapshot["room"], "add_chapters", source={"text": games, "first": 40})
    assert [note.split()[1] for note in later["notes"]] == ["41", "42", "43,"]


async def test_a_study_is_called_as_its_text_says(dial: Dial) -> None:
    ann = await dial()
    text = '[StudyName "Endings"]\n[ChapterName "Rooks"]\n[White "Ada"]\n\n1. e4 *'
    for fields, title in (({}, "Endings"), ({"title": "Mine"}, "Mine")):
        room = (await ann.asks("study", source={"text": text}, **fields))["room"]
        snapshot = await ann.asks("watch", room=room)
        assert (snapshot["title"], snapshot["chapters"][0]["title"]) == (title, "Rooks")
    room = (await ann.asks("study"))["room"]
    assert (await ann.asks("watch", room=room))["title"] == "Study"


async def test_what_a_text_means_is_understood(dial: Dial) -> None:
    ann, bob = await dial(), await dial()
    game = (await ann.asks("create"))["room"]
    for wire, seat in ((ann, "white"), (bob, "black")):
        await wire.asks("join", room=game, seat=seat)
    for source, variant, moves in (
        ({"text": "e4 e5 Nf3"}, "standard", ["e4", "e5", "Nf3"]),
        ({"text": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"}, "standard", []),
        ({"text": f"http://here:8080/r/{game}.svg?ply=3"}, "standard", []),
        ({"text": f"/r/{game}#2"}, "standard", []),
        ({"text": "1. h2-h3 .. b8-c8", "variant": "survivor"}, "survivor", ["h2-h3", "b8-c8"]),
        ({"text": "1. e4 e5", "variant": "chess960"}, "chess960", ["e4", "e5"]),
    ):
        reply = await ann.asks("study", source=source)
        assert reply["type"] == "created", (source, reply)
        (chapter,) = (await ann.asks("watch", room=reply["room"]))["chapters"]
        assert (chapter["variant"], [node["text"] for node in chapter["nodes"][1:]]) == (variant, moves)
    reply = await ann.asks("study", source={"text": '[Event "x"]\n\n1. e4 *', "variant": "survivor"})
    assert reply["message"] == (
        "Game 1 is Standard, but the chosen variant is Survivor: choose Standard."
    )
    reply = await ann.asks("study", source={"game": "nonsense"})
    assert reply["message"].startswith("There is no game nonsense on this server. Chapters can be made from")


async def test_a_game_of_a_text_is_read_without_a_study(dial: Dial) -> None:
    ann = await dial(name="Ann")
    first = '[White "A"]\n[Black "B"]\n\n1. e4 {Best.} e5 (1... c5 2. Nf3) 2. Qh5 Ke7 3. Qxe5#\n'
    text = f'{first}\n[Event "x"]\n\n1. d4 *\n'
    found = await ann.asks("chapters", source={"text": text})
    assert (found["type"], found["titles"][0], len(found["titles"])) == ("chapters", "A - B", 2)
    nodes = {node["number"]: node for node in found["chapter"]["nodes"]}
    boards = {board["node"]: board for board in found["boards"]}
    assert boards.keys() == nodes.keys()
    mate = next(number for number, node in nodes.items() if node["text"] == "Qxe5#")
    assert boards[mate]["check"] == ["black"] and boards[mate]["position"].startswith("rnbq1bnr/ppppkppp/8/4Q3/")
    assert [node["comment"] for node in nodes.values() if node.get("comment")] == ["Best."]
    second = await ann.asks("chapters", source={"text": text}, chapter=2)
    assert [node["text"] for node in second["chapter"]["nodes"]][1:] == ["d4"]
    assert (await ann.asks("chapters", source={"text": text}, chapter=3))["code"] == "no_such_chapter"
    assert (await ann.asks("chapters", source={"text": "Dear Ann"}))["code"] == "no_game"
    assert (await ann.asks("studies"))["studies"] == []


async def test_a_member_adds_a_game_to_the_archive_once(dial: Dial) -> None:
    ann = await dial(name="Ann")
    text = f'[Event "{ann.player}"]\n[White "A"]\n[Black "B"]\n[Result "1-0"]\n\n1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0\n'
    assert (await ann.asks("import", source={"text": text}))["code"] == "no_account"
    ann.token = (await ann.asks("register", name=f"I{ann.player[:8]}"))["token"]
    added = await ann.asks("import", source={"text": text})
    assert added["type"] == "created", added
    assert (await ann.asks("import", source={"text": text}))["room"] == added["room"]
    (game,) = (await ann.asks("games", room=added["room"]))["games"]
    assert (game["imported"], game["winners"]) == (True, ["white"])
    assert [seat["name"] for seat in game["seats"]] == ["A", "B"]
    refused = await ann.asks("import", source={"text": "1. e4 Ke7 *"})
    assert (refused["code"], refused["message"].startswith("This game can't be added")) == ("no_game", True)
