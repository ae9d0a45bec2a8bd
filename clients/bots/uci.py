"""Any UCI engine as a player: a process that is told a position and a time, and answers with a move.

The protocol is the Universal Chess Interface (Meyer-Kahlen, 2000; 2006). Engines for four speak the same, with the
position as a FEN4 and squares of the larger board, some with a hyphen between them (``h2-h4``); both are read.
"""

import asyncio
from asyncio.subprocess import PIPE, Process
from collections.abc import Mapping
from types import TracebackType
from typing import Final, Self

from engine.errors import IllegalMove, InvalidNotation
from engine.position import Position

READY: Final = 15.0
"""How many seconds an engine may take to start, and beyond its budget to answer."""


class EngineFault(Exception):
    """The engine cannot be run, does not answer, or answers with what is no legal move."""


class Engine:
    """An engine's process, as an async context manager. `name` is what it calls itself, once entered.

    `options` are set before the first move. Entering and thinking raise `EngineFault`.
    """

    def __init__(self, path: str, options: Mapping[str, str] | None = None) -> None:
        self.name = path.rpartition("/")[2]
        self._path = path
        self._options = dict(options or {})
        self._process: Process
        self._known: set[str] = set()
        self._thinking = asyncio.Lock()

    async def __aenter__(self) -> Self:
        try:
            self._process = await asyncio.create_subprocess_exec(self._path, stdin=PIPE, stdout=PIPE)
        except OSError as error:
            raise EngineFault(f"{self._path} cannot be run: {error.strerror}") from error
        try:
            await self._greet()
        except BaseException:
            await self._end()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._end()

    async def think(self, position: Position, budget: float) -> str:
        """A move found in about `budget` seconds, as a `Think`."""
        async with self._thinking:
            await self._say(f"position fen {position.fen()}")
            await self._say(f"go movetime {max(1, round(1000 * budget))}")
            try:
                answer = await self._until("bestmove", budget + READY)
            except asyncio.CancelledError:
                await self._say("stop")  # nobody wants this move any more; its answer must not be the next one's
                await self._until("bestmove", READY)
                raise
        try:
            return position.find(answer.split()[1]).text
        except (IndexError, IllegalMove, InvalidNotation) as error:
            raise EngineFault(f"{self.name} answered '{answer}' to {position.fen()}: no legal move") from error

    async def _greet(self) -> None:
        await self._say("uci")
        await self._until("uciok", READY)
        for option, value in self._options.items():
            if option.lower() not in self._known:
                raise EngineFault(f"{self.name} has no option '{option}'")
            await self._say(f"setoption name {option} value {value}")
        await self._say("isready")
        await self._until("readyok", READY)

    async def _say(self, line: str) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(line.encode() + b"\n")
            await self._process.stdin.drain()
        except ConnectionError as error:
            raise EngineFault(f"{self.name} has ended") from error

    async def _until(self, word: str, seconds: float) -> str:
        """The next line that begins with a word."""
        assert self._process.stdout is not None
        try:
            async with asyncio.timeout(seconds):
                while line := (await self._process.stdout.readline()).decode(errors="replace"):
                    if line.startswith("id name "):
                        self.name = line[8:].strip()
                    elif line.startswith("option name "):
                        self._known.add(line[12:].partition(" type ")[0].strip().lower())
                    elif line.split()[:1] == [word]:
                        return line.strip()
        except TimeoutError as error:
            raise EngineFault(f"{self.name} has not said '{word}' in {seconds:g} s") from error
        raise EngineFault(f"{self.name} has ended without saying '{word}'")

    async def _end(self) -> None:
        if self._process.returncode is None:
            self._process.kill()  # it has nothing to lose
        await self._process.wait()
