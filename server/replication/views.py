"""The parts of a list that clients follow. Each gets what has changed in its part, now and then."""

import asyncio
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from typing import Generic, TypeVar

from fourfold.protocol import from_server as wire
from fourfold.server.replication.fanout import Encoded, Fanout, FanoutScheduler, Follower

_P = TypeVar("_P", bound=Hashable)
_V = TypeVar("_V")
"""What names a part of a list, and the content of a part."""


@dataclass(slots=True)
class _View(Generic[_V]):
    """A part that is followed: its content as last sent, and its followers."""

    told: _V
    fanout: Fanout


class Views(Generic[_P, _V]):
    """Sends followers the changes of one part each."""

    def __init__(
        self, every: float, look: Callable[[_P], _V], news: Callable[[_V, _V], wire.Frame | None]
    ) -> None:
        """There are at least `every` seconds between two updates. `look` returns the content of a part. `news` makes
        the frame with the changes from one content to another; None without any."""
        self._every = every
        self._look = look
        self._news = news
        self._scheduler = FanoutScheduler()
        self._views: dict[_P, _View[_V]] = {}
        self._following: dict[Follower, _P] = {}
        self._timer: asyncio.TimerHandle | None = None

    def __iter__(self) -> Iterator[_V]:
        """The content of each followed part, as last sent."""
        return iter([view.told for view in self._views.values()])

    @property
    def followers(self) -> Iterator[Follower]:
        """All followers."""
        return iter(self._following)

    def follow(self, follower: Follower, part: _P) -> _V:
        """The content of a part. Sends a follower every change to it from now on, and of no other part."""
        self.unfollow(follower)
        view = self._views.get(part)
        if view is None:
            view = self._views[part] = _View(self._look(part), Fanout(self._scheduler))
        view.fanout.add(follower)
        self._following[follower] = part
        return view.told

    def unfollow(self, follower: Follower) -> None:
        """Stop sending changes to a follower."""
        part = self._following.pop(follower, None)
        if part is not None:
            fanout = self._views[part].fanout
            fanout.remove(follower)
            if not fanout:
                del self._views[part]

    def changed(self) -> None:
        """The list has changed: send the followers its changes soon."""
        if self._views and self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(self._every, self._tell)

    def _tell(self) -> None:
        self._timer = None
        for part, view in self._views.items():
            before, view.told = view.told, self._look(part)
            frame = self._news(before, view.told)
            if frame is not None:
                view.fanout.send(Encoded(frame))

    def stop(self) -> None:
        """Send nothing more."""
        if self._timer is not None:
            self._timer.cancel()
        self._scheduler.stop()
