"""The rooms that one connection follows: each room's frames in the order of the log, without gaps or repeats.

This module knows the order of `seq`. It knows neither sockets nor the meaning of events.
"""

import asyncio
from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from msgspec import UNSET

from fourfold.clients.errors import RequestError
from fourfold.clients.streams import Stream
from fourfold.protocol import from_server as told
from fourfold.protocol.from_client import Watch

_RETRY: Final = 3.0
"""Seconds before the client asks for a room again after the answer `unavailable`, if the answer names none."""

RoomFrame: TypeAlias = (
    told.Room | told.Study | told.Update | told.Turn
    | told.Presence | told.Watchers | told.Said | told.Reacted | told.Cursors
)  # fmt: skip
"""The frames of a followed room; for a study: `Study`, `Update` and `Cursors`."""


class Following(Stream[RoomFrame]):
    """The frames of one room, as an async iterator for one reader.

    It starts with the `room` snapshot (`study` for a study), or with the first `update` after `since`. Every `update`
    directly follows the one before, across reconnections too. Another snapshot comes after `join`, and if the server's
    store has lost decisions that this client saw. It replaces everything before, even if its version is lower. Frames
    wait until they are read.

    The iteration ends when the room is left or the connection is closed. It raises the error that made it impossible to
    continue.
    """

    def __init__(
        self,
        room: str,
        since: int | None = None,
        password: str | None = None,
        decided: int | None = None,
        preview: bool = False,
    ) -> None:
        super().__init__()
        self.room = room
        self.password = password
        self.preview = preview
        self.seq = since
        """The version of the last snapshot or update; None before the first."""
        self.decided = decided
        """The time of that version's decision; None if unknown."""

    def __repr__(self) -> str:
        return f"Following({self.room!r}, seq={self.seq})"

    def take(self, frame: RoomFrame) -> bool:
        """Take in a frame from the server. If a frame before it is missing, do not take it, and return False."""
        match frame:
            case told.Room(seq=seq, decided=decided) | told.Study(seq=seq, decided=decided):
                self.seq, self.decided = seq, decided or None
            case told.Update(seq=seq, time=time) if self.seq is not None:
                if seq <= self.seq:
                    return True
                if seq > self.seq + 1:
                    return False
                self.seq, self.decided = seq, time
            case told.Update() | told.Turn() if self.seq is None:
                return True  # the snapshot under way will contain it
            case told.Turn(seq=seq) if self.seq is not None and seq > self.seq:
                return False
        self.put(frame)
        return True

    def forget(self) -> None:
        """Start again from a snapshot."""
        self.seq = self.decided = None


class FollowedRooms:
    """The rooms that a session follows, each with its unanswered `watch` request. `post` sends a request, and returns
    its id and the future reply."""

    def __init__(self, post: Callable[[Watch], tuple[int, asyncio.Future[told.Reply]]]) -> None:
        self._post = post
        self._followings: dict[str, Following] = {}
        self._watches: dict[str, int] = {}

    def __contains__(self, room: str) -> bool:
        return room in self._followings

    @property
    def only(self) -> str | None:
        """The followed room with this id, or None."""
        return next(iter(self._followings)) if len(self._followings) == 1 else None

    def follow(
        self, room: str, since: int | None, password: str | None, decided: int | None, preview: bool = False
    ) -> Following:
        """The frames of a room. Asks for them unless the room is followed already."""
        following = self._followings.get(room)
        if following is None:
            following = self._followings[room] = Following(room, since, password, decided, preview)
            self._watch(following)
        return following

    def add(self, room: str) -> None:
        """Follow a joined room: its snapshot comes directly after the reply."""
        self._followings.setdefault(room, Following(room))

    def drop(self, room: str, reason: BaseException | None = None) -> None:
        """Stop following a room. Its reader gets the reason, if there is one."""
        self._watches.pop(room, None)
        following = self._followings.pop(room, None)
        if following is not None:
            following.end(reason)

    def take(self, frame: RoomFrame) -> None:
        """Take in a frame from the server. Asks for a room again if frames of it are missing."""
        following = self._followings.get(frame.room)
        if following is not None and not following.take(frame):
            self._watch_again(following)

    def interrupt(self) -> Sequence[int]:
        """Forget the unanswered `watch` requests of a lost socket, and return their ids."""
        ids = list(self._watches.values())
        self._watches.clear()
        return ids

    def resume(self) -> None:
        """Ask for every room again, from its last version."""
        for following in self._followings.values():
            self._watch(following)

    def end(self, reason: BaseException | None) -> None:
        """Stop following all rooms. Their readers get the reason, if there is one."""
        for following in self._followings.values():
            following.end(reason)
        self._followings.clear()

    def _watch(self, following: Following) -> None:
        """Ask for a room: for its snapshot, or for everything after the client's last version."""
        since, decided, password, preview = following.seq, following.decided, following.password, following.preview
        watch = Watch(room=following.room, since=since, password=password, decided=decided, preview=preview)
        id, future = self._post(watch)
        self._watches[following.room] = id
        future.add_done_callback(lambda done: self._watched(following, id, done))

    def _watched(self, following: Following, id: int, done: asyncio.Future[told.Reply]) -> None:
        if self._watches.get(following.room) != id:
            return  # asked for again on another socket, or left
        del self._watches[following.room]
        if done.exception() is not None:
            return  # the session has ended, and `following` learns of it too
        match done.result():
            case told.Error(code="ahead"):
                following.forget()
                self._watch(following)
            case told.Error(code="unavailable", retry=retry):
                wait = _RETRY if retry is UNSET else retry / 1000
                asyncio.get_running_loop().call_later(wait, self._watch_again, following)
            case told.Error() as error:
                self.drop(following.room, RequestError(error))

    def _watch_again(self, following: Following) -> None:
        if self._followings.get(following.room) is following and following.room not in self._watches:
            self._watch(following)
