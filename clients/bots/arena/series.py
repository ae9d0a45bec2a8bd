"""Several matches on the same terms, with the files that they share: results, and records of the games."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from fourfold.clients.bots.arena import openings, records, results
from fourfold.clients.bots.arena.game import Played
from fourfold.clients.bots.arena.match import Score, match
from fourfold.clients.bots.arena.pairing import Pairing, Player, distributions, expected_share, pairings, titled
from fourfold.clients.bots.arena.report import report
from fourfold.clients.bots.arena.results import Result, ResultsFile, Terms
from fourfold.clients.bots.arena.statistics import SequentialTest
from fourfold.engine.variants import rules_of


@dataclass(frozen=True, slots=True)
class Conditions:
    """The common terms of matches. `openings` is the name of a book, or empty. `sprt` has the two differences in Elo of
    a test, the lower first. `games` is the most games of a match. Raises `ValueError` for impossible terms, and for an
    unknown variant."""

    variant: str
    games: int
    budget: float
    seats: int = 1
    openings: str = ""
    seed: str = "0"
    sprt: tuple[float, float] | None = None
    workers: int = 1

    def __post_init__(self) -> None:
        most = len(set(rules_of(self.variant).teams)) - 1
        if not 1 <= self.seats <= most:
            raise ValueError(f"seats are a number from 1 to {most} in {self.variant}, not {self.seats}")
        if self.games < 1 or self.workers < 1:
            raise ValueError("games and workers are numbers from 1")
        if self.sprt is not None and self.sprt[0] >= self.sprt[1]:
            raise ValueError("a test needs two differences in Elo, the lower first")

    def terms(self, players: tuple[Player, Player]) -> Terms:
        """The terms of the match of two players."""
        names = players[0].name, players[1].name
        return Terms(self.variant, names, self.seats, self.budget, self.openings, self.seed)


class Series:
    """Plays matches, or the rest of them, as a context manager. Each finished game goes to the files at once.

    Creating it raises `BadOpenings` and `BadResults`. Entering it raises `BadResults` and `OSError`.
    """

    def __init__(self, conditions: Conditions, path: Path | None = None, record: Path | None = None) -> None:
        self._conditions = conditions
        self._openings = openings.read(conditions.openings, conditions.variant) if conditions.openings else []
        self._earlier = [] if path is None else results.read(path)
        self._path = path
        self._record_path = record
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            path, record = self._path, self._record_path
            self._file = None if path is None else stack.enter_context(ResultsFile(path))
            self._record = None if record is None else stack.enter_context(record.open("w", encoding="utf-8"))
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def play(self, players: tuple[Player, Player], title: str = "") -> tuple[Score, dict[str, Any]]:
        """Play the match of two players; return the score and the report. The `title` begins that of the progress bar.
        Raises `EngineFault`."""
        own = self._conditions
        terms = own.terms(players)
        expected = expected_share(own.variant, own.seats)
        test = None if own.sprt is None else SequentialTest(*own.sprt, expected)
        score = Score(len(distributions(own.variant, own.seats)), test=test)
        played: list[Played] = []
        for result in results.of_match(self._earlier, terms)[: own.games]:
            played.append(result.played)
            score.points.append(result.points)
            self._write(result)

        def hear(pairing: Pairing, game: Played) -> None:
            result = Result.of(terms, pairing, game)
            played.append(game)
            if self._file is not None:
                self._file.add([result])
            self._write(result)

        games = list(
            pairings(
                own.variant, players, own.games, seed=own.seed, budget=own.budget, seats=own.seats,
                openings=self._openings,
            )
        )  # fmt: skip
        title += f"{titled(terms.players[0])} against {titled(terms.players[1])}"
        match(games[len(played) :], score, workers=own.workers, title=title, hear=hear)
        by_rounds = bool(self._openings) or test is not None
        return score, report(score, players, expected, played, by_rounds=by_rounds)

    def _write(self, result: Result) -> None:
        if self._record is not None:
            self._record.write(records.text_of(result))
            self._record.flush()
