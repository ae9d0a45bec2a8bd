"""The viewers of a study: every node shows those of all nodes, and counts each player once."""

import asyncio
from collections.abc import Callable

from fourfold.server.replication.fanout import Encoded
from fourfold.server.studies.cursors import SHOWN, Cursors
from tests.conftest import HANG
from tests.server.memory_log import MemoryLog


class Viewer:
    """A connection of a player. A `Follower`."""

    def __init__(self, player: str) -> None:
        self.player_id = player
        self.gone = False

    def send(self, frame: Encoded) -> None:
        """Ignore the frame: other tests read the frames of studies."""


class Node(MemoryLog):
    """One of several nodes, whose messages reach the cursors of all."""

    def __init__(self, all_cursors: list[Cursors]) -> None:
        super().__init__(lambda: 0)
        self._all_cursors = all_cursors

    def tell(self, room: str, message: bytes) -> "asyncio.Future[int]":
        loop = asyncio.get_running_loop()
        for cursors in self._all_cursors:
            loop.call_soon(cursors.told, message)
        told: asyncio.Future[int] = loop.create_future()
        told.set_result(len(self._all_cursors))
        return told


class Study:
    """A study that is open at some nodes."""

    def __init__(self, nodes: int) -> None:
        self.at: list[Cursors] = []
        self.names: list[str] = []
        self.changes = [0] * nodes
        for _ in range(nodes):
            self.open()

    def open(self) -> Cursors:
        log, number = Node(self.at), len(self.at)
        if number == len(self.changes):
            self.changes.append(0)

        def changed() -> None:
            self.changes[number] += 1

        self.at.append(Cursors("study", log, lambda: 1, changed))
        self.names.append(log.node)
        return self.at[-1]

    def shown(self, number: int) -> tuple[set[tuple[str, int | None]], int]:
        cursors, count = self.at[number].shown(lambda player: player == "owner")
        return {(one.player, one.node) for one in cursors}, count


async def until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(HANG):
        while not holds():  # noqa: ASYNC110 - nothing tells of it
            await asyncio.sleep(0.01)


async def test_every_node_shows_who_looks_by_any() -> None:
    study = Study(2)
    ann, bob = Viewer("ann"), Viewer("bob")
    study.at[0].come(ann, "Ann")
    study.at[0].stand(ann, 1, 4)
    study.at[1].come(bob, "Bob")
    for number in (0, 1):
        await until(lambda number=number: study.shown(number) == ({("ann", 4), ("bob", None)}, 2))  # type: ignore[misc]
        assert study.changes[number] > 0
    study.at[0].go(ann)
    await until(lambda: study.shown(1) == ({("bob", None)}, 1))


async def test_a_player_counts_once_and_stands_where_they_moved_last() -> None:
    study = Study(1)
    first, second = Viewer("ann"), Viewer("ann")
    for viewer in (first, second):
        study.at[0].come(viewer, "Ann")
    study.at[0].stand(second, 1, 2)
    study.at[0].stand(first, 1, 7)
    assert study.shown(0) == ({("ann", 7)}, 1)
    study.at[0].go(first)
    assert study.shown(0) == ({("ann", 2)}, 1)


async def test_a_player_at_two_nodes_counts_once() -> None:
    study = Study(2)
    for cursors in study.at:
        cursors.come(Viewer("ann"), "Ann")
    await until(lambda: all(study.changes))
    await until(lambda: [study.shown(number)[1] for number in (0, 1)] == [1, 1])


async def test_a_node_that_opens_the_study_learns_who_looks() -> None:
    study = Study(1)
    study.at[0].come(Viewer("ann"), "Ann")
    await until(lambda: study.changes[0] > 0)
    study.open().ask()
    await until(lambda: study.shown(1) == ({("ann", None)}, 1))


async def test_the_share_of_a_dead_node_goes() -> None:
    study = Study(2)
    study.at[0].come(Viewer("ann"), "Ann")
    await until(lambda: study.shown(1)[1] == 1)
    assert not study.at[1].lose(["another"])
    assert study.at[1].lose([study.names[0]])
    assert study.shown(1) == (set(), 0)


async def test_so_many_are_shown_and_all_are_counted_and_writers_come_first() -> None:
    study = Study(1)
    for number in range(SHOWN + 5):
        study.at[0].come(Viewer(f"p{number}"), "P")
    study.at[0].come(Viewer("owner"), "Owner")
    cursors, count = study.at[0].shown(lambda player: player == "owner")
    assert (len(cursors), count) == (SHOWN, SHOWN + 6)
    assert cursors[0].player == "owner"


async def test_a_message_of_a_newer_node_is_skipped() -> None:
    study = Study(1)
    study.at[0].told(b"\xc1")
    assert study.shown(0) == (set(), 0)
