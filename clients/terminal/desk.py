"""What becomes of what is typed: the one place where commands are carried out, for every front end.

A desk has a venue, at most one game on it, and perhaps a position that is being put together. A front end gives it
lines (`do`) and is told what to say and to show. It refuses to know how that looks.

    async with Desk(venue, front) as desk:
        await desk.do("create 4 bots=3")
        await desk.do("h2h4")

A front end with buttons needs no lines: `carry_out(Propose("undo", 2))` does what the line does.
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Final, Literal, Protocol, Self

from clients.errors import ConnectionFault, RequestError
from clients.terminal import answers, files, typed, words
from clients.terminal import commands as c
from clients.terminal.files import FileFault
from clients.terminal.game import Game, News, Notice, Opening, Venue
from clients.terminal.language import LOBBY, PLAY, SETUP, Language
from clients.terminal.outlook import Outlook
from clients.terminal.review import Review
from clients.terminal.view import View
from clients.terminal.workbench import changed
from engine.editor import BoardEditor
from engine.errors import IllegalMove, InvalidNotation, InvalidSetup
from engine.variants import rules_of
from protocol.from_server import Presence, Room, Said, Turn, Update

YES: Final = frozenset(PLAY.spellings("yes"))
NO: Final = frozenset(PLAY.spellings("no"))


class Front(Protocol):
    """What a front end does for a desk. Nothing here may block or raise."""

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


@dataclass(frozen=True, slots=True)
class Question:
    """Something that must be answered before anything else; `then` gets the line. `choice`: yes or no is expected,
    and any other command drops the question; otherwise any line is the answer, an empty one says no."""

    text: str
    then: Callable[[str], Awaitable[None]]
    choice: bool = False


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
        self.over = False
        """Whether `quit` has been carried out: the front end should end."""
        self.fault: BaseException | None = None
        """Why there is no more news of the game, if it was not left."""
        self._news: asyncio.Task[None] | None = None
        self._changed = asyncio.Event()
        self._bottom: str | None = None
        self._asked: str | None = None
        self._ply: int | None = None
        self._review: tuple[int, Review] | None = None  # and the version of the game it is of
        self._saved: int | None = None  # the version that was saved last

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
            vote = table.proposal
            what = words.wish(vote.kind, vote.plies, vote.absentee)
            return f"{game.voter.capitalize()}, {vote.seat} asks {what}. Do you agree (yes or no)? "
        if self._ply is not None:
            return f"Looking at move {self._ply}: "
        if table.status == "open":
            return "Waiting for players: "
        if table.status == "finished":
            return "The game is over: "
        assert table.turn is not None  # the game is being played
        return (
            f"{table.turn.capitalize()} to move: " if game.mover is not None else f"{table.turn.capitalize()} plays: "
        )

    @property
    def outlook(self) -> str | None:
        """The seat from whose side the board is seen: where it was turned to, else ours; at a shared keyboard the
        first of ours. None: the first seat's."""
        if self._bottom is not None or self.game is None:
            return self._bottom
        return next(iter(self.game.seats), None)

    @property
    def view(self) -> View | None:
        """What to show; None in the lobby."""
        if self.editor is not None:
            rules = self.editor.rules
            seats = [seat.name for seat in rules.seats]
            number = seats.index(self._bottom) if self._bottom in seats else 0
            return View.editing(self.editor, Outlook(rules.geometry, rules.seats[number].forward))
        game = self.game
        if game is None:
            return None
        table = game.table
        outlook = Outlook.of(table.position, self.outlook)
        if self._ply is not None and self._review is not None:
            review = self._review[1]
            return View.of(review.position(self._ply), outlook, last=review.last(self._ply), ply=self._ply)
        last = table.moves[-1] if table.moves else None
        brackets = table.status == "playing"
        return View.of(table.position, outlook, last=last, brackets=brackets, asked=self._asked)

    # -- the game -------------------------------------------------------------------------------------

    async def open(self, game: Game) -> None:
        """Put a game on the desk, in the stead of the one that was there, which is left."""
        await self._put_away()
        self.game = game
        self.editor = None
        self._bottom = self._asked = self._ply = self._review = None
        self._saved = None
        self.fault = None
        self._news = asyncio.create_task(self._read(game), name="news")
        self.front.moved()

    async def close(self) -> None:
        """Leave the game, if there is one."""
        await self._put_away()

    async def _put_away(self) -> None:
        if self._news is not None:
            self._news.cancel()
            await asyncio.wait([self._news])
            self._news = None
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
        if game is None or self.question is not None or self.editor is not None or self.fault is not None:
            return True
        table = game.table
        if table.status == "open":
            return any(seat.player is None and seat.invited is None for seat in table.seats.values())
        if table.proposal is not None and any(seat in table.proposal.electorate for seat in game.seats):
            return game.voter is not None
        inside = any(seat not in table.out for seat in game.seats)
        return table.status == "finished" or not inside or (game.voter or game.mover) is not None

    async def _caught_up(self, seq: int) -> None:
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
                self._asked = None
                self.front.show()
            case Update(events=events):
                for event in events:
                    self.front.say(words.sentence(event))
                kinds = {type(event).__name__ for event in events}
                if kinds & _CHANGING:
                    self._asked = None
                    if self._ply is None:
                        self.front.show()
                    if "Rematched" in kinds:
                        self._ply = self._review = None
                if game.voter is not None and kinds & {"Proposed", "Voted"}:
                    self.front.bell()
            case Turn():
                self.front.bell()
            case Presence(seat=seat, online=online):
                if seat not in game.seats:
                    self.front.say(f"{seat.capitalize()} is {'here' if online else 'away'}.")
            case Said(seat=seat, name=name, text=text, to=to):
                where = f" ({seat or 'watching'}{', to the table' if to == 'table' else ''})"
                self.front.say(f"{words.name(name)}{where}: {words.shown(text)}")
            case Notice(text=text):
                self.front.say(text)
        self.front.heard(news)

    # -- commands -------------------------------------------------------------------------------------

    async def do(self, line: str) -> None:
        """Carry out a line. Whatever is wrong with it is said, never raised, but `ConnectionFault`: there is no
        going on."""
        question = self.question
        if question is not None:
            word = line.strip().lower()
            if not question.choice:
                self.question = None
                await self._guarded(question.then(line.strip()))
                return
            if not word:
                return
            self.question = None
            if word in YES | NO:
                await self._guarded(question.then("yes" if word in YES else ""))
                return
        if not line.strip():
            return
        try:
            command = self.language.read(line)
        except c.Unclear as unclear:
            self.front.say(str(unclear))
            return
        await self.carry_out(command)

    async def carry_out(self, command: c.Command) -> None:
        """Carry out a command, as `do` does."""
        await self._guarded(_DO[type(command)](self, command))

    async def _guarded(self, work: Awaitable[None]) -> None:
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
            self.front.say(typed.sentence(error.code, error.message))
        self._changed.set()

    def ask(self, text: str, then: Callable[[str], Awaitable[None]], *, choice: bool = False) -> None:
        """Let the next line answer a question."""
        self.question = Question(text, then, choice)

    def _here(self) -> Game:
        if self.game is None:
            raise c.Unclear("There is no game here; 'create' opens one.")
        return self.game

    async def _move(self, command: c.Move) -> None:
        game = self._here()
        table = game.table
        if self._ply is not None:
            raise c.Unclear(f"You are looking at move {self._ply}; 'last' brings you back to the game.")
        if not game.seats:
            raise c.Unclear("You are looking on: only those who sit at the board can move.")
        if table.status == "open":
            raise typed.BadMove("not_started", typed.sentence("not_started", "Seats are still free."))
        if table.status == "finished":
            raise typed.BadMove("game_over", typed.sentence("game_over", "No more moves can be made."))
        if game.mover is None:
            raise typed.BadMove("not_your_turn", typed.sentence("not_your_turn", f"It is {table.turn}'s."))
        move = typed.read(table.position, command.text)
        await self._caught_up(await game.move(move.text))

    async def _targets(self, command: c.Targets) -> None:
        if self.editor is not None:
            raise c.Unclear("Nothing moves while the board is set up; 'done' begins the game.")
        game = self._here()
        position = game.table.position
        if self._ply is not None and self._review is not None:
            position = self._review[1].position(self._ply)
        if command.square is None:
            self.front.say(answers.moves(position))
            return
        found = answers.found(position, command.square)
        self.front.say(answers.targets(position, command.square, found))
        if self._ply is None:
            self._asked = command.square if any(found) else None
            if self._asked is not None:
                self.front.show()

    async def _propose(self, command: c.Propose) -> None:
        game = self._here()
        seq = await game.propose(command.kind, command.plies, seat=self._seat(command.seat))
        await self._caught_up(seq)

    async def _answer(self, command: c.Answer) -> None:
        await self._caught_up(await self._here().vote(command.accept))

    async def _resign(self, command: c.Resign) -> None:
        await self._caught_up(await self._here().resign(self._seat(command.seat)))

    async def _abort(self, _: c.Abort) -> None:
        await self._caught_up(await self._here().abort())

    async def _say(self, command: c.Say) -> None:
        await self._here().say(command.text, command.to)

    async def _bot(self, command: c.Bot) -> None:
        await self._caught_up(await self._here().bot(self._seat(command.seat), command.level))

    async def _sit(self, command: c.Sit) -> None:
        await self._caught_up(await self._here().sit(self._seat(command.seat)))

    def _seat(self, name: str | None) -> str | None:
        """A seat by its name or first letter. Raises `Unclear` for none of this game."""
        if name is None:
            return None
        seats = self._here().table.seats if self.editor is None else [one.name for one in self.editor.rules.seats]
        found = next((seat for seat in seats if name in (seat, seat[0])), None)
        if found is None:
            raise c.Unclear(f"There is no seat '{name[:20]}' here; there are {', '.join(seats)}.")
        return found

    async def _show(self, command: c.Show) -> None:
        if command.what == "board":
            self._asked = None
            self.front.show()
            return
        if self.editor is not None:
            self.front.say(self.editor.position().fen())
            return
        game = self._here()
        match command.what:
            case "score":
                lines = answers.score(game)
            case "clocks":
                lines = [answers.clocks(game)]
            case "fen":
                view = self.view
                position = game.table.position
                if view is not None and view.ply is not None and self._review is not None:
                    position = self._review[1].position(view.ply)
                lines = [position.fen()]
            case "who":
                lines = answers.who(game)
            case _:
                lines = [game.address or "This game is on this machine only."]
        for line in lines:
            self.front.say(line)

    async def _reviewed(self) -> Review:
        game = self._here()
        if self._review is None or (self._ply is None and self._review[0] != game.table.seq):
            self._review = (game.table.seq, Review(await game.record()))
        return self._review[1]

    async def _history(self, _: c.History) -> None:
        review = await self._reviewed()
        for line in review.lines() or ["Nothing has been played yet."]:
            self.front.say(line)

    async def _step(self, command: c.Step) -> None:
        review = await self._reviewed()
        here = review.plies if self._ply is None else self._ply
        to = {
            "first": 0,
            "back": here - command.plies,
            "forward": here + command.plies,
            "ply": command.plies,
            "last": review.plies,
        }[command.to]
        if command.to == "ply" and to > review.plies:
            raise c.Unclear(f"There are {words.moves(review.plies)} to look back at.")
        to = min(max(to, 0), review.plies)
        back = command.to == "last" or (command.to == "forward" and to == review.plies)
        self._ply = None if back else to
        self._asked = None
        self.front.show()

    async def _flip(self, command: c.Flip) -> None:
        if self.editor is None:
            seats = list(self._here().table.seats)
        else:
            seats = [seat.name for seat in self.editor.rules.seats]
        here = self.outlook if self.outlook in seats else seats[0]
        assert here is not None  # one of the seats
        self._bottom = self._seat(command.seat) or seats[(seats.index(here) + 1) % len(seats)]
        self.front.show()

    async def _zoom(self, command: c.Zoom) -> None:
        self.front.zoom(command.by)

    async def _help(self, command: c.Help) -> None:
        for line in self.language.help(command.topic):
            self.front.say(line)

    # -- files ----------------------------------------------------------------------------------------

    async def _save(self, command: c.Save) -> None:
        self._here()
        if command.path is None:
            self.ask("Save to which file (Enter: none)?", self._save_to)
        else:
            await self._save_to(command.path)

    async def _save_to(self, name: str, then: Callable[[], Awaitable[None]] | None = None) -> None:
        """Save, and go on with something; ask before a file is overwritten. An empty name saves nothing."""
        if name:
            game = self._here()
            path = files.path(name)
            text = await game.export(files.format_of(path, len(game.table.seats)))

            async def overwrite(answer: str) -> None:
                if answer:
                    files.save(path, text, overwrite=True)
                    await self._saved_to(path, then)
                else:
                    self.front.say("Nothing was saved.")

            try:
                files.save(path, text)
            except FileExistsError:
                self.ask(f"{path} is there already. Overwrite it (yes or no)?", overwrite, choice=True)
                return
            await self._saved_to(path, then)
        elif then is not None:
            await then()

    async def _saved_to(self, path: object, then: Callable[[], Awaitable[None]] | None) -> None:
        self.front.say(f"Saved to {path}.")
        if self.game is not None:
            self._saved = self.game.table.seq
        if then is not None:
            await then()

    async def _read_file(self, command: c.Read) -> None:
        if command.path is None:
            self.ask("Read which file (Enter: none)?", self._read_from)
        else:
            await self._read_from(command.path)

    async def _read_from(self, name: str) -> None:
        if not name:
            return
        variant = self.usual.variant if self.game is None else self.game.table.variant
        loaded = files.load(files.path(name), variant)

        async def go_on() -> None:
            await self.begin(self._as_usual(loaded.opening))
            game = self._here()
            for note in loaded.notes:
                self.front.say(note)
            self.front.say(f"Read {words.moves(len(loaded.opening.moves))} from {name}.")
            if loaded.last is not None:
                if game.mover is not None and game.mover in game.seats:
                    await self._caught_up(await game.move(loaded.last))
                else:
                    self.front.say(f"The next move in the file, {loaded.last}, would end the game.")

        await self._replacing(go_on)

    async def _export(self, command: c.Export) -> None:
        game = self._here()
        format = command.format or ("pgn" if len(game.table.seats) == 2 else "pgn4")
        for line in (await game.export(format)).splitlines():
            self.front.say(line)

    # -- elsewhere ------------------------------------------------------------------------------------

    async def begin(self, opening: Opening) -> None:
        """Open a game, and put it on the desk. Raises `RequestError` if it cannot be opened."""
        await self.open(await self.venue.create(opening))
        self.usual = opening
        if self.game is not None and self.game.address is not None:
            self.front.say(f"Room {self.game.table.room}: {self.game.address}")

    def _as_usual(self, opening: Opening) -> Opening:
        """With the clock and the computer players of the last game, if it was one for as many."""
        same = opening.variant == self.usual.variant
        return replace(opening, clock=self.usual.clock, levels=self.usual.levels if same else {})

    async def _replacing(self, go_on: Callable[[], Awaitable[None]]) -> None:
        """Go on; but first ask, if a game of this machine would be lost."""
        game = self.game
        kept = game is None or game.address is not None or game.table.status == "finished"

        async def answered(answer: str) -> None:
            if answer:
                await go_on()

        if kept or game is None or not game.table.moves or self._saved == game.table.seq:
            await go_on()
        else:
            self.ask("The game on the board would be lost. Go on (yes or no)?", answered, choice=True)

    async def _rooms(self, command: c.Rooms) -> None:
        for line in answers.rooms(await self.venue.rooms(command.variant)):
            self.front.say(line)

    async def _create(self, command: c.Create) -> None:
        await self._replacing(lambda: self.begin(command.opening))

    async def _join(self, command: c.Join) -> None:
        game = self.game
        if game is not None and game.table.room == command.room:
            await self._sit(c.Sit(command.seat))
            return
        try:
            await self.open(await self.venue.join(command.room, command.seat, command.password))
        except RequestError as error:
            if error.code != "already_started":
                raise
            await self.open(await self.venue.watch(command.room, command.password))
            self.front.say("The game has begun already: you look on.")

    async def _watch(self, command: c.Watch) -> None:
        await self.open(await self.venue.watch(command.room, command.password))

    async def _seek(self, command: c.Seek) -> None:
        await self.open(await self.venue.seek(command.variant, command.clock))

    async def _leave(self, _: c.Leave) -> None:
        async def go() -> None:
            await self._put_away()
            self.front.moved()

        await self._replacing(go)

    async def _quit(self, _: c.Quit) -> None:
        async def go() -> None:
            self.over = True

        game = self.game
        if self.editor is None and game is not None and game.table.moves and self._saved != game.table.seq:
            self.ask(
                "To save the game, write a file's name; to go without, press Enter:",
                lambda name: self._save_to(name, go),
            )
        else:
            await go()

    # -- setup mode -----------------------------------------------------------------------------------

    async def _edit(self, command: c.Edit) -> None:
        variant = self.usual.variant if self.game is None else self.game.table.variant
        self.editor = BoardEditor.empty(rules_of(command.variant or variant))
        self._bottom = None
        self.front.say(
            f"An empty board for {self.editor.rules.name}. '+ wK e1' puts a piece on it, '- e1' takes it off, "
            "'= black' says whose move it is, 'fen start' lays the usual start; 'done' begins, 'cancel' forgets it."
        )
        self.front.moved()
        self.front.show()

    async def _change(self, command: Any) -> None:
        assert self.editor is not None  # its language is spoken only there
        self.editor = changed(self.editor, command)
        self.front.show()

    async def _done(self, _: c.Done) -> None:
        assert self.editor is not None  # its language is spoken only there
        faults = self.editor.faults()
        for fault in faults:
            self.front.say(fault.message)
        if faults:
            self.front.say("No game can begin from this position yet.")
            return
        opening = Opening(self.editor.rules.name, self.editor.position().fen())
        await self._replacing(lambda: self.begin(self._as_usual(opening)))

    async def _cancel(self, _: c.Cancel) -> None:
        self.editor = None
        self.front.moved()
        if self.game is not None:
            self.front.show()


_CHANGING: Final = {
    "Started", "Moved", "Resigned", "Flagged", "Removed", "Undone", "Redone", "Finished", "Rematched",
}  # fmt: skip
"""Events after which the board is another, or seen otherwise."""

_DO: Final[dict[type[c.Command], Callable[[Desk, Any], Awaitable[None]]]] = {
    c.Move: Desk._move,
    c.Targets: Desk._targets,
    c.Propose: Desk._propose,
    c.Answer: Desk._answer,
    c.Resign: Desk._resign,
    c.Abort: Desk._abort,
    c.Say: Desk._say,
    c.Bot: Desk._bot,
    c.Sit: Desk._sit,
    c.Leave: Desk._leave,
    c.Show: Desk._show,
    c.History: Desk._history,
    c.Step: Desk._step,
    c.Flip: Desk._flip,
    c.Zoom: Desk._zoom,
    c.Help: Desk._help,
    c.Save: Desk._save,
    c.Read: Desk._read_file,
    c.Export: Desk._export,
    c.Rooms: Desk._rooms,
    c.Create: Desk._create,
    c.Join: Desk._join,
    c.Watch: Desk._watch,
    c.Seek: Desk._seek,
    c.Edit: Desk._edit,
    c.Quit: Desk._quit,
    c.Put: Desk._change,
    c.Take: Desk._change,
    c.Turn: Desk._change,
    c.Castling: Desk._change,
    c.Lay: Desk._change,
    c.Done: Desk._done,
    c.Cancel: Desk._cancel,
}
"""Who carries out which command."""
