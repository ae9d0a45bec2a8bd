"""Everything that a front end has open: a venue, at most one game or study, and optionally a position in setup mode.

`controller` executes commands on it; the handlers are in their own modules.
"""

import asyncio
from collections.abc import Callable, Coroutine, Iterable
from contextlib import suppress
from dataclasses import replace
from typing import Any, NamedTuple, Self, TypeAlias

from fourfold.clients.errors import ConnectionFault, RequestError
from fourfold.clients.games.game import NO_SERVER, Game, Notice, Opening, Venue
from fourfold.clients.games.open_study import OpenStudy
from fourfold.clients.games.remote import RemoteVenue
from fourfold.clients.terminal.controller.announcer import Announcer
from fourfold.clients.terminal.controller.front_end import FrontEnd
from fourfold.clients.terminal.controller.look import Look
from fourfold.clients.terminal.controller.pending import PendingWork
from fourfold.clients.terminal.controller.questions import Puzzle, Question, Questions, Then
from fourfold.clients.terminal.controller.reading import Reading
from fourfold.clients.terminal.parser import commands as c
from fourfold.clients.terminal.parser.language import LOBBY, PLAY, SETUP, STUDY, Language
from fourfold.clients.terminal.text import studies, words
from fourfold.clients.terminal.text.orientation import Orientation
from fourfold.clients.terminal.text.view import View
from fourfold.engine.editor import BoardEditor
from fourfold.engine.position import Position
from fourfold.protocol.from_server import Error


class Shown(NamedTuple):
    """The board in view: its variant, its FEN, and whether the game is over there."""

    variant: str
    fen: str
    over: bool


class Desk:
    """Reads the news of its game until closed; an async context manager."""

    def __init__(self, venue: Venue, front: FrontEnd) -> None:
        self.venue = venue
        self.front = front
        self.usual = Opening()
        """The latest opened game: the next one uses its clock and computer players."""
        self.game: Game | None = None
        self.editor: BoardEditor | None = None
        """The position in setup mode."""
        self.study: Reading | None = None
        """The open study, and the user's place in it. No game is open then."""
        self.questions = Questions(front)
        self.look = Look()
        """The view of the board."""
        self.saved: object = None
        """The state of the game when it was last saved or read (`Game.standing`)."""
        self.sending: str | None = None
        """The move that waits for the server's answer."""
        self.answering: str | None = None
        """The challenge whose answer is being sent."""
        self.over = False
        """Whether `quit` has been executed. The front end then ends."""
        self.fault: BaseException | None = None
        """Why the news of the game ended, unless the user left the game."""
        self._news: asyncio.Task[None] | None = None
        self._chat: asyncio.Task[None] | None = None
        self._announcer: Announcer | None = None
        self._arriving: asyncio.Task[None] | None = None  # go to the game of a challenge
        self._announcing: asyncio.Task[None] | None = None  # reports of challenges
        self._changed = asyncio.Event()
        self._pending = PendingWork(venue.patience, front.say, self._settled)
        venue.listener = self._connection

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        for task in (self._arriving, self._announcing):
            if task is not None:
                task.cancel()
        await self._leave()

    # -- what is there --------------------------------------------------------------------------------

    @property
    def server(self) -> RemoteVenue:
        """The server. Raises `RequestError` (`no_such_room`) if the venue is this machine."""
        if not isinstance(self.venue, RemoteVenue):
            raise RequestError(Error(kind="refused", code="no_such_room", message=NO_SERVER))
        return self.venue

    @property
    def language(self) -> Language:
        """The commands that can be typed now."""
        if self.editor is not None:
            return SETUP
        if self.study is not None:
            return STUDY
        return LOBBY if self.game is None else PLAY

    @property
    def question(self) -> Question | None:
        """The open question. The next line answers it."""
        return self.questions.current

    @property
    def puzzle(self) -> Puzzle | None:
        """The open puzzle. Its board replaces any other."""
        return None if self.question is None else self.question.puzzle

    @property
    def prompt(self) -> str:
        """The prompt: "White to move: ", "Black, do you agree to undo 2 moves (yes or no)? ", ..."""
        if self.question is not None:
            return f"{self.question.text} "
        if self.editor is not None:
            return "Setup: "
        if self.study is not None:
            return self.study.prompt
        game = self.game
        if game is None:
            return "Lobby: "
        table = game.table
        if game.voter is not None and table.proposal is not None:
            asked = words.proposal(table.proposal, table.position)
            return f"{game.voter.capitalize()}, {asked}. Do you agree (yes or no)? "
        if table.votes_on_line and table.proposal is not None and game.seats:
            silent = [seat for seat in table.proposal.electorate if seat not in table.proposal.votes]
            return f"Waiting for {words.listed(silent)} to answer: "
        if self.look.ply is not None:
            return f"Looking at move {self.look.ply}: "
        if table.status == "open":
            return "Waiting for players: "
        if table.status == "finished":
            return "The game is over: "
        if table.paused is not None:
            return "The game is paused: "
        assert table.turn is not None  # the game is being played
        return (
            f"{table.turn.capitalize()} to move: " if game.mover is not None else f"{table.turn.capitalize()} plays: "
        )

    @property
    def view(self) -> View | None:
        """The board to show; None in the lobby."""
        if self.editor is not None:
            rules = self.editor.rules
            seats = [seat.name for seat in rules.seats]
            number = seats.index(self.look.bottom) if self.look.bottom in seats else 0
            return View.editing(self.editor, Orientation(rules.geometry, rules.seats[number].forward))
        if self.study is not None:
            return self.study.view()
        return None if self.game is None else self.look.view(self.game)

    # -- the game -------------------------------------------------------------------------------------

    async def open(self, game: Game) -> None:
        """Open a game in place of the present one, which is left."""
        if game is self.game:
            self.editor = None
            self.front.show()
            return
        await self._clear()
        self.game = game
        announcer = self._announcer = Announcer(game, self.look, self.front, self.questions)
        self._news = asyncio.create_task(self._read(game, announcer), name="news")
        self.front.moved()
        await self.caught_up(max(game.due, game.table.seq))
        self._chat = asyncio.create_task(self._recall(game, announcer), name="chat")

    async def _recall(self, game: Game, announcer: Announcer) -> None:
        """Show what was said before. The game goes on meanwhile, also while the server does not answer."""
        with suppress(ConnectionFault, RequestError):
            announcer.recall(await game.chat())

    async def begin_study(self, study: OpenStudy) -> None:
        """Open a study in place of the open game or study, which is left."""
        await self._clear()
        reading = Reading(study, self.look)
        await reading.begin()
        self.study = reading
        self.say_all(studies.opened(study.study, study.player))
        self._news = asyncio.create_task(self._follow(reading), name="news")
        self.front.moved()
        self.front.show()

    async def put_away(self) -> None:
        """Leave the game or study for the lobby. Waiting requests are dropped."""
        game = self.game
        await self._leave()
        self.front.moved()
        self._keep(game)

    async def _clear(self) -> None:
        """Leave the game or study, for another."""
        before = self.game
        await self._leave()
        self._keep(before)
        self.editor = self.saved = self.fault = None
        self.look = Look()

    def _keep(self, game: Game | None) -> None:
        """Explain how to return to a game, if the user's seat is kept."""
        if game is not None and game.seats and game.address is not None and game.table.status == "playing":
            self.front.say(f"Your seat is kept: 'join {game.table.room}' brings you back.")

    async def _leave(self) -> None:
        self._pending.drop()
        for task in (self._news, self._chat):
            if task is not None:
                task.cancel()
                await asyncio.wait([task])
        self._news = self._chat = None
        if self._announcer is not None:
            self._announcer.close()
            self._announcer = None
        if self.game is not None:
            with suppress(ConnectionFault, RequestError):  # the server cannot be reached, or the room is gone
                await self.game.leave()
            self.game = None
        if self.study is not None:
            study, self.study = self.study, None
            await study.leave()
        self._changed.set()

    async def idle(self) -> None:
        """Wait until the game expects input: a move, a vote or an answer; or in a finished or open game, any command.
        Returns at once for a spectator, and when no more news comes."""
        await self._until(self._expected)

    async def watched(self) -> None:
        """Wait for the end of the game if no seat is played from here, or until no more news comes."""
        await self._until(lambda: self.game is None or self.fault is not None or not self._looking_on(self.game))

    async def broken(self) -> None:
        """Wait until the venue's connection is lost for good, and raise the reason (`ConnectionFault`)."""
        await self._until(lambda: isinstance(self.fault, ConnectionFault))
        assert self.fault is not None  # the caller awaits it
        raise self.fault

    def _expected(self) -> bool:
        game = self.game
        if self.question is not None or self.fault is not None:
            return True
        if self._pending:
            return False
        if game is None or self.editor is not None:
            return True
        table = game.table
        if table.status == "open":
            return any(seat.player is None and seat.invited is None for seat in table.seats.values())
        if table.proposal is not None and any(seat in table.proposal.electorate for seat in game.seats):
            return game.voter is not None
        inside = any(seat not in table.out for seat in game.seats)
        return table.status == "finished" or not inside or (game.voter or game.mover) is not None

    async def caught_up(self, seq: int) -> None:
        """Wait until the news of a version has come."""
        await self._until(lambda: self.game is None or self.fault is not None or self.game.table.seq >= seq)

    async def read_up(self, seq: int) -> None:
        """Wait until the news of a version of the study has come."""
        await self._until(lambda: self.study is None or self.fault is not None or self.study.open.study.seq >= seq)

    async def _until(self, condition: Callable[[], bool]) -> None:
        while not condition():
            self._changed.clear()
            await self._changed.wait()

    @staticmethod
    def _looking_on(game: Game) -> bool:
        """Whether a game is running, and nobody here plays in it."""
        return game.table.status == "playing" and all(seat in game.table.out for seat in game.seats)

    async def _read(self, game: Game, announcer: Announcer) -> None:
        try:
            async for news in game.news():
                announcer.hear(news)
                self._changed.set()
        except (ConnectionFault, RequestError, ExceptionGroup) as fault:
            self.fault = fault
            self.front.say(f"Lost this game: {fault}")
            self._changed.set()

    async def _follow(self, reading: Reading) -> None:
        """Take in the news of a study, and report the changes by others."""
        try:
            async for news in reading.open.news():
                self.say_all(reading.heard(news))
                await reading.stay()
                self.front.heard(news)
                self._changed.set()
        except (ConnectionFault, RequestError) as fault:
            self.fault = fault
            self.front.say(f"Lost this study: {fault}")
            self._changed.set()

    def _settled(self, fault: BaseException | None) -> None:
        """Handle the end of background work."""
        self.fault = self.fault or fault
        self._changed.set()

    def _connection(self, notice: Notice) -> None:
        """Handle the loss or return of the connection. An open game reports it in its news."""
        self._pending.connected(notice.connected)
        if self.game is None:
            self.front.say(notice.text)
            self.front.heard(notice)

    def say_all(self, lines: Iterable[str]) -> None:
        """Say lines, one after the other."""
        for line in lines:
            self.front.say(line)

    def here(self) -> Game:
        """The open game. Raises `Unclear` if there is none."""
        if self.game is None:
            raise c.Unclear("No game is open. 'create' opens one.")
        return self.game

    def reading(self) -> Reading:
        """The open study. Raises `Unclear` if there is none."""
        if self.study is None:
            raise c.Unclear("No study is open. 'studies' lists yours, 'study new' creates one.")
        return self.study

    def position(self) -> Position:
        """The position in view. Raises `Unclear` without a game or study."""
        return self.look.position(self.here()) if self.study is None else self.study.position

    def shown(self) -> Shown:
        """The board in view. Raises `Unclear` without a game or study."""
        if self.study is not None:
            at = self.study.at
            return Shown(self.study.tree().variant, at.position, at.turn is None)
        position = self.position()
        return Shown(self.here().table.variant, position.fen(), position.outcome is not None)

    def seats(self) -> list[str]:
        """The seats of the board in view, in the order of turns."""
        if self.study is not None:
            return list(self.study.tree().seats)
        return list(self.here().table.seats) if self.editor is None else [one.name for one in self.editor.rules.seats]

    def seat(self, name: str | None) -> str | None:
        """A seat of this board by its name or first letter. Raises `Unclear` for others."""
        if name is None:
            return None
        found = next((seat for seat in self.seats() if name in (seat, seat[0])), None)
        if found is None:
            raise c.Unclear(f"There is no seat '{name[:20]}' here. Seats: {', '.join(self.seats())}.")
        return found

    @property
    def unsaved(self) -> bool:
        """Whether there is a game with unsaved moves."""
        game = self.game
        return game is not None and bool(game.table.moves) and self.saved != game.standing

    async def begin(self, opening: Opening) -> None:
        """Open a game here. Raises `RequestError` if it cannot be opened."""
        game = await self.venue.create(opening)
        self.usual = opening
        if game.address is not None:
            self.front.say(f"Room {game.table.room}: {game.address}")
        await self.open(game)

    def as_usual(self, opening: Opening) -> Opening:
        """The opening with the clock of the last game, and with its computer players if the variant is the same."""
        same = opening.variant == self.usual.variant
        return replace(opening, clock=self.usual.clock, levels=self.usual.levels if same else {})

    async def replacing(self, go_on: Then) -> None:
        """Go on to another game. Ask first if a game on this machine would be lost."""
        game = self.game
        if game is None or game.address is not None or game.table.status == "finished" or not self.unsaved:
            await go_on()
        else:
            self.questions.confirm("This game would be lost. Continue (yes or no)?", go_on)


Handler: TypeAlias = Callable[[Desk, Any], Coroutine[Any, Any, None]]
"""Executes a command."""

Handlers: TypeAlias = dict[type[c.Command], Handler]
