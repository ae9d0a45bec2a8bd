"""Frames for many followers, in bounded batches: each member gets every frame since it was added, in order, once."""

import asyncio
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from fourfold.protocol.from_server import Reply, Watchers
from fourfold.server.replication.fanout import Encoded, Fanout, FanoutScheduler


class Reader:
    """A follower that records its frames."""

    def __init__(self, journal: list[Any] | None = None) -> None:
        self.player_id = ""
        self.got: list[int] = []
        self._journal = journal

    def send(self, frame: Encoded) -> None:
        assert isinstance(frame.frame, Watchers)
        self.got.append(frame.frame.count)
        if self._journal is not None:
            self._journal.append((self, frame.frame.count))

    def reply(self, frame: Reply, id: int | None) -> None:
        raise AssertionError("nobody needs it")


def frame(number: int) -> Encoded:
    return Encoded(Watchers("room", number))


async def served_out(fanout: Fanout) -> None:
    for _ in range(1000):  # turns of the event loop: far more than any test needs
        await asyncio.sleep(0)
        if not fanout.pending:
            return
    raise AssertionError("still waiting")


class TestOneFanout:
    async def test_send_returns_before_anything_is_sent(self) -> None:
        fanout = Fanout(FanoutScheduler())
        member = Reader()
        fanout.add(member)
        fanout.send(frame(1))
        assert member.got == []
        await served_out(fanout)
        assert member.got == [1]

    async def test_who_comes_in_the_middle_of_a_delivery_gets_only_what_is_newer(self) -> None:
        fanout = Fanout(FanoutScheduler(share=10))
        early, late = [Reader() for _ in range(25)], Reader()
        for reader in early:
            fanout.add(reader)
        fanout.send(frame(1))
        await asyncio.sleep(0)
        assert [reader.got for reader in early].count([1]) == 10
        fanout.add(late)
        fanout.send(frame(2))
        await served_out(fanout)
        assert [reader.got for reader in early] == [[1, 2]] * 25
        assert late.got == [2]

    async def test_who_is_removed_is_still_owed_what_was_not_sent(self) -> None:
        fanout = Fanout(FanoutScheduler(share=1))
        first, second = Reader(), Reader()
        fanout.add(first)
        fanout.add(second)
        fanout.send(frame(1))
        fanout.send(frame(2))
        await asyncio.sleep(0)
        for reader in (first, second):
            for owed in fanout.remove(reader):
                reader.send(owed)
            assert reader.got == [1, 2]
        fanout.send(frame(3))
        await served_out(fanout)
        assert (first.got, second.got) == ([1, 2], [1, 2])

    async def test_who_was_removed_gets_nothing_more(self) -> None:
        fanout = Fanout(FanoutScheduler())
        leaver, stayer = Reader(), Reader()
        fanout.add(leaver)
        fanout.add(stayer)
        fanout.send(frame(1))
        fanout.remove(leaver)
        await served_out(fanout)
        assert (leaver.got, stayer.got) == ([], [1])
        assert (len(fanout), list(fanout)) == (1, [stayer])

    async def test_who_closes_while_being_sent_to_is_not_added_again(self) -> None:
        fanout = Fanout(FanoutScheduler())

        class Closing(Reader):
            def send(self, frame: Encoded) -> None:
                super().send(frame)
                fanout.remove(self)

        closing, stayer = Closing(), Reader()
        fanout.add(closing)
        fanout.add(stayer)
        fanout.send(frame(1))
        await served_out(fanout)
        assert (closing.got, stayer.got, list(fanout)) == ([1], [1], [stayer])

    async def test_coming_and_going_leaves_nothing_behind(self) -> None:
        fanout = Fanout(FanoutScheduler())
        stayer = Reader()
        fanout.add(stayer)
        for number in range(1000):
            passer = Reader()
            fanout.add(passer)
            fanout.send(frame(number))
            await served_out(fanout)
            fanout.remove(passer)
        assert stayer.got == list(range(1000))
        assert (len(fanout), len(fanout._frames), len(fanout._round)) == (1, 0, 0)


class TestManyRooms:
    async def test_a_long_line_keeps_no_other_room_waiting(self) -> None:
        journal: list[Any] = []
        scheduler = FanoutScheduler(share=100)
        crowd, pair = Fanout(scheduler), Fanout(scheduler)
        for _ in range(10_000):
            crowd.add(Reader(journal))
        guests = [Reader(journal) for _ in range(2)]
        for guest in guests:
            pair.add(guest)
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
        st.tuples(st.sampled_from(["add", "remove"]), st.integers(0, 5)),
    ),
    max_size=80,
)


@given(ACTS, st.integers(1, 4))
def test_every_frame_since_it_was_added_in_order_once(acts: list[tuple[Any, ...]], share: int) -> None:
    async def run() -> None:
        fanout = Fanout(FanoutScheduler(share))
        readers = [Reader() for _ in range(6)]
        due: list[list[int]] = [[] for _ in readers]
        here: set[int] = set()
        number = 0
        for act, *who in acts:
            before = sum(len(reader.got) for reader in readers)
            if act == "send":
                number += 1
                fanout.send(frame(number))
                for reader in here:
                    due[reader].append(number)
            elif act == "turn":
                await asyncio.sleep(0)
                assert sum(len(reader.got) for reader in readers) - before <= share
            elif act == "remove":
                owed = [one.frame.count for one in fanout.remove(readers[who[0]]) if isinstance(one.frame, Watchers)]
                assert readers[who[0]].got + owed == due[who[0]]
                here.discard(who[0])
                due[who[0]] = list(readers[who[0]].got)  # pending frames never arrive
            else:
                fanout.add(readers[who[0]])
                here.add(who[0])
            for reader in here:
                assert readers[reader].got == due[reader][: len(readers[reader].got)]
        await served_out(fanout)
        assert [reader.got for reader in readers] == due
        assert len(fanout) == len(here)

    asyncio.run(run())
