"""Limits on opening rooms: how many a minute, how many whose game has not begun, and how many in all.

Whether the games of an address's rooms have begun is looked up only when the address has reached its limit, so nothing
has to be kept up to date. Every process counts for itself.
"""

from typing import Final

from fourfold.engine.match import Status
from fourfold.server.clock import Clock
from fourfold.server.limits.admission import Admission
from fourfold.server.limits.refused import RequestRefused
from fourfold.server.rooms.holding import NoSuchRoom
from fourfold.server.rooms.registry import RoomRegistry
from fourfold.server.rooms.retention import DAY
from fourfold.server.settings import Settings
from fourfold.server.storage.event_log import UnreadableEntry

LATER: Final = 30_000
"""After how many milliseconds to try again when there is no space for more rooms."""


class RoomLimits:
    """Counts the rooms that each address opens."""

    def __init__(self, settings: Settings, admission: Admission, rooms: RoomRegistry, clock: Clock) -> None:
        self._most = settings.max_open
        self._most_in_all = settings.max_rooms_total
        self._admission = admission
        self._rooms = rooms
        self._clock = clock
        self._opened: dict[str, dict[str, int]] = {}  # by address: which rooms, and when; the latest is last

    async def claim(self, address: str, id: str) -> None:
        """Count the room of an id, about to be opened from an address, unless it is there already.

        Raises `RequestRefused` if it may not be, and `LogUnavailable`.
        """
        opened = self._opened.pop(address, {})
        self._forget()
        self._opened[address] = opened
        if id in opened or self._rooms.holding(id) is not None:
            return
        if self._rooms.crowded:
            raise RequestRefused(
                "store_full", "The store's memory is nearly full: no new rooms for now; games go on.", LATER
            )
        if self._most_in_all and self._rooms.reach(self._most_in_all):
            raise RequestRefused(
                "too_many_rooms", "There are as many rooms here as there may be; try again later.", LATER
            )
        if not self._admission.counts(address):
            return
        if self._most and len(opened) >= self._most:
            await self._look_again(opened)
            if len(opened) >= self._most:
                raise RequestRefused(
                    "too_many_rooms",
                    f"{self._most} rooms opened from your address have not begun; close one, or wait until one has.",
                )
        wait = self._admission.open_room(address)
        if wait:
            seconds = -(-wait // 1000)
            raise RequestRefused(
                "too_many_rooms", f"Too many rooms were opened from your address; try again in {seconds} s.", wait
            )
        opened[id] = self._clock()

    async def _look_again(self, opened: dict[str, int]) -> None:
        """Forget the rooms that have begun, or are no more."""
        for id in list(opened):
            try:
                state = (self._rooms.holding(id) or await self._rooms.find(id)).state
            except (NoSuchRoom, UnreadableEntry):
                state = None
            if state is None or state.status is not Status.OPEN:
                opened.pop(id, None)

    def _forget(self) -> None:
        """An address that has opened nothing for a day has no room that has not begun."""
        while self._opened:
            address, opened = next(iter(self._opened.items()))
            if opened and max(opened.values()) + DAY > self._clock():
                return
            del self._opened[address]
