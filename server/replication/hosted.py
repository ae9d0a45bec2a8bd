"""What any replicated document has on this node: the writer of its log, and the feed to its followers."""

from collections.abc import Callable, Collection
from typing import Generic, TypeVar

from fourfold.engine.decisions import Decision, Rejection
from fourfold.protocol import from_server as wire
from fourfold.server.replication.fanout import Encoded
from fourfold.server.replication.feed import Feed
from fourfold.server.replication.log_writer import Answer, LogWriter, answer_of
from fourfold.server.replication.replica import Versioned
from fourfold.server.storage.event_log import Listener, Notification

_S = TypeVar("_S", bound=Versioned)
_C = TypeVar("_C")


class Hosted(Listener, Generic[_S, _C]):
    """A document on this node, such as a room or a study. Its commands change its state."""

    def __init__(self, id: str, writer: LogWriter[_S, _C], feed: Feed[_S]) -> None:
        self.id = id
        self.writer = writer
        self.feed = feed
        self.submit: Callable[[_C, str, Answer, str], None] = writer.submit
        """Queues a command: see `LogWriter.submit`."""

    @property
    def state(self) -> _S | None:
        """The current state; None until the first decision."""
        return self.writer.state

    @property
    def seq(self) -> int:
        """The version of `state`."""
        return self.writer.seq

    @property
    def gone(self) -> bool:
        """Whether the document has ended here: its log is no longer kept, or can't be read."""
        return self.writer.end is not None

    @property
    def closed(self) -> bool:
        """Whether this node has dropped the document."""
        return self.writer.closed

    @property
    def idle(self) -> bool:
        """Whether nobody on this node needs the document. It may be dropped, and loaded again later."""
        return self.feed.idle and not self.writer.busy

    def tell_again(self) -> None:
        """Call the observers again, because the store may have lost what they had written."""
        raise NotImplementedError

    async def judge(self, command: _C, by: str, key: str = "") -> int | Rejection:
        """`submit`, and wait for the answer."""
        return await answer_of(lambda answer: self.submit(command, by, answer, key))

    async def refresh(self) -> None:
        """Read the decisions of other nodes that have not arrived here yet. Raises `LogUnavailable`,
        `UnreadableEntry`."""
        await self.writer.load()

    async def decisions(self) -> list[Decision]:
        """All decisions of the log; none if it is no longer kept. Raises `LogUnavailable`, `UnreadableEntry`."""
        return await self.writer.read()

    def notified(self, notification: Notification) -> None:
        """A decision was appended."""
        self.writer.notified(notification)

    def lose(self, nodes: Collection[str]) -> None:
        """Some nodes have died. Notifications of their last decisions may be lost."""
        raise NotImplementedError

    def close(self) -> None:
        """Stop everything; the log remains."""
        self.writer.close()
        self.feed.close()

    def send_end(self, why: Rejection) -> None:
        """Send all followers the reason why the document has ended here."""
        self.feed.send(Encoded(wire.Error(kind=why.kind, code=why.code, message=why.message, room=self.id)))
