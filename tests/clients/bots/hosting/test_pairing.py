"""The pairings of a ladder: the longest waiting bot plays, against those it has met least; and skipped bots."""

import random
from typing import Any

from fourfold.clients.bots.hosting.pairing import APART, REST, Pairing, Tableau, speed_of
from fourfold.protocol.from_client import Clock
from fourfold.protocol.from_server import Challenge, Challenged, Person, Played

CLOCK = Clock(180_000, 2000)


def bot(name: str, **plays: Any) -> Person:
    return Person(name, name, bot=True, account=True, plays=Played(**plays))


def pairing(*variants: str) -> Pairing:
    return Pairing(variants, CLOCK, random.Random(1))


def over(table: Tableau, answers: dict[str, bool], reason: str | None = None) -> Challenge:
    """The end of a table's challenge."""
    seats = [Challenged(seat, one, one, answer=answers.get(one)) for seat, one in table.seats.items()]
    status = "declined" if False in answers.values() else "cancelled"
    return Challenge("c", status, "ladder", seats, table.variant, None, "public", 0, 0, reason=reason)


def test_all_meet_all_and_both_colors_come_in_turn() -> None:
    ladder, bots = pairing("standard"), [bot(name) for name in "abcd"]
    tables = []
    for _ in range(12):
        table = ladder.choose(bots, 0)
        assert table is not None
        ladder.played(table)
        tables.append(table)
    met = [frozenset(table.players) for table in tables]
    assert len(set(met)) == 6 and all(met.count(two) == 2 for two in met)
    whites = [table.seats["white"] for table in tables]
    assert sorted(whites.count(name) for name in "abcd") == [3, 3, 3, 3]


def test_variants_take_turns_where_enough_are_idle() -> None:
    ladder, bots = pairing("standard", "ffa"), [bot(name) for name in "abcd"]
    found = [ladder.choose(bots, 0) for _ in range(4)]
    assert [table.variant for table in found if table] == ["standard", "ffa", "standard", "ffa"]
    two = [ladder.choose(bots[:2], 0) for _ in range(2)]
    assert [table.variant for table in two if table] == ["standard", "standard"]
    assert ladder.choose(bots[:1], 0) is None


def test_bots_say_what_they_play() -> None:
    ladder = pairing("ffa", "standard")
    bots = [bot("a", variants=["standard"]), bot("b"), bot("c"), bot("d"), bot("e", rated=False)]
    table = ladder.choose(bots, 0)
    assert table is not None and table.variant == "standard"
    assert ladder.choose([bot("a", speeds=["bullet"]), bot("b")], 0) is None
    assert speed_of(CLOCK) == "blitz"
    assert ladder.choose([bot("a", speeds=["blitz"]), bot("b", rated=True)], 0) is not None


def test_who_does_not_answer_rests() -> None:
    ladder, bots = pairing("standard"), [bot("a"), bot("b")]
    table = ladder.choose(bots, 0)
    assert table is not None
    ladder.refused(table, over(table, {"a": True}), 0)
    assert ladder.choose(bots, REST - 1) is None
    both = ladder.choose([*bots, bot("c")], REST - 1)
    assert both is not None and set(both.players) == {"a", "c"}
    assert ladder.choose(bots, REST + 1) is not None


def test_two_of_one_address_are_kept_apart_unless_in_teams() -> None:
    ladder, bots = pairing("ffa"), [bot(name) for name in "abcd"]
    table = ladder.choose(bots, 0)
    assert table is not None
    refused = over(table, {"a": True, "b": False}, "same_address")
    ladder.refused(table, refused, 0)
    assert ladder.choose(bots, 1) is None
    five = ladder.choose([*bots, bot("e")], 1)
    assert five is not None and not {"a", "b"} <= set(five.players)
    assert ladder.choose(bots, APART + 1) is not None
    in_teams = pairing("teams")
    in_teams.refused(table, refused, 0)
    assert in_teams.choose(bots, 1) is not None


def test_variants_with_too_few_bots_are_counted() -> None:
    ladder = pairing("standard", "ffa")
    assert ladder.lacking([]) == {"ffa": 0, "standard": 0}
    assert ladder.lacking([bot("a", variants=["standard"]), bot("b"), bot("c", rated=False)]) == {"ffa": 1}
    assert ladder.lacking([bot(name) for name in "abcd"]) == {}
