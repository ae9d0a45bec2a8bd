"""A study of a server, for a program that reads or writes it.

    async for news in study.news():
        study.take(news)          # study.study is up to date now
"""

from collections.abc import AsyncIterator
from typing import Final, TypeAlias

from fourfold.clients.connection import Connection
from fourfold.clients.errors import RequestError
from fourfold.clients.following import Following
from fourfold.clients.study_state import Study
from fourfold.clients.websocket import study_url
from fourfold.protocol import from_server as told
from fourfold.protocol.studies import AnyChange, NodePosition, Source

AHEAD: Final = 4
"""The number of boards of the main line that are fetched together with a requested board."""

HELD: Final = 300
"""The most boards to keep."""

StudyNews: TypeAlias = told.Study | told.Update | told.Cursors
"""News: `Study` (a new snapshot), `Update` (an edit), `Cursors` (who looks at which move)."""


class OpenStudy:
    """A followed study. A `Venue` creates it after its first snapshot.

    `study` is its present state, and `address` the URL for a browser. The methods raise `RequestError` if the server
    refuses, and `ConnectionFault` once the connection is lost for good.
    """

    def __init__(self, connection: Connection, following: Following, snapshot: told.Study) -> None:
        assert connection.player is not None  # it is open
        self.player = connection.player
        """The user's id."""
        self.notes: list[str] = []
        """Sentences about parts of its text that were not read."""
        self.study = Study(snapshot)
        self.address = study_url(connection.url, snapshot.room)
        self._connection = connection
        self._following = following
        self._positions: dict[tuple[int, int], NodePosition] = {}

    @property
    def writes(self) -> bool:
        """Whether the user can change its chapters."""
        return self.study.may_write(self.player)

    async def news(self) -> AsyncIterator[StudyNews]:
        """The news, for one reader, who passes each to `take`. The iteration ends when the study is left. It raises the
        error that made it impossible to continue, such as `RequestError` (`no_such_room`) once the user can no longer
        see it."""
        async for frame in self._following:
            if isinstance(frame, told.Study | told.Update | told.Cursors):
                yield frame

    def take(self, news: StudyNews) -> None:
        """Take in the next news."""
        if isinstance(news, told.Study):
            self.study = Study(news)
        else:
            self.study.take(news)

    async def edit(self, change: AnyChange) -> int:
        """Change the study, and return the version of the change."""
        return await self._connection.edit(self.study.room, change)

    async def add(self, source: Source) -> tuple[int, list[str]]:
        """Add chapters. Return the version, and sentences about parts of a text that were not read."""
        done = await self._connection.add_chapters(self.study.room, source)
        assert isinstance(done.seq, int)  # the request was about a room
        return done.seq, done.notes or []

    async def position(self, chapter: int, node: int) -> NodePosition | None:
        """The board after a move, with its legal moves; None if the move was removed."""
        held = self._positions.get((chapter, node))
        if held is not None:
            return held
        tree = self.study.chapter(chapter)
        if tree is None or node not in tree.nodes:
            return None
        wanted = [node, *tree.line(node)[:AHEAD]]
        lacking = [one for one in wanted if (chapter, one) not in self._positions]
        for found in await self._connection.look(self.study.room, chapter, lacking):
            self._positions[chapter, found.node] = found
        while len(self._positions) > HELD:
            del self._positions[next(iter(self._positions))]
        return self._positions.get((chapter, node))

    async def stand(self, chapter: int, node: int) -> None:
        """Show other readers the user's current move."""
        await self._connection.stand(self.study.room, chapter, node)

    async def export(self, format: str, chapter: int | None = None) -> str:
        """Its chapters as text: those in the format `pgn` or `pgn4`, or one of them."""
        return await self._connection.export(self.study.room, format, chapter)

    async def leave(self) -> None:
        """Stop following it; `news` ends. Takes at most a second."""
        self._following.end()
        await self._connection.depart(self.study.room)


async def follow(connection: Connection, room: str) -> OpenStudy:
    """Follow a study, and return it after its first snapshot.

    Raises `RequestError`, also for a room that is not a study (`no_such_room`), and `ConnectionFault`.
    """
    following = connection.follow(room)
    try:
        async for frame in following:
            if isinstance(frame, told.Study):
                return OpenStudy(connection, following, frame)
            break
    except RequestError as error:
        raise missing() if error.code == "no_such_room" else error from None
    await connection.leave(room)
    raise missing()


def missing() -> RequestError:
    """The refusal for a study that the user cannot see."""
    why = "There is no such study, or it is private, and you are not among those who may see it."
    return RequestError(told.Error(kind="refused", code="no_such_room", message=why))
