"""A UCI engine as a player: a process that gets a position and a time, and answers with a move.

The protocol is the Universal Chess Interface (Meyer-Kahlen, 2000; 2006). Engines for four players use it too, with a
FEN4 as the position and squares of the larger board. Some write moves with a hyphen (``h2-h4``), which is accepted. In
engines for several games, an option chooses the game, usually ``UCI_Variant``. The profile describes an engine's
dialect: its words, and its form of FEN4. Some engines answer an unreadable line with an ``info string`` and continue
from another position. The profile has the texts of such answers.
"""

import asyncio
import os
import shutil
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable
from contextlib import suppress
from math import inf
from typing import Final, Self

from fourfold.clients.bots.profile import Profile
from fourfold.engine.errors import IllegalMove, InvalidNotation
from fourfold.engine.moves import Move
from fourfold.engine.position import Position

READY: Final = 60.0
"""Seconds for an engine to start, and beyond its budget, to answer, by default."""

LATE: Final = 1.0
"""Seconds beyond its budget after which an engine is restarted and asked again, if its profile says how."""

_ELSEWHERE: Final = ("/usr/games", "/usr/local/games")
"""Debian's folder for engines, which is rarely in the path."""


class EngineFault(Exception):
    """The engine cannot be run, does not answer, or answers with an illegal move."""


class _Silence(EngineFault):
    """The engine does not answer in time."""


class Engine:
    """An engine's process, as an async context manager. After entering, `name` is the name in its profile, or the
    engine's own.

    Entering and all requests raise `EngineFault`. `patience` is the number of seconds to wait for a start, and beyond
    a budget for an answer.
    """

    def __init__(self, profile: Profile, patience: float = READY) -> None:
        self._patience = patience
        self.name = profile.name or profile.command[0].rpartition("/")[2]
        self._profile = profile
        self._process: Process
        self._variant: str | None = None  # the variant that the engine was last set to
        self._known = set[str]()
        self._start = ""  # the position from which the engine follows the game, and the moves from there...
        self._moves: list[str] = []
        self._asked: Position | None = None  # ...to the latest position that it was asked about, and its answer
        self._answer: Move | None = None
        self._thinking = asyncio.Lock()

    async def __aenter__(self) -> Self:
        program, *arguments = self._profile.command
        path = shutil.which(program, path=os.pathsep.join((os.environ.get("PATH", os.defpath), *_ELSEWHERE)))
        try:
            self._process = await asyncio.create_subprocess_exec(path or program, *arguments, stdin=PIPE, stdout=PIPE)
        except OSError as error:
            raise EngineFault(f"{program} cannot be run: {error.strerror}") from error
        try:
            await self._greet()
        except BaseException:
            await self._end()
            raise
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._end()

    async def think(self, position: Position, budget: float) -> str:
        """A move found in about `budget` seconds, as a `Think`."""
        async with self._thinking:
            await self._begin(position.variant)
            self._take_up(position)
            moves = ["moves", *self._moves] if self._moves else []
            asked = " ".join(("position", self._profile.position, self._start, *moves))
            await self._say(asked)
            await self._say(self._go(budget))
            try:
                answer = await self._answer_in(budget, position.variant, asked)
            except asyncio.CancelledError:
                await self._give_up()
                raise
        try:
            self._answer = self._profile.move(position, answer.split()[1])
        except (IndexError, IllegalMove, InvalidNotation) as error:
            told = self._profile.fen(position)
            raise EngineFault(f"{self.name} answered '{answer}' to {told}: no legal move") from error
        return self._answer.text

    async def look(self, position: Position, seconds: float, hear: Callable[[str], None]) -> None:
        """Analyse a position for `seconds` (`inf`: until `stop`). `hear` is called with each `info` line."""
        async with self._thinking:
            await self._begin(position.variant)
            self._asked = None  # the next game starts from a new position
            await self._settle()  # a late `stop` may cause a second answer
            await self._say(f"position {self._profile.position} {self._profile.fen(position)}")
            await self._say(self._go(seconds))
            await self._until("bestmove", seconds + self._patience, hear)

    async def stop(self) -> None:
        """Make the engine answer its present search now."""
        await self._say("stop")

    async def halt(self) -> None:
        """Make the engine answer, and wait for the answer."""
        await self.stop()
        async with self._thinking:
            pass

    def knows(self, option: str) -> bool:
        """Whether the engine lists an option."""
        return option.lower() in self._known

    async def set(self, option: str, value: object) -> None:
        """Set an option, while the engine does not think."""
        await self._say(f"setoption name {option} value {value}")

    @property
    def pid(self) -> int:
        """The process id."""
        return self._process.pid

    @property
    def ended(self) -> bool:
        """Whether the process has ended."""
        return self._process.returncode is not None

    def kill(self) -> None:
        """Kill the process, from any thread. Tasks that wait for an answer get an `EngineFault`."""
        with suppress(ProcessLookupError):
            self._process.kill()

    def _go(self, seconds: float) -> str:
        if self._profile.go is not None:
            return f"go {self._profile.go}"
        if seconds == inf:
            return "go infinite"
        return f"go movetime {max(1, round(1000 * (seconds - self._profile.overhead)))}"

    async def _answer_in(self, budget: float, variant: str, asked: str) -> str:
        """The engine's answer to `go`, about the position of the line `asked`."""
        again = self._profile.again
        if again is None:
            return await self._until("bestmove", budget + self._patience)
        with suppress(_Silence):
            return await self._until("bestmove", budget + LATE)
        await self._restart()
        await self._begin(variant)
        await self._say(asked)
        await self._say(f"go {again}")
        return await self._until("bestmove", self._patience)

    async def _give_up(self) -> None:
        """Discard the engine's present search, so that its answer does not count as the next one's."""
        if self._profile.again is not None:
            await self._restart()
            return
        await self._say("stop")
        await self._until("bestmove", self._patience)

    async def _restart(self) -> None:
        await self._end()
        self._variant = None
        await self.__aenter__()

    def _take_up(self, position: Position) -> None:
        """Continue the known game if this position follows from it: the engine then gets the moves, and so knows
        earlier positions. Otherwise start a new game. In games for four, the engine gets positions only, because
        engines for four have several notations of moves."""
        moves = self._moves_to(position) if len(position.seats) == 2 else None
        if moves is None:
            self._start, moves = self._profile.fen(position), []
        self._moves, self._asked, self._answer = moves, position, None

    def _moves_to(self, position: Position) -> list[str] | None:
        """The moves from the start, if the position is the same again, or follows by the engine's own move and one
        reply."""
        if position == self._asked:
            return self._moves
        if self._asked is None or self._answer is None:
            return None
        own = self._asked.play(self._answer)
        moves = [*self._moves, self._answer.text]
        if position == own:
            return moves
        return next(([*moves, reply.text] for reply in own.legal_moves if own.play(reply) == position), None)

    async def _greet(self) -> None:
        await self._say("uci")
        await self._until("uciok", self._patience)
        for option, value in self._profile.options.items():
            if not self.knows(option) and not self._profile.unlisted:
                raise EngineFault(f"{self.name} has no option '{option}'")
            await self.set(option, value)
        await self._settle()

    async def _begin(self, variant: str) -> None:
        """Set the engine's variant, unless it is set already."""
        if variant == self._variant:
            return
        variants = self._profile.variants
        if variants is not None and variant not in variants:
            raise EngineFault(f"{self.name} plays {', '.join(variants)}, not {variant}")
        if variants is not None and variants[variant]:
            await self.set(self._profile.variant_option, variants[variant])
        await self._say("ucinewgame")
        await self._settle()
        self._variant = variant

    async def _settle(self) -> None:
        """Wait until the engine has executed all commands."""
        await self._say("isready")
        await self._until("readyok", self._patience)

    async def _say(self, line: str) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(line.encode() + b"\n")
            await self._process.stdin.drain()
        except ConnectionError as error:
            raise EngineFault(f"{self.name} has ended") from error

    async def _until(self, word: str, seconds: float, hear: Callable[[str], None] | None = None) -> str:
        """The next line that starts with a word; `hear` gets the `info` lines before it. Also raises `EngineFault` at a
        line that matches one of the profile's refusals, since the expected line may never follow."""
        assert self._process.stdout is not None
        try:
            async with asyncio.timeout(None if seconds == inf else seconds):
                while line := (await self._process.stdout.readline()).decode(errors="replace"):
                    if line.startswith("id name "):
                        self.name = self._profile.name or line[8:].strip()
                    elif line.startswith("option name "):
                        self._known.add(line[12:].partition(" type ")[0].strip().lower())
                    elif line.split(maxsplit=1)[:1] == [word]:
                        return line.strip()
                    elif self._refuses(line):
                        raise EngineFault(f"{self.name} answered '{line.strip()}'")
                    elif hear is not None and line.startswith("info "):
                        hear(line)
        except TimeoutError as error:
            raise _Silence(f"{self.name} has not said '{word}' in {seconds:g} s") from error
        raise EngineFault(f"{self.name} has ended without saying '{word}'")

    def _refuses(self, line: str) -> bool:
        return line.startswith("info string ") and any(text in line for text in self._profile.refusals)

    async def _end(self) -> None:
        if self._process.returncode is None:
            self._process.kill()  # it has nothing to lose
        await self._process.wait()
