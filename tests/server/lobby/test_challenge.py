"""A challenge by itself: how time and answers change it, and which tables it may lead to."""

from dataclasses import replace
from typing import Any

import pytest

from fourfold.engine.decisions import Decision
from fourfold.engine.match import State, evolve
from fourfold.engine.match.clock import Control
from fourfold.engine.match.events import Created
from fourfold.engine.match.state import Seat
from fourfold.engine.match.terms import Terms
from fourfold.protocol import from_server as wire
from fourfold.server.lobby.challenge import GRACE, Challenge, Side, against, kind_of_game

ANN = Side("white", "a", "Ann", answer=True)
BOB = Side(None, "b", "Bob")
FOUR = (Side("red", "a", "Ann", answer=True), *(Side(None, player, player) for player in "bcd"))


def challenge(*sides: Side, **fields: Any) -> Challenge:
    usual = {"id": "c1", "by": "a", "origin": "", "variant": "standard", "clock": None, "visibility": "public"}
    return Challenge(**(usual | {"sides": sides or (ANN, BOB), "made": 1_000, "until": 2_000} | fields))


def table(*seats: Seat, host: str = "a", control: Control | None = None, **fields: Any) -> State:
    created = Created("standard", None, "private", host, control, Terms(rated=False))
    state = evolve(None, Decision(1, 1, "", "", (created,)))
    return replace(state, seats=seats or (Seat("a", "Ann"), Seat()), **fields)


def test_whom_it_concerns() -> None:
    asked = challenge(BOB, Side(None, None, "Level 3", 3), by="host")
    assert (asked.players, asked.asked) == (["host", "b"], list(asked.sides))
    assert [asked.concerns(player) for player in ("host", "b", "c")] == [True, True, False]
    assert (challenge().players, challenge().asked) == (["a", "b"], [BOB])


def test_it_expires_and_a_moment_later_if_all_have_said_yes() -> None:
    open_, agreed = challenge(), challenge().answered("b", accept=True)
    assert (open_.agreed, agreed.agreed) == (False, True)
    assert [open_.lapsed(now) for now in (1_999, 2_000)] == [False, True]
    assert [agreed.lapsed(now) for now in (2_000 + GRACE - 1, 2_000 + GRACE)] == [False, True]
    assert not open_.over("cancelled", 1_500).lapsed(9_000), "it has already ended"
    assert challenge(ANN, Side(None, None, "Level 3", 3)).agreed, "computer players accept at once"


def test_a_no_ends_it_with_its_reason_and_a_yes_changes_nothing_but_the_answer() -> None:
    declined = challenge().declined("b", "later", "Not now.", 1_500)
    assert (declined.status, declined.ended, declined.reason, declined.text) == ("declined", 1_500, "later", "Not now.")
    assert [side.answer for side in declined.sides] == [True, False]
    accepted = challenge().answered("b", accept=True, origin="o")
    assert (accepted.status, accepted.side("b")) == ("open", Side(None, "b", "Bob", answer=True, origin="o"))
    assert accepted.side("a") == ANN


def test_seats_that_were_chosen_are_kept_and_the_others_drawn() -> None:
    assert challenge().arranged() == [("white", ANN), ("black", BOB)]
    drawn = [challenge(*FOUR, id=str(number), variant="survivor").arranged() for number in range(20)]
    assert all(seats[0] == ("red", FOUR[0]) and {side for _, side in seats} == set(FOUR) for seats in drawn)
    assert len({seats[1][1].player for seats in drawn}) == 3
    at_table = challenge(Side("black", "b", "Bob"), Side("white", "a", "Ann"), room="r")
    assert at_table.arranged() == [("black", at_table.sides[0])], "the challenger has a seat"


@pytest.mark.parametrize(
    ("variant", "sides", "rated", "apart"),
    [
        ("survivor", FOUR, True, True),
        ("survivor", FOUR, False, False),
        ("teams", FOUR, True, False),
        ("standard", (ANN, BOB), True, False),
    ],
)
def test_where_two_of_one_address_would_be_partners(
    variant: str, sides: tuple[Side, ...], rated: bool, apart: bool
) -> None:
    assert challenge(*sides, variant=variant, rated=rated).apart is apart


def test_a_challenge_to_a_table_is_to_its_game() -> None:
    open_table = table(control=Control(1, 2, 3))
    assert kind_of_game(open_table) == ("standard", (1, 2, 3), False)
    led = challenge(variant="ffa").to("r", open_table)
    assert (led.room, led.variant, led.clock, led.visibility, led.rated) == (
        "r", "standard", (1, 2, 3), "private", False,
    )  # fmt: skip
    assert kind_of_game(table())[1] is None


@pytest.mark.parametrize(
    ("open_table", "seat", "code"),
    [
        (table(), "black", None),
        (table(), "white", "seat_taken"),
        (table(host="h"), "black", "not_host"),
        (table(Seat("b", "Bob"), Seat()), "black", "already_seated"),
        (table(kicked=("b",)), "black", "kicked"),
        (table(kicked=("c",)), "black", None),
    ],
)
def test_what_keeps_somebody_from_a_seat_of_a_table(open_table: State, seat: str, code: str | None) -> None:
    found = challenge(Side(seat, "b", "Bob"), room="r").hindrance(open_table)
    assert (None if found is None else found.code) == code


@pytest.mark.parametrize(
    ("plays", "reason"),
    [
        ({}, None),
        ({"variants": ["standard"], "speeds": ["untimed"], "rated": True}, None),
        ({"variants": ["ffa"]}, "variant"),
        ({"speeds": ["blitz", "rapid"]}, "time_control"),
        ({"rated": True}, None),
        ({"rated": False}, "casual"),
    ],
)
def test_what_a_bot_declines(plays: dict[str, Any], reason: str | None) -> None:
    assert against(wire.Played(**plays), "standard", None, rated=True) == reason
    assert against(wire.Played(rated=True), "standard", (60_000, 0, 0), rated=False) == "rated"


def test_it_is_told_without_addresses() -> None:
    ann = Side("white", "a", "Ann", answer=True, origin="address")
    told = challenge(ann, BOB, Side(None, "bot:x", "X"), origin="address", clock=(1, 2, 3)).frame()
    assert (told.challenge, told.status, told.clock, told.by) == ("c1", "open", wire.Control(1, 2, 3), "a")
    assert [side.bot for side in told.seats] == [False, False, True]
    assert "address" not in repr(told)
