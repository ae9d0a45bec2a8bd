"""What each node says of itself: kept per node, asked for, and dropped with the node."""

import asyncio

from fourfold.server.replication.node_shares import NodeShares
from fourfold.server.storage.event_log import LogUnavailable
from tests.server.memory_log import MemoryLog


class Channel(MemoryLog):
    """The channel of a room with `servers` listeners, which may fail."""

    def __init__(self, servers: int = 1) -> None:
        super().__init__(lambda: 0)
        self.servers = servers
        self.sent: list[bytes] = []
        self.error: Exception | None = None

    def tell(self, room: str, message: bytes) -> "asyncio.Future[int]":
        self.sent.append(message)
        told: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        if self.error is None:
            told.set_result(self.servers)
        else:
            told.set_exception(self.error)
        return told


async def test_the_latest_share_of_each_other_node_is_kept() -> None:
    channel = Channel()
    shares: NodeShares[str] = NodeShares(channel, "room")
    assert shares.receive("b", "one") and shares.receive("c", "two") and shares.receive("b", "three")
    assert not shares.receive(channel.node, "own")
    assert shares.others == {"b": "three", "c": "two"}


async def test_the_share_of_a_dead_node_is_dropped() -> None:
    shares: NodeShares[str] = NodeShares(Channel(), "room")
    shares.receive("b", "one")
    assert shares.lose(["d"]) == []
    assert shares.lose(["b", "d"]) == ["one"]
    assert shares.others == {}


async def test_a_node_that_does_not_reply_has_nothing_to_say() -> None:
    channel = Channel(servers=2)
    shares: NodeShares[str] = NodeShares(channel, "room")
    shares.receive("b", "old")
    shares.receive("c", "old")
    asking = asyncio.create_task(shares.ask(b"who?"))
    await asyncio.sleep(0)
    shares.receive("b", "new")
    await asking
    assert channel.sent == [b"who?"]
    assert shares.others == {"b": "new"}


async def test_a_node_that_did_not_reply_was_known_until_it_is_dead() -> None:
    shares: NodeShares[str] = NodeShares(Channel(servers=1), "room")
    for node in ("b", "c"):
        shares.receive(node, "old")
    await shares.ask(b"who?")
    assert shares.others == {}
    shares.receive("c", "slow")
    assert [shares.knew([node]) for node in "bcd"] == [True, True, False]
    assert shares.lose(["b", "c"]) == ["slow"]
    assert not shares.knew(["b", "c"])


async def test_a_slow_node_is_not_dropped() -> None:
    shares: NodeShares[str] = NodeShares(Channel(servers=3), "room")
    shares.receive("b", "old")
    await shares.ask(b"who?")  # which nobody answers
    assert shares.others == {"b": "old"}


async def test_a_share_is_not_sent_while_the_store_is_away() -> None:
    channel = Channel()
    channel.error = LogUnavailable("away")
    faults: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: faults.append(context))
    shares: NodeShares[str] = NodeShares(channel, "room")
    shares.tell(b"share")
    await asyncio.sleep(0)
    assert (channel.sent, faults) == ([b"share"], [])
    channel.error = OSError("a fault of the server")
    shares.tell(b"share")
    await asyncio.sleep(0)
    assert len(faults) == 1
