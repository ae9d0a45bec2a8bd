"""Reviews of finished games: made by a bot host on demand or while idle, and stored in the archive with the game."""

import secrets
from collections import OrderedDict
from dataclasses import dataclass, field
from functools import partial
from typing import Final

import msgspec
import structlog

from fourfold.engine.match import State
from fourfold.protocol import from_client as ask
from fourfold.protocol import from_server as wire
from fourfold.protocol.lines import JudgedPly, Puzzle, Summary
from fourfold.server.archive.archive import Archive
from fourfold.server.bots.analysts import Analysts, Answer
from fourfold.server.storage.event_log import unless_unavailable

SLOW: Final = 10
"""The factor by which a review may take longer on a busy machine."""

HELD: Final = 64
"""How many reviews are kept here at most: those of games that are not in the archive yet."""

LATEST: Final = 20
"""How many of a player's latest reviewed games provide puzzles."""

_log = structlog.get_logger(__name__)


class Review(msgspec.Struct):
    """The stored review of a game: its positions from the start on, and the summary."""

    judged: list[JudgedPly]
    summary: Summary
    puzzles: list[Puzzle] = []
    variant: str = "standard"


@dataclass(slots=True)
class _Running:
    """A review in progress."""

    variant: str
    job: str
    idle: bool
    looked: int = 0
    judged: list[JudgedPly] = field(default_factory=list)


_encode: Final = msgspec.msgpack.Encoder().encode
_decode: Final = msgspec.msgpack.Decoder(Review).decode

_Game = tuple[str, int]


class Reviews:
    """Makes reviews, each once at a time, and finds finished ones."""

    def __init__(self, analysts: Analysts, archive: Archive, each: int, idle: bool = True) -> None:
        """`each` is the search time for each position, in milliseconds. `idle`: also review unasked."""
        self._analysts = analysts
        self._archive = archive
        self._each = each
        self._idle = idle
        self._running: dict[_Game, _Running] = {}
        self._held: OrderedDict[_Game, Review] = OrderedDict()

    async def find(self, room: str, game: int) -> Review | None:
        """The review of a room's game, if it exists. A review that is not in the archive yet is stored there once the
        game is there."""
        review = self._held.get((room, game))
        with unless_unavailable(_log, "reviews can't be looked up", room=room):
            if review is None:
                kept = await self._archive.ask(lambda database: database.review(room, game))
                return None if kept is None else _decode(kept)
            made = _encode(review)
            if await self._archive.ask(lambda database: database.keep_review(room, game, made)):
                self._held.pop((room, game), None)
        return review

    async def of_player(self, player: str) -> list[tuple[str, int, str, Review]]:
        """Room, number, the player's seat and the review of their latest archived games that have one. Raises
        `LogUnavailable` while the archive is away."""
        found = await self._archive.ask(lambda database: database.reviews_of(player, LATEST))
        return [(room, number, seat, _decode(kept)) for room, number, seat, kept in found]

    def looked(self, room: str, game: int) -> int | None:
        """How many positions of a game have been searched; None if no review is in progress here."""
        running = self._running.get((room, game))
        return None if running is None else max(running.looked, len(running.judged))

    def may_begin(self, room: str, game: int) -> bool:
        """Whether `begin` would start a review of the game. It would if no review of it is in progress on this server,
        and also if the one in progress is idle and has no results yet: an idle review waits for all other jobs."""
        running = self._running.get((room, game))
        return running is None or (running.idle and not running.judged)

    def begin(self, room: str, state: State, theory: int) -> None:
        """Start a review of the match's current game, if it `may_begin`. The new review replaces an idle one. The first
        `theory` moves of the game belong to a named opening."""
        if not self.may_begin(room, state.game):
            return
        idle = self._running.get((room, state.game))
        if idle is not None:
            self._analysts.end(idle.job)
        self._begin(room, state, theory, idle=False)

    def begin_idle(self, room: str, state: State, theory: int) -> None:
        """The same for a review that nobody waits for. It starts only if no other is in progress here."""
        if self._idle and not self._running and self._analysts.hosted:
            self._begin(room, state, theory, idle=True)

    def _begin(self, room: str, state: State, theory: int, *, idle: bool) -> None:
        key = room, state.game
        running = self._running[key] = _Running(state.variant, secrets.token_hex(8), idle)
        names = state.position.seats
        steps = [step.move or f"{names[step.seat]} {step.reason}" for step in state.line]
        job = wire.Examine(running.job, state.variant, state.start.fen(), steps, self._each, theory, idle)
        seconds = (len(steps) + 1) * SLOW * self._each / 1000
        self._analysts.begin(job, seconds, partial(self._take, key, running))

    def _take(self, key: _Game, running: _Running, answer: Answer | None) -> None:
        if isinstance(answer, ask.Examined):
            running.looked = max(running.looked, answer.looked)
            if answer.judged is not None:
                running.judged.append(answer.judged)
        if answer is None or answer.done:
            del self._running[key]
        if isinstance(answer, ask.Examined) and answer.summary is not None:
            self._held[key] = Review(running.judged, answer.summary, answer.puzzles, running.variant)
            if len(self._held) > HELD:
                self._held.popitem(last=False)
