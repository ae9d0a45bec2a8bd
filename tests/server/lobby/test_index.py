"""The lobby's index, compared with the simplest correct model: a dictionary, searched from end to end."""

from dataclasses import replace
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fourfold.engine.match import Decision, State, Status, decide, evolve
from fourfold.engine.match.clock import Control
from fourfold.engine.match.commands import Command, Create, Invite, Sit, Stand
from fourfold.engine.match.terms import Terms
from fourfold.protocol.from_server import ListedSeat, Listing
from fourfold.server.lobby.index import ListingFilter, ListingIndex, changes, listing

ROOMS = [f"r{n}" for n in range(12)]
VARIANTS = ["standard", "survivor", "teams"]
STATUSES: list[Literal["open", "playing"]] = ["open", "playing"]


def entry(room: str, variant: str, status: Literal["open", "playing"], ply: int, empty: bool = False) -> Listing:
    created = 1000 + ROOMS.index(room) // 2  # two of each age
    return Listing(room, variant, None, status, [], ply, 0, created, empty=empty)


puts = st.tuples(
    st.sampled_from(ROOMS),
    st.integers(1, 9),
    st.none() | st.tuples(st.sampled_from(VARIANTS), st.sampled_from(STATUSES), st.integers(0, 2), st.booleans()),
)
parts = st.builds(
    ListingFilter, st.none() | st.sampled_from(VARIANTS), st.none() | st.sampled_from(STATUSES), st.integers(1, 15)
)


@given(st.lists(puts, max_size=60), parts)
def test_a_part_is_what_a_search_of_everything_finds(
    steps: list[tuple[str, int, tuple | None]], part: ListingFilter
) -> None:
    index = ListingIndex()
    plain: dict[str, tuple[int, Listing]] = {}
    newest: dict[str, int] = {}
    for room, seq, fields in steps:
        new = None if fields is None else entry(room, *fields)
        before = index.find(ListingFilter(limit=100))
        changed = index.put(room, seq, new, now=0)
        if seq >= newest.get(room, 0):
            newest[room] = seq
            plain.pop(room, None)
            if new is not None:
                plain[room] = seq, new
        assert changed == (before != index.find(ListingFilter(limit=100)))
    wanted = [
        held
        for _, held in plain.values()
        if part.variant in (None, held.variant) and part.status in (None, held.status)
    ]
    wanted.sort(key=lambda held: (not held.empty, held.created, held.room), reverse=True)
    assert index.find(part) == wanted[: part.limit]
    assert set(index) == plain.keys()
    assert len(index) == len(plain)


@given(st.lists(puts, max_size=40), st.lists(puts, max_size=40), parts)
def test_changes_lead_from_one_list_to_the_next(
    first: list[tuple[str, int, tuple | None]], then: list[tuple[str, int, tuple | None]], part: ListingFilter
) -> None:
    index = ListingIndex()
    for room, seq, fields in first:
        index.put(room, seq, None if fields is None else entry(room, *fields), now=0)
    shown = {held.room: held for held in index.find(part)}
    for room, seq, fields in then:
        index.put(room, seq, None if fields is None else entry(room, *fields), now=0)
    now = {held.room: held for held in index.find(part)}
    changed, removed = changes(shown, now)
    assert all(shown.get(held.room) != held for held in changed)
    assert not {held.room for held in changed} & set(removed)
    for room in removed:
        del shown[room]
    assert shown | {held.room: held for held in changed} == now


def test_the_longest_unchecked_come_first_and_only_they() -> None:
    index = ListingIndex()
    for n, room in enumerate(ROOMS):
        index.put(room, 1, entry(room, "standard", "open", 0), now=n)
    index.confirm("r0", 50)
    index.put("r1", 2, entry("r1", "standard", "open", 0), now=51)
    index.put("r2", 2, None, now=52)
    assert index.unchecked(since=6, most=2) == [("r3", 1), ("r4", 1)]
    assert index.unchecked(since=6, most=99) == [("r3", 1), ("r4", 1), ("r5", 1)]
    assert index.unchecked(since=99, most=99)[-2:] == [("r0", 1), ("r1", 2)]
    index.confirm("nowhere", 99)
    assert "nowhere" not in index


class TestListing:
    @staticmethod
    def state(*commands: tuple[str, Command]) -> State:
        state: State | None = None
        for seq, (by, command) in enumerate(commands, 1):
            events = decide(state, command, by, 1000)
            assert isinstance(events, tuple), events
            state = evolve(state, Decision(seq, 1000 + seq, by, f"k{seq}", events))
        assert state is not None
        return state

    def test_what_is_shown(self) -> None:
        state = self.state(
            ("host", Create("survivor", control=Control(60_000, 0, 5_000), terms=Terms(lock="hash"))),
            ("p1", Sit("Ann", "blue")),
            ("bot:1", Sit("Deep", "green", bot=True)),
            ("host", Invite(3, "red")),
        )
        shown = listing("r", state, watchers=7, empty=True)
        assert shown is not None
        assert (shown.room, shown.variant, shown.status, shown.ply, shown.watchers) == ("r", "survivor", "open", 0, 7)
        assert shown.created == 1001
        assert (shown.locked, shown.seek, shown.empty) == (True, False, True)
        assert shown.clock is not None
        assert (shown.clock.base, shown.clock.increment, shown.clock.delay) == (60_000, 0, 5_000)
        assert shown.seats == [
            ListedSeat("red", None, bot=True),
            ListedSeat("blue", "Ann", player="p1"),
            ListedSeat("yellow", None),
            ListedSeat("green", "Deep", bot=True, player="bot:1"),
        ]

    def test_what_is_not_shown(self) -> None:
        public = self.state(("host", Create("standard")))
        assert listing("r", public, 0, False) is not None
        assert listing("r", replace(public, visibility="private"), 0, False) is None
        assert listing("r", replace(public, status=Status.FINISHED), 0, False) is None

    @pytest.mark.parametrize("gone", [False, True])
    def test_a_seekers_room_is_shown_while_somebody_waits(self, gone: bool) -> None:
        commands: list[tuple[str, Command]] = [("p", Create("standard", terms=Terms(seek=True))), ("p", Sit("Ann"))]
        shown = listing("r", self.state(*commands, *[("p", Stand())] * gone), 0, gone)
        assert (shown is None) == gone
