"""A game for a program that plays, the same here and at a server.

`remote` holds one in a room of a server, `local` in this process. Both report what happens in frames of the protocol
and answer every method alike, so that a front end cannot tell them apart. Several seats may be played from here, at one
keyboard.

    async for news in game.news():
        match news: ...          # game.table is already up to date
"""

from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

from fourfold.clients.errors import RequestError
from fourfold.clients.following import RoomFrame
from fourfold.clients.games.study import OpenStudy
from fourfold.clients.table import Table
from fourfold.engine.notation.game import Game as Record
from fourfold.protocol import events as happened
from fourfold.protocol.from_client import Clock, Moderate, Settle, Speed, VoteKind
from fourfold.protocol.from_server import (
    Account,
    Challenge,
    Control,
    Error,
    Explored,
    Followed,
    Leaderboard,
    Lines,
    Listing,
    Moderation,
    Person,
    Posed,
    Presence,
    Proposal,
    Ratings,
    Reviewed,
    Room,
    Solved,
    Turn,
    Update,
    Watchers,
)
from fourfold.protocol.from_server import Game as PlayedGame
from fourfold.protocol.studies import Source, StudyListing


@dataclass(frozen=True, slots=True)
class Notice:
    """A sentence about the connection; `connected` says whether there is one now."""

    text: str
    connected: bool


YOU: Final = "You"
"""The name of the only person at this keyboard, if none is given."""

News: TypeAlias = RoomFrame | Notice
"""News: `Room` (the whole game anew), `Update` (events: moves, votes, the end...), `Turn` (a seat played from here is
to move, with its legal moves), `Presence`, `Watchers`, `Said` (chat), `Notice` (the connection is lost or back)."""


class Game(ABC):
    """One game; made by a `Venue` once its first snapshot has come.

    `table` is the game as known now; `online` the seats whose players are connected; `watchers` how many spectators
    there are; `address` the URL for a browser (None: there is none).

    The commands are coroutines. They raise `RequestError` (with a stable `code` and a sentence) if the server refuses,
    and `ConnectionFault` once the connection is lost for good. When one returns, its effect is permanent. The number it
    returns is the version at which it took effect; the news of it may come a little later.
    """

    address: str | None = None
    due: int = 0
    """The version up to which news will certainly come: the requests made while the game was opened."""

    def __init__(self, room: Room, players: frozenset[str]) -> None:
        self.players = players
        """The ids of the players at this keyboard."""
        self.absence = room.absence
        """Milliseconds after which a player who is away counts as absent."""
        self.absentee_votes = frozenset(room.absentee_votes)
        """The votes that the others may open about an absent player; none where nobody counts as absent."""
        self.ratings: dict[str, str] = {}
        """What is written beside the names of players who are rated, by their ids: `1523`, uncertain `1523?`."""
        self._start_over(room)

    def _start_over(self, room: Room) -> None:
        """Take in a snapshot."""
        self.table = Table.of(room)
        self.online = frozenset(seat.seat for seat in room.seats if seat.online)
        self.watchers = room.watchers
        self.away = {seat.seat: seat.since for seat in room.seats if seat.since is not None}
        """For the seat of each player who is away, the time from which the absence counts (milliseconds since 1970)."""
        self._claims = dict(room.claims)
        self._stopped: dict[str, int] = {}  # what clocks show that were stopped by no move

    # -- who is here ----------------------------------------------------------------------------------

    @property
    def seats(self) -> tuple[str, ...]:
        """The seats played from here, in turn order; none for a spectator. While the game lasts, a seat at which a bot
        stands in is played by the bot."""
        over = self.table.status == "finished"
        seats = self.table.seats.items()
        return tuple(name for name, one in seats if one.player in self.players and (over or one.stand_in is None))

    def rating(self, seat: str) -> str:
        """The rating of who sits at a seat; empty if it is not known, or there is none."""
        return self.ratings.get(self.table.seats[seat].player or "", "")

    @property
    def mover(self) -> str | None:
        """The seat to move, if it is played from here."""
        return self.table.turn if self.table.turn in self.seats else None

    @property
    def voter(self) -> str | None:
        """The next seat played from here, in turn order, that must still answer the open vote."""
        proposal = self.table.proposal
        if proposal is None:
            return None
        return next((seat for seat in self.seats if seat in proposal.electorate and seat not in proposal.votes), None)

    @property
    def speaker(self) -> str | None:
        """The seat that a typed command is for: the voter, else the mover, else the first seat of ours that is still in
        the game. None for a spectator."""
        mine = self.seats
        inside = [seat for seat in mine if seat not in self.table.out]
        return self.voter or self.mover or next(iter(inside), next(iter(mine), None))

    @property
    def claimant(self) -> str | None:
        """A seat played from here that may claim the end of the game."""
        return next((seat for seat in self.seats if self.claimable(seat)), None)

    def claimable(self, seat: str) -> str | None:
        """What a seat may claim now: `fifty_moves`, `threefold` or `points`; None for nothing."""
        if self.table.status != "playing":
            return None
        position = self.table.position
        told, seen = self._claims.get(seat), position.may_claim(position.seats.index(seat))
        return told[0] if told else None if seen is None else seen.value

    # -- what is known --------------------------------------------------------------------------------

    @abstractmethod
    def now(self) -> int:
        """The time of the clock that judges the game: milliseconds since 1970."""

    def left(self, seat: str) -> int | None:
        """How many milliseconds a seat has on its clock at this moment; None in an untimed game."""
        running = self.table.clocks is not None and self.table.clocks.since is not None and seat == self.table.turn
        return self.table.left(seat, self.now()) if running or seat not in self._stopped else self._stopped[seat]

    @property
    def standing(self) -> object:
        """The state of the game that a file would hold; equal values make equal files."""
        return self.table.game, self.table.moves, self.table.result

    @abstractmethod
    def news(self) -> AsyncIterator[News]:
        """The news, for one reader, beginning with a `Room`; `table`, `online` and `watchers` are up to date with what
        it yields. Ends when the game is left; raises what made it impossible to go on."""

    # -- verbs ----------------------------------------------------------------------------------------

    @abstractmethod
    async def move(self, move: str) -> int:
        """Play a move (coordinate notation) for the seat to move, on the position that `table` has now."""

    @abstractmethod
    async def propose(
        self, kind: VoteKind, plies: int | None = None, seat: str | None = None, level: int | None = None
    ) -> int:
        """Open a vote as the speaker: an undo or redo of `plies` moves, a draw, a rematch after the end, that a bot of
        `level` stands in at `seat`, or that the absent player there is removed."""

    @abstractmethod
    async def vote(self, accept: bool) -> int:
        """Answer the open vote, as the `voter`. Refused with `no_such_proposal` if none is open."""

    @abstractmethod
    async def withdraw(self) -> int:
        """Withdraw the open proposal of a seat of ours. Refused with `no_such_proposal` if none is open."""

    @abstractmethod
    async def claim(self) -> int:
        """End the game, as the `claimant`. Refused with `nothing_to_claim` if there is none."""

    @abstractmethod
    async def kick(self, seat: str) -> int:
        """Free a seat before the start, as host."""

    @abstractmethod
    async def close(self) -> int:
        """End a room whose game has not begun, as host."""

    @abstractmethod
    async def resign(self, seat: str | None = None) -> int:
        """Resign the speaker's seat, or another of ours."""

    @abstractmethod
    async def abort(self) -> int:
        """Call the game off before everybody has moved."""

    @abstractmethod
    async def say(self, text: str, to: Literal["table", "all"] = "all") -> None:
        """Send a chat message to all, or to the players (`table`)."""

    @abstractmethod
    async def report(self, seat: str, why: str) -> None:
        """Report who sits at a seat to the moderators."""

    @abstractmethod
    async def bot(self, seat: str | None, level: int) -> int:
        """Invite a computer player to a free seat, by name or the first, before the start. In a local game to any seat
        at any time; `sit` takes it back."""

    @abstractmethod
    async def sit(self, seat: str | None = None) -> int:
        """Take a seat, a named one or the first free."""

    @abstractmethod
    async def export(self, format: str) -> str:
        """The game as text: `pgn` (two players), `pgn4` (four), `smith` or `fen`."""

    @abstractmethod
    async def record(self) -> Record:
        """The record of the game, position by position, to look back at it or to save it."""

    @abstractmethod
    async def leave(self) -> None:
        """Leave the game; `news` ends. A seat is given up before the start, and kept later. Takes a second at most: if
        the server cannot be reached it is told later."""

    def open_proposal(self) -> Proposal:
        """What is being voted on. Raises `RequestError` (`no_such_proposal`) if there is nothing."""
        if self.table.proposal is None:
            raise self.refusal("no_such_proposal", "Nothing is being voted on.")
        return self.table.proposal

    def refusal(self, code: str, message: str, kind: str = "refused") -> RequestError:
        """An error as a server would answer it."""
        return RequestError(Error(kind=kind, code=code, message=message, room=self.table.room, seq=self.table.seq))

    def _take(self, frame: RoomFrame) -> None:
        match frame:
            case Room():
                self._start_over(frame)
            case Update():
                self._stop_clock(frame)
                position, self.table = self.table.position, self.table.after(frame)
                if self.table.position is not position:
                    self._claims = {}  # the next `turn` says what may still be claimed
            case Turn(seat=seat, claims=claims):
                self._claims = {seat: claims} if claims else {}
            case Presence(seat=seat, online=online, since=since):
                self.online = self.online | {seat} if online else self.online - {seat}
                self.away.pop(seat, None)
                if since is not None:
                    self.away[seat] = since
            case Watchers(count=count):
                self.watchers = count

    def _stop_clock(self, update: Update) -> None:
        """Keep what the running clock shows when its player leaves or the game ends: the log has only what moves took
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
class Wish:
    """Whom to challenge to what: one `player` by id or name, or for each seat but one's own (`seats`) a player or the
    level of a computer player; or who is asked to one of the `seats` of an open `room` of one's own."""

    variant: str = "standard"
    player: str | None = None
    seats: Mapping[str, str | int] = field(default_factory=dict)
    seat: str | None = None
    clock: Clock | None = None
    visibility: Literal["public", "private"] = "public"
    rated: bool = True
    room: str | None = None


@dataclass(frozen=True, slots=True)
class Sought:
    """What game is sought, in which `pool`, and within which `range` of one's own rating, in points."""

    variant: str = "standard"
    clock: Clock | None = None
    pool: str | None = None
    rated: bool = True
    range: int | None = None


@dataclass(frozen=True, slots=True)
class Opening:
    """What to open: a variant, from a `position` (FEN, FEN4, or the name of a start array; None: the default), with
    `moves` already played. `levels` are the computer players by seat; the other seats are for people. `seat` is one's
    own (None: the first without a computer player). A game that is not `rated` changes no ratings."""

    variant: str = "standard"
    position: str | None = None
    moves: tuple[str, ...] = ()
    clock: Clock | None = None
    visibility: Literal["public", "private"] = "public"
    password: str | None = None
    levels: Mapping[str, int] = field(default_factory=dict)
    seat: str | None = None
    rated: bool = True


class Venue(ABC):
    """A place where games are opened and found. Its methods raise as those of a `Game`; `local` refuses all but
    `create`, with `no_such_room`."""

    name: str
    """Its name in a sentence: the server's URL, or "this machine"."""
    patience: float | None = None
    """Seconds to wait for an answer before the user may do other things; None: until it comes."""
    listener: Callable[[Notice], None] | None = None
    """Called when the connection is lost, and when it is back."""
    challenged: Callable[[Challenge], None] | None = None
    """Called with each challenge that concerns the user, whenever it changes."""
    announced: Callable[[str], object] | None = None
    """Called with what the moderators tell everybody."""
    paired: Callable[[str], None] | None = None
    """Called with a room, when the game that is sought is there and in no other room."""

    users: Sequence[str] = ()
    """The names under which somebody has played here before from this machine."""

    @property
    @abstractmethod
    def player(self) -> str:
        """The user's id."""

    @property
    @abstractmethod
    def user(self) -> str:
        """The user's name."""

    @abstractmethod
    def challenges(self) -> list[Challenge]:
        """The challenges that are open and concern the user, oldest first."""

    @abstractmethod
    async def challenge(self, wish: Wish) -> Challenge:
        """Challenge players to a game."""

    @abstractmethod
    async def answer(self, challenge: str, accept: bool, text: str = "") -> Challenge:
        """Say yes or no to a challenge."""

    @abstractmethod
    async def cancel(self, challenge: str) -> Challenge:
        """Take one's own challenge back."""

    @abstractmethod
    async def people(self) -> list[Person]:
        """Who is online."""

    @abstractmethod
    async def bots(self, room: str) -> list[Person]:
        """The bots that are online and play such games as a room's."""

    @abstractmethod
    async def moderation(self) -> Moderation:
        """What moderators have ordered, what is reported, and what was done lately."""

    @abstractmethod
    async def moderate(self, request: Moderate | Settle) -> None:
        """Do what a moderator does."""

    @abstractmethod
    async def follow(self, player: str) -> None:
        """Follow a player who has an account, by id or name."""

    @abstractmethod
    async def unfollow(self, player: str) -> None:
        """Follow a player no longer."""

    @abstractmethod
    async def following(self) -> list[Followed]:
        """Whom the user follows: first those who are online."""

    @abstractmethod
    def now(self) -> int:
        """The time of the clock that judges games: milliseconds since 1970."""

    @abstractmethod
    async def strengths(self, players: Iterable[str], variant: str, clock: Control | None) -> dict[str, str]:
        """The ratings of those players who have one in a kind of game, as they are written beside names."""

    @abstractmethod
    async def rooms(self, variant: str | None = None) -> list[Listing]:
        """The public games that are open or being played, newest first."""

    @abstractmethod
    async def games(
        self, variant: str | None = None, *, mine: bool = True, name: str | None = None
    ) -> list[PlayedGame]:
        """The user's games, or all public ones, perhaps only those of players of a name, newest first: those that are
        played, then those that are over."""

    @abstractmethod
    async def account(self) -> Account:
        """The user's account. Raises `RequestError` (`no_account`) for a guest."""

    @abstractmethod
    async def register(self, name: str) -> Account:
        """Make the user, a guest until now, an account; the answer has its recovery code."""

    @abstractmethod
    async def login(self, code: str) -> Account:
        """Be the player of an account from now on, by its recovery code."""

    @abstractmethod
    async def rename(self, name: str) -> Account:
        """Give the user's account another name."""

    @abstractmethod
    async def new_code(self) -> Account:
        """Make a new recovery code, which the answer has."""

    @abstractmethod
    async def sign_out(self, session: str) -> None:
        """Sign a device of the user's account out."""

    @abstractmethod
    async def explore(self, variant: str, position: str) -> Explored:
        """What was played from a position in archived games."""

    @abstractmethod
    async def ratings(self, name: str | None) -> Ratings:
        """The ratings of the account of a name, or (None) one's own."""

    @abstractmethod
    async def leaderboard(self, variant: str, speed: Speed | None, *, bots: bool = False) -> Leaderboard:
        """Who stands highest in a variant, and in one for two players at a speed; of `bots` alone, if told so."""

    @abstractmethod
    async def analyse(self, variant: str, position: str, seconds: float) -> Lines:
        """What level 5 holds best in a position, after so many seconds."""

    @abstractmethod
    async def review(self, room: str) -> Reviewed:
        """The review of a room's game that is over, as far as it has been made."""

    @abstractmethod
    async def puzzles(self, room: str | None) -> list[Posed]:
        """The puzzles of a room's game that was reviewed, or of one's own latest games."""

    @abstractmethod
    async def solve(self, puzzle: Posed, moves: Sequence[str], *, show: bool = False) -> Solved:
        """How far moves solve a puzzle; or its solution."""

    @abstractmethod
    async def studies(self, whose: Literal["mine", "public"] = "mine") -> list[StudyListing]:
        """The user's studies, or the public ones, changed last first."""

    @abstractmethod
    async def study(self, room: str) -> OpenStudy:
        """Open a study that is there."""

    @abstractmethod
    async def new_study(self, title: str | None, source: Source) -> OpenStudy:
        """Make a study, which nobody else sees yet, and open it. Without a title it is called as its text says."""

    @abstractmethod
    async def create(self, opening: Opening) -> Game:
        """Open a game, sit down in it, and invite the computer players."""

    @abstractmethod
    async def join(self, room: str, seat: str | None = None, password: str | None = None) -> Game:
        """Take a seat in a game, or come back to one's own. A game that is followed already is the same object."""

    @abstractmethod
    async def watch(self, room: str, password: str | None = None) -> Game:
        """Watch a game."""

    @abstractmethod
    async def seek(self, wish: Sought) -> Game:
        """Sit down with whoever wants the same game."""
