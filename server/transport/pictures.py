"""Pictures of the positions of rooms, for anybody who has the link: as those see the game who have no seat."""

import re
from dataclasses import dataclass
from http import HTTPStatus
from typing import Final
from urllib.parse import parse_qs

from fourfold.server.limits.admission import PICTURE, Admission
from fourfold.server.limits.refused import RequestRefused
from fourfold.server.limits.yielding_lock import YieldingLock
from fourfold.server.rooms.holding import NoSuchRoom
from fourfold.server.rooms.past import position_at
from fourfold.server.rooms.registry import RoomRegistry
from fourfold.server.storage.event_log import LogUnavailable, UnreadableEntry
from fourfold.server.transport.static_files import StaticFile, svg_file

SIZE: Final = 560
"""How wide a picture is, in pixels, where nothing else says so."""

_PATH: Final = re.compile(r"/r/([0-9a-z]{1,32})\.svg")
_PLY: Final = re.compile(r"[0-9]{1,4}")


@dataclass(frozen=True, slots=True)
class NoPicture:
    """Why there is no picture: an HTTP status, a sentence, and when to try again (seconds)."""

    status: HTTPStatus
    sentence: str
    retry: int | None = None


class Pictures:
    """Draws positions of rooms."""

    def __init__(self, rooms: RoomRegistry, admission: Admission, long_work: YieldingLock) -> None:
        self._rooms = rooms
        self._admission = admission
        self._long_work = long_work

    async def find(self, path: str, query: str, address: str) -> StaticFile | NoPicture | None:
        """The picture at `/r/ROOM.svg`, asked for from an address; None for any other path.

        The query may have the `ply`, how many moves have been played; without one, it is the latest position. Watchers
        see a game with its room's delay, and so do pictures show it. A room with a password has none.
        """
        named = _PATH.fullmatch(path)
        if named is None:
            return None
        told = parse_qs(query).get("ply")
        if told is not None and not _PLY.fullmatch(told[0]):
            return NoPicture(HTTPStatus.BAD_REQUEST, "The ply is how many moves have been played: a number from 0.")
        try:
            self._admission.do(PICTURE, address)
            return await self._draw(named[1], None if told is None else int(told[0]))
        except NoSuchRoom:
            return NoPicture(HTTPStatus.NOT_FOUND, "There is no such room.")
        except RequestRefused as error:
            retry = -(-(error.rejection.retry or 1000) // 1000)
            return NoPicture(HTTPStatus.TOO_MANY_REQUESTS, error.rejection.message, retry)
        except LogUnavailable:
            return NoPicture(HTTPStatus.SERVICE_UNAVAILABLE, "The store does not answer. Try again.", 1)
        except UnreadableEntry:
            return NoPicture(HTTPStatus.SERVICE_UNAVAILABLE, "The log of this room can't be read here.")

    async def _draw(self, id: str, ply: int | None) -> StaticFile | NoPicture:
        room = await self._rooms.find(id)
        state = room.shown
        assert state is not None  # a room that is found has one
        if state.terms.lock is not None:
            return NoPicture(HTTPStatus.FORBIDDEN, "This room has a password: watch it with one.")
        position = await position_at(state, ply, self._long_work)
        async with self._long_work:
            text = position.svg(SIZE)
        async with self._long_work:
            return svg_file(text)
