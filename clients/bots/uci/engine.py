"""Our levels as a UCI engine, for programs that play or analyse with one.

The protocol is the other end of `driver`. For two players it is standard UCI. For four it has FEN4, and the clocks
`rtime`, `btime`, `ytime`, `gtime` (and `rinc`, ...). `options` has the options, and `limits` parses `go`. Level
5 analyses while `UCI_AnalyseMode` is set or `MultiPV` is more than 1, and at `go infinite` and `go mate`: it then
reports its best lines at each depth, and `UCI_LimitStrength` has no effect. The engine ignores unknown commands and
words, as the protocol requires. It reports errors, such as an illegal move, in an `info string`. It keeps no game: each
`position` is independent.
"""

from __future__ import annotations

import asyncio
import random
import sys
from collections.abc import Awaitable, Callable, Sequence
from math import inf
from time import monotonic
from typing import Final, Self, TypeAlias

from fourfold.clients.bots.analysis.best_lines import Found, analyse
from fourfold.clients.bots.levels import RULES
from fourfold.clients.bots.levels.level5 import Level5
from fourfold.clients.bots.levels.lookahead import Lookahead
from fourfold.clients.bots.search.alpha_beta import DEEPEST, MATE, Search
from fourfold.clients.bots.search.known import Known
from fourfold.clients.bots.search.mailbox import worth
from fourfold.clients.bots.uci.limits import Limits
from fourfold.clients.bots.uci.options import Options
from fourfold.clients.streams import Lines
from fourfold.engine.errors import IllegalMove, InvalidNotation, InvalidSetup
from fourfold.engine.moves import Move
from fourfold.engine.position import Position
from fourfold.engine.variants import opening, rules_of

Say: TypeAlias = Callable[[str], None]

_NOTHING: Final = "(none)"
"""The move that UCI writes where there is none."""


class Stopwatch:
    """The clock of one search, in seconds. It stays at 0 while the engine ponders, and is infinite after `stop`."""

    def __init__(self, pondering: bool) -> None:
        self._start = inf if pondering else monotonic()
        self._stopped = False

    def __call__(self) -> float:
        return inf if self._stopped else max(0.0, monotonic() - self._start)

    def begin(self) -> None:
        """Start the clock, if it does not run yet."""
        self._start = min(self._start, monotonic())

    def stop(self) -> None:
        """End the time of the search."""
        self._stopped = True


class UciEngine:
    """One UCI conversation, as a context manager. `hear` takes a line, `say` is called with each line of the answers,
    and the engine thinks in one of the `tasks`."""

    def __init__(self, tasks: asyncio.TaskGroup, say: Say, level: int, variant: str) -> None:
        self._tasks = tasks
        self._say = say
        self._options = Options(level, variant)
        self._position: Position | None = _start(variant)
        self._known = Known()
        """The results of searches in this game."""
        self._thought: Thought | None = None
        self._thinking: asyncio.Task[None] | None = None
        self._commands: dict[str, Callable[[list[str]], Awaitable[None]]] = {
            "uci": self._introduce,
            "isready": self._ready,
            "ucinewgame": self._begin,
            "setoption": self._set,
            "position": self._place,
            "go": self._go,
            "ponderhit": self._hit,
            "stop": self._stop,
        }

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._thought is not None:
            self._thought.stop()  # a thread cannot be cancelled

    async def hear(self, line: str) -> bool:
        """Execute a line. Return False after `quit`."""
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
        self._say(f"id name Fourfold level {self._options.level}")
        self._say("id author the authors of Fourfold")
        for option in self._options:
            self._say(str(option))
        self._say("uciok")

    async def _ready(self, words: list[str]) -> None:
        self._say("readyok")

    async def _begin(self, words: list[str]) -> None:
        await self._stop([])
        self._known = Known()

    async def _set(self, words: list[str]) -> None:
        """`setoption name NAME [value VALUE]`; both can have several words."""
        name, _, value = " ".join(words[1:]).partition(" value ")
        before = self._options.variant
        wrong = self._options.set(name.strip(), value.strip())
        if wrong is not None:
            self._say(f"info string {wrong}")
        elif name.strip().lower() == "clear hash" or self._options.variant != before:
            await self._begin([])
        if self._options.variant != before:
            self._position = _start(self._options.variant)

    async def _place(self, words: list[str]) -> None:
        """`position startpos|fen FEN [moves MOVE...]`."""
        await self._stop([])
        self._position = None
        variant = self._options.variant
        end = words.index("moves") if "moves" in words else len(words)
        if words[:1] != ["fen"] and words[:end] != ["startpos"]:
            self._say(f"info string '{' '.join(words[:end])}' is not a position: use startpos, or fen and a FEN")
            return
        try:
            fen = words[0] == "fen"
            position = opening(variant, position=" ".join(words[1:end])) if fen else _start(variant)
            for move in words[end + 1 :]:
                position = position.play(position.find(move))
        except (InvalidNotation, InvalidSetup, IllegalMove) as error:
            self._say(f"info string {variant}: {error}")
        else:
            self._position = position

    async def _go(self, words: list[str]) -> None:
        await self._stop([])
        self._thought = Thought(self._position, Limits.of(words), self._options, self._known, self._say)
        self._thinking = self._tasks.create_task(self._thought.answer())

    async def _hit(self, words: list[str]) -> None:
        if self._thought is not None:
            self._thought.hit()

    async def _stop(self, words: list[str]) -> None:
        if self._thought is not None and self._thinking is not None:
            self._thought.stop()
            await self._thinking


class Thought:
    """One search after `go`, until it answers with a move. For two players, the search uses `known` results, and adds
    its own."""

    def __init__(
        self, position: Position | None, limits: Limits, options: Options, known: Known, say: Say
    ) -> None:
        self._position = position
        self._limits = limits
        self._known = known if position is not None and len(position.seats) == 2 else Known()
        self._say = say
        self._level, self._lines, self._memory = options.level, options.lines, options.memory
        self._analysing = options.analysing or self._lines > 1 or limits.infinite or "mate" in limits.numbers
        self._overhead = options.overhead
        self._strength = options.strength
        self._clock = Stopwatch(limits.pondering)
        self._begun = monotonic()
        self._wanted = asyncio.Event()
        """Set once the move may be sent."""
        if not (limits.pondering or limits.infinite):
            self._wanted.set()

    def hit(self) -> None:
        """Take a ponder hit: the expected move was made, and the clock starts."""
        self._clock.begin()
        if not self._limits.infinite:
            self._wanted.set()

    def stop(self) -> None:
        """Answer with a move as soon as possible."""
        self._clock.stop()
        self._wanted.set()

    async def answer(self) -> None:
        """Think, and answer with a move."""
        position, expected = self._position, [_NOTHING]
        if position is not None and position.outcome is not None:
            lost = position.outcome.winners and position.turn not in position.outcome.winners
            self._say(f"info depth 0 score {'mate 0' if lost else 'cp 0'}")
        elif position is not None:
            among = self._limits.among(position)
            if among is None or among:
                found = await asyncio.to_thread(self._choose, position, among, asyncio.get_running_loop())
                expected = [move.text for move in found]
        await self._wanted.wait()
        move, reply = (*expected, None)[:2]
        self._say(f"bestmove {move}" + (f" ponder {reply}" if reply else ""))

    def _choose(
        self, position: Position, among: Sequence[Move] | None, loop: asyncio.AbstractEventLoop
    ) -> Sequence[Move]:
        """The move to make, and the expected moves after it. Runs in a thread."""

        def tell(text: str) -> None:
            loop.call_soon_threadsafe(self._say, text)

        if position.walk:
            return [position.walk]
        if self._level in RULES:
            found = [random.choice(RULES[self._level](Lookahead(position, among)))]
            tell(self._glance(position, found[0]))
            return found
        limits, clock = self._limits, self._clock
        budget, deepest = limits.budget(position, self._overhead), limits.deepest(position)
        if self._analysing:
            best: Sequence[Move] = []
            for look in analyse(
                position, self._lines, clock() + budget, clock, deepest, self._known,
                nodes=limits.nodes, memory=self._memory, among=among,
            ):  # fmt: skip
                for text in self._told(look):
                    tell(text)
                best = _moves(position, look.lines[0].moves)
            return best

        def report(search: Search, move: Move) -> None:
            tell(self._info(search, self._line(search, move)))

        player = Level5(
            None, clock, deepest, nodes=limits.nodes, memory=self._memory, known=self._known, report=report,
            strength=self._strength,
        )  # fmt: skip
        move = position.find(player.choose(position, budget, among))
        search = player.search
        if search is None or not search.depth:
            if search is None:
                tell(f"info string {move.text} is from the opening book")
            tell(self._glance(position, move))
            return [move]
        line = player.mate or self._line(search, move)
        tell(self._info(search, line))
        return line

    def _line(self, search: Search, move: Move) -> Sequence[Move]:
        """A move and the expected moves after it. Among four only the move, because the rest costs time."""
        two = self._position is not None and len(self._position.seats) == 2
        return search.line(move, max(2, search.depth))[0] if two else [move]

    # -- lines --

    def _glance(self, position: Position, move: Move) -> str:
        """The `info` line about a move that did not come from a search."""
        outcome = position.play(move).outcome
        score = worth(position)
        if outcome is not None:
            score = MATE - 1 if position.turn in outcome.winners else 0
        return f"info depth 1 score {_score(score)} {self._effort(1)} pv {move.text}"

    def _info(self, search: Search, line: Sequence[Move]) -> str:
        """The `info` line about the best line of a search."""
        moves = " ".join(move.text for move in line)
        return f"info depth {search.depth} score {_score(search.score)} {self._effort(search.nodes)} pv {moves}"

    def _told(self, found: Found) -> list[str]:
        """The `info` lines of an analysis."""
        effort = self._effort(found.nodes)
        return [
            f"info depth {found.depth} multipv {number} score {_score(line.score)} {effort} pv {' '.join(line.moves)}"
            for number, line in enumerate(found.lines, 1)
        ]

    def _effort(self, nodes: int) -> str:
        seconds = monotonic() - self._begun
        full = min(1000, 1000 * len(self._known) // self._memory)
        return f"nodes {nodes} nps {round(nodes / max(seconds, 0.001))} hashfull {full} time {round(1000 * seconds)}"


def _start(variant: str) -> Position:
    """The default start of a variant; for Chess960, the usual array."""
    return opening(variant, setup="518" if rules_of(variant).draws_start else None)


def _moves(position: Position, texts: Sequence[str]) -> list[Move]:
    """The moves of a line."""
    return [position.tables.moves.by_text[text] for text in texts]


def _score(worth: int) -> str:
    plies = MATE - abs(worth)
    if plies > 2 * DEEPEST:
        return f"cp {worth}"
    moves = (plies + 1) // 2
    return f"mate {moves if worth > 0 else -moves}"


async def speak(level: int, variant: str) -> None:
    """Run as an engine on standard input and output, until `quit` or the end of the input."""
    async with asyncio.TaskGroup() as tasks:
        with UciEngine(tasks, lambda line: print(line, flush=True), level, variant) as engine:
            async for line in Lines(sys.stdin.fileno()):
                if not await engine.hear(line):
                    break
