"""Players at once, watchers in their turn: each of them gets every frame since he came, in order, once."""

import asyncio
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from fourfold.protocol import from_server as wire
from fourfold.server.rooms.audience import Audience, Encoded, Usher


class Reader:
    """A follower that notes what it gets."""

    def __init__(self, journal: list[Any] | None = None) -> None:
        self.player_id = ""
        self.got: list[int] = []
        self._journal = journal

    def send(self, frame: Encoded) -> None:
        assert isinstance(frame.frame, wire.Watchers)
        self.got.append(frame.frame.count)
        if self._journal is not None:
            self._journal.append((self, frame.frame.count))

    def reply(self, frame: wire.Reply, id: int | None) -> None:
        raise AssertionError("nobody has asked")


def frame(number: int) -> Encoded:
    return Encoded(wire.Watchers("room", number))


async def served_out(audience: Audience) -> None:
    for _ in range(1000):  # turns of the event loop: far more than any of these need
        await asyncio.sleep(0)
        if not audience.pending:
            return
    raise AssertionError("still waiting")


class TestOneRoom:
    async def test_players_are_sent_to_before_send_returns_and_watchers_soon(self) -> None:
        audience = Audience(Usher())
        player, watcher = Reader(), Reader()
        audience.place(watcher, None)
        audience.place(player, 0)
        audience.send(frame(1))
        assert (player.got, watcher.got) == ([1], [])
        await served_out(audience)
        assert (player.got, watcher.got) == ([1], [1])

    async def test_who_comes_in_the_middle_of_a_delivery_gets_only_what_is_newer(self) -> None:
        audience = Audience(Usher(most=10))
        early, late = [Reader() for _ in range(25)], Reader()
        for reader in early:
            audience.place(reader, None)
        audience.send(frame(1))
        await asyncio.sleep(0)
        assert [reader.got for reader in early].count([1]) == 10
        audience.place(late, None)
        audience.send(frame(2))
        await served_out(audience)
        assert [reader.got for reader in early] == [[1, 2]] * 25
        assert late.got == [2]

    async def test_a_watcher_who_sits_down_first_gets_what_he_waited_for(self) -> None:
        audience = Audience(Usher(most=1))
        first, second = Reader(), Reader()
        audience.place(first, None)
        audience.place(second, None)
        audience.send(frame(1))
        audience.send(frame(2))
        await asyncio.sleep(0)
        for reader in (first, second):
            audience.place(reader, 0)
            assert reader.got == [1, 2]
        audience.send(frame(3))
        await served_out(audience)
        assert (first.got, second.got) == ([1, 2, 3], [1, 2, 3])

    async def test_who_has_left_gets_nothing_more(self) -> None:
        audience = Audience(Usher())
        leaver, stayer = Reader(), Reader()
        audience.place(leaver, None)
        audience.place(stayer, None)
        audience.send(frame(1))
        audience.leave(leaver)
        await served_out(audience)
        assert (leaver.got, stayer.got) == ([], [1])
        assert (len(audience), audience.watchers) == (1, 1)

    async def test_coming_and_going_leaves_nothing_behind(self) -> None:
        audience = Audience(Usher())
        stayer = Reader()
        audience.place(stayer, None)
        for number in range(1000):
            passer = Reader()
            audience.place(passer, None)
            audience.send(frame(number))
            await served_out(audience)
            audience.leave(passer)
        assert stayer.got == list(range(1000))
        assert len(audience._line) < 250


class TestManyRooms:
    async def test_a_long_line_keeps_no_other_room_waiting(self) -> None:
        journal: list[Any] = []
        usher = Usher(most=100)
        crowd, pair = Audience(usher), Audience(usher)
        for _ in range(10_000):
            crowd.place(Reader(journal), None)
        guests = [Reader(journal) for _ in range(2)]
        for guest in guests:
            pair.place(guest, None)
        crowd.send(frame(1))
        pair.send(frame(2))
        turns = 0
        while crowd.pending or pair.pending:
            before = len(journal)
            await asyncio.sleep(0)
            turns += 1
            assert len(journal) - before <= 100
            if turns == 2:
                assert [guest.got for guest in guests] == [[2], [2]]
        assert len(journal) == 10_002
        assert turns == 101


ACTS = st.lists(
    st.one_of(
        st.tuples(st.just("send")),
        st.tuples(st.just("turn")),
        st.tuples(st.sampled_from(["watch", "sit", "leave"]), st.integers(0, 5)),
    ),
    max_size=80,
)


@given(ACTS, st.integers(1, 4))
def test_every_frame_since_he_came_in_order_once(acts: list[tuple[Any, ...]], most: int) -> None:
    async def run() -> None:
        usher = Usher(most)
        audience = Audience(usher)
        readers = [Reader() for _ in range(6)]
        due: list[list[int]] = [[] for _ in readers]
        here: dict[int, str] = {}
        number = 0
        for act, *who in acts:
            if act == "send":
                number += 1
                audience.send(frame(number))
                for reader in here:
                    due[reader].append(number)
            elif act == "turn":
                await asyncio.sleep(0)
            elif act == "leave":
                audience.leave(readers[who[0]])
                here.pop(who[0], None)
                due[who[0]] = list(readers[who[0]].got)  # what had not come yet never does
            else:
                audience.place(readers[who[0]], 0 if act == "sit" else None)
                here[who[0]] = act
            for reader, role in here.items():
                assert readers[reader].got == due[reader][: len(readers[reader].got)]
                if role == "sit":
                    assert readers[reader].got == due[reader]
        await served_out(audience)
        assert [reader.got for reader in readers] == due
        assert (len(audience), audience.watchers) == (len(here), list(here.values()).count("watch"))

    asyncio.run(run())
