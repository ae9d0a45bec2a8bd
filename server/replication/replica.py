"""This node's copy of a log: the state built from its decisions, their latest lineages, and command keys.

Of an applied decision, the copy keeps eight bytes for the command's key and, for a while, the lineage.
"""

import asyncio
from typing import Final, Generic, Protocol, TypeVar

from fourfold.engine.decisions import Decision
from fourfold.server.storage.event_log import DamagedEntry, EventLog, OtherLineage
from fourfold.server.storage.records import BEGINNING, evolved

LINEAGES: Final = 16
"""How many of the latest lineages are kept. A notification with one of these may be late, or belong to another log."""

FOLDED: Final = 200
"""How many decisions are applied in one turn of the event loop: some milliseconds of work."""

DIGEST: Final = 8
"""The size of a command key's digest, in bytes."""


class Versioned(Protocol):
    """What a log builds: a state that knows its version and the time of its latest decision (ms since 1970). Matches
    and studies implement it, without knowing of replication."""

    @property
    def seq(self) -> int:
        """The version."""

    @property
    def at(self) -> int:
        """The time of the latest decision."""


_S = TypeVar("_S", bound=Versioned)

History = list[tuple[Decision, _S]]
"""Decisions, each with the state after it."""


class Replica(Generic[_S]):
    """This node's copy of a log."""

    def __init__(self, room: str, log: EventLog) -> None:
        self.state: _S | None = None
        """The state after the latest decision; None until the first."""
        self.seq = 0
        """The version held."""
        self.lineage = BEGINNING
        """The lineage of the version held."""
        self._room = room
        self._log = log
        self._digests = bytearray()  # of the command keys, in the order of the versions
        self._lineages: list[bytes] = []  # of the latest versions

    # -- for subclasses --

    def evolve(self, before: _S | None, decision: Decision) -> _S:
        """The state after a decision that follows `before` (None before the first)."""
        raise NotImplementedError

    def delayed(self, state: _S) -> bool:
        """Whether watchers see a log late that is in this state."""
        return False

    # -- the copy --

    def take(self, decision: Decision) -> _S:
        """Apply the next decision; returns the state after it. Raises `DamagedEntry` if it can't follow the current
        state."""
        try:
            after = self.evolve(self.state, decision)
        except Exception as error:  # an impossible decision may raise any exception
            raise DamagedEntry(decision.seq, f"it cannot have happened ({error!r})") from error
        self.state, self.seq, self.lineage = after, decision.seq, decision.lineage
        self._digests += _digest(decision.by, decision.key)
        lineages = self._lineages
        lineages.append(decision.lineage)
        if len(lineages) > LINEAGES:
            del lineages[0]
        return after

    def agrees(self, seq: int, lineage: bytes) -> bool:
        """Whether version `seq`, at most the version held, is known to have this lineage."""
        ago = self.seq - seq
        return ago < len(self._lineages) and self._lineages[-1 - ago] in (lineage, BEGINNING)

    def version_of(self, by: str, key: str) -> int | None:
        """The version of a player's command with this key, the last if there were two; None if there is none.

        Two keys of a game are not expected to have the same digest.
        """
        digest = _digest(by, key)
        end = len(self._digests)
        while (place := self._digests.rfind(digest, 0, end)) >= 0:
            if place % DIGEST == 0:
                return place // DIGEST + 1
            end = place + DIGEST - 1  # the match spans the end of one digest and the start of another
        return None

    async def read(self, after: int = 0, decided: int | None = None) -> list[Decision]:
        """All decisions of the log after version `after`. The list is empty if the store has deleted the log.

        With `decided`, raises `OtherLineage` if that version was not decided at this time (ms since 1970). Raises
        `LogUnavailable`.
        """
        if decided is None or after == 0:
            return await self._log.read(self._room, after)
        found = await self._log.read(self._room, after - 1)
        if not found or found[0].at != decided:
            raise OtherLineage(f"Version {after} of this room is a different one now.")
        return found[1:]

    async def missing(self) -> list[Decision]:
        """All decisions after the version held. Raises `LogUnavailable`, or `OtherLineage` if the log is another."""
        return await self._log.read(self._room, self.seq, self.lineage or None)

    async def read_anew(self) -> tuple[History[_S], int]:
        """Replace the copy by the log as it is now. Returns its decisions: all of them if watchers see the log late,
        else only the latest. Also returns up to which version the log still equals the old copy. (Erasing a player
        changes texts but not versions.) If the log is no longer kept, changes nothing and returns no decisions.

        Raises `LogUnavailable` or `UnreadableEntry`.
        """
        while True:
            before = self.state
            decisions = await self._log.read(self._room)
            if not decisions:
                return [], 0
            history: History[_S] = []
            state: _S | None = None
            for number, decision in enumerate(decisions, 1):
                state = evolved(self.evolve, state, decision)
                if not self.delayed(state):
                    history.clear()
                history.append((decision, state))
                if number % FOLDED == 0:
                    await asyncio.sleep(0)  # let other tasks run
            if self.state is before:
                last = decisions[-1]
                kept = 0 if before is None else min(self.seq, sum(one.at <= before.at for one in decisions))
                self.state, self.seq, self.lineage = state, last.seq, last.lineage
                self._digests = bytearray(b"".join(_digest(one.by, one.key) for one in decisions))
                self._lineages = [one.lineage for one in decisions[-LINEAGES:]]
                return history, kept


def _digest(by: str, key: str) -> bytes:
    """A digest of a player and a key, under a secret of this process."""
    return hash((by, key)).to_bytes(DIGEST, "little", signed=True)
