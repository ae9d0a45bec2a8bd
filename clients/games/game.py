"""A game for a program that plays, with the same interface on this machine and on a server.

`remote` has a game in a server's room, and `local` one in this process. Both report frames of the protocol and answer
every method in the same way, so that a front end needs no distinction. One client can play several seats, at one
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
from fourfold.clients.table import Table
from fourfold.engine.notation.game import Game as Record
from fourfold.protocol import events as happened
from fourfold.protocol import from_server as told
from fourfold.protocol.from_client import Clock, Reaction, VoteKind


@dataclass(frozen=True, slots=True)
class Notice:
    """A sentence about the connection. `connected` tells whether there is one now."""

    text: str
    connected: bool


NO_SERVER: Final = (
    "There are no rooms and no accounts on this machine: 'create' opens a game; without --local you play on a server."
)
"""The refusal (`no_such_room`) of what only a server can do."""

YOU: Final = "You"
"""The default name of the only person at this keyboard."""

News: TypeAlias = RoomFrame | Notice
"""News: `Room` (a new snapshot), `Update` (events: moves, votes, the end...), `Turn` (a seat played from here is to
move, with its legal moves), `Presence`, `Watchers`, `Said` (chat), `Reacted`, `Notice` (the connection is lost or
back)."""


class Game(ABC):
    """One game. A `Venue` creates it after its first snapshot.

    `table` is the game as known now. `online` has the seats of connected players. `watchers` is the number of
    spectators. `address` is the URL for a browser (None: there is none).

    The commands are coroutines. They raise `RequestError` (with a stable `code` and a sentence) if the server refuses,
    and `ConnectionFault` once the connection is lost for good. When one returns, its effect is permanent. Its result is
    the version of the effect; the news about it may come a little later.
    """

    address: str | None = None
    due: int = 0
    """The version up to which news will certainly come: that of the requests that opened the game."""

    def __init__(self, room: told.Room, players: frozenset[str]) -> None:
        self.players = players
        """The ids of the players at this keyboard."""
        self.absence = room.absence
        """Milliseconds after which a disconnected player counts as absent."""
        self.absentee_votes = frozenset(room.absentee_votes)
        """The votes that the others can open about an absent player; empty if players never count as absent."""
        self.ratings: dict[str, str] = {}
        """The ratings beside names, by player id: `1523`, or uncertain `1523?`."""
        self._start_over(room)

    def _start_over(self, room: told.Room) -> None:
        """Take in a snapshot."""
        self.table = Table.of(room)
        self.online = frozenset(seat.seat for seat in room.seats if seat.online)
        self.watchers = room.watchers
        self.away = {seat.seat: seat.since for seat in room.seats if seat.since is not None}
        """For the seat of each disconnected player, the time from which the absence counts (milliseconds since
        1970)."""
        self._claims = dict(room.claims)
        self._stopped: dict[str, int] = {}  # the times on clocks that a departure or the end stopped

    # -- who is here ----------------------------------------------------------------------------------

    @property
    def seats(self) -> tuple[str, ...]:
        """The seats played from here, in turn order; empty for a spectator. A stand-in plays its seat while the game
        lasts."""
        over = self.table.status == "finished"
        seats = self.table.seats.items()
        return tuple(name for name, one in seats if one.player in self.players and (over or one.stand_in is None))

    def rating(self, seat: str) -> str:
        """The rating of a seat's player; empty if unknown or missing."""
        return self.ratings.get(self.table.seats[seat].player or "", "")

    @property
    def mover(self) -> str | None:
        """The seat to move, if it is played from here."""
        return self.table.turn if self.table.turn in self.seats else None

    @property
    def voter(self) -> str | None:
        """The next seat played from here, in turn order, that must still vote."""
        proposal = self.table.proposal
        if proposal is None:
            return None
        return next((seat for seat in self.seats if seat in proposal.electorate and seat not in proposal.votes), None)

    @property
    def speaker(self) -> str | None:
        """The seat for a typed command: the voter, or else the mover, or else the first own seat still in the game.
        None for a spectator."""
        mine = self.seats
        inside = [seat for seat in mine if seat not in self.table.out]
        return self.voter or self.mover or next(iter(inside), next(iter(mine), None))

    @property
    def claimant(self) -> str | None:
        """A seat played from here with a claim to the end of the game."""
        return next((seat for seat in self.seats if self.claimable(seat)), None)

    def claimable(self, seat: str) -> str | None:
        """A seat's claim now: `fifty_moves`, `threefold` or `points`; None if there is none."""
        if self.table.status != "playing":
            return None
        position = self.table.position
        sent, seen = self._claims.get(seat), position.may_claim(position.seats.index(seat))
        return sent[0] if sent else None if seen is None else seen.value

    # -- the state ------------------------------------------------------------------------------------

    @abstractmethod
    def now(self) -> int:
        """The time of the game's clock: milliseconds since 1970."""

    def left(self, seat: str) -> int | None:
        """A seat's remaining milliseconds now; None in an untimed game."""
        running = self.table.clocks is not None and self.table.clocks.since is not None and seat == self.table.turn
        return self.table.left(seat, self.now()) if running or seat not in self._stopped else self._stopped[seat]

    @property
    def standing(self) -> object:
        """The state of the game that a file would hold. Equal values make equal files."""
        return self.table.game, self.table.moves, self.table.result

    @abstractmethod
    def news(self) -> AsyncIterator[News]:
        """The news, for one reader, starting with a `Room`. `table`, `online` and `watchers` are up to date with each
        item. The iteration ends when the game is left. It raises the error that made it impossible to continue."""

    # -- verbs ----------------------------------------------------------------------------------------

    @abstractmethod
    async def move(self, move: str) -> int:
        """Play a move (coordinate notation) for the seat to move, on the position that `table` has now."""

    @abstractmethod
    async def propose(
        self, kind: VoteKind, plies: int | None = None, seat: str | None = None, level: int | None = None
    ) -> int:
        """Open a vote as the speaker, by its kind: an undo or redo of `plies` moves, a draw, a rematch after the end, a
        stand-in of `level` at `seat`, or the removal of the absent player there."""

    @abstractmethod
    async def vote(self, accept: bool) -> int:
        """Vote, as the `voter`. Refused with `no_such_proposal` if no vote is open."""

    @abstractmethod
    async def withdraw(self) -> int:
        """Take back the open proposal of an own seat. Refused with `no_such_proposal` if none is open."""

    @abstractmethod
    async def claim(self) -> int:
        """End the game by a claim, as the `claimant`. Refused with `nothing_to_claim` if there is none."""

    @abstractmethod
    async def kick(self, seat: str) -> int:
        """Remove a player or bot before the start, as the host."""

    @abstractmethod
    async def close(self) -> int:
        """Close a room whose game has not started, as the host."""

    @abstractmethod
    async def resign(self, seat: str | None = None) -> int:
        """Resign for the speaker, or for another own seat."""

    @abstractmethod
    async def abort(self) -> int:
        """Abort the game before everybody has moved."""

    @abstractmethod
    async def give(self, seat: str) -> int:
        """Give the opponent at a seat 15 seconds."""

    @abstractmethod
    async def berserk(self) -> int:
        """Give up half of the time and the increment, before the first move."""

    @abstractmethod
    async def say(self, text: str, to: Literal["table", "all"] = "all") -> None:
        """Send a chat message to all, or to the players (`table`)."""

    @abstractmethod
    async def react(self, reaction: Reaction) -> None:
        """Show a quick reaction to everybody."""

    @abstractmethod
    async def chat(self) -> Sequence[told.ChatLine]:
        """The latest chat lines, oldest first."""

    @abstractmethod
    async def report(self, seat: str, why: str) -> None:
        """Report a seat's player to the moderators."""

    @abstractmethod
    async def bot(self, seat: str | None, level: int) -> int:
        """Invite a computer player to a free seat before the start, by name or the first one. In a local game, to any
        seat at any time; `sit` takes it back."""

    @abstractmethod
    async def sit(self, seat: str | None = None) -> int:
        """Take a seat, by name or the first free one."""

    @abstractmethod
    async def export(self, format: str) -> str:
        """The game as text: `pgn` (two players), `pgn4` (four), `smith` or `fen`."""

    @abstractmethod
    async def record(self) -> Record:
        """The record of the game, position by position, for looking back or saving."""

    @abstractmethod
    async def leave(self) -> None:
        """Leave the game; `news` ends. Before the start this gives up the seat. It takes at most a second: an
        unreachable server learns of it later."""

    def open_proposal(self) -> told.Proposal:
        """The open vote. Raises `RequestError` (`no_such_proposal`) if there is none."""
        if self.table.proposal is None:
            raise self.refusal("no_such_proposal", "Nothing is being voted on.")
        return self.table.proposal

    def refusal(self, code: str, message: str, kind: str = "refused") -> RequestError:
        """An error in the form of a server's answer."""
        return RequestError(told.Error(kind=kind, code=code, message=message, room=self.table.room, seq=self.table.seq))

    def _take(self, frame: RoomFrame) -> None:
        match frame:
            case told.Room():
                self._start_over(frame)
            case told.Update():
                self._stop_clock(frame)
                position, self.table = self.table.position, self.table.after(frame)
                if self.table.position is not position:
                    self._claims = {}  # the next `turn` has the claims from then on
            case told.Turn(seat=seat, claims=claims):
                self._claims = {seat: claims} if claims else {}
            case told.Presence(seat=seat, online=online, since=since):
                self.online = self.online | {seat} if online else self.online - {seat}
                self.away.pop(seat, None)
                if since is not None:
                    self.away[seat] = since
            case told.Watchers(count=count):
                self.watchers = count

    def _stop_clock(self, update: told.Update) -> None:
        """Keep the running clock's time when its player leaves or the game ends: the log has only the times of
        moves."""
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
    """A challenge in one of three forms. `player` names one player, by id or name. `seats` maps each seat but your own
    to a player or to the level of a computer player. With your own open `room`, `seats` maps one of its seats to a
    player or level."""

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
    """A search for a game: its variant and clock, the `pool`, and the `range` of ratings around your own, in points."""

    variant: str = "standard"
    clock: Clock | None = None
    pool: str | None = None
    rated: bool = True
    range: int | None = None


@dataclass(frozen=True, slots=True)
class Opening:
    """A game to open: a variant, from a `position` (FEN, FEN4, or the name of a start array; None: the default), with
    `moves` already played. `levels` has the computer players by seat; the other seats are for people. `seat` is your
    own (None: the first without a computer player). With `rated` False the game changes no ratings."""

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
    """A place to open games: this machine, or a server (`remote`), which can do much more. Its methods raise the same
    errors as those of a `Game`. The defaults are those of a place without other players."""

    name: str
    """Its name in a sentence: the server's URL, or "this machine"."""
    patience: float | None = None
    """Seconds to wait for an answer before the user can do other things; None to wait until it comes."""
    listener: Callable[[Notice], None] | None = None
    """Called when the connection is lost, and when it is back."""
    challenged: Callable[[told.Challenge], None] | None = None
    """Called with each challenge of the user, at each change."""
    announced: Callable[[str], object] | None = None
    """Called with announcements of the moderators."""
    paired: Callable[[str], None] | None = None
    """Called with a room, when the game that the user seeks is in that room only."""

    users: Sequence[str] = ()
    """The names of earlier players on this machine."""

    @property
    def player(self) -> str:
        """The user's id."""
        return ""

    @property
    @abstractmethod
    def user(self) -> str:
        """The user's name."""

    def challenges(self) -> list[told.Challenge]:
        """The user's open challenges, oldest first."""
        return []

    @abstractmethod
    def now(self) -> int:
        """The time of the clock for games: milliseconds since 1970."""

    async def strengths(self, players: Iterable[str], variant: str, clock: told.Control | None) -> dict[str, str]:
        """Ratings in one kind of game, in the form shown beside names. Players without a rating are left out."""
        return {}

    async def rooms(self, variant: str | None = None) -> list[told.Listing]:
        """The public games that are open or being played, newest first."""
        return []

    async def games(
        self, variant: str | None = None, *, mine: bool = True, name: str | None = None
    ) -> list[told.Game]:
        """The user's games, or all public ones, optionally of players with a name, newest first. Running games come
        before finished ones."""
        return []

    @abstractmethod
    async def create(self, opening: Opening) -> Game:
        """Open a game, take a seat, and invite the computer players."""
