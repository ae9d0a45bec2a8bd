"""Limits on opening rooms: how many per minute, how many unstarted ones, and how many in all.

The server checks which of an address's rooms have started only when the address has reached its limit. So nothing has
to be kept up to date. Every process counts for itself.
"""

from typing import Final

from fourfold.engine.match import Status
from fourfold.server.clock import DAY, Clock
from fourfold.server.limits.admission import Admission
from fourfold.server.limits.refused import RequestRefused
from fourfold.server.replication.holding import NoSuchRoom
from fourfold.server.rooms.registry import RoomRegistry
from fourfold.server.settings import Settings
from fourfold.server.storage.event_log import UnreadableEntry

LATER: Final = 30_000
"""Milliseconds after which to try again when there is no space for more rooms."""


class RoomLimits:
    """Counts the rooms that each address opens."""

    def __init__(self, settings: Settings, admission: Admission, rooms: RoomRegistry, clock: Clock) -> None:
        self._most = settings.max_open
        self._most_in_all = settings.max_rooms_total
        self._admission = admission
        self._rooms = rooms
        self._clock = clock
        self._opened: dict[str, dict[str, int]] = {}  # by address: the rooms, with their times; the latest is last

    async def claim(self, address: str, id: str) -> None:
        """Count a room that an address is about to open, unless it exists already.

        Raises `RequestRefused` over the limit, and `LogUnavailable`.
        """
        opened = self._opened.pop(address, {})
        self._forget()
        self._opened[address] = opened
        if id in opened or self._rooms.holding(id) is not None:
            return
        if (why := self._rooms.read_only) is not None:
            raise RequestRefused("store_full", why, LATER)
        if (why := self._rooms.crowded) is not None:
            why = f"{why[0].upper()}{why[1:]}"
            raise RequestRefused("store_full", f"{why}. No new rooms for now; games go on.", LATER)
        if self._most_in_all and self._rooms.reach(self._most_in_all):
            raise RequestRefused(
                "too_many_rooms", "The server has as many rooms as it can take. Try again later.", LATER
            )
        if not self._admission.counts(address):
            return
        if self._most and len(opened) >= self._most:
            await self._look_again(opened)
            if len(opened) >= self._most:
                raise RequestRefused(
                    "too_many_rooms",
                    f"{self._most} rooms opened from your address have not begun. Close one, or wait for one to begin.",
                )
        wait = self._admission.open_room(address)
        if wait:
            seconds = -(-wait // 1000)
            raise RequestRefused(
                "too_many_rooms", f"Too many rooms were opened from your address. Try again in {seconds} s.", wait
            )
        opened[id] = self._clock()

    async def _look_again(self, opened: dict[str, int]) -> None:
        """Drop the rooms that have begun or are gone."""
        for id in list(opened):
            try:
                state = (self._rooms.holding(id) or await self._rooms.find(id)).state
            except (NoSuchRoom, UnreadableEntry):
                state = None
            if state is None or state.status is not Status.OPEN:
                opened.pop(id, None)

    def _forget(self) -> None:
        """Drop addresses that have opened nothing for a day: they have no unstarted rooms."""
        while self._opened:
            address, opened = next(iter(self._opened.items()))
            if opened and max(opened.values()) + DAY > self._clock():
                return
            del self._opened[address]
