"""The listings of public rooms that are open or being played, in order. Finds any part of them fast. Pure.

A listing has the version of its room's log. An older listing never replaces a newer one.
"""

import heapq
import itertools
from bisect import bisect_left, insort
from collections import OrderedDict
from collections.abc import Iterator
from typing import Final, NamedTuple

from fourfold.engine.match import State, Status
from fourfold.protocol.from_server import Control, ListedSeat, Listing
from fourfold.server.players.identity import is_bot

REMEMBERED: Final = 1000
"""How many of the latest removed rooms are remembered, so that a late, older posting cannot bring them back."""


class ListingFilter(NamedTuple):
    """Selects listings: of one variant (None: any), of one status (None: both), at most `limit`."""

    variant: str | None = None
    status: str | None = None
    limit: int = 50


def listing(room: str, state: State, watchers: int, empty: bool, *, unlisted: bool = False) -> Listing | None:
    """The listing of a room; None if it has none. `empty` is whether nobody is there.

    Finished or adjourned games, and rooms whose seekers have all gone have none; nor have private rooms, except
    `unlisted` ones that somebody may know of.
    """
    seated = any(seat.player is not None for seat in state.seats)
    if state.status is Status.FINISHED or state.adjourned is not None:
        return None
    if state.visibility != "public" and not unlisted:
        return None
    if state.terms.seek and not seated:
        return None
    control = None if state.clocks is None else state.clocks.control
    return Listing(
        room=room,
        variant=state.variant,
        clock=None if control is None else Control(control.base, control.increment, control.delay),
        status="open" if state.status is Status.OPEN else "playing",
        seats=[
            ListedSeat(
                name, seat.name, seat.invited is not None if seat.player is None else is_bot(seat.player), seat.player
            )
            for name, seat in zip(state.start.seats, state.seats, strict=True)
        ],
        ply=state.ply,
        watchers=watchers,
        created=state.created,
        locked=state.terms.lock is not None,
        seek=state.terms.seek,
        empty=empty,
        rated=state.terms.rated and not state.casual,
    )


class _Held(NamedTuple):
    """A listing, the version of the log it is from, and when it was last confirmed."""

    seq: int
    listing: Listing
    checked: int


_Place = tuple[bool, int, str]
"""The sort key of a listing: whether somebody is there, when the room was created, and its id."""


def _place(listing: Listing) -> _Place:
    return not listing.empty, listing.created, listing.room


class ListingIndex:
    """All listings: by room, and sorted by age for each status and variant, those of empty rooms before the others."""

    def __init__(self) -> None:
        self._held: OrderedDict[str, _Held] = OrderedDict()  # those checked last are last
        self._gone: OrderedDict[str, int] = OrderedDict()  # with the version at which they went; the latest are last
        self._sorted: dict[tuple[str, str], list[_Place]] = {}

    def __len__(self) -> int:
        return len(self._held)

    def __iter__(self) -> Iterator[str]:
        """The ids of the rooms."""
        return iter(self._held)

    def get(self, room: str) -> Listing | None:
        """A room's listing; None if it has none."""
        held = self._held.get(room)
        return None if held is None else held.listing

    def put(self, room: str, seq: int, listing: Listing | None, now: int) -> bool:
        """Set a room's listing (None: it has none) as of version `seq` of its log; returns whether it changed."""
        held = self._held.get(room)
        if seq < (self._gone.get(room, 0) if held is None else held.seq):
            return False
        before = None if held is None else held.listing
        if before is not None:
            self._remove(before)
        if listing is None:
            self._gone[room] = seq
            self._gone.move_to_end(room)
            if len(self._gone) > REMEMBERED:
                self._gone.popitem(last=False)
        else:
            self._held[room] = _Held(seq, listing, now)
            insort(self._sorted.setdefault((listing.status, listing.variant), []), _place(listing))
        return before != listing

    def find(self, part: ListingFilter) -> list[Listing]:
        """The listings that pass a filter, newest first; empty rooms come last."""
        lists = [reversed(places) for key, places in self._sorted.items() if _of(key, part)]
        places = itertools.islice(heapq.merge(*lists, reverse=True), part.limit)
        return [self._held[room].listing for _, _, room in places]

    def unchecked(self, since: int, most: int) -> list[tuple[str, int]]:
        """Up to `most` rooms whose listing has not been confirmed since a time, with the versions listed."""
        stale = itertools.takewhile(lambda item: item[1].checked < since, self._held.items())
        return [(room, held.seq) for room, held in itertools.islice(stale, most)]

    def confirm(self, room: str, now: int) -> None:
        """Record that a room's listing is right."""
        held = self._held.get(room)
        if held is not None:
            self._held[room] = held._replace(checked=now)
            self._held.move_to_end(room)

    def _remove(self, listing: Listing) -> None:
        del self._held[listing.room]
        places = self._sorted[listing.status, listing.variant]
        del places[bisect_left(places, _place(listing))]
        if not places:
            del self._sorted[listing.status, listing.variant]


def _of(key: tuple[str, str], part: ListingFilter) -> bool:
    status, variant = key
    return part.status in (None, status) and part.variant in (None, variant)


def changes(before: dict[str, Listing], now: dict[str, Listing]) -> tuple[list[Listing], list[str]]:
    """The difference between two lists: the new or changed listings, and the rooms that are gone."""
    changed = [listing for room, listing in now.items() if before.get(room) != listing]
    return changed, [room for room in before if room not in now]
