"""A file of results: one JSON object a line for each finished game, with all its moves.

One file can have the games of many matches. A match that starts again continues after its last game in the file. The
file only grows. A line that was cut short when the machine stopped is dropped.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from fourfold.clients.bots.arena.game import Played, points_of
from fourfold.clients.bots.arena.pairing import Pairing
from fourfold.engine.variants import rules_of

_COMPLETE: Final = "\n"


class BadResults(ValueError):
    """The file cannot be read, or has a line that is not a result."""


@dataclass(frozen=True, slots=True)
class Terms:
    """What the games of a match have in common: the variant, the players' names, how many seats the first has, the
    seconds of processor time for a move, the name of the openings, and the seed."""

    variant: str
    players: tuple[str, str]
    seats: int
    budget: float
    openings: str
    seed: str


@dataclass(frozen=True, slots=True)
class Result:
    """A finished game: the terms of its match, its number, the side of each seat, how many moves of the opening it
    began with, the seed of its start, and what was played."""

    terms: Terms
    number: int
    sides: tuple[int, ...]
    opening: int
    draw: int
    played: Played

    @staticmethod
    def of(terms: Terms, pairing: Pairing, played: Played) -> Result:
        """The result of a pairing that was played."""
        return Result(terms, pairing.number, pairing.sides, len(pairing.moves), pairing.draw, played)

    @property
    def points(self) -> float:
        """The first player's share of the game's point."""
        return points_of(self.played.shares, self.sides, rules_of(self.terms.variant).in_teams)

    def line(self) -> str:
        """The result as a line of the file."""
        played = asdict(self.played) | {"moves": " ".join(self.played.moves)}
        own = {"number": self.number, "sides": self.sides, "opening": self.opening, "draw": self.draw}
        return json.dumps({**asdict(self.terms), **own, **played}) + _COMPLETE

    @staticmethod
    def read(line: str) -> Result:
        """The result in a line. Raises `ValueError`, `KeyError`, `TypeError` or `AttributeError` for others."""
        found = json.loads(line)
        first, second = found["players"]
        terms = Terms(
            found["variant"], (first, second), found["seats"], found["budget"], found["openings"], found["seed"]
        )
        chosen, others = found["chosen"]
        seconds, other_seconds = found["seconds"]
        played = Played(
            tuple(found["shares"]), found["termination"], tuple(found["moves"].split()), (chosen, others),
            (seconds, other_seconds),
        )  # fmt: skip
        return Result(terms, found["number"], tuple(found["sides"]), found["opening"], found["draw"], played)


def read(path: Path) -> list[Result]:
    """The results in a file, in its order. Without a file, the list is empty. A later result with the same terms and
    number is ignored. Raises `BadResults`."""
    found: dict[tuple[Terms, int], Result] = {}
    try:
        text = path.read_text(encoding="utf-8") if path.exists() else ""
    except (OSError, UnicodeDecodeError) as error:
        raise BadResults(f"{path} cannot be read: {error}") from error
    for number, line in enumerate(text.splitlines(keepends=True), 1):
        if not line.endswith(_COMPLETE):
            break
        try:
            result = Result.read(line)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise BadResults(f"{path}, line {number}, is not a result: {error!r}") from error
        found.setdefault((result.terms, result.number), result)
    return list(found.values())


def of_match(results: Iterable[Result], terms: Terms) -> list[Result]:
    """The first games of a match, as far as none is missing between them."""
    by_number = {result.number: result for result in results if result.terms == terms}
    return list(_whole(by_number[number] for number in sorted(by_number)))


def _whole(results: Iterable[Result]) -> Iterator[Result]:
    for number, result in enumerate(results):
        if result.number != number:
            return
        yield result


class ResultsFile:
    """Appends results to a file, as a context manager. Each is on the disk when `add` returns."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __enter__(self) -> ResultsFile:
        try:
            self._file = self._path.open("a+b")
        except OSError as error:
            raise BadResults(f"{self._path} cannot be written: {error.strerror}") from error
        self._file.seek(0)
        content = self._file.read()
        self._file.truncate(content.rfind(_COMPLETE.encode()) + 1)
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def add(self, results: Sequence[Result]) -> None:
        """Append results."""
        self._file.write("".join(result.line() for result in results).encode())
        self._file.flush()
        os.fsync(self._file.fileno())
