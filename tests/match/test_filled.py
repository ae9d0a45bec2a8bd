"""A table that computers fill: while the game is young, people take their seats over."""

from collections.abc import Callable
from typing import Any

import pytest

from fourfold.engine.match import Status, replay
from fourfold.engine.match.commands import Invite, Move, Resign, Sit
from fourfold.engine.match.events import Seated, Started
from fourfold.engine.match.state import YOUNG
from fourfold.engine.match.terms import Terms

Make = Callable[..., Any]

BOTS = frozenset({"bot:b", "bot:y", "bot:g"})


@pytest.fixture
def filled(table: Make) -> Any:
    t = table("survivor", seated=False, terms=Terms(rated=False, fill=3))
    t.says("host", Sit("Ann", "red"))
    for bot, seat in zip(sorted(BOTS), ("blue", "green", "yellow"), strict=True):
        t.says("host", Invite(3, seat))
        t.says(bot, Sit("Level 3", seat, bot=True, level=3))
    assert t.state.status is Status.PLAYING
    return t


def sit(name: str, seat: str | None = None, **more: object) -> Sit:
    return Sit(name, seat, computers=BOTS, **more)  # type: ignore[arg-type]


def test_a_person_takes_the_seat_of_a_computer_and_plays_on(filled: Any) -> None:
    t = filled
    t.says("host", Move("h2h3", t.state.seq))
    assert t.says("bo", sit("Bo", "blue")) == (Seated(1, "bo", "Bo"),)
    assert t.state.seat_of("bo") == 1
    assert t.state.seat_of("bot:b") is None
    assert t.refused("bot:b", Move("b7c7", t.state.seq)) == "not_seated"
    t.says("bo", Move("b7c7", t.state.seq))
    assert t.state == replay(t.log), "the log says it all"


def test_people_keep_their_seats(filled: Any) -> None:
    t = filled
    assert t.refused("bo", sit("Bo", "red")) == "seat_taken"
    for name, seat in (("bo", "blue"), ("cy", "yellow"), ("di", "green")):
        t.says(name, sit(name.title(), seat))
    assert t.refused("eve", sit("Eve")) == "already_started"
    assert t.says("bo", sit("Bo")) == (), "to sit again is no news"


def test_a_computer_takes_nobodys_seat_over(filled: Any) -> None:
    assert filled.refused("bot:x", sit("Level 3", "blue", bot=True, level=3)) == "not_invited"


def test_nobody_sits_beside_another_of_the_same_address(filled: Any) -> None:
    filled.says("bo", sit("Bo", "blue", mark="m"))
    assert filled.refused("cy", sit("Cy", "yellow", mark="m")) == "same_address"
    filled.says("cy", sit("Cy", "yellow", mark="n"))


def test_who_is_out_leaves_no_seat(filled: Any) -> None:
    filled.says("bot:b", Resign())
    assert filled.refused("bo", sit("Bo", "blue")) == "seat_taken"


def test_the_game_is_young_for_some_rounds(filled: Any) -> None:
    t = filled
    for _ in range(YOUNG * 4):
        assert t.state.young
        player = t.state.seats[t.state.position.turn].player
        t.says(player, Move(min(t.state.position.legal_texts()), t.state.seq))
    assert t.state.ply == YOUNG * 4
    assert not t.state.young
    assert t.refused("bo", sit("Bo", "blue")) == "already_started"


def test_without_such_terms_seats_stay(table: Make) -> None:
    t = table("survivor", seated=False)
    t.says("host", Sit("Ann", "red"))
    for bot, seat in zip(sorted(BOTS), ("blue", "green", "yellow"), strict=True):
        events = t.says(bot, Sit("Level 3", seat, bot=True, level=3))
    assert events[-1] == Started()
    assert t.refused("bo", sit("Bo", "blue")) == "already_started"
