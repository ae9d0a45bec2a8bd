"""What becomes of what is typed: the one place where commands are carried out, for every front end.

A desk has a venue, at most one game on it, and perhaps a position that is being put together. A front end gives it
lines (`do`) and is told what to say and to show. It refuses to know how that looks.

    async with Desk(venue, front) as desk:
        await desk.do("create 4 bots=3")
        await desk.do("h2h4")

A front end with buttons needs no lines: `carry_out(Propose("undo", 2))` does what the line does.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Final, Literal, Protocol, Self

from fourfold.clients.errors import ConnectionFault, RequestError
from fourfold.clients.games.files import FileFault
from fourfold.clients.games.game import Game, News, Notice, Opening, Venue
from fourfold.clients.terminal.absences import Absences
from fourfold.clients.terminal.controller import arriving, filing, looking, playing
from fourfold.clients.terminal.controller.looking import Look
from fourfold.clients.terminal.errands import Errands
from fourfold.clients.terminal.parser import commands as c
from fourfold.clients.terminal.parser import typed
from fourfold.clients.terminal.parser.language import LOBBY, PLAY, SETUP, Language
from fourfold.clients.terminal.questions import NO, YES, Answered, Question, pages
from fourfold.clients.terminal.text import answers, words
from fourfold.clients.terminal.text.outlook import Outlook
from fourfold.clients.terminal.text.view import View
from fourfold.engine.editor import BoardEditor
from fourfold.engine.errors import IllegalMove, InvalidNotation, InvalidSetup
from fourfold.protocol import events as happened
from fourfold.protocol.from_server import Presence, Room, Said, Turn, Update

Then = Callable[[], Awaitable[None]]
"""What is done next."""


class Front(Protocol):
    """What a front end does for a desk. Nothing here may block or raise."""

    @property
    def room(self) -> tuple[int, int] | None:
        """The columns and rows in which lines are seen at once; None where they can be scrolled, or go to a pipe."""

    def say(self, text: str) -> None:
        """Show a line of text: an answer, something that happened, or what was wrong."""

    def show(self) -> None:
        """Show the board, `desk.view`: asked for, or changed."""

    def zoom(self, by: Literal[-1, 0, 1]) -> None:
        """Show the board larger (1), smaller (-1), or in the next size round (0)."""

    def heard(self, news: News) -> None:
        """Something happened in `desk.game`, which has it already; sentences about it have been said."""

    def moved(self) -> None:
        """`desk.game` or `desk.editor` is another, or none any more."""

    def bell(self) -> None:
        """Call for attention: a seat of ours is to move, or to vote."""


class Desk:
    """See the module. An async context manager: it reads the news of its game meanwhile."""

    def __init__(self, venue: Venue, front: Front) -> None:
        self.venue = venue
        self.front = front
        self.usual = Opening()
        """What was opened last: a game from a file or a position set up has its clock and computer players."""
        self.game: Game | None = None
        self.editor: BoardEditor | None = None
        """The position that is being put together (setup mode)."""
        self.question: Question | None = None
        """What has been asked; the next line answers it."""
        self.look = Look()
        """How the board is looked at."""
        self.saved: object = None
        """How the game stood that was saved last, or read (`Game.standing`)."""
        self.sending: str | None = None
        """The move that has been sent, or is kept to be sent, and has not been answered yet."""
        self.over = False
        """Whether `quit` has been carried out: the front end should end."""
        self.fault: BaseException | None = None
        """Why there is no more news of the game, if it was not left."""
        self._news: asyncio.Task[None] | None = None
        self._changed = asyncio.Event()
        self._absences = Absences(front.say)
        self._errands = Errands(venue.patience, front.say, self._settled)
        venue.listener = self._connection

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    # -- what is there --------------------------------------------------------------------------------

    @property
    def language(self) -> Language:
        """What may be typed now."""
        if self.editor is not None:
            return SETUP
        return LOBBY if self.game is None else PLAY

    @property
    def prompt(self) -> str:
        """What is expected: "White to move: ", "Black, do you agree to undo 2 moves (yes or no)? ", ..."""
        if self.question is not None:
            return f"{self.question.text} "
        if self.editor is not None:
            return "Setup: "
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
        assert table.turn is not None  # the game is being played
        return (
            f"{table.turn.capitalize()} to move: " if game.mover is not None else f"{table.turn.capitalize()} plays: "
        )

    @property
    def view(self) -> View | None:
        """What to show; None in the lobby."""
        if self.editor is not None:
            rules = self.editor.rules
            seats = [seat.name for seat in rules.seats]
            number = seats.index(self.look.bottom) if self.look.bottom in seats else 0
            return View.editing(self.editor, Outlook(rules.geometry, rules.seats[number].forward))
        return None if self.game is None else self.look.view(self.game)

    # -- the game -------------------------------------------------------------------------------------

    async def open(self, game: Game) -> None:
        """Put a game on the desk, in the stead of the one that was there, which is left."""
        if game is self.game:
            self.editor = None
            self.front.show()
            return
        await self._leave()
        self.game = game
        self.editor = None
        self.look = Look()
        self.saved = None
        self.fault = None
        self._news = asyncio.create_task(self._read(game), name="news")
        self.front.moved()
        await self.caught_up(max(game.due, game.table.seq))

    async def put_away(self) -> None:
        """Leave the game, for the lobby. What has not reached the server yet is not sent any more."""
        game = self.game
        await self._leave()
        self.front.moved()
        if game is not None and game.seats and game.address is not None and game.table.status == "playing":
            self.front.say(f"Your seat is kept: 'join {game.table.room}' brings you back.")

    async def close(self) -> None:
        """Leave the game, if there is one."""
        await self._leave()

    async def _leave(self) -> None:
        self._errands.drop()
        if self._news is not None:
            self._news.cancel()
            await asyncio.wait([self._news])
            self._news = None
        self._absences.watch(None)
        if self.game is not None:
            with suppress(ConnectionFault, RequestError):  # nobody can be told, or the room is gone
                await self.game.leave()
            self.game = None
        self._changed.set()

    async def idle(self) -> None:
        """Wait until something is expected of us: a move, a vote, an answer; or anything, in a game that is over or
        that people are missing from. Returns at once where nothing can ever be: when one looks on, and when there is
        no more news."""
        while not self._expected():
            self._changed.clear()
            await self._changed.wait()

    async def watched(self) -> None:
        """Look on to the end of the game, if nobody plays in it from here; or until there is no more news of it."""
        while self.game is not None and self.fault is None and self.game.table.status == "playing":
            if any(seat not in self.game.table.out for seat in self.game.seats):
                return
            self._changed.clear()
            await self._changed.wait()

    async def broken(self) -> None:
        """Wait until there is no talking to the venue any more, and raise why (`ConnectionFault`)."""
        while not isinstance(self.fault, ConnectionFault):
            self._changed.clear()
            await self._changed.wait()
        raise self.fault

    def _expected(self) -> bool:
        game = self.game
        if self.question is not None or self.fault is not None:
            return True
        if self._errands:
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
        """Wait until the news of a version has been heard."""
        while self.game is not None and self.fault is None and self.game.table.seq < seq:
            self._changed.clear()
            await self._changed.wait()

    async def _read(self, game: Game) -> None:
        try:
            async for news in game.news():
                self._hear(game, news)
                self._changed.set()
        except (ConnectionFault, RequestError, ExceptionGroup) as fault:
            self.fault = fault
            self.front.say(f"There is no more news of this game: {fault}")
            self._changed.set()

    def _hear(self, game: Game, news: News) -> None:
        match news:
            case Room():
                self.look.asked = None
                self.front.show()
                self._absences.watch(game)
            case Update(events=events):
                for event in events:
                    self.front.say(self._sentence(game, event))
                kinds = {type(event) for event in events}
                if happened.Proposed in kinds:
                    self._drop_offer()
                if kinds & _CHANGING:
                    self.look.asked = None
                    if happened.Rematched in kinds:
                        self.look.live()
                    if self.look.ply is None:
                        self.front.show()
                proposal = game.table.proposal
                if game.voter is not None and proposal is not None and kinds & {happened.Proposed, happened.Voted}:
                    if happened.Proposed in kinds:
                        seconds = max(0, proposal.deadline - game.now()) // 1000
                        self.front.say(f"There are {seconds} seconds to answer.")
                    self.front.bell()
            case Turn(seat=seat):
                claim = game.claimable(seat)
                if claim is not None:
                    self.front.say(answers.claim(seat, claim))
                self.front.bell()
            case Presence(seat=seat, online=online):
                if seat not in game.seats:
                    self.front.say(f"{seat.capitalize()} is {'here' if online else 'away'}.")
                self._absences.watch(game)
            case Said(seat=seat, name=name, text=text, to=to):
                where = f" ({seat or 'watching'}{', to the table' if to == 'table' else ''})"
                self.front.say(f"{words.name(name)}{where}: {words.shown(text)}")
            case Notice(text=text):
                self.front.say(text)
        self.front.heard(news)

    def _sentence(self, game: Game, event: happened.AnyEvent) -> str:
        if isinstance(event, happened.Proposed):
            return f"{words.proposal(event, game.table.position).capitalize()}."
        return words.sentence(event)

    # -- commands -------------------------------------------------------------------------------------

    async def do(self, line: str) -> None:
        """Carry out a line. Whatever is wrong with it is said, never raised, but `ConnectionFault`: there is no
        going on. What the server does not answer soon goes on by itself, so that other lines can be carried out."""
        if self.question is not None and await self._answered(self.question, line.strip()):
            return
        if not line.strip():
            return
        try:
            command = self.language.read(line)
        except c.Unclear as unclear:
            self.front.say(str(unclear))
            return
        await self._guarded(DO[type(command)](self, command), line.strip())

    async def carry_out(self, command: c.Command) -> None:
        """Carry out a command, as `do` does."""
        self._drop_offer()
        await self._guarded(DO[type(command)](self, command), command.text if isinstance(command, c.Move) else "")

    async def insist(self, line: str) -> None:
        """Carry out a line that nothing goes on without. Raises `RequestError` if it is refused; what else is wrong
        with it is said."""
        try:
            command = self.language.read(line)
        except c.Unclear as unclear:
            self.front.say(str(unclear))
            return
        await self._careful(DO[type(command)](self, command), insist=True)

    async def _answered(self, question: Question, line: str) -> bool:
        """Take a line as the answer to a question; False if it is none, and drops it."""
        if question.takes is not None:
            self.question = None
            if not question.takes(line):
                return False
            await self._guarded(question.then(line))
            return True
        yes, no = line.lower() in YES, line.lower() in NO
        if (yes and not question.choice) or (question.choice and not line):
            return True  # which is asked once more
        self.question = None
        if question.choice and not (yes or no):
            return False
        if not await self._guarded(question.then("" if no else line)) and self.question is None:
            self.question = question
        return True

    async def _guarded(self, work: Awaitable[None], name: str = "") -> bool:
        """Do something, and say what is wrong with it; whether it was done, or goes on by itself."""
        return await self._errands.run(self._careful(work), name or "What was asked for")

    def _settled(self, fault: BaseException | None) -> None:
        """Something that went on by itself has come to its end."""
        self.fault = self.fault or fault
        self._changed.set()

    async def _careful(self, work: Awaitable[None], *, insist: bool = False) -> bool:
        """Do something, and say what is wrong with it; whether it was done. A refusal is raised where one insists."""
        try:
            await work
        except (c.Unclear, FileFault, typed.BadMove) as fault:
            self.front.say(str(fault))
        except (InvalidNotation, IllegalMove) as fault:
            self.front.say(fault.message)
        except InvalidSetup as fault:
            for one in fault.faults:
                self.front.say(one.message)
        except RequestError as error:
            if insist:
                raise
            self.front.say(typed.sentence(error.code, error.message))
        else:
            return True
        finally:
            self._changed.set()
        return False

    def _connection(self, notice: Notice) -> None:
        """The connection is lost, or back. Where there is a game, its news tell so."""
        self._errands.connected(notice.connected)
        if self.game is None:
            self.front.say(notice.text)
            self.front.heard(notice)

    def ask(self, text: str, then: Answered, *, choice: bool = False) -> None:
        """Let the next line answer a question."""
        self.question = Question(text, then, choice)

    def offer(self, text: str, takes: Callable[[str], bool], then: Answered) -> None:
        """Let the next line answer a question, if it is one that the question `takes`."""
        self.question = Question(text, then, takes=takes)

    def _drop_offer(self) -> None:
        if self.question is not None and self.question.takes is not None:
            self.question = None

    def tell(self, lines: Sequence[str], then: Callable[[], None] = lambda: None) -> None:
        """Say many lines, so many at a time as can be seen at once; and then go on."""
        found = pages(lines, self.front.room)

        def show(number: int) -> None:
            for line in found[number]:
                self.front.say(line)
            if number + 1 == len(found):
                then()
                return

            async def go_on(_: str) -> None:
                show(number + 1)

            self.offer(f"Page {number + 1} of {len(found)}; Enter: the next.", lambda line: not line, go_on)

        show(0)

    def here(self) -> Game:
        """The game. Raises `Unclear` if there is none."""
        if self.game is None:
            raise c.Unclear("There is no game here; 'create' opens one.")
        return self.game

    def seats(self) -> list[str]:
        """The seats of the board that is seen, in the order of turns."""
        return list(self.here().table.seats) if self.editor is None else [one.name for one in self.editor.rules.seats]

    def seat(self, name: str | None) -> str | None:
        """A seat by its name or first letter. Raises `Unclear` for none of this board."""
        if name is None:
            return None
        found = next((seat for seat in self.seats() if name in (seat, seat[0])), None)
        if found is None:
            raise c.Unclear(f"There is no seat '{name[:20]}' here; there are {', '.join(self.seats())}.")
        return found

    @property
    def unsaved(self) -> bool:
        """Whether there is a game with moves that has not been saved as it is."""
        game = self.game
        return game is not None and bool(game.table.moves) and self.saved != game.standing

    async def begin(self, opening: Opening) -> None:
        """Open a game, and put it on the desk. Raises `RequestError` if it cannot be opened."""
        game = await self.venue.create(opening)
        self.usual = opening
        if game.address is not None:
            self.front.say(f"Room {game.table.room}: {game.address}")
        await self.open(game)

    def as_usual(self, opening: Opening) -> Opening:
        """With the clock and the computer players of the last game, if it was one for as many."""
        same = opening.variant == self.usual.variant
        return replace(opening, clock=self.usual.clock, levels=self.usual.levels if same else {})

    async def replacing(self, go_on: Then) -> None:
        """Go on to another game; but first ask, if one of this machine would be lost."""
        game = self.game

        async def answered(answer: str) -> None:
            if answer:
                await go_on()

        if game is None or game.address is not None or game.table.status == "finished" or not self.unsaved:
            await go_on()
        else:
            self.ask("The game on the board would be lost. Go on (yes or no)?", answered, choice=True)


_CHANGING: Final[set[type[happened.AnyEvent]]] = {
    happened.Started, happened.Moved, happened.Resigned, happened.Flagged, happened.Removed,
    happened.Undone, happened.Redone, happened.Finished, happened.Rematched,
}  # fmt: skip
"""Events after which the board is another, or seen otherwise."""

DO: Final = {**playing.HANDLERS, **looking.HANDLERS, **filing.HANDLERS, **arriving.HANDLERS}
"""Who carries out which command."""
