"""The rules let a player claim some draws: a claim in time is granted at once. Proposals can be withdrawn."""

from typing import Any

Dial = Any  # see conftest
Wire = Any

RED_LEADS = (
    "R-0,1,0,1-0,0,0,0-0,0,0,0-71,0,40,7-0-x,x,x,8,x,x,x/x,x,x,8,x,x,x/x,x,x,1,yK,yR,5,x,x,x/14/14/14/14/14/14/14/14/"
    "x,x,x,rP,7,x,x,x/x,x,x,8,x,x,x/x,x,x,4,rK,3,x,x,x"
)
REPEATED = ("g1f3", "g8f6", "f3g1", "f6g8") * 2


async def seated(dial: Dial, **opening: Any) -> tuple[str, list[Wire]]:
    white, black = await dial(text=True), await dial(text=False)
    room = (await white.asks("create", **opening))["room"]
    for wire in (white, black):
        await wire.asks("join", room=room)
    return room, [white, black]


async def play(wires: list[Wire], room: str, moves: tuple[str, ...]) -> int:
    """Make the moves; returns the version after the last."""
    for number, move in enumerate(moves):
        reply = await wires[number % 2].asks("move", room=room, move=move, seq=3 + number, key=f"m{number}")
        assert reply["type"] == "ok"
    return 3 + len(moves)


async def test_the_player_to_move_is_told_and_ends_the_game_at_once(dial: Dial) -> None:
    room, (white, black) = await seated(dial)
    assert (await white.asks("claim", room=room, key="early"))["code"] == "nothing_to_claim"
    seq = await play([white, black], room, REPEATED)
    turns = [frame for frame in white.frames if frame["type"] == "turn"]
    last = await white.seen(lambda frame: frame["type"] == "turn" and frame["seq"] == seq)
    assert all("claims" not in turn for turn in turns if turn is not last)
    assert last["claims"] == ["threefold"]
    for wire in (white, black, await dial()):
        assert (await wire.asks("watch", room=room))["claims"] == {"white": ["threefold"]}
    assert (await black.asks("claim", room=room, key="c"))["code"] == "nothing_to_claim"
    await black.asks("propose", room=room, kind="undo", seq=seq, key="p")
    assert (await white.asks("claim", room=room, key="c"))["type"] == "ok"
    update = await black.seq(seq + 2)
    assert [event["type"] for event in update["events"]] == ["closed", "finished"]
    result = update["events"][1]["result"]
    assert (result["reason"], result["winners"]) == ("threefold", [])
    assert (await white.asks("claim", room=room, key="c"))["seq"] == seq + 2, "the first answer again"
    assert (await (await dial()).asks("watch", room=room))["claims"] == {}


async def test_the_leader_by_points_stops_whoever_is_to_move(dial: Dial) -> None:
    wires = [await dial(name=name) for name in "RBYG"]
    room = (await wires[0].asks("create", variant="ffa", position=RED_LEADS))["room"]
    for wire in wires:
        await wire.asks("join", room=room)
    red, _, yellow, _ = wires
    assert (await red.seen(lambda frame: frame["type"] == "turn"))["claims"] == ["points"]
    assert (await red.asks("move", room=room, move="h1g1", seq=5, key="m"))["type"] == "ok"
    turn = await yellow.seen(lambda frame: frame["type"] == "turn")
    assert "claims" not in turn
    assert (await yellow.asks("watch", room=room))["claims"] == {"red": ["points"]}
    assert (await yellow.asks("claim", room=room, key="c"))["code"] == "nothing_to_claim"
    assert (await red.asks("claim", room=room, key="c"))["type"] == "ok"
    result = (await yellow.seq(7))["events"][0]["result"]
    assert (result["reason"], result["winners"]) == ("points", ["red"])
    assert result["points"] == {"red": 71, "blue": 0, "yellow": 60, "green": 7}


async def test_a_proposal_is_taken_back(dial: Dial) -> None:
    room, (white, black) = await seated(dial)
    await white.asks("propose", room=room, kind="draw", seq=3, key="p")
    assert (await black.asks("withdraw", room=room, proposal=1, key="w"))["code"] == "not_yours"
    assert (await white.asks("withdraw", room=room, proposal=1, key="w"))["type"] == "ok"
    assert (await black.seq(5))["events"] == [{"type": "closed", "proposal": 1, "outcome": "withdrawn"}]
    assert (await white.asks("withdraw", room=room, proposal=1, key="w2"))["code"] == "no_such_proposal"
    await white.asks("propose", room=room, kind="draw", seq=5, key="p2")
    await white.asks("withdraw", room=room, proposal=2, key="w3")
    refused = await white.asks("propose", room=room, kind="draw", seq=7, key="p3")
    assert refused["code"] == "too_soon"
    assert 0 < refused["retry"] <= 11_000  # clocks of servers differ a little


async def test_a_move_on_a_version_that_is_yet_to_come_is_refused(dial: Dial) -> None:
    room, (white, _) = await seated(dial)
    refused = await white.asks("move", room=room, move="e2e4", seq=4, key="m")
    assert (refused["code"], refused["seq"]) == ("ahead", 3)
    assert (await white.asks("move", room=room, move="e2e4", seq=3, key="m2"))["type"] == "ok"
