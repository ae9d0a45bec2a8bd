"""Lists of ratings as values: each has the games of one variant, budget, book of openings and number of seats."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from fourfold.clients.bots.arena.pairing import distributions, expected_share, titled
from fourfold.clients.bots.arena.results import Result, Terms
from fourfold.clients.bots.ratinglist.fit import Round, fit


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of a list: a player, the number of its games, its points in them, its rating and the error, and its
    processor time for a move in seconds, if known."""

    player: str
    games: int
    points: float
    rating: float
    error: float
    seconds: float | None


@dataclass(frozen=True, slots=True)
class Meeting:
    """All games of two players: the points of the first, and its share of them if both were equal. A game is won by all
    of the point, lost without any, and else drawn."""

    players: tuple[str, str]
    games: int
    wins: int
    draws: int
    losses: int
    points: float
    expected: float


@dataclass(frozen=True, slots=True)
class RatingList:
    """The entries, the best player first, and the meetings of each two players."""

    variant: str
    budget: float
    openings: str
    seats: int
    entries: tuple[Entry, ...]
    meetings: tuple[Meeting, ...]


def lists(found: Iterable[Result], anchor: tuple[str, float] | None = None) -> list[RatingList]:
    """The lists of all games. The `anchor` is a player with its rating in every list."""
    by_terms: dict[tuple[str, float, str, int], list[Result]] = defaultdict(list)
    for result in found:
        terms = result.terms
        by_terms[terms.variant, terms.budget, terms.openings, terms.seats].append(result)
    return [
        RatingList(*terms, tuple(_entries(by_terms[terms], anchor)), tuple(_meetings(by_terms[terms])))
        for terms in sorted(by_terms)
    ]


def _entries(found: Sequence[Result], anchor: tuple[str, float] | None) -> list[Entry]:
    rounds = rounds_of(found)
    ratings = fit(rounds, anchor)
    games, points = defaultdict[str, int](int), defaultdict[str, float](float)
    for one in rounds:
        for player, own in zip(one.players, (one.points, one.games - one.points), strict=True):
            games[player] += one.games
            points[player] += own
    names = sorted(ratings, key=lambda name: (-ratings[name].value, name))
    return [
        Entry(
            name, games[name], round(points[name], 2), round(ratings[name].value, 1), round(ratings[name].error, 1),
            _seconds(name, found),
        )
        for name in names
    ]  # fmt: skip


def rounds_of(found: Iterable[Result]) -> list[Round]:
    """The games in their rounds. An unfinished round counts with the games that it has."""
    every: dict[tuple[Terms, int], list[Result]] = defaultdict(list)
    for result in found:
        size = len(distributions(result.terms.variant, result.terms.seats))
        every[result.terms, result.number // size].append(result)
    return [
        Round(terms.players, sum(game.points for game in games), len(games), expected_share(terms.variant, terms.seats))
        for (terms, _), games in every.items()
    ]


def _meetings(found: Iterable[Result]) -> list[Meeting]:
    every: dict[tuple[str, str], list[Result]] = defaultdict(list)
    for result in found:
        every[result.terms.players].append(result)
    made = []
    for players, games in sorted(every.items()):
        points = [game.points for game in games]
        wins, losses = points.count(1), points.count(0)
        terms = games[0].terms
        expected = expected_share(terms.variant, terms.seats)
        draws = len(points) - wins - losses
        made.append(Meeting(players, len(points), wins, draws, losses, round(sum(points), 2), expected))
    return made


def _seconds(name: str, found: Iterable[Result]) -> float | None:
    """A player's processor time for a move; None if it is not known for a game."""
    moves, used = 0, 0.0
    for result in found:
        if name in result.terms.players:
            side = result.terms.players.index(name)
            seconds = result.played.seconds[side]
            if seconds is None:
                return None
            moves += result.played.chosen[side]
            used += seconds
    return round(used / moves, 4) if moves else None


def markdown(found: Sequence[RatingList]) -> str:
    """The lists as a page of Markdown."""
    parts = []
    for one in found:
        start = f"openings: {one.openings}" if one.openings else "from the starting position"
        parts.append(
            f"## {one.variant}, {one.budget:g} s of processor time a move, {start}\n\n"
            "| | engine | rating | error | games | share | processor time a move |\n|---|---|---|---|---|---|---|\n"
        )
        for place, entry in enumerate(one.entries, 1):
            seconds = "unknown" if entry.seconds is None else f"{entry.seconds:.3f} s"
            parts.append(
                f"| {place} | {titled(entry.player)} | {entry.rating:.0f} | ± {entry.error:.0f} | {entry.games} "
                f"| {100 * entry.points / entry.games:.1f} % | {seconds} |\n"
            )
        parts.append("\n")
    return "".join(parts)

