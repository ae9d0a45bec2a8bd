"""Our levels as a UCI engine, for any program that plays or analyses with one.

The protocol is that of `uci`, the other end of it: for two players as everybody speaks it, for four with FEN4 and the
clocks `rtime`, `btime`, `ytime`, `gtime` (and `rinc`, ...). The option `UCI_Variant` says what is played, `Level` how
well. Level 5 analyses while `UCI_AnalyseMode` is set, `MultiPV` is more than 1 or it is to think without end: it then
tells its best lines at each depth. Commands and words that it does not know it passes over, as the protocol wants; what
it cannot follow, such as an illegal move, it says in an `info string`. It keeps no game: each `position` stands for
itself.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable, Sequence
from itertools import pairwise
from math import inf
from time import monotonic
from typing import Final, Self, TypeAlias

from fourfold.clients.bots.analysis import Found, analyse
from fourfold.clients.bots.level5 import Level5
from fourfold.clients.bots.levels import LEVELS, chooser
from fourfold.clients.bots.search import DEEPEST, MATE
from fourfold.clients.bots.thinking import allowance
from fourfold.clients.streams import Lines
from fourfold.engine.errors import IllegalMove, InvalidNotation, InvalidSetup
from fourfold.engine.position import Position
from fourfold.engine.variants import VARIANTS, opening

Say: TypeAlias = Callable[[str], None]

STANDARD: Final = "chess"
"""What UCI_Variant calls the game of two."""

USUAL: Final = 1.0
"""Seconds for a move where `go` names no limit of time."""

MOST_LINES: Final = 20
"""How many lines it tells at most."""

_OVERHEAD: Final = 50  # milliseconds


class UciEngine:
    """One engine in conversation: a context manager. `hear` takes a line, `say` is given each line of the answers, and
    it thinks in one of the `tasks`."""

    def __init__(self, tasks: asyncio.TaskGroup, say: Say, level: int, variant: str) -> None:
        self._tasks = tasks
        self._say = say
        self._level = level
        self._variant = variant
        self._overhead = _OVERHEAD
        self._lines = 1
        self._analysing = False
        self._position: Position | None = opening(variant)
        self._halted = asyncio.Event()
        self._thought: asyncio.Task[None] | None = None
        self._commands: dict[str, Callable[[list[str]], Awaitable[None]]] = {
            "uci": self._introduce,
            "isready": self._ready,
            "setoption": self._set,
            "position": self._place,
            "go": self._go,
            "stop": self._stop,
        }

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._halted.set()  # a thread cannot be cancelled

    async def hear(self, line: str) -> bool:
        """Do as a line says; False once it says `quit`."""
        words = line.split()
        while words and words[0] not in self._commands and words[0] != "quit":
            del words[0]
        if not words:
            return True
        if words[0] == "quit":
            return False
        await self._commands[words[0]](words[1:])
        return True

    async def _introduce(self, words: list[str]) -> None:
        games = " ".join(f"var {_named(variant)}" for variant in VARIANTS)
        for line in (
            f"id name Fourfold level {self._level}",
            "id author the authors of Fourfold",
            f"option name Level type spin default {self._level} min {LEVELS[0]} max {LEVELS[-1]}",
            f"option name UCI_Variant type combo default {_named(self._variant)} {games}",
            f"option name MultiPV type spin default 1 min 1 max {MOST_LINES}",
            "option name UCI_AnalyseMode type check default false",
            f"option name Move Overhead type spin default {_OVERHEAD} min 0 max 10000",
            "uciok",
        ):
            self._say(line)

    async def _ready(self, words: list[str]) -> None:
        self._say("readyok")

    async def _set(self, words: list[str]) -> None:
        """`setoption name NAME value VALUE`; either may be of several words."""
        name, _, value = " ".join(words[1:]).partition(" value ")
        value = value.strip()
        match name.strip().lower():
            case "level" if value in map(str, LEVELS):
                self._level = int(value)
            case "uci_variant" if value in map(_named, VARIANTS):
                self._variant = next(variant for variant in VARIANTS if _named(variant) == value)
                self._position = opening(self._variant)
            case "move overhead" if value.isdecimal():
                self._overhead = int(value)
            case "multipv" if value.isdecimal() and 1 <= int(value) <= MOST_LINES:
                self._lines = int(value)
            case "uci_analysemode" if value in ("true", "false"):
                self._analysing = value == "true"
            case "level" | "uci_variant" | "move overhead" | "multipv" | "uci_analysemode":
                self._say(f"info string {name} cannot be '{value}'")
            case _:
                self._say(f"info string there is no option '{name}'")

    async def _place(self, words: list[str]) -> None:
        """`position startpos|fen FEN [moves MOVE...]`."""
        await self._stop([])
        end = words.index("moves") if "moves" in words else len(words)
        text = " ".join(words[1:end]) if words[:1] == ["fen"] else None
        if words[:1] != ["fen"] and words[:end] != ["startpos"]:
            self._position = None
            self._say(f"info string '{' '.join(words[:end])}' is no position: say startpos, or fen and a FEN")
            return
        try:
            position = opening(self._variant, position=text)
            for move in words[end + 1 :]:
                position = position.play(position.find(move))
        except (InvalidNotation, InvalidSetup, IllegalMove) as error:
            self._position = None
            self._say(f"info string {self._variant}: {error}")
        else:
            self._position = position

    async def _go(self, words: list[str]) -> None:
        await self._stop([])
        if self._position is None or self._position.outcome is not None:
            self._say("bestmove (none)")
            return
        self._halted = asyncio.Event()
        self._thought = self._tasks.create_task(self._think(self._position, words))

    async def _think(self, position: Position, words: list[str]) -> None:
        limits = _limits(words)
        budget = self._budget(position, limits)
        endless = "infinite" in words
        halted = self._halted
        deepest = limits.get("depth", DEEPEST)
        if endless or "depth" in limits:
            budget = inf

        def clock() -> float:
            return inf if halted.is_set() else monotonic()

        if self._level == LEVELS[-1] and not position.walk and (endless or self._analysing or self._lines > 1):
            limit = monotonic() + budget
            text = await asyncio.to_thread(self._analyse, position, limit, clock, deepest, asyncio.get_running_loop())
            if endless:
                await halted.wait()
            self._say(f"bestmove {text}")
            return
        searcher = Level5(clock=clock, deepest=deepest)
        choose = searcher.choose if self._level == LEVELS[-1] else chooser(self._level)
        started = monotonic()
        text = position.walk.text if position.walk else await asyncio.to_thread(choose, position, budget)
        search = searcher.search
        if search is not None:
            self._say(
                f"info depth {search.depth} nodes {search.nodes} time {round(1000 * (monotonic() - started))} "
                f"score {_score(search.score)} pv {text}"
            )
        if endless:
            await halted.wait()
        self._say(f"bestmove {text}")

    def _analyse(
        self,
        position: Position,
        deadline: float,
        clock: Callable[[], float],
        deepest: int,
        loop: asyncio.AbstractEventLoop,
    ) -> str:
        """Tell the lines at each depth as they are found; returns the best move."""
        started, best = monotonic(), ""
        for found in analyse(position, self._lines, deadline, clock, deepest):
            best = found.lines[0].moves[0]
            milliseconds = round(1000 * (monotonic() - started))
            loop.call_soon_threadsafe(self._tell, found, milliseconds)
        return best

    def _tell(self, found: Found, milliseconds: int) -> None:
        for number, line in enumerate(found.lines, 1):
            self._say(
                f"info depth {found.depth} multipv {number} score {_score(line.score)} nodes {found.nodes} "
                f"time {milliseconds} pv {' '.join(line.moves)}"
            )

    async def _stop(self, words: list[str]) -> None:
        if self._thought is not None:
            self._halted.set()
            await self._thought
            self._thought = None

    def _budget(self, position: Position, limits: dict[str, int]) -> float:
        """Seconds for a move, by what `go` says of time."""
        if "movetime" in limits:
            return max(0, limits["movetime"] - self._overhead) / 1000
        seat = position.seats[position.turn][0]
        left = limits.get(f"{seat}time")
        if left is None:
            return USUAL
        increment = limits.get(f"{seat}inc", 0)
        return allowance(max(0, left - self._overhead) / 1000, increment / 1000, limits.get("movestogo"))


def _named(variant: str) -> str:
    return STANDARD if variant == "standard" else variant


def _limits(words: Sequence[str]) -> dict[str, int]:
    """The numbers that a `go` gives, by their names."""
    return {name: int(value) for name, value in pairwise(words) if value.lstrip("-").isdecimal()}


def _score(worth: int) -> str:
    plies = MATE - abs(worth)
    if plies > 2 * DEEPEST:
        return f"cp {worth}"
    moves = (plies + 1) // 2
    return f"mate {moves if worth > 0 else -moves}"


async def speak(level: int, variant: str) -> None:
    """Be an engine on standard input and output, until `quit` or the end of the input."""
    async with asyncio.TaskGroup() as tasks:
        with UciEngine(tasks, lambda line: print(line, flush=True), level, variant) as engine:
            async for line in Lines(sys.stdin.fileno()):
                if not await engine.hear(line):
                    break
