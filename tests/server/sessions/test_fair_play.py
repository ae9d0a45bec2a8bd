"""No help from this service with running games of this player or this address; and the attempts to get around that."""

import random
from typing import Any

import pytest

from fourfold.engine.position import Position
from tests.engine.test_symmetry import reflected, turned_setup
from tests.server.bots.test_dispatch import called, host_of, key, sit
from tests.server.conftest import Dial, Wire

__all__ = ["key"]


def line(moves: str) -> list[str]:
    return moves.split()


GAME = line(
    "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1 f8e7 f1e1 b7b5 a4b3 e8g8 h2h3 c8b7 d2d3 d7d6 a2a3 c6a5 b3a2 c7c5"
)
"""A game that has left the named openings."""

ITALIAN = line("e2e4 e7e5 g1f3 b8c6 f1c4 f8c5")
"""A named opening."""


@pytest.fixture
def settings() -> dict[str, Any]:
    return {"fair_play": "address", "trust_proxy": 1, "max_rate": 0}


class Place:
    """An address on the internet, from which people connect."""

    def __init__(self, dial: Dial) -> None:
        self._dial = dial
        chance = random.SystemRandom()  # the store still has the games of earlier tests
        self._address = f"203.0.{chance.randrange(256)}.{chance.randrange(256)}"

    async def dial(self, **greeting: Any) -> Wire:
        return await self._dial(headers={"X-Forwarded-For": self._address}, **greeting)


async def begin(white: Wire, black: Wire, moves: list[str], **terms: Any) -> str:
    """The room of a game after some moves."""
    room: str = (await white.asks("create", visibility="private", moves=moves, **terms))["room"]
    assert (await white.asks("join", room=room, seat="white"))["type"] == "joined"
    assert (await black.asks("join", room=room, seat="black"))["type"] == "joined"
    return room


def after(moves: list[str], variant: str = "standard") -> Position:
    position = Position.start(variant)
    for text in moves:
        position = position.play(position.find(text))
    return position


def code(answer: dict[str, Any]) -> str:
    return answer.get("code", answer["type"])


@pytest.mark.slow
async def test_no_position_near_the_board_is_analysed(dial: Dial, elsewhere: str) -> None:
    here, there = Place(dial), Place(dial)
    ann, bob = await here.dial(name="Ann"), await there.dial(name="Bob")
    room = await begin(ann, bob, GAME)
    board = after(GAME)
    fen = board.fen()
    ways = {
        "the game itself": {"room": room},
        "a position six plies ago": {"room": room, "ply": len(GAME) - 6},
        "its moves": {"moves": GAME},
        "its position": {"position": fen},
        "what comes next": {"position": fen, "moves": line("c2c3 c5c4 d3c4 b5c4 b1d2 a8c8 d2f1")},
        "mirrored": {"position": reflected(board, files=True, colours=False).fen()},
        "colours swapped": {"position": reflected(board, files=False, colours=True).fen()},
        "both": {"position": reflected(board, files=True, colours=True).fen()},
        "no castling, other counters": {"position": " ".join(fen.split()[:2]) + " - - 30 60"},
        "the turn passed": {"position": fen.replace(" w ", " b ")},
        "without two pawns": {"position": fen.replace("PPP", "P1P", 1).replace("ppp", "p1p", 1)},
        "in another variant": {"variant": "chess960", "position": fen},
    }
    second, far = await here.dial(name="Ann's second guest"), await here.dial(at=elsewhere)
    for who, wire in {"ann": ann, "a neighbour": second, "one at another server": far}.items():
        for way, asked in ways.items():
            answer = await wire.asks("analyse", key="a", **asked)
            assert code(answer) == "fair_play", (who, way, answer)
            assert "when that game is over" in answer["message"]
            assert (room in answer["message"]) == (wire is ann), "a private room is named only to its player"
    for wire in (ann, second):
        free = {
            "the start": {},
            "first moves": {"moves": GAME[:4]},
            "an opening with a name": {"moves": GAME[:9]},
            "another middlegame": {"moves": line("d2d4 d7d5 c2c4 e7e6 b1c3 g8f6 c1g5 f8e7 e2e3 e8g8 g1f3 h7h6 g5h4")},
            "another ending": {"position": "8/5k2/8/8/3R4/8/4K3/8 w - - 0 1"},
            "four players": {"variant": "ffa"},
        }
        for way, asked in free.items():
            assert code(await wire.asks("analyse", key="a", **asked)) == "ok", way
    eve = await Place(dial).dial()
    assert code(await eve.asks("analyse", key="a", position=fen)) == "ok", "no other server has seen it"
    assert code(await bob.asks("resign", room=room, key="r")) == "ok"
    for wire in (ann, second, far):
        await wire.asks_until(lambda reply: code(reply) == "ok", "analyse", key="a", room=room)  # the game is over


async def test_a_player_who_comes_from_another_address_has_that_one_too(dial: Dial, elsewhere: str) -> None:
    home, there, cafe = Place(dial), Place(dial), Place(dial)
    ann, guest = await home.dial(), await cafe.dial()
    room = await begin(ann, await there.dial(), GAME)
    assert code(await guest.asks("analyse", key="a", moves=GAME)) == "ok"
    again = await cafe.dial(at=elsewhere, token=ann.token)
    assert code(await again.asks("watch", room=room)) == "room"
    assert code(await again.asks("ping")) == "pong"
    await guest.refused("fair_play", "analyse", key="a", moves=GAME)  # the other server notes it


@pytest.mark.slow
async def test_all_games_count_and_the_board_itself_although_its_opening_has_a_name(dial: Dial) -> None:
    here, there = Place(dial), Place(dial)
    ann, bob = await here.dial(), await there.dial()
    await begin(ann, bob, ITALIAN)
    for _ in range(25):
        await begin(ann, bob, [], position="4k3/pp6/8/8/8/8/PP6/4K3 w - - 0 1")
    for wire in (ann, await here.dial()):
        assert code(await wire.asks("analyse", key="a", moves=ITALIAN)) == "fair_play"
        assert code(await wire.asks("analyse", key="a", moves=[*ITALIAN, "c2c3"])) == "ok"
        assert code(await wire.asks("analyse", key="a", moves=ITALIAN[:4])) == "ok"


async def test_boards_of_four_may_be_turned(dial: Dial) -> None:
    here, there = Place(dial), Place(dial)
    players = [await here.dial(), *[await there.dial() for _ in range(3)]]
    board, moves, chance = Position.start("ffa"), [], random.Random(4)
    for _ in range(16):
        moves.append(chance.choice(board.legal_texts()))
        board = board.play(board.find(moves[-1]))
    room = (await players[0].asks("create", variant="ffa", visibility="private", moves=moves))["room"]
    for player in players:
        assert code(await player.asks("join", room=room)) == "joined"
    turned = Position.from_setup(board.rules, turned_setup(board))
    for position in (board.fen(), turned.fen()):
        assert code(await players[0].asks("analyse", key="a", variant="ffa", position=position)) == "fair_play"
    assert code(await players[0].asks("analyse", key="a", variant="ffa", moves=moves[:8])) == "ok"


async def test_no_computer_plays_at_a_copy(dial: Dial, key: str) -> None:
    here, there = Place(dial), Place(dial)
    ann, bob, eve = await here.dial(name="Ann"), await there.dial(name="Bob"), await Place(dial).dial(name="Eve")
    room = await begin(ann, bob, GAME)
    for wire in (ann, await here.dial()):
        for moves in (GAME, GAME[:-1], [*GAME, "c2c3"]):
            copy = (await wire.asks("create", visibility="private", moves=moves))["room"]
            assert code(await wire.asks("join", room=copy, seat="black")) == "joined"
            answer = await wire.asks("bot", room=copy, level=5, seat="white")
            assert code(answer) == "fair_play", moves
            asked = await wire.asks("challenge", room=copy, seats={"white": 5})
            assert code(asked) == "fair_play"
    copy = (await eve.asks("create", visibility="private", moves=GAME))["room"]
    assert code(await eve.asks("bot", room=copy, level=5, seat="white")) == "ok"
    assert code(await ann.asks("join", room=copy, seat="black")) == "fair_play", "nor at one of a friend's"

    copy = await begin(ann, await here.dial(), GAME)
    asked = {"kind": "stand_in", "seat": "black", "level": 5, "seq": 3, "key": "p"}
    assert code(await ann.asks("propose", room=copy, **asked)) == "fair_play", "nor for a guest of her own"
    assert code(await ann.asks("resign", room=copy, key="r")) == "ok"

    host = await host_of(dial, key)
    other = (await ann.asks("create"))["room"]
    assert code(await ann.asks("join", room=other, seat="black")) == "joined"
    assert code(await ann.asks("bot", room=other, level=5, seat="white")) == "ok"
    bot = await sit(dial, await called(host, other))
    seq = (await bot.asks("watch", room=other))["seq"]
    wires = bot, ann
    for ply, text in enumerate([*GAME, "c2c3"]):
        answer = await wires[ply % 2].asks("move", room=other, move=text, seq=seq, key=f"m{ply}")
        if ply == len(GAME) - 1:
            assert code(answer) == "fair_play", "Ann copies what Bob has played"
            break
        assert code(answer) == "ok", (ply, answer)
        seq = answer["seq"]
    answer = await ann.asks("move", room=other, move="h7h6", seq=seq, key="h")
    assert code(answer) == "ok", "a move to another position"
    assert code(await ann.asks("resign", room=room, key="r")) == "ok"


async def test_practice_against_computers_harms_nobody(dial: Dial, key: str) -> None:
    """Two games of a position against computers may go on at once."""
    host, ann = await host_of(dial, key), await Place(dial).dial()
    for _ in range(2):
        room = (await ann.asks("create", position="4k3/pp6/8/8/8/8/PP6/4K3 w - - 0 1"))["room"]
        assert code(await ann.asks("join", room=room, seat="white")) == "joined"
        assert code(await ann.asks("bot", room=room, level=3, seat="black")) == "ok"
        bot = await sit(dial, await called(host, room))
        seq = (await bot.asks("watch", room=room))["seq"]
        assert code(await ann.asks("move", room=room, move="e1d2", seq=seq, key="m")) == "ok"
    asked = {"position": "4k3/pp6/8/8/8/8/PP1K4/8 b - - 1 1"}
    assert code(await ann.asks("analyse", key="a", **asked)) == "fair_play", "but nobody gets the best move"


JUDGED = {
    "shares": {"white": 0.4, "black": 0.6}, "best": "e5", "seat": "white", "mark": "?", "remark": "e5 is best.",
    "out": [], "points": None,
}  # fmt: skip


async def test_reviews_and_puzzles_of_a_copy_wait(dial: Dial, key: str) -> None:
    here, there = Place(dial), Place(dial)
    host, ann, bob = await host_of(dial, key), await here.dial(), await there.dial()
    second = await here.dial()
    copy = await begin(ann, second, GAME)
    assert code(await second.asks("resign", room=copy, key="r")) == "ok"
    assert code(await ann.asks("review", room=copy)) == "reviewed"
    job = (await host.seen(lambda frame: frame["type"] == "examine"))["job"]
    puzzle = {"ply": 3, "seat": "white", "position": after(GAME).fen(), "goal": "gain", "line": ["d3d4"], "last": []}
    summary = {"accuracy": {"white": 80.0, "black": None}, "lost": {"white": 1, "black": None}}
    assert code(await host.asks("examined", job=job, judged=JUDGED)) == "ok"
    answer = await host.asks("examined", job=job, summary=summary, puzzles=[puzzle], done=True)
    assert code(answer) == "ok", answer
    ways = (
        ("review", {"room": copy, "start": False}),
        ("review", {"room": copy}),
        ("solve", {"room": copy, "game": 1, "ply": 3, "moves": ["d3d4"]}),
        ("solve", {"room": copy, "game": 1, "ply": 3, "show": True}),
    )
    for request, asked in ways:
        assert code(await ann.asks(request, **asked)) in ("reviewed", "solved")
    room = await begin(ann, bob, GAME)
    for wire in (ann, second):
        for request, asked in ways:
            assert code(await wire.asks(request, **asked)) == "fair_play", (request, asked)
    other = await begin(ann, second, ["d2d4", "d7d5", "c2c4", "e7e6", "b1c3", "g8f6"])
    assert code(await second.asks("resign", room=other, key="r")) == "ok"
    assert code(await ann.asks("review", room=other)) == "reviewed", "another game, which is over"
    assert code(await ann.asks("resign", room=room, key="r")) == "ok"
    for request, asked in ways:
        assert code(await ann.asks(request, **asked)) in ("reviewed", "solved"), "the game is over"


async def test_an_operator_may_leave_addresses_out(dial: Dial, start: Any) -> None:
    url = await start(fair_play="account", trust_proxy=1)
    here, there = Place(dial), Place(dial)
    ann, bob, carl = await here.dial(at=url), await there.dial(at=url), await here.dial(at=url)
    await begin(ann, bob, GAME)
    assert code(await ann.asks("analyse", key="a", moves=GAME)) == "fair_play"
    assert code(await carl.asks("analyse", key="a", moves=GAME)) == "ok"
