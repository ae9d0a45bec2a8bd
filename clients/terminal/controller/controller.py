"""Executes typed and pressed commands, for every front end.

    async with Controller(venue, front) as controller:
        await controller.do("create 4 bots=3")
        await controller.do("h2h4")

A front end with buttons needs no lines: `carry_out(Propose("undo", 2))` has the effect of the line.
"""

import asyncio
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any, Final, Self

from fourfold.clients.errors import ConnectionFault, RequestError
from fourfold.clients.games.files import FileFault
from fourfold.clients.terminal.controller import (
    accounts,
    arriving,
    challenging,
    filing,
    looking,
    moderating,
    playing,
    puzzles,
    studying,
)
from fourfold.clients.terminal.controller.desk import Desk
from fourfold.clients.terminal.controller.questions import NO, YES, Question
from fourfold.clients.terminal.parser import commands as c
from fourfold.clients.terminal.parser import typed
from fourfold.clients.terminal.text import answers, words
from fourfold.engine.errors import EngineError, InvalidSetup
from fourfold.protocol.from_server import Challenge

HANDLERS: Final = {
    **playing.HANDLERS,
    **looking.HANDLERS,
    **puzzles.HANDLERS,
    **filing.HANDLERS,
    **arriving.HANDLERS,
    **accounts.HANDLERS,
    **challenging.HANDLERS,
    **moderating.HANDLERS,
    **studying.HANDLERS,
}
"""The handler of each command."""

IN_A_STUDY: Final = {**HANDLERS, **studying.INSIDE}
"""The handlers while a study is open."""

RATED_WITHIN: Final = 1.0
"""Seconds to wait for the players' ratings before reporting a challenge."""


class Controller(Desk):
    """A desk that executes commands, as an async context manager that reads the news of its game."""

    async def __aenter__(self) -> Self:
        self.venue.challenged = self._challenged
        self.venue.announced = self._announced
        self.venue.paired = self._paired
        for challenge in self.venue.challenges():
            self._challenged(challenge)
        return self

    def _challenged(self, challenge: Challenge) -> None:
        """Report the state of a challenge. Go to its game if nothing else is open here."""
        others = challenge.status == "open" and challenge.by != self.venue.player
        if others or not (self._announcing is None or self._announcing.done()):
            self._announcing = asyncio.create_task(self._announce(challenge, self._announcing))
        else:
            self._tell(challenge, {})
        idle = self.game is None and self.editor is None and self.study is None
        room = challenge.room if challenge.status == "accepted" else None
        if room is not None and self.answering != challenge.challenge and idle:
            self._arriving = asyncio.create_task(self.carry_out(c.Join(room)))

    async def _announce(self, challenge: Challenge, before: asyncio.Task[None] | None) -> None:
        """Report the state of a challenge after `before`, with ratings if they come soon."""
        if before is not None:
            await before
        players = [seat.player for seat in challenge.seats if seat.player is not None]
        ratings: dict[str, str] = {}
        with suppress(RequestError, ConnectionFault, TimeoutError):
            async with asyncio.timeout(RATED_WITHIN):
                ratings = await self.venue.strengths(players, challenge.variant, challenge.clock)
        self._tell(challenge, ratings)

    def _tell(self, challenge: Challenge, ratings: dict[str, str]) -> None:
        self.front.say(answers.challenge(challenge, self.venue.player, ratings))
        if challenge.by != self.venue.player or challenge.status != "open":
            self.front.bell()

    def _announced(self, text: str) -> None:
        self.front.say(f"To everybody: {words.shown(text)}")

    def _paired(self, room: str) -> None:
        """Continue to wait or play in another room."""
        if self.game is not None and self.game.table.status == "open":
            self._arriving = asyncio.create_task(self.carry_out(c.Join(room)))

    async def do(self, line: str) -> None:
        """Execute a line, and report errors. Raises only `ConnectionFault`. If the server does not answer soon, the
        work goes on in the background."""
        if self.question is not None and await self._answered(self.question, line.strip()):
            return
        if not line.strip():
            return
        command = self._understood(line)
        if command is not None:
            await self._guarded(self._work(command), line.strip(), slow=isinstance(command, c.Analyse))

    async def carry_out(self, command: c.Command) -> None:
        """Execute a command, as `do` does."""
        self.questions.drop_offer()
        await self._guarded(self._work(command), command.text if isinstance(command, c.Move) else "")

    async def insist(self, line: str) -> None:
        """Execute a line of the command line. Raises `RequestError` if it is refused; other errors are reported."""
        command = self._understood(line)
        if command is not None:
            await self._careful(self._work(command), insist=True)

    def _work(self, command: c.Command) -> Coroutine[Any, Any, None]:
        """The handler of a command."""
        handlers = HANDLERS if self.study is None else IN_A_STUDY
        return handlers[type(command)](self, command)

    def _understood(self, line: str) -> c.Command | None:
        """The command of a line. If the line is not a command, report why, and return None."""
        try:
            return self.language.read(line)
        except c.Unclear as unclear:
            self.front.say(str(unclear))
            return None

    async def _answered(self, question: Question, line: str) -> bool:
        """Take a line as the answer to a question. If it is not an answer, drop the question and return False."""
        if question.takes is not None:
            self.questions.current = None
            if not question.takes(line):
                return False
            await self._guarded(question.then(line))
            return True
        yes, no = line.lower() in YES, line.lower() in NO
        if (yes and not question.choice) or (question.choice and not line):
            return True  # the question is asked again
        self.questions.current = None
        if question.choice and not (yes or no):
            return False
        done = await self._guarded(question.then("" if no else line))
        if not done and self.question is None and question.again:
            self.questions.current = question
        return True

    async def _guarded(self, work: Coroutine[Any, Any, None], name: str = "", *, slow: bool = False) -> bool:
        """Run some work, in the background if it takes long, and report errors. Return False if
        it failed."""
        return await self._pending.run(self._careful(work), name or "What was asked for", slow=slow)

    async def _careful(self, work: Coroutine[Any, Any, None], *, insist: bool = False) -> bool:
        """Run some work, and report errors. Return whether it was done. With `insist`, a refusal is raised."""
        try:
            await work
        except InvalidSetup as fault:
            self.say_all(one.message for one in fault.faults)
        except (c.Unclear, FileFault, EngineError) as fault:
            self.front.say(str(fault))
        except RequestError as error:
            if insist:
                raise
            self.front.say(typed.sentence(error.code, error.message))
        else:
            return True
        finally:
            self._changed.set()
        return False
