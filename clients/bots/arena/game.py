"""One game of a match: it asks the players for moves, and measures their processor time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from time import monotonic, process_time
from typing import Final, TypeAlias

from fourfold.clients.bots.arena.pairing import LONGEST, Pairing, Player
from fourfold.clients.bots.arena.processor_time import processor_time
from fourfold.clients.bots.levels import Choose, chooser
from fourfold.clients.bots.profile import Profile
from fourfold.clients.bots.uci.driver import Engine
from fourfold.engine.outcome import Outcome, Termination
from fourfold.engine.position import Position
from fourfold.engine.variants import opening

PATIENCE: Final = 600.0
"""Seconds that an engine may be late. A busy machine can starve it for minutes, which ends no match."""

_STRETCH: Final = (0.25, 8.0)
"""The least and the most seconds that an engine gets for a second of processor time."""


@dataclass(frozen=True, slots=True)
class Played:
    """A finished game: each seat's share of its one point, why it ended, all moves from the variant's start, and by
    side, the number of chosen moves and their processor time in seconds (None where the system does not tell it)."""

    shares: tuple[float, ...]
    termination: str
    moves: tuple[str, ...]
    chosen: tuple[int, int]
    seconds: tuple[float | None, float | None]


_Ask: TypeAlias = Callable[[Position, float], tuple[str, float | None]]
"""Chooses a move as a `Choose`, and tells its processor time in seconds."""


class _Side:
    """A player in one game, with the account of its processor time."""

    def __init__(self, choose: _Ask) -> None:
        self._choose = choose
        self.chosen = 0
        self.seconds: float | None = 0.0

    def move(self, position: Position, budget: float) -> str:
        text, seconds = self._choose(position, budget)
        self.chosen += 1
        self.seconds = None if seconds is None or self.seconds is None else self.seconds + seconds
        return text


class EngineTime:
    """Seconds on the clock for a UCI engine, so that it gets the same processor time as a level.

    An engine measures its time by the clock, and on a busy machine gets only a part of the processor. The ratio of both
    in this game is the factor for the next move.
    """

    def __init__(self) -> None:
        self._elapsed = 0.0
        self._used = 0.0

    def given(self, budget: float) -> float:
        """Seconds on the clock for a budget of processor time."""
        ratio = self._elapsed / self._used if self._used else 1.0
        return budget * min(max(ratio, _STRETCH[0]), _STRETCH[1])

    def add(self, budget: float, elapsed: float, used: float | None) -> None:
        """Count a move. Moves without a search tell nothing about the machine."""
        if used and elapsed >= budget / 2:
            self._elapsed += elapsed
            self._used += used


def play(pairing: Pairing) -> Played:
    """Play a game. Raises `EngineFault` if an engine cannot be run, fails, or answers with an illegal move."""
    position = opening(pairing.variant, seed=pairing.draw)
    moves: list[str] = []
    with ExitStack() as stack:
        asked = [stack.enter_context(_asked(player, pairing, side)) for side, player in enumerate(pairing.players)]
        sides = [_Side(ask) for ask in asked]
        for text in pairing.moves:
            position = position.play(position.find(text))
            moves.append(text)
        while position.outcome is None and len(moves) < LONGEST:
            move = position.walk
            if move is None:
                move = position.find(sides[pairing.sides[position.turn]].move(position, pairing.budget))
            position = position.play(move)
            moves.append(move.text)
    outcome = position.outcome or position.end_in_draw(Termination.AGREEMENT).outcome
    assert outcome is not None  # the game is over
    first, second = sides
    return Played(
        shares(outcome, position), outcome.termination, tuple(moves),
        (first.chosen, second.chosen), (first.seconds, second.seconds),
    )  # fmt: skip


@contextmanager
def _asked(player: Player, pairing: Pairing, side: int) -> Iterator[_Ask]:
    if player.engine is not None:
        with _engine(player.engine) as ask:
            yield ask
    else:
        assert player.level is not None
        by_seat: dict[int, Choose] = {}
        for seat in (seat for seat, other in enumerate(pairing.sides) if other == side):
            by_seat[seat] = chooser(
                player.level, f"{pairing.seed} {pairing.number} {seat}", process_time, player.elo
            )

        def choose(position: Position, budget: float) -> tuple[str, float | None]:
            before = process_time()
            text = by_seat[position.turn](position, budget)
            return text, process_time() - before

        yield choose


@contextmanager
def _engine(profile: Profile) -> Iterator[_Ask]:
    engine, time = Engine(profile, PATIENCE), EngineTime()
    with asyncio.Runner() as runner:
        runner.run(engine.__aenter__())

        def choose(position: Position, budget: float) -> tuple[str, float | None]:
            budget = profile.budget or budget
            before, begun = processor_time(engine.pid), monotonic()
            text = runner.run(engine.think(position, time.given(budget)))
            after = processor_time(engine.pid)
            used = None if before is None or after is None else max(0.0, after - before)
            time.add(budget, monotonic() - begun, used)
            return text, used

        try:
            yield choose
        finally:
            runner.run(engine.__aexit__())


def shares(outcome: Outcome | None, position: Position) -> tuple[float, ...]:
    """The points of a game by seat. In teams, each partner counts with the team's point."""
    assert outcome is not None  # the game is over
    first = [seat for seat, place in enumerate(outcome.standings) if place == 1]
    if position.rules.in_teams or len(outcome.standings) == 2:
        whole = 1.0 if outcome.winners else 0.5
    else:
        whole = 1 / len(first)
    return tuple(whole * (seat in first) for seat in range(len(outcome.standings)))


def points_of(shares: tuple[float, ...], sides: tuple[int, ...], in_teams: bool) -> float:
    """The first side's share of the point of a game."""
    own = [share for share, side in zip(shares, sides, strict=True) if side == 0]
    return own[0] if in_teams else sum(own)
