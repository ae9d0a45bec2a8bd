"""Pictures of the positions of rooms and studies, public for everyone with the link. They show the view of viewers
without a seat and without an account."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from http import HTTPStatus
from typing import Final
from urllib.parse import parse_qs

from fourfold.engine.position import Position
from fourfold.engine.study import steps
from fourfold.server.limits.admission import PICTURE, Admission
from fourfold.server.limits.refused import RequestRefused
from fourfold.server.players.accounts import AccountRefused
from fourfold.server.replication.holding import NoSuchRoom
from fourfold.server.rooms.past import position_at
from fourfold.server.rooms.registry import RoomRegistry
from fourfold.server.storage.event_log import LogUnavailable, UnreadableEntry
from fourfold.server.studies.registry import StudyRegistry
from fourfold.server.transport.raster import SIDE, NotDrawn, Rasteriser
from fourfold.server.transport.static_files import StaticFile, png_file, svg_file
from fourfold.server.yielding_lock import YieldingLock

SIZE: Final = 560
"""The default width of an SVG, in pixels."""

GROUND: Final = "#36332d"
"""The background of a PNG, so that boards with cut corners stand out in any program."""

_PATH: Final = re.compile(r"/([rs])/([0-9a-z]{1,32})\.(svg|png)")
_PLY: Final = re.compile(r"[0-9]{1,4}")
_NODE: Final = re.compile(r"[0-9]{1,6}")


@dataclass(frozen=True, slots=True)
class NoPicture:
    """Why there is no picture: an HTTP status, a sentence, and when to try again (seconds)."""

    status: HTTPStatus
    sentence: str
    retry: int | None = None

    @classmethod
    def later(cls, error: RequestRefused) -> "NoPicture":
        """The answer when the client requested too many pictures."""
        retry = -(-(error.rejection.retry or 1000) // 1000)
        return cls(HTTPStatus.TOO_MANY_REQUESTS, error.rejection.message, retry)


class Pictures:
    """Draws positions of rooms and studies."""

    def __init__(
        self,
        rooms: RoomRegistry,
        studies: StudyRegistry,
        admission: Admission,
        enter: Callable[[str], None],
        long_work: YieldingLock,
        rasteriser: Rasteriser,
    ) -> None:
        """`enter` raises `AccountRefused` for a room that moderators have locked."""
        self._enter = enter
        self._rooms = rooms
        self._studies = studies
        self._admission = admission
        self._long_work = long_work
        self._rasteriser = rasteriser

    async def find(self, path: str, query: str, address: str) -> StaticFile | NoPicture | None:
        """The picture at `/r/ROOM.svg` or `/s/STUDY.svg`, or with `.png`, requested from an address; None for any other
        path.

        For a room the query may have the `ply`, the number of moves played; without one, it is the latest position.
        Pictures show a game with its room's delay, as watchers see it. A room with a password has none. For a study the
        query may have the `chapter` and the `node`, both by number; without them, it is the end of the first chapter's
        main line. A study has none unless everybody with its link may see it.
        """
        named = _PATH.fullmatch(path)
        if named is None:
            return None
        kind, id, form = named.groups()
        told = {name: values[0] for name, values in parse_qs(query).items()}
        if kind == "r" and not _PLY.fullmatch(told.get("ply", "0")):
            return NoPicture(HTTPStatus.BAD_REQUEST, "The ply is the number of moves played: 0 or more.")
        if kind == "s" and not all(_NODE.fullmatch(told.get(name, "0")) for name in ("chapter", "node")):
            return NoPicture(HTTPStatus.BAD_REQUEST, "The chapter and the node must be numbers.")
        asked = {name: int(told[name]) for name in ("ply", "chapter", "node") if name in told}
        try:
            self._admission.do(PICTURE, address)
            self._enter(id)
            if kind == "r":
                position = await self._of_room(id, asked.get("ply"))
            else:
                position = await self._of_study(id, asked.get("chapter"), asked.get("node"))
            if isinstance(position, NoPicture):
                return position
            return await (self._png(position) if form == "png" else self._svg(position))
        except NoSuchRoom:
            sentence = "There is no such room." if kind == "r" else "There is no such study."
            return NoPicture(HTTPStatus.NOT_FOUND, sentence)
        except RequestRefused as error:
            return NoPicture.later(error)
        except AccountRefused as error:
            return NoPicture(HTTPStatus.FORBIDDEN, error.message)
        except NotDrawn as error:
            return NoPicture(HTTPStatus.SERVICE_UNAVAILABLE, str(error), error.retry)
        except LogUnavailable:
            return NoPicture(HTTPStatus.SERVICE_UNAVAILABLE, "The store does not answer. Try again.", 1)
        except UnreadableEntry:
            return NoPicture(HTTPStatus.SERVICE_UNAVAILABLE, "The log of this room can't be read here.")

    async def _of_room(self, id: str, ply: int | None) -> Position | NoPicture:
        room = await self._rooms.find(id)
        state = room.shown
        assert state is not None  # a room that was found has one
        if state.terms.lock is not None:
            return NoPicture(HTTPStatus.FORBIDDEN, "This room has a password. Watch it with the password instead.")
        return await position_at(state, ply, self._long_work)

    async def _of_study(self, id: str, number: int | None, node: int | None) -> Position | NoPicture:
        room = await self._studies.find(id)
        if not room.study.may_see(""):
            raise NoSuchRoom(id)
        chapters = room.study.chapters
        chapter = next((one for one in chapters if number in (None, one.number)), None)
        if chapter is None:
            return NoPicture(HTTPStatus.NOT_FOUND, "This study has no such chapter.")
        if node is None:
            node = 0
            while follows := chapter.follows(node):
                node = follows[0]
        await room.prepare(chapter.number, node, self._long_work)
        async with self._long_work:
            if node not in chapter.nodes:
                return NoPicture(HTTPStatus.NOT_FOUND, "This study has no such move.")
            return steps.position_at(room.study, chapter, node)

    async def _svg(self, position: Position) -> StaticFile:
        async with self._long_work:
            text = position.svg(SIZE)
        async with self._long_work:
            return svg_file(text)

    async def _png(self, position: Position) -> StaticFile:
        async with self._long_work:
            text = _square(position)
        return png_file(await self._rasteriser.draw(text))


def _square(position: Position) -> str:
    """The picture of a position in the middle of a square, for boards of any shape. A page names the picture's size
    before it knows the board."""
    board = position.rules.geometry
    longer = max(board.files, board.ranks)
    x, y = (SIDE * (longer - squares) // (2 * longer) for squares in (board.files, board.ranks))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{SIDE}" height="{SIDE}">'
        f'<rect width="{SIDE}" height="{SIDE}" fill="{GROUND}"/>'
        f'<g transform="translate({x} {y})">{position.svg(SIDE * board.files // longer)}</g></svg>'
    )
