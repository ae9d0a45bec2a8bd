"""A room's game as text: as the engine writes a match, and as JSON for programs."""

import asyncio
import json
from collections.abc import Callable
from typing import Final, TypeVar

import msgspec

from fourfold.engine.match import Decision, State, replay
from fourfold.engine.match import export as written
from fourfold.engine.match.export import NoSuchFormat
from fourfold.protocol import projection
from fourfold.protocol.projection import Attendance

AT_ONCE: Final = 1
"""How many games this process writes or reads at the same time. The event loop needs the rest of the processor."""


_T = TypeVar("_T")


class GameConverter:
    """Writes games as text and reads them, in a thread, one at a time. A long game would block the event loop.

    The thread shares no mutable state, so it needs no locks.
    """

    def __init__(self) -> None:
        self._free = asyncio.Semaphore(AT_ONCE)

    async def write(self, room: str, decisions: list[Decision], attendance: Attendance, format: str) -> str:
        """The game of `decisions`, the whole log of a room, as text. Raises `NoSuchFormat`."""
        return await self.apart(lambda: export(room, decisions, replay(decisions), attendance, format))

    async def apart(self, work: Callable[[], _T]) -> _T:
        """The result of `work`, run in the thread. `work` must share no mutable state."""
        async with self._free:
            return await asyncio.to_thread(work)


def export(room: str, decisions: list[Decision], state: State, attendance: Attendance, format: str) -> str:
    """A game as text. `decisions` are the whole log of the room, and `state` is its result. Raises `NoSuchFormat`."""
    if format == "json":
        return _json(room, decisions, state, attendance)
    formats = (*written.formats(state), "json")
    if format not in formats:
        raise NoSuchFormat(f"{state.variant} can be written as {', '.join(formats)}, not as {format!r}.")
    return written.export(room, decisions, state, format)


def _json(room: str, decisions: list[Decision], state: State, attendance: Attendance) -> str:
    """The snapshot and all updates, in the form that clients get."""
    names = state.position.seats
    updates = [projection.update(room, names, decision) for decision in decisions]
    snapshot = projection.snapshot(room, state, attendance, state.at)
    return json.dumps(msgspec.to_builtins({"room": snapshot, "updates": updates}), ensure_ascii=False)
