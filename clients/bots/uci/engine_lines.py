"""The best lines of a position by a UCI engine, as an alternative to level 5.

A look borrows an engine from the pool, uses it alone, and returns it. Level 5 analyses variants that the engine does
not play. It also takes over if the engine fails.
"""

from __future__ import annotations

import asyncio
import math
import threading
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from time import monotonic
from typing import Any, Final, TypeVar

from fourfold.clients.bots.analysis.best_lines import LONGEST, Found, analyse, line
from fourfold.clients.bots.profile import Profile
from fourfold.clients.bots.search.alpha_beta import FORCED, MATE
from fourfold.clients.bots.uci.driver import Engine, EngineFault
from fourfold.engine.errors import IllegalMove, InvalidNotation
from fourfold.engine.moves import Move
from fourfold.engine.position import Position
from fourfold.protocol.lines import Line

KEPT: Final = 2
"""The most idle engines that are kept; others end."""

POLL: Final = 0.05
"""Seconds between two checks of the clock."""

GRACE: Final = 5.0
"""Seconds for an engine to obey `stop`."""

TALKATIVE: Final = 1.0
"""Seconds of thinking after which an engine that reports lines at all has reported some."""

PAUSE: Final = 60.0
"""Seconds without a new start after an engine failed to start."""

USUAL: Final = {"Threads": "1", "Hash": "32", "UCI_AnalyseMode": "true"}
"""Default options, for engines that have them and profiles that do not set them. `Hash` is in MiB."""

_PLAYED: Final = ("standard",)
"""Default variants of engines, for profiles without `variants`."""

_Value = TypeVar("_Value")


def plays(profile: Profile, variant: str) -> bool:
    """Whether the engine analyses positions of a variant."""
    return variant in (_PLAYED if profile.variants is None else profile.variants)


async def check(profile: Profile) -> None:
    """Start the engine once, and end it. Raises `EngineFault`."""
    async with Engine(profile):
        pass


class EngineLines:
    """The engines of a profile, for use from several threads. `say` is called once when they fail, and once more if
    they fail again after working."""

    def __init__(self, profile: Profile, say: Callable[[str], None]) -> None:
        self._profile = profile
        self._say = say
        self._lock = threading.Lock()
        self._running: set[Engine] = set()
        self._idle: list[Engine] = []
        self._again = -math.inf  # when an engine may be started again
        self._failing = False
        self._mute: set[str] = set()  # variants for which the engine reported no readable lines
        self._loop = asyncio.new_event_loop()
        threading.Thread(target=self._loop.run_forever, daemon=True, name="engines").start()

    @property
    def running(self) -> list[int]:
        """The process ids of the engines."""
        with self._lock:
            return [engine.pid for engine in self._running]

    def close(self) -> None:
        """End all engines."""
        with self._lock:
            for engine in self._running:
                engine.kill()

    def look(
        self, position: Position, count: int, deadline: float, clock: Callable[[], float] = monotonic
    ) -> Iterator[Found]:
        """Analyse as `analyse` does. If the engine fails, level 5 goes on; its results are reported once they are
        deeper."""
        depth = 0
        if self._fit(position) and clock() < deadline and monotonic() >= self._again:
            try:
                for found in self._search(position, count, deadline, clock):
                    depth = found.depth
                    yield found
            except EngineFault as fault:
                self._failed(fault)
            else:
                if depth:
                    return
        for found in analyse(position, count, deadline, clock):
            if found.depth > depth:
                yield found

    def _fit(self, position: Position) -> bool:
        variant = position.variant
        return plays(self._profile, variant) and variant not in self._mute and not position.walk

    def _search(self, position: Position, count: int, deadline: float, clock: Callable[[], float]) -> Iterator[Found]:
        """The engine's results; empty if it can report only one line and more are wanted."""
        engine = self._borrow()
        whole = False
        try:
            if count == 1 or engine.knows("MultiPV"):
                if engine.knows("MultiPV"):
                    self._run(engine.set("MultiPV", count))
                yield from self._listen(engine, _Report(position, count), deadline, clock)
            whole = True
        except GeneratorExit:  # the result is final
            with suppress(EngineFault, TimeoutError):
                self._begin(engine.halt()).result(GRACE)
                whole = True
            raise
        finally:
            self._give_back(engine, whole)

    def _listen(self, engine: Engine, report: _Report, deadline: float, clock: Callable[[], float]) -> Iterator[Found]:
        position = report.position
        heard: SimpleQueue[str | None] = SimpleQueue()
        # The clock of a cancelled job returns infinity, so the remaining time may be negative.
        looking = self._begin(engine.look(position, max(0.0, deadline - clock()), heard.put))
        looking.add_done_callback(lambda _: heard.put(None))
        begun, stopped, told, over = monotonic(), math.inf, 0, False
        while not over:
            over = _drain(heard, report)
            found = report.found(told)
            if found is not None:
                told = found.depth
                yield found
            if stopped == math.inf and not over and (clock() >= deadline or _solved(found)):
                stopped = monotonic()
                self._run(engine.stop())
            if monotonic() > stopped + GRACE:
                raise EngineFault(f"{engine.name} has not stopped in {GRACE:g} s")
        looking.result()
        self._failing = False
        if not told and monotonic() > begun + TALKATIVE:
            self._mute.add(position.variant)
            self._say(f"{engine.name} tells no lines of {position.variant} that can be read: using level 5 for it")

    def _borrow(self) -> Engine:
        with self._lock:
            while self._idle:
                engine = self._idle.pop()
                if not engine.ended:
                    return engine
                self._running.discard(engine)
        engine = Engine(self._profile)
        try:
            self._run(self._start(engine))
        except EngineFault:
            self._again = monotonic() + PAUSE
            raise
        with self._lock:
            self._running.add(engine)
        return engine

    async def _start(self, engine: Engine) -> None:
        await engine.__aenter__()
        given = {option.lower() for option in self._profile.options}
        for option, value in USUAL.items():
            if engine.knows(option) and option.lower() not in given:
                await engine.set(option, value)

    def _give_back(self, engine: Engine, whole: bool) -> None:
        with self._lock:
            if whole and len(self._idle) < KEPT:
                self._idle.append(engine)
                return
            self._running.discard(engine)
        with suppress(EngineFault):
            self._run(engine.__aexit__())

    def _failed(self, fault: EngineFault) -> None:
        if not self._failing:
            self._failing = True
            self._say(f"{fault}: using level 5 for analyses instead")

    def _begin(self, work: Coroutine[Any, Any, _Value]) -> Future[_Value]:
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    def _run(self, work: Coroutine[Any, Any, _Value]) -> _Value:
        return self._begin(work).result()


def _drain(heard: SimpleQueue[str | None], report: _Report) -> bool:
    """Wait for lines, and read all that are available. Return whether one of them was the last."""
    with suppress(Empty):
        text = heard.get(timeout=POLL)
        while text is not None:
            report.read(text)
            text = heard.get_nowait()
        return True
    return False


def _solved(found: Found | None) -> bool:
    """Whether a win or loss is found that a longer search cannot shorten."""
    if found is None:
        return False
    mate = found.lines[0].mate
    return mate is not None and found.depth > abs(mate)


@dataclass(slots=True)
class _Info:
    """An `info` line about a line of play: its `depth`, its rank from 1 (`multipv`), and so on."""

    depth: int = 0
    multipv: int = 1
    nodes: int = 0
    cp: int | None = None
    mate: int | None = None
    bound: bool = False
    pv: list[str] = field(default_factory=list)


_NUMBERS: Final = ("depth", "multipv", "nodes", "cp", "mate")


def _info(text: str) -> _Info | None:
    """Parse an `info` line; None if it is not about a line of play."""
    info = _Info()
    words = iter(text.split()[1:])
    for word in words:
        if word == "string":
            return None
        if word == "pv":
            info.pv = list(words)
        elif word in ("lowerbound", "upperbound"):
            info.bound = True
        elif word in _NUMBERS:
            try:
                setattr(info, word, int(next(words, "")))
            except ValueError:
                return None
    return info if info.pv and info.depth > 0 and (info.cp, info.mate) != (None, None) else None


class _Report:
    """The lines that an engine has reported about a position."""

    def __init__(self, position: Position, count: int) -> None:
        self.position = position
        self._count = min(count, len(position.legal_moves))
        self._coming: dict[int, _Info] = {}
        self._latest: list[_Info] = []

    def read(self, text: str) -> None:
        """Take an `info` line. Lines of one depth come together, the best first."""
        info = _info(text)
        if info is None or info.bound or _move(self.position, info.pv[0]) is None:
            return
        if info.multipv == 1:
            self._coming.clear()
        self._coming[info.multipv] = info
        numbers = range(1, info.multipv + 1)
        depths = {self._coming[number].depth for number in numbers if number in self._coming}
        if depths == {info.depth} and list(self._coming) == list(numbers) and info.multipv >= self._count:
            self._latest = [self._coming[number] for number in numbers][: self._count]

    def found(self, depth: int) -> Found | None:
        """The latest complete set of lines, if it is deeper than `depth`."""
        if not self._latest or self._latest[0].depth <= depth:
            return None
        lines = [_line(self.position, info) for info in self._latest]
        return Found(self._latest[0].depth, max(info.nodes for info in self._latest), lines, by_engine=True)


def _move(position: Position, text: str) -> Move | None:
    """The legal move of a text, or None."""
    try:
        return position.find(text)
    except (IllegalMove, InvalidNotation):
        return None


def _line(root: Position, info: _Info) -> Line:
    """A line, up to its first illegal move."""
    moves: list[Move] = []
    before = root
    for text in info.pv[:LONGEST]:
        move = None if before.outcome is not None else _move(before, text)
        if move is None:
            break
        moves.append(move)
        before = before.play(move)
    return line(root, moves, _worth(info, len(moves) if before.outcome is not None else None))


def _worth(info: _Info, plies: int | None) -> int:
    """The score of a line for the player to move. UCI counts mates in moves of the mating side, not in plies; `plies`
    is the length if the line was reported to its end."""
    if info.mate is None:
        return max(-FORCED, min(info.cp or 0, FORCED))
    count = plies or (2 * info.mate - 1 if info.mate > 0 else max(1, -2 * info.mate))
    return MATE - count if info.mate > 0 else count - MATE
