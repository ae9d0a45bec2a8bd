"""A room works on three nodes as on one: its players on different nodes, its watchers elsewhere."""

import asyncio
import random
from typing import Any

import pytest
from redis import Redis

from fourfold.engine.match.events import Moved
from fourfold.protocol import projection
from fourfold.server.replication import node_shares
from fourfold.server.rooms import node_messages
from fourfold.server.storage.event_log import LogUnavailable
from fourfold.server.storage.records import pack
from fourfold.server.storage.redis_log import RedisLog
from tests.conftest import HANG, some

Dial = Any  # see conftest
Wire = Any

SHUFFLE = ("g1f3", "g8f6", "f3g1", "f6g8")


@pytest.fixture
def nodes(address: str, elsewhere: str, third: str) -> list[str]:
    return [address, elsewhere, third]


async def seated(dial: Dial, nodes: list[str], variant: str = "standard", count: int = 2) -> tuple[str, list[Wire]]:
    """A started game, each player on another node: its room, and the players in turn order."""
    wires = [await dial(at=nodes[n % len(nodes)], text=n % 2 == 0, name=f"P{n}") for n in range(count)]
    room = (await wires[0].asks("create", variant=variant))["room"]
    for wire in wires:
        assert (await wire.asks("join", room=room))["type"] == "joined"
    await wires[0].seen(lambda frame: frame["type"] == "turn")
    return room, wires


async def move(wire: Wire, room: str, move: str, seq: int, key: str | None = None) -> dict[str, Any]:
    reply: dict[str, Any] = await wire.asks("move", room=room, move=move, seq=seq, key=key or f"{move}@{seq}")
    return reply


async def last_seq(store_url: str, room: str) -> int:
    log = await RedisLog.open(store_url)
    decisions = await log.read(room)
    await log.close()
    return len(decisions)


async def agree(store_url: str, room: str, wires: list[Wire]) -> None:
    """Everybody ends up with every decision of the log after their snapshot, once, in order, and as in the log."""
    log = await RedisLog.open(store_url)
    decisions = await log.read(room)
    await log.close()
    assert [decision.seq for decision in decisions] == list(range(1, len(decisions) + 1))
    for wire in wires:
        held = next(frame["seq"] for frame in wire.frames if frame["type"] == "room")
        if held < len(decisions):
            await wire.seq(len(decisions))
        names = tuple(seat["seat"] for seat in (await wire.seen(lambda frame: frame["type"] == "room"))["seats"])
        updates = [frame for frame in wire.updates() if frame["room"] == room and frame["seq"] > held]
        assert [frame["seq"] for frame in updates] == list(range(held + 1, len(decisions) + 1))
        for frame in updates:
            told = projection.update(room, names, decisions[frame["seq"] - 1])
            assert [event["type"] for event in frame["events"]] == [
                type(event).__name__.lower() for event in told.events
            ]
            assert frame["time"] == told.time


class TestOneGame:
    async def test_each_player_on_a_node_and_watchers_on_all(
        self, dial: Dial, nodes: list[str], embedded_url: str
    ) -> None:
        room, (white, black) = await seated(dial, nodes)
        watchers = [await dial(at=at) for at in nodes for _ in range(2)]
        for watcher in watchers:
            assert (await watcher.asks("watch", room=room))["type"] == "room"
        for n in range(12):
            mover = (white, black)[n % 2]
            turn = await mover.seen(lambda frame, seq=3 + n: frame["type"] == "turn" and frame["seq"] == seq)
            assert (await move(mover, room, SHUFFLE[n % 4], turn["seq"]))["type"] == "ok"
        await agree(embedded_url, room, [white, black, *watchers])

    async def test_four_on_three_nodes_vote_as_one(self, dial: Dial, nodes: list[str], embedded_url: str) -> None:
        room, wires = await seated(dial, nodes, "survivor", 4)
        assert (await move(wires[0], room, "h2h4", 5))["type"] == "ok"
        await wires[3].seq(6)
        assert (await wires[3].asks("propose", room=room, kind="undo", plies=1, seq=6, key="p"))["type"] == "ok"
        for wire in wires:
            await wire.seq(7)
        replies = await asyncio.gather(
            *(wire.asks("vote", room=room, proposal=1, accept=True, key="v") for wire in wires[:3])
        )
        assert sorted(reply["seq"] for reply in replies) == [8, 9, 10], "in order, though simultaneous"
        undone = await wires[1].seq(10)
        assert [event["type"] for event in undone["events"]] == ["voted", "closed", "undone"]
        await agree(embedded_url, room, wires)


class TestRaces:
    async def test_one_command_sent_to_all_nodes_at_once_is_done_once(
        self, dial: Dial, nodes: list[str], embedded_url: str
    ) -> None:
        room, (white, black) = await seated(dial, nodes)
        tabs = [await dial(at=at, token=white.token) for at in nodes]
        for tab in tabs:
            await tab.asks("watch", room=room)
        replies = await asyncio.gather(*(move(tab, room, "e2e4", 3, key="once") for tab in [white, *tabs]))
        assert [(reply["type"], reply["seq"]) for reply in replies] == [("ok", 4)] * 4
        await agree(embedded_url, room, [white, black, *tabs])

    async def test_one_create_sent_to_all_nodes_at_once_opens_one_room(
        self, dial: Dial, nodes: list[str], embedded_url: str
    ) -> None:
        ann = await dial()
        tabs = [await dial(at=at, token=ann.token) for at in nodes for _ in range(2)]
        replies = await asyncio.gather(*(tab.asks("create", variant="survivor", key="k") for tab in tabs))
        assert [reply["type"] for reply in replies] == ["created"] * 6
        (room,) = {reply["room"] for reply in replies}
        assert await last_seq(embedded_url, room) == 1
        for tab in tabs:
            assert (await tab.asks("watch", room=room))["seq"] == 1
        assert (await tabs[0].asks("join", room=room))["type"] == "joined"
        for tab in tabs:
            await tab.seq(2)
        late = await dial(at=nodes[2], token=ann.token)
        assert (await late.asks("create", variant="survivor", key="k"))["room"] == room
        await agree(embedded_url, room, tabs)

    async def test_a_seat_wanted_on_all_nodes_goes_to_one(self, dial: Dial, nodes: list[str]) -> None:
        people = [await dial(at=at) for at in nodes for _ in range(3)]
        room = (await people[0].asks("create"))["room"]
        replies = await asyncio.gather(*(wire.asks("join", room=room, seat="white") for wire in people))
        assert sorted(reply["type"] for reply in replies) == ["error"] * 8 + ["joined"]
        assert {reply["code"] for reply in replies if reply["type"] == "error"} == {"seat_taken"}

    async def test_two_who_resign_at_once(self, dial: Dial, nodes: list[str], embedded_url: str) -> None:
        room, (white, black) = await seated(dial, nodes)
        replies = await asyncio.gather(*(wire.asks("resign", room=room, key="r") for wire in (white, black)))
        assert sorted(reply["type"] for reply in replies) == ["error", "ok"]
        (refused,) = [reply for reply in replies if reply["type"] == "error"]
        assert (refused["code"], refused["seq"]) == ("game_over", 4)
        await agree(embedded_url, room, [white, black])

    @pytest.mark.parametrize("seed", some(1, *range(3)))
    async def test_whatever_is_asked_wherever_at_once_everybody_holds_the_same(
        self, dial: Dial, nodes: list[str], embedded_url: str, seed: int
    ) -> None:
        chance = random.Random(seed)
        room, players = await seated(dial, nodes, "survivor", 4)
        tabs = [[await dial(at=at, token=player.token) for at in nodes] for player in players]
        watchers = [await dial(at=at) for at in nodes]
        for wire in [*watchers, *(tab for mine in tabs for tab in mine)]:
            await wire.asks("watch", room=room)

        async def act(n: int) -> str:
            """A legal move by one connection's knowledge, except for a third of the moves."""
            mine = chance.choice(tabs)
            known = [frame for frame in mine[0].frames if frame["type"] in ("room", "update", "turn")]
            turns = [frame for frame in known if frame["type"] == "turn"]
            opened = [event["proposal"] for frame in mine[0].updates() for event in frame["events"]
                      if event["type"] == "proposed"]  # fmt: skip
            fields: dict[str, Any] = {"room": room, "key": f"k{n}"}
            match chance.randrange(6):
                case 0 if len(known) > 5:
                    fields |= {"type": "propose", "kind": "undo", "plies": 1, "seq": known[-1]["seq"]}
                case 1 | 2 if opened:
                    fields |= {"type": "vote", "proposal": opened[-1], "accept": True}
                case _:
                    text = chance.choice(turns[-1]["legal"]) if turns else "h2h4"
                    fields |= {"type": "move", "move": text, "seq": known[-1]["seq"]}
            reply: dict[str, Any] = await chance.choice(mine).asks(**fields)
            kind: str = reply["type"]
            return kind

        kinds = []
        for n in range(0, 240, 8):
            kinds += await asyncio.gather(*(act(n + i) for i in range(8)))
        assert kinds.count("ok") > 10
        decided = await last_seq(embedded_url, room)
        assert decided == 5 + kinds.count("ok"), "each ok is one decision, and each decision one ok"
        await agree(embedded_url, room, [*players, *watchers, *(tab for mine in tabs for tab in mine)])


class TestNotifications:
    async def test_doubled_and_late_ones_do_no_harm(self, dial: Dial, nodes: list[str], embedded_url: str) -> None:
        room, (white, black) = await seated(dial, nodes)
        channel = f"fourfold:{{{room}}}:log"
        with Redis.from_url(embedded_url) as store:
            for n in range(8):
                assert (await move((white, black)[n % 2], room, SHUFFLE[n % 4], 3 + n))["type"] == "ok"
                for id, fields in store.xrange(channel, "-", "+"):
                    seq = id.split(b"-")[0]
                    store.execute_command("SPUBLISH", channel, b" ".join((seq, fields[b"t"], fields[b"d"])))
        await agree(embedded_url, room, [white, black])

    async def test_a_lost_one_is_made_up_for_by_the_next(
        self, dial: Dial, nodes: list[str], embedded_url: str
    ) -> None:
        room, (white, black) = await seated(dial, nodes)
        with Redis.from_url(embedded_url) as store:
            move_unheard = pack(white.player, "unheard", (Moved(0, "e2e4", 1),))
            store.xadd(f"fourfold:{{{room}}}:log", {"t": 1_700_000_000_000, "d": move_unheard}, id="4-0")
        reply = await move(black, room, "e7e5", 4)
        assert (reply["type"], reply["seq"]) == ("ok", 5), "this node believed it was white's turn, and read on"
        assert (await white.seq(4))["events"][0]["move"] == "e2e4", "and white's node saw the gap"
        await agree(embedded_url, room, [white, black])

    async def test_who_comes_from_a_node_that_knows_more_is_not_ahead(
        self, dial: Dial, nodes: list[str], embedded_url: str
    ) -> None:
        room, (white, black) = await seated(dial, nodes)
        with Redis.from_url(embedded_url) as store:
            move_unheard = pack(white.player, "unheard", (Moved(0, "e2e4", 1),))
            store.xadd(f"fourfold:{{{room}}}:log", {"t": 1_700_000_000_000, "d": move_unheard}, id="4-0")
        assert (await black.asks("watch", room=room, since=4))["type"] == "ok"
        assert (await black.asks("watch", room=room, since=5))["code"] == "ahead"

    async def test_cut_again_and_again_while_a_game_is_on(
        self, dial: Dial, nodes: list[str], embedded_url: str
    ) -> None:
        """One node's connection is cut at a time, before it notices. Then its decisions reach nobody, and no others
        reach it."""
        room, (white, black) = await seated(dial, nodes)
        watcher = await dial(at=nodes[2])
        await watcher.asks("watch", room=room)
        chance = random.Random(1)
        with Redis.from_url(embedded_url) as store:
            for n in range(15):
                mover = (white, black)[n % 2]
                await mover.seen(lambda frame, seq=3 + n: frame["type"] == "turn" and frame["seq"] == seq)
                id = await mover.say("move", room=room, move=SHUFFLE[n % 4], seq=3 + n, key=f"k{n}")
                victim = chance.choice(store.client_list(_type="pubsub"))
                store.client_kill_filter(_id=victim["id"])
                reply = await mover.seen(lambda frame, id=id: frame.get("id") == id)
                assert (reply["type"], reply["seq"]) == ("ok", 4 + n)
        await agree(embedded_url, room, [white, black, watcher])


class TestPresence:
    async def test_a_snapshot_on_a_node_new_to_the_room_tells_all(
        self, dial: Dial, nodes: list[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(node_shares, "ANSWER_WITHIN", HANG)  # a busy node answers late who is there
        room, (white, black) = await seated(dial, nodes)
        watchers = [await dial(at=at) for at in nodes[:2] for _ in range(3)]
        for watcher in watchers:
            await watcher.asks("watch", room=room)
        await white.seen(lambda frame: frame["type"] == "watchers" and frame["count"] == 6)
        snapshot = await (await dial(at=nodes[2])).asks("watch", room=room)
        assert [seat["online"] for seat in snapshot["seats"]] == [True, True]
        assert snapshot["watchers"] == 7
        await black.seen(lambda frame: frame["type"] == "watchers" and frame["count"] == 7)

    async def test_a_player_is_online_while_he_is_on_any_node(self, dial: Dial, nodes: list[str]) -> None:
        room, (white, black) = await seated(dial, nodes)
        watcher = await dial(at=nodes[2])
        await watcher.asks("watch", room=room)
        tab = await dial(at=nodes[2], token=black.token)
        await tab.asks("watch", room=room)
        await (await dial(at=nodes[2])).asks("watch", room=room)
        for wire in (white, black):  # their nodes know who is there
            await wire.seen(lambda f: f["type"] == "watchers" and f["count"] == 2)
        await black.end()
        await white.asks("ping")
        await tab.end()
        for wire in (white, watcher):
            await wire.seen(lambda f: f["type"] == "presence" and f["seat"] == "black" and not f["online"])
            offline = [f for f in wire.frames if f["type"] == "presence" and f["seat"] == "black" and not f["online"]]
            assert len(offline) == 1
        back = await dial(at=nodes[0], token=black.token)
        await back.asks("watch", room=room)
        for wire in (white, watcher):
            await wire.seen(lambda f: f["type"] == "presence" and f["seat"] == "black" and f["online"])

    async def test_after_a_cut_who_is_here_is_asked_again(
        self, dial: Dial, nodes: list[str], embedded_url: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(node_shares, "ANSWER_WITHIN", HANG)  # a busy node answers late, and the ghost stays
        room, (white, _) = await seated(dial, nodes)
        ghost = node_messages.write(node_messages.Here("a node that left unheard", ["x"], 5, seq=3))
        log = await RedisLog.open(embedded_url)
        await log.tell(room, ghost)
        await white.seen(lambda frame: frame["type"] == "watchers" and frame["count"] == 5)
        await log.tell(room, b"\x00 what only a newer node understands")
        with Redis.from_url(embedded_url) as store:
            store.client_kill_filter(_type="pubsub")
        await white.seen(lambda frame: frame["type"] == "watchers" and frame["count"] == 0)
        await log.close()

    async def test_what_is_said_is_heard_everywhere(self, dial: Dial, nodes: list[str]) -> None:
        room, wires = await seated(dial, nodes, "survivor", 4)
        watcher = await dial(at=nodes[2])
        await watcher.asks("watch", room=room)
        assert (await wires[1].asks("say", room=room, text="at the table", to="table"))["type"] == "ok"
        assert (await wires[2].asks("say", room=room, text="to all", to="all"))["type"] == "ok"
        for wire in wires:
            await wire.seen(lambda frame: frame["type"] == "said" and frame["text"] == "to all")
            assert [f["text"] for f in wire.frames if f["type"] == "said"] == ["at the table", "to all"]
        said = await watcher.seen(lambda frame: frame["type"] == "said")
        assert (said["text"], said["seat"], said["name"]) == ("to all", "yellow", "P2")


async def test_a_store_away_is_said(frail_store: Any) -> None:
    log = await RedisLog.open(frail_store.url)
    frail_store.kill()
    with pytest.raises(LogUnavailable):
        await log.remind({"room": 1})
    with pytest.raises(LogUnavailable):
        await log.read("room")
    await log.close()
