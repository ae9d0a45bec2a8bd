"""Reviews of games that are over: made by a host of bots when somebody asks, and kept in the archive with the game."""

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
from fourfold.server.storage.event_log import LogUnavailable

SLOW: Final = 10
"""How many times as long a review may take on a busy machine."""

HELD: Final = 64
"""How many reviews are held here at most: those of games that are not in the archive yet."""

LATEST: Final = 20
"""Of how many of a player's reviewed games puzzles are told."""

_log = structlog.get_logger(__name__)


class Review(msgspec.Struct):
    """What is kept of a game: its positions from the start on, and what is to be said of the whole."""

    judged: list[JudgedPly]
    summary: Summary
    puzzles: list[Puzzle] = []
    variant: str = "standard"


@dataclass(slots=True)
class _Running:
    """A review that is being made."""

    variant: str
    looked: int = 0
    judged: list[JudgedPly] = field(default_factory=list)


_encode: Final = msgspec.msgpack.Encoder().encode
_decode: Final = msgspec.msgpack.Decoder(Review).decode

_Game = tuple[str, int]


class Reviews:
    """Makes reviews, each once at a time, and finds those that were made."""

    def __init__(self, analysts: Analysts, archive: Archive, each: int) -> None:
        """There are so many milliseconds for each position."""
        self._analysts = analysts
        self._archive = archive
        self._each = each
        self._running: dict[_Game, _Running] = {}
        self._held: OrderedDict[_Game, Review] = OrderedDict()

    async def find(self, room: str, game: int) -> Review | None:
        """The review of a room's game, if it has been made. One that is not in the archive yet is put there, if the
        game is."""
        review = self._held.get((room, game))
        try:
            if review is None:
                kept = await self._archive.review(room, game)
                return None if kept is None else _decode(kept)
            if await self._archive.keep_review(room, game, _encode(review)):
                self._held.pop((room, game), None)
        except LogUnavailable as error:
            _log.debug("reviews can't be looked up", room=room, error=str(error))
        return review

    async def of_player(self, player: str) -> list[tuple[str, int, str, Review]]:
        """Room, number, the player's seat and the review of their latest archived games that have one. Raises
        `LogUnavailable` while the archive is away."""
        found = await self._archive.reviews_of(player, LATEST)
        return [(room, number, seat, _decode(kept)) for room, number, seat, kept in found]

    def looked(self, room: str, game: int) -> int | None:
        """How many positions of a game have been looked at; None if no review is being made here."""
        running = self._running.get((room, game))
        return None if running is None else max(running.looked, len(running.judged))

    def begin(self, room: str, state: State, theory: int) -> None:
        """Have the game of a match reviewed, unless that is being done. Its first moves, as many as `theory`, are those
        of an opening that has a name."""
        key = room, state.game
        if key in self._running:
            return
        running = self._running[key] = _Running(state.variant)
        names = state.position.seats
        steps = [step.move or f"{names[step.seat]} {step.reason}" for step in state.line]
        job = wire.Examine(secrets.token_hex(8), state.variant, state.start.fen(), steps, self._each, theory)
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
