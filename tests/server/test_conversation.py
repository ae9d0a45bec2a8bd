"""The permissions and limits of a connection, over a real socket, in both codecs."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

import pytest

from fourfold.engine.match import decide
from fourfold.engine.match.commands import Resign
from fourfold.protocol.codec import MAX_FRAME
from fourfold.protocol.errors import CloseCode
from fourfold.server.rooms import writer as room_writer
from fourfold.server.sessions.session import MAX_STRIKES
from fourfold.server.transport.http import ALIVE
from tests.each import each

Dial = Any  # see conftest
Wire = Any


async def seated(dial: Dial, variant: str = "standard", count: int = 2) -> tuple[str, list[Wire]]:
    """A started game: its room, and the players in turn order."""
    wires = [await dial(text=n % 2 == 0, name=f"P{n}") for n in range(count)]
    room = (await wires[0].asks("create", variant=variant))["room"]
    for wire in wires:
        assert (await wire.asks("join", room=room))["type"] == "joined"
    await wires[0].seen(lambda frame: frame["type"] == "turn")
    return room, wires


async def move(wire: Wire, room: str, move: str, seq: int, key: str | None = None) -> dict[str, Any]:
    reply: dict[str, Any] = await wire.asks("move", room=room, move=move, seq=seq, key=key or f"{move}@{seq}")
    return reply


class TestHello:
    @pytest.mark.parametrize("text", [True, False], ids=["json", "msgpack"])
    async def test_a_guest_is_welcomed(self, dial: Dial, text: bool) -> None:
        wire = await dial(text=text, hello=False)
        welcome = await wire.asks("hello", name=" Ann ")
        more = {"account", "accounts", "provider", "service"}
        assert welcome.keys() == {"type", "id", "player", "name", "token", "server", "time", "build"} | more
        assert welcome["name"] == "Ann"
        assert welcome["server"].startswith("fourfold")

    async def test_nothing_but_ping_comes_before_it(self, dial: Dial) -> None:
        wire = await dial(hello=False)
        assert (await wire.asks("ping"))["type"] == "pong"
        reply = await wire.asks("create")
        assert (reply["kind"], reply["code"]) == ("refused", "hello_first")

    async def test_once_is_enough(self, dial: Dial) -> None:
        wire = await dial()
        assert (await wire.asks("hello"))["code"] == "already_greeted"

    async def test_a_forged_token_is_refused_and_a_guest_may_still_come(self, dial: Dial) -> None:
        wire = await dial(hello=False)
        assert (await wire.asks("hello", token="me.forged"))["code"] == "bad_token"
        assert (await wire.asks("hello"))["type"] == "welcome"

    async def test_a_token_is_the_same_player_on_many_connections(self, dial: Dial) -> None:
        first = await dial(name="Ann")
        second = await dial(hello=False)
        welcome = await second.asks("hello", token=first.token)
        assert (welcome["player"], welcome["name"], welcome["token"]) == (first.player, "Ann", first.token)

    async def test_without_a_subprotocol_it_is_json(self, address: str) -> None:
        from websockets.asyncio.client import connect

        async with connect(f"{address.replace('http', 'ws')}/ws") as connection:
            assert connection.subprotocol is None
            await connection.send('{"type":"ping","id":1}')
            assert json.loads(await connection.recv())["type"] == "pong"


class TestBadFrames:
    @each(
        ("frame", "code"),
        [
            ("{", "not_a_message"),
            ("[]", "not_a_message"),
            (b"\x00", "wrong_frame"),
            ('{"type":"fly","id":7}', "unknown_type"),
            ('{"type":"move","id":7}', "bad_field"),
            ('{"type":"ping","id":7,"x":1}', "bad_field"),
        ],
    )
    async def test_each_is_answered_and_the_connection_lives(self, dial: Dial, frame: str | bytes, code: str) -> None:
        wire = await dial()
        await wire.connection.send(frame)
        error = await wire.seen(lambda f: f["type"] == "error")
        assert (error["kind"], error["code"]) == ("unreadable", code)
        assert error.get("id") == (7 if b"7" in (frame if isinstance(frame, bytes) else frame.encode()) else None)
        assert (await wire.asks("ping"))["type"] == "pong"

    async def test_an_oversized_frame_closes_with_1009(self, dial: Dial) -> None:
        wire = await dial()
        await wire.connection.send("x" * (MAX_FRAME + 1))
        code, reason = await wire.closed()
        assert code == CloseCode.TOO_BIG
        assert str(MAX_FRAME) in reason

    async def test_a_broken_program_is_let_go_and_told_why(self, dial: Dial) -> None:
        wire = await dial()
        for _ in range(MAX_STRIKES):
            await wire.connection.send("nonsense")
        code, reason = await wire.closed()
        assert code == CloseCode.POLICY
        assert "unreadable" in reason

    async def test_whoever_tries_token_after_token_is_let_go(self, dial: Dial) -> None:
        wire = await dial(hello=False)
        for number in range(MAX_STRIKES):
            await wire.say("hello", token=f"guess.{number}")
        code, reason = await wire.closed()
        assert code == CloseCode.POLICY
        assert "forged tokens" in reason

    async def test_none_of_it_hurts_the_others(self, dial: Dial) -> None:
        room, (white, black) = await seated(dial)
        for frame in ("{", b"\xff" * 100, "x" * (MAX_FRAME * 4), '{"type":"move"}'):
            vandal = await dial()
            await vandal.connection.send(frame)
        assert (await move(white, room, "e2e4", 3))["type"] == "ok"
        assert (await black.seq(4))["events"][0]["move"] == "e2e4"


class TestRooms:
    async def test_an_unknown_room(self, dial: Dial) -> None:
        wire = await dial()
        for type, fields in [
            ("join", {}),
            ("watch", {}),
            ("leave", {}),
            ("legal", {}),
            ("resign", {"key": "k"}),
            ("move", {"move": "e2e4", "seq": 1, "key": "k"}),
        ]:
            reply = await wire.asks(type, room="nowhere", **fields)
            assert (reply["kind"], reply["code"], reply["room"]) == ("refused", "no_such_room", "nowhere")

    @pytest.mark.parametrize(
        ("fields", "kind"),
        [
            ({"variant": "checkers"}, "unreadable"),
            ({"position": "nonsense"}, "unreadable"),
            ({"position": "8/8/8/8/8/8/8/8 w - - 0 1"}, "refused"),
        ],
    )
    async def test_a_room_that_cannot_be(self, dial: Dial, fields: dict[str, str], kind: str) -> None:
        reply = await (await dial()).asks("create", **fields)
        assert (reply["type"], reply["kind"]) == ("error", kind)

    @each(
        ("variant", "position", "wrong"),
        [
            ("standard", None, []),
            ("survivor", "classic", []),
            ("standard", "8/4P3/8/8/8/8/8/3P4 w KQ - 0 1",
             ["missing_king", "missing_king", "pawn_on_first_rank", *["impossible_castling_right"] * 2]),
            ("standard", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", ["position_over"]),
            ("standard", "7k/6Q1/6K1/8/8/8/8/8 w - - 0 1", ["opponent_in_check"]),
        ],
    )  # fmt: skip
    async def test_a_position_is_checked_as_a_room_would_be(
        self, dial: Dial, variant: str, position: str | None, wrong: list[str]
    ) -> None:
        wire = await dial()
        start = {"variant": variant} | ({} if position is None else {"position": position})
        checked = await wire.asks("check", **start)
        assert [fault["code"] for fault in checked["faults"]] == wrong
        created = await wire.asks("create", **start)
        assert created["type"] == ("error" if wrong else "created")
        if wrong:
            assert created["code"] == "invalid_setup"
            assert created["message"] == " ".join(fault["message"] for fault in checked["faults"])

    @pytest.mark.parametrize(
        ("fields", "code"),
        [({"position": "8/8 w"}, "invalid_fen"), ({"variant": "bridge"}, "unknown_variant"),
         ({"position": "modern"}, "unknown_setup")],
    )  # fmt: skip
    async def test_what_cannot_be_read_cannot_be_checked(self, dial: Dial, fields: dict[str, str], code: str) -> None:
        reply = await (await dial()).asks("check", **fields)
        assert (reply["kind"], reply["code"]) == ("unreadable", code)

    async def test_a_game_goes_on_from_the_moves_of_another(self, dial: Dial) -> None:
        ann, bob = await dial(name="Ann"), await dial(name="Bob")
        room = (await ann.asks("create", moves=["e2e4", "e7e5"]))["room"]
        await ann.asks("join", room=room, seat="white")
        await bob.asks("join", room=room)
        snapshot = await bob.seen(lambda frame: frame["type"] == "room")
        assert (snapshot["moves"], snapshot["start"].split()[0][-8:]) == (["e2e4", "e7e5"], "RNBQKBNR")
        seq = (await ann.seen(lambda frame: frame["type"] == "turn"))["seq"]
        assert (await move(ann, room, "g1f3", seq))["type"] == "ok"
        text = (await bob.asks("export", room=room, format="pgn"))["text"]
        assert "1. e4 e5 2. Nf3" in text
        refused = await ann.asks("create", moves=["e2e4", "e2e5"])
        assert (refused["kind"], refused["code"]) == ("illegal", "no_piece")
        assert refused["message"].startswith("Move 2, e2e5: ")

    async def test_a_create_sent_again_opens_no_second_room(self, dial: Dial) -> None:
        ann, bob = await dial(), await dial()
        room = (await ann.asks("create", key="k"))["room"]
        assert (await ann.asks("create", key="k"))["room"] == room
        tab = await dial(token=ann.token)
        assert (await tab.asks("create", key="k"))["room"] == room
        others = [
            await ann.asks("create", key="l"),
            await ann.asks("create", key="k", visibility="private"),
            await bob.asks("create", key="k"),
            await ann.asks("create"),
            await ann.asks("create"),
        ]
        assert len({room, *(reply["room"] for reply in others)}) == 6
        await ann.asks("join", room=room)
        assert (await tab.asks("create", key="k"))["room"] == room
        assert (await bob.asks("watch", room=room))["seq"] == 2

    async def test_a_create_that_was_refused_may_be_mended_under_its_key(self, dial: Dial) -> None:
        ann = await dial()
        for _ in range(2):
            assert (await ann.asks("create", key="k", variant="checkers"))["code"] == "unknown_variant"
        assert (await ann.asks("create", key="k"))["type"] == "created"

    async def test_joining_gives_the_snapshot_to_who_has_watched_too(self, dial: Dial) -> None:
        host, guest = await dial(), await dial()
        room = (await host.asks("create"))["room"]
        assert (await guest.asks("watch", room=room))["seq"] == 1
        await guest.asks("join", room=room)
        snapshot = await guest.seen(lambda f: f["type"] == "room" and f["seq"] == 2)
        assert snapshot["seats"][0]["player"] == guest.player

    async def test_joining_gives_the_seat_the_snapshot_and_the_turn(self, dial: Dial) -> None:
        white, black = await dial(name="Ann"), await dial(name="Bob")
        room = (await white.asks("create"))["room"]
        joined = await white.asks("join", room=room, seat="white")
        assert (joined["seat"], joined["seq"]) == ("white", 2)
        snapshot = await white.seen(lambda f: f["type"] == "room")
        assert (snapshot["status"], snapshot["turn"], snapshot["seq"]) == ("open", None, 2)
        assert snapshot["seats"][0] == {
            "seat": "white",
            "player": white.player,
            "name": "Ann",
            "online": True,
            "out": None,
            "bot": False,
            "invited": None,
            "stand_in": None,
            "score": 0,
            "since": None,
        }
        await black.asks("join", room=room)
        started = await white.seq(3)
        assert [event["type"] for event in started["events"]] == ["seated", "started"]
        turn = await white.seen(lambda f: f["type"] == "turn")
        assert (turn["seat"], turn["seq"], len(turn["legal"])) == ("white", 3, 20)
        assert not [frame for frame in black.frames if frame["type"] == "turn"]

    async def test_a_seat_is_one_players(self, dial: Dial) -> None:
        room, (white, _) = await seated(dial)
        stranger = await dial()
        assert (await stranger.asks("join", room=room, seat="white"))["code"] == "already_started"
        open_room = (await white.asks("create"))["room"]
        await white.asks("join", room=open_room, seat="white")
        assert (await stranger.asks("join", room=open_room, seat="white"))["code"] == "seat_taken"
        assert (await stranger.asks("join", room=open_room, seat="red"))["code"] == "no_such_seat"
        again = await white.asks("join", room=open_room)
        assert again["seat"] == "white"

    async def test_leaving_before_the_start_frees_the_seat(self, dial: Dial) -> None:
        ann, bob = await dial(), await dial()
        room = (await ann.asks("create"))["room"]
        await ann.asks("join", room=room)
        await bob.asks("watch", room=room)
        assert (await ann.asks("leave", room=room))["type"] == "ok"
        assert (await bob.seq(3))["events"] == [{"type": "unseated", "seat": "white"}]
        assert (await bob.asks("join", room=room))["seat"] == "white"

    async def test_presence_follows_the_connections_of_a_player(self, dial: Dial) -> None:
        room, (white, black) = await seated(dial)
        second = await dial(token=black.token)
        await second.asks("watch", room=room)
        await black.end()
        await second.end()
        gone = await white.seen(lambda f: f["type"] == "presence" and not f["online"])
        assert gone["seat"] == "black"
        presences = [f for f in white.frames if f["type"] == "presence" and f["seat"] == "black"]
        assert [f["online"] for f in presences] == [True, False]

    async def test_watchers_are_counted(self, dial: Dial) -> None:
        room, (white, _) = await seated(dial)
        for _ in range(3):
            await (await dial()).asks("watch", room=room)
        assert (await white.seen(lambda f: f["type"] == "watchers" and f["count"] == 3))["room"] == room

    async def test_a_room_that_is_followed_may_be_watched_again_from_an_older_version(self, dial: Dial) -> None:
        """As a client does that has lost its state: it gets the state again, and then continues, with nothing twice."""
        room, (white, black) = await seated(dial)
        watcher = await dial()
        await watcher.asks("watch", room=room, since=1)
        for wire in (watcher, black):
            if wire is watcher:
                assert (await move(white, room, "g1f3", 3))["type"] == "ok"
            await wire.seq(4)
            wire.frames.clear()
            assert (await wire.asks("watch", room=room, since=1))["seq"] == 4
            assert (await wire.asks("watch", room=room, since=2))["seq"] == 4
        assert (await move(black, room, "g8f6", 4))["type"] == "ok"
        for wire in (watcher, black):
            await wire.seq(5)
            assert [update["seq"] for update in wire.updates()] == [2, 3, 4, 3, 4, 5]

    async def test_a_preview_is_followed_but_counts_nobody(self, dial: Dial) -> None:
        room, (white, black) = await seated(dial)
        small = [await dial(), await dial(hello=False)]
        await small[1].asks("hello", token=black.token)  # a player who looks at the lobby
        for wire in small:
            shown = await wire.asks("watch", room=room, preview=True)
            assert (shown["watchers"], shown["host"]) == (0, white.player)
        await black.end()
        gone = await white.seen(lambda f: f["type"] == "presence" and not f["online"])
        assert gone["seat"] == "black"
        await move(white, room, "e2e4", 3)
        for wire in small:
            await wire.seq(4)
        watcher = await dial()
        assert (await watcher.asks("watch", room=room))["watchers"] == 1
        await white.seen(lambda f: f["type"] == "watchers" and f["count"] == 1)
        assert (await small[0].asks("watch", room=room))["watchers"] == 2  # a real watcher is counted
        before = len(white.frames)
        await small[1].asks("join", room=room)  # and a player who joins counts as here
        await small[1].seen(lambda f: f["type"] == "room" and f["seats"][1]["online"])
        await white.seen(lambda _: {**gone, "online": True, "since": None} in white.frames[before:])


class TestMoves:
    async def test_the_mover_is_answered_before_he_sees_the_update(self, dial: Dial) -> None:
        room, (white, black) = await seated(dial)
        reply = await move(white, room, "e2e4", 3)
        assert (reply["type"], reply["seq"]) == ("ok", 4)
        update = await white.seq(4)
        assert white.frames.index(reply) < white.frames.index(update)
        assert update == await black.seq(4)
        sight = {"text": "e4", "changes": {"e2": None, "e4": "wP"}, "check": [], "points": None}
        moved = {"type": "moved", "seat": "white", "move": "e2e4", "ply": 1, "tick": None, "sight": sight}
        assert update["events"] == [moved]
        turn = await black.seen(lambda f: f["type"] == "turn")
        assert turn["seq"] == 4

    async def test_you_move_your_own_pieces_in_your_own_turn(self, dial: Dial) -> None:
        room, (white, black) = await seated(dial)
        assert (await move(black, room, "e7e5", 3))["code"] == "not_your_turn"
        reply = await move(white, room, "e7e5", 3)
        assert (reply["kind"], reply["code"], reply["seq"]) == ("illegal", "not_your_piece", 3)
        stranger = await dial()
        assert (await move(stranger, room, "e2e4", 3))["code"] == "not_seated"
        await stranger.asks("watch", room=room)
        assert (await move(stranger, room, "e2e4", 3))["code"] == "not_seated"

    async def test_a_stale_move_is_refused_with_the_true_seq(self, dial: Dial) -> None:
        room, (white, black) = await seated(dial)
        await move(white, room, "e2e4", 3)
        reply = await move(black, room, "e7e5", 3)
        assert (reply["kind"], reply["code"], reply["seq"]) == ("refused", "stale", 4)

    async def test_a_retried_move_gets_its_first_answer(self, dial: Dial) -> None:
        room, (white, black) = await seated(dial)
        first = await move(white, room, "e2e4", 3, key="once")
        await move(black, room, "e7e5", 4)
        second = await move(white, room, "e2e4", 3, key="once")
        assert second["type"] == "ok"
        assert second["seq"] == first["seq"]
        tab = await dial(token=white.token)
        assert (await move(tab, room, "e2e4", 3, key="once"))["seq"] == first["seq"]
        other = await move(black, room, "e7e5", 5, key="once")
        assert other["code"] == "not_your_turn"  # each player has separate keys

    async def test_legal_moves_can_be_asked_for(self, dial: Dial) -> None:
        room, (white, _) = await seated(dial)
        everything = await white.asks("legal", room=room)
        assert (everything["seat"], len(everything["moves"])) == ("white", 20)
        assert (await white.asks("legal", room=room, square="g1"))["moves"] == ["g1f3", "g1h3"]
        assert (await white.asks("legal", room=room, square="e4"))["moves"] == []
        assert (await white.asks("legal", room=room, square="n9"))["type"] == "error"

    async def test_a_game_to_its_end(self, dial: Dial) -> None:
        room, (white, black) = await seated(dial)
        for seq, (wire, text) in enumerate([(white, "f2f3"), (black, "e7e5"), (white, "g2g4"), (black, "d8h4")], 3):
            assert (await move(wire, room, text, seq))["type"] == "ok"
        update = await white.seq(7)
        assert update["events"][-1] == {
            "type": "finished",
            "result": {
                "reason": "checkmate",
                "winners": ["black"],
                "standings": {"white": 2, "black": 1},
                "points": None,
                "unrated": None,
            },
            "scores": {"white": 0, "black": 1},
        }
        assert (await move(white, room, "e2e4", 7))["code"] == "game_over"
        snapshot = await (await dial()).asks("watch", room=room)
        assert (snapshot["status"], snapshot["turn"], snapshot["moves"]) == (
            "finished",
            None,
            ["f2f3", "e7e5", "g2g4", "d8h4"],
        )

    async def test_four_sit_down_and_one_resigns(self, dial: Dial) -> None:
        room, wires = await seated(dial, "survivor", 4)
        red, blue, yellow, _ = wires
        assert (await move(red, room, "h2h4", 5))["type"] == "ok"
        assert (await blue.asks("resign", room=room, key="r"))["type"] == "ok"
        update = await red.seq(7)
        assert [event["type"] for event in update["events"]] == ["resigned", "eliminated"]
        turn = await yellow.seen(lambda f: f["type"] == "turn")
        assert turn["seat"] == "yellow"


class TestFaults:
    @pytest.mark.interpreted
    async def test_what_cannot_be_judged_is_answered_and_the_game_goes_on(
        self, dial: Dial, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        room, (white, black) = await seated(dial)

        def judge(state: Any, command: Any, *rest: Any) -> Any:
            if isinstance(command, Resign):
                raise ZeroDivisionError
            return decide(state, command, *rest)

        monkeypatch.setattr(room_writer, "decide", judge)
        reply = await black.asks("resign", room=room, key="r")
        assert (reply["kind"], reply["code"]) == ("refused", "failed")
        assert (await move(white, room, "e2e4", 3))["type"] == "ok"
        assert (await move(black, room, "e7e5", 4))["type"] == "ok"


class TestVotes:
    async def test_an_undo_is_voted_on_by_all(self, dial: Dial) -> None:
        room, (white, black) = await seated(dial)
        watcher = await dial()
        snapshot = await watcher.asks("watch", room=room)
        await move(white, room, "e2e4", 3)
        assert (await white.asks("propose", room=room, kind="undo", plies=1, seq=4, key="p"))["type"] == "ok"
        proposed = (await watcher.seq(5))["events"][0]
        assert (proposed["seat"], proposed["ply"], proposed["position"]) == ("white", 0, snapshot["start"])
        late = await (await dial()).asks("watch", room=room)
        assert late["proposal"]["votes"] == {"white": True}
        assert (await watcher.asks("vote", room=room, proposal=1, accept=True, key="v"))["code"] == "not_seated"
        assert (await black.asks("vote", room=room, proposal=1, accept=True, key="v"))["type"] == "ok"
        assert [event["type"] for event in (await watcher.seq(6))["events"]] == ["voted", "closed", "undone"]
        turn = await white.seen(lambda f: f["type"] == "turn" and f["seq"] == 6)
        assert len(turn["legal"]) == 20


class TestResume:
    async def test_exactly_what_was_missed(self, dial: Dial) -> None:
        room, (white, black) = await seated(dial)
        stayed = await dial()
        await stayed.asks("watch", room=room)
        seq = 3
        for n in range(15):  # one more would be the fivefold repetition
            wire, text = (white, black)[n % 2], ("g1f3", "g8f6", "f3g1", "f6g8")[n % 4]
            assert (await move(wire, room, text, seq))["type"] == "ok"
            seq += 1
        await white.asks("propose", room=room, kind="undo", plies=3, seq=seq, key="p")
        await black.asks("vote", room=room, proposal=1, accept=True, key="v")
        await stayed.seq(seq + 2)
        back = await dial(token=white.token, text=False)
        reply = await back.asks("watch", room=room, since=5)
        assert (reply["type"], reply["seq"]) == ("ok", seq + 2)
        await back.seq(seq + 2)
        assert back.updates() == [frame for frame in stayed.updates() if frame["seq"] > 5]
        current = await back.asks("watch", room=room, since=seq + 2)
        assert (current["type"], current["seq"]) == ("ok", seq + 2)
        ahead = await back.asks("watch", room=room, since=seq + 3)
        assert (ahead["code"], ahead["seq"]) == ("ahead", seq + 2)

    async def test_who_has_come_and_gone_meanwhile_is_told(self, dial: Dial) -> None:
        room, (white, black) = await seated(dial)
        watcher = await dial()
        seq = (await watcher.asks("watch", room=room))["seq"]
        await watcher.asks("leave", room=room)
        await black.connection.close()
        await white.seen(lambda frame: frame["type"] == "presence" and not frame["online"])
        other = await dial()
        await other.asks("watch", room=room)
        watcher.frames.clear()
        await watcher.asks("watch", room=room, since=seq)
        await watcher.seen(lambda frame: frame["type"] == "watchers" and frame["count"] == 2)
        told = {frame["seat"]: frame["online"] for frame in watcher.frames if frame["type"] == "presence"}
        assert told == {"white": True, "black": False}

    async def test_while_the_game_goes_on_nothing_is_lost_or_doubled(self, dial: Dial) -> None:
        room, (white, black) = await seated(dial)
        late = [await dial(text=n % 2 == 0) for n in range(8)]

        async def play() -> None:
            for n, text in enumerate(("g1f3", "g8f6", "f3g1", "f6g8") * 3):
                assert (await move((white, black)[n % 2], room, text, 3 + n))["type"] == "ok"

        async def come(n: int, wire: Wire) -> None:
            await white.seq(4 + n)
            await wire.asks("watch", room=room, since=1 + n)

        await asyncio.gather(play(), *(come(n, wire) for n, wire in enumerate(late)))
        for n, wire in enumerate(late):
            await wire.seq(15)
            assert [frame["seq"] for frame in wire.updates()] == list(range(2 + n, 16))


class TestHttp:
    @staticmethod
    async def fetch(address: str, request: str) -> tuple[int, str]:
        host, port = address.removeprefix("http://").split(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        writer.write(f"{request} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
        answer = (await asyncio.wait_for(reader.read(), 240)).decode()
        writer.close()
        await writer.wait_closed()
        head, _, body = answer.partition("\r\n\r\n")
        return int(head.split()[1]), body

    async def test_health(self, address: str) -> None:
        assert await self.fetch(address, "GET /healthz") == (200, ALIVE)
        status, body = await self.fetch(address, "GET /readyz")
        assert (status, json.loads(body)) == (200, {"ready": True, "why": None, "warning": None})

    @each(
        ("request_", "status"),
        [("GET /", 200), ("GET /r/abc", 200), ("GET /nothing", 404), ("POST /healthz", 405), ("GET /ws", 426)],
    )
    async def test_the_rest(self, address: str, request_: str, status: int) -> None:
        assert (await self.fetch(address, request_))[0] == status


class TestClocks:
    async def test_moves_cost_time(self, dial: Dial) -> None:
        white, black = await dial(), await dial()
        room = (await white.asks("create", clock={"base": 600_000, "increment": 50}))["room"]
        await white.asks("join", room=room)
        await black.asks("join", room=room)
        snapshot = await (await dial()).asks("watch", room=room)
        assert snapshot["clocks"]["left"] == {"white": 600_000, "black": 600_000}
        assert snapshot["clocks"]["since"] <= snapshot["time"]
        assert (await move(white, room, "e2e4", 3))["type"] == "ok"
        tick = (await black.seq(4))["events"][0]["tick"]
        assert tick["left"] == 600_000 - tick["spent"] + 50

    async def test_flags_fall_by_themselves(self, dial: Dial) -> None:
        white, black = await dial(), await dial()
        room = (await white.asks("create", clock={"base": 400}))["room"]
        await white.asks("join", room=room)
        await black.asks("join", room=room)
        flagged = await black.seq(4)
        assert [event["type"] for event in flagged["events"]] == ["flagged", "finished"]
        assert flagged["events"][0]["seat"] == "white"
        assert flagged["events"][1]["result"]["reason"] == "time"
        assert (await move(white, room, "e2e4", 4))["code"] == "game_over"

    async def test_a_bad_clock_is_unreadable(self, dial: Dial) -> None:
        wire = await dial()
        for clock in ({}, {"base": 0}, {"base": 1000, "bonus": 1}, "5+3"):
            assert (await wire.asks("create", clock=clock))["code"] == "bad_field"


class TestPeople:
    async def test_a_rematch_carries_the_score(self, dial: Dial) -> None:
        room, (white, black) = await seated(dial)
        await white.asks("resign", room=room, key="r")
        await black.asks("propose", room=room, kind="rematch", seq=4, key="p")
        await white.asks("vote", room=room, proposal=1, accept=True, key="v")
        update = await black.seq(6)
        assert [event["type"] for event in update["events"]] == ["voted", "closed", "rematched", "started"]
        turn = await black.seen(lambda f: f["type"] == "turn")
        assert (turn["seat"], turn["seq"]) == ("white", 6)
        snapshot = await (await dial()).asks("watch", room=room)
        assert snapshot["game"] == 2
        assert [(seat["player"], seat["score"]) for seat in snapshot["seats"]] == [(black.player, 1), (white.player, 0)]

    async def test_a_bot_stands_in_for_who_is_absent_until_they_are_back(
        self, dial: Dial, start: Callable[..., Awaitable[str]], host: Callable[[], Awaitable[Wire]]
    ) -> None:
        calls = await host()
        dial = partial(dial, at=await start(absence=0))
        room, wires = await seated(dial, "survivor", 3 + 1)
        red, blue, yellow, green = wires
        await blue.end()
        await red.seen(lambda f: f["type"] == "presence" and not f["online"])
        ask = {"room": room, "kind": "stand_in", "seat": "blue", "level": 1}
        assert (await red.asks("propose", **ask, seq=5, key="p"))["type"] == "ok"
        for wire in (yellow, green):
            await wire.asks("vote", room=room, proposal=1, accept=True, key="v")
        foreign = await dial(bot=True, name="Level 1")
        assert (await foreign.asks("join", room=room))["code"] == "not_invited"
        summon = await calls.seen(lambda f: f["type"] == "summon" and f["room"] == room)
        bot = await dial(token=summon["token"], bot=True)
        assert bot.player.startswith("bot:level1:")
        assert (await bot.asks("join", room=room))["seat"] == "blue"
        assert (await bot.asks("resign", room=room, key="r"))["code"] == "only_stands_in"
        assert (await move(red, room, "h2h4", 5))["type"] == "ok"
        turn = await bot.seen(lambda f: f["type"] == "turn")
        assert (await move(bot, room, "b7c7", turn["seq"]))["type"] == "ok"
        assert (await (await dial()).asks("watch", room=room))["seats"][1]["stand_in"] == "Level 1"
        back = await dial(token=blue.token)
        await back.asks("watch", room=room, preview=True)  # a preview in the lobby is no return
        yellows = await yellow.seen(lambda f: f["type"] == "turn")
        assert (await move(yellow, room, yellows["legal"][0], yellows["seq"]))["type"] == "ok"
        assert (await (await dial()).asks("watch", room=room))["seats"][1]["stand_in"] == "Level 1"
        assert "returned" not in {event["type"] for update in yellow.updates() for event in update["events"]}
        await back.asks("watch", room=room)
        await red.seen(lambda f: f["type"] == "update" and f["events"][0]["type"] == "returned")
        snapshot = await (await dial()).asks("watch", room=room)
        assert (snapshot["seats"][1]["stand_in"], snapshot["seats"][1]["player"]) == (None, blue.player)
        assert (await bot.asks("resign", room=room, key="r"))["code"] == "not_seated"

    async def test_the_host_asks_bots_to_sit_down(self, dial: Dial) -> None:
        host = await dial()
        room = (await host.asks("create"))["room"]
        await host.asks("join", room=room)
        assert (await (await dial()).asks("bot", room=room, level=2))["code"] == "not_host"
        assert (await host.asks("bot", room=room, level=2))["type"] == "ok"
        assert (await host.seq(3))["events"] == [{"type": "invited", "seat": "black", "level": 2}]
        bot = await dial(bot=True)
        assert (await bot.asks("join", room=room))["seat"] == "black"

    async def test_a_game_may_be_called_off(self, dial: Dial) -> None:
        room, (white, black) = await seated(dial)
        assert (await black.asks("abort", room=room, key="a"))["type"] == "ok"
        assert (await white.seq(4))["events"][0]["result"]["reason"] == "aborted"
