"""A game as those at one keyboard play it, wherever it is held: the port that every front end drives.

`remote` holds one in a room of a server, `local` in this process. Both tell what happens with the frames of the
protocol, and both answer a verb in the same way, so that a front end cannot tell them apart.

    async for news in game.news():
        match news: ...          # game.table is already what it says

It knows who speaks from here. It refuses to know how anything is shown or typed.
"""

from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

from fourfold.clients.connection import ProposalKind
from fourfold.clients.errors import RequestError
from fourfold.clients.following import RoomFrame
from fourfold.clients.table import Table
from fourfold.engine.notation.game import Game as Record
from fourfold.engine.questions import Choices, choices
from fourfold.protocol import events as happened
from fourfold.protocol.from_client import Clock
from fourfold.protocol.from_server import Error, Listing, Presence, Room, Turn, Update, Watchers


@dataclass(frozen=True, slots=True)
class Notice:
    """Something about the connection, as a sentence; `connected` says whether there is one now."""

    text: str
    connected: bool


YOU: Final = "You"
"""What the only person at this keyboard is called who has not said a name."""

News: TypeAlias = RoomFrame | Notice
"""What happens: `Room` (the game as a whole, anew), `Update` (events: moves, votes, the end...), `Turn` (a seat of
ours is to move, with its legal moves), `Presence`, `Watchers`, `Said` (chat), `Notice` (connection lost or back)."""


class Game(ABC):
    """One game. Made by a `Venue`, which gives it with its first snapshot taken in.

    `table` is the game as known now; `online` the seats whose players are there; `watchers` how many look on;
    `address` is where a browser finds it (None: nowhere); `chat` whether there may be talk.

    The verbs are coroutines. They raise `RequestError` (with a stable `code` and a sentence) for what is refused
    or illegal, and `ConnectionFault` when there is no going on. When one returns, what it did is done for good, and
    the number it returns is the version at which it was done; the news of it may come a little later.
    """

    address: str | None = None
    chat: bool = True
    due: int = 0
    """The version up to which the news is certain to come: what was done while it was opened."""

    def __init__(self, room: Room, players: frozenset[str]) -> None:
        self.table = Table.of(room)
        self.players = players
        """The ids of those who play from here."""
        self.online = frozenset(seat.seat for seat in room.seats if seat.online)
        self.watchers = room.watchers
        self.chat = room.chat
        self.absence = room.absence
        """Milliseconds after which somebody who is away counts as absent."""
        self.away: dict[str, int] = {}
        """From when on (milliseconds since 1970) those are counted as away who are, by their seats."""
        self._note_absences(room)
        self._claims = dict(room.claims)
        self._stopped: dict[str, int] = {}  # what a clock showed that was stopped by no move

    # -- who is here ----------------------------------------------------------------------------------

    @property
    def seats(self) -> tuple[str, ...]:
        """The seats played from here, in the order of turns: none for those who watch."""
        return tuple(
            name for name, seat in self.table.seats.items() if seat.player in self.players and seat.stand_in is None
        )

    @property
    def mover(self) -> str | None:
        """The seat to move, if it is played from here."""
        return self.table.turn if self.table.turn in self.seats else None

    @property
    def voter(self) -> str | None:
        """A seat of ours that has still to answer the open vote; with several, the next in the order of turns."""
        proposal = self.table.proposal
        if proposal is None:
            return None
        return next((seat for seat in self.seats if seat in proposal.electorate and seat not in proposal.votes), None)

    @property
    def speaker(self) -> str | None:
        """Who speaks when something is typed: who must vote, else who is to move, else the first of ours who is
        still in. None for those who watch."""
        mine = self.seats
        inside = [seat for seat in mine if seat not in self.table.out]
        return self.voter or self.mover or next(iter(inside), next(iter(mine), None))

    @property
    def claimant(self) -> str | None:
        """A seat of ours that may end the game now by what the rules let it claim."""
        return next((seat for seat in self.seats if self.claimable(seat)), None)

    def claimable(self, seat: str) -> str | None:
        """By what a seat may end the game now: `fifty_moves`, `threefold` or `points`; None if by nothing."""
        if self.table.status != "playing":
            return None
        position = self.table.position
        told, seen = self._claims.get(seat), position.may_claim(position.seats.index(seat))
        return told[0] if told else None if seen is None else seen.value

    # -- what is known --------------------------------------------------------------------------------

    @abstractmethod
    def now(self) -> int:
        """The time by the clock that judges the game: milliseconds since 1970."""

    def left(self, seat: str) -> int | None:
        """How many milliseconds a seat has on its clock at this moment; None in an untimed game."""
        running = self.table.clocks is not None and self.table.clocks.since is not None and seat == self.table.turn
        return self.table.left(seat, self.now()) if running or seat not in self._stopped else self._stopped[seat]

    @property
    def standing(self) -> object:
        """How the game stands, as far as a file tells it: equal values are saved alike."""
        return self.table.game, self.table.moves, self.table.result

    def choices(self, square: str) -> Choices:
        """Where the piece on a square can go, if its side is to move. Raises `InvalidNotation` for no square."""
        return choices(self.table.position, square)

    @abstractmethod
    def news(self) -> AsyncIterator[News]:
        """What happens, for one reader; whatever it yields is in `table`, `online` and `watchers` already. Begins with
        a `Room`. Ends when the game is left; raises what made it impossible to go on."""

    # -- verbs ----------------------------------------------------------------------------------------

    @abstractmethod
    async def move(self, move: str) -> int:
        """Play a move (coordinate notation), for whom it is to move, on the position that `table` has now."""

    @abstractmethod
    async def propose(
        self, kind: ProposalKind, plies: int | None = None, seat: str | None = None, level: int | None = None
    ) -> int:
        """Put something to the vote, as the speaker: an undo or redo of `plies` moves, a draw, after the end a
        rematch, that a bot of `level` stands in at `seat`, or that the absent player there is removed."""

    @abstractmethod
    async def vote(self, accept: bool) -> int:
        """Answer the open vote, as the `voter`. Refused with `no_such_proposal` if none is open."""

    @abstractmethod
    async def withdraw(self) -> int:
        """Take back the open vote, which one of ours has proposed. Refused with `no_such_proposal` if none is open."""

    @abstractmethod
    async def claim(self) -> int:
        """End the game, as the `claimant`. Refused with `nothing_to_claim` if there is none."""

    @abstractmethod
    async def kick(self, seat: str) -> int:
        """Free a seat before the start, as who opened the room."""

    @abstractmethod
    async def close(self) -> int:
        """End a room whose game has not begun, as who opened it."""

    @abstractmethod
    async def resign(self, seat: str | None = None) -> int:
        """Give up, as the speaker or another seat of ours."""

    @abstractmethod
    async def abort(self) -> int:
        """Call the game off, while somebody has not moved yet."""

    @abstractmethod
    async def say(self, text: str, to: Literal["table", "all"] = "all") -> None:
        """Say something to all, or to those who play."""

    @abstractmethod
    async def bot(self, seat: str | None, level: int) -> int:
        """Invite a computer player: before the start to a free seat, a named one or the first; in a local game, to
        any seat at any time, and `sit` takes it back."""

    @abstractmethod
    async def sit(self, seat: str | None = None) -> int:
        """Take a seat, a named one or the first free."""

    @abstractmethod
    async def export(self, format: str) -> str:
        """The game as text: `pgn` (two players), `pgn4` (four), `smith` or `fen`."""

    @abstractmethod
    async def record(self) -> Record:
        """The game as it was played, position by position: to look back at it, or to save it."""

    @abstractmethod
    async def leave(self) -> None:
        """Go away: `news` ends. A seat is given back before the start; later it is kept for whoever comes back. Takes a
        second at most: a server that cannot be reached is told later, if it ever can."""

    def open_proposal(self) -> int:
        """The number of the open vote. Raises `RequestError` (`no_such_proposal`) if there is none."""
        if self.table.proposal is None:
            raise self.refusal("no_such_proposal", "Nothing is being voted on.")
        return self.table.proposal.proposal

    def refusal(self, code: str, message: str, kind: str = "refused") -> RequestError:
        """An error as a server would answer it."""
        return RequestError(Error(kind=kind, code=code, message=message, room=self.table.room, seq=self.table.seq))

    def _take(self, frame: RoomFrame) -> None:
        """Take in what has happened."""
        match frame:
            case Room():
                self.table = Table.of(frame)
                self._stopped = {}
                self.online = frozenset(seat.seat for seat in frame.seats if seat.online)
                self.watchers = frame.watchers
                self._claims = dict(frame.claims)
                self._note_absences(frame)
            case Update():
                self._stop_clock(frame)
                position, self.table = self.table.position, self.table.after(frame)
                if self.table.position is not position:
                    self._claims = {}  # whoever may still claim is told with the turn
            case Turn(seat=seat, claims=claims):
                self._claims = {seat: claims} if claims else {}
            case Presence(seat=seat, online=online, since=since):
                self.online = self.online | {seat} if online else self.online - {seat}
                self.away.pop(seat, None)
                if since is not None:
                    self.away[seat] = since
            case Watchers(count=count):
                self.watchers = count


    def _note_absences(self, room: Room) -> None:
        self.away = {seat.seat: seat.since for seat in room.seats if seat.since is not None}

    def _stop_clock(self, update: Update) -> None:
        """Keep what the running clock shows when its player leaves or the game ends: the log says only what a move took
        of it."""
        kinds = {type(event) for event in update.events}
        if kinds & {happened.Undone, happened.Redone, happened.Rematched}:
            self._stopped = {}
        elif not kinds & {happened.Moved, happened.Flagged} and kinds & {*_DEPARTURES, happened.Finished}:
            running, clocks = self.table.turn, self.table.clocks
            leavers = {event.seat for event in update.events if isinstance(event, _DEPARTURES)}
            over = happened.Finished in kinds
            if clocks is not None and clocks.since is not None and running is not None and (over or running in leavers):
                self._stopped[running] = self.table.left(running, update.time) or 0


_DEPARTURES: Final = (happened.Resigned, happened.Removed)


@dataclass(frozen=True, slots=True)
class Opening:
    """What to open: a variant, from a `position` (FEN, FEN4, or a start array's name; None: the usual), with `moves`
    already played. `levels` are the computer players by seat; a seat without one is a person's. `seat` is the one to
    take oneself (None: the first that is left)."""

    variant: str = "standard"
    position: str | None = None
    moves: tuple[str, ...] = ()
    clock: Clock | None = None
    visibility: Literal["public", "private"] = "public"
    password: str | None = None
    levels: Mapping[str, int] = field(default_factory=dict)
    seat: str | None = None


class Venue(ABC):
    """Where games are opened and found. The verbs raise as those of a `Game`; `local` refuses all but `create`, with
    `no_such_room`."""

    name: str
    """What to call it in a sentence: the server's URL, or "this machine"."""
    patience: float | None = None
    """How many seconds to wait for an answer before other things are done meanwhile; None: as long as it takes."""
    listener: Callable[[Notice], None] | None = None
    """Is told when the connection is lost, and when it is back."""

    @abstractmethod
    async def rooms(self, variant: str | None = None) -> list[Listing]:
        """The public games that are open or being played, newest first."""

    @abstractmethod
    async def create(self, opening: Opening) -> Game:
        """Open a game, sit down in it, and invite the computer players."""

    @abstractmethod
    async def join(self, room: str, seat: str | None = None, password: str | None = None) -> Game:
        """Sit down in a game, or come back to one's seat in it. A game that is followed already is the same object."""

    @abstractmethod
    async def watch(self, room: str, password: str | None = None) -> Game:
        """Look on."""

    @abstractmethod
    async def seek(self, variant: str, clock: Clock | None = None) -> Game:
        """Sit down with whoever wants the same game."""
