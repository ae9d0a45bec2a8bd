"""A list of ratings from games of the arena: `python -m fourfold.clients.bots.ratinglist RESULTS`.

With `--play`, players meet first: each of the `--levels` and each `--engine` plays each other, as far as the games are
not in the file yet.

The ratings are those that explain all games of a list best: the likeliest under the logistic model, in which equal
players share a game's point by their seats. A list has the games of one variant, budget and book of openings. The
errors are for 95 % confidence, by drawing the rounds of games again and again (bootstrap), since the games of one
opening depend on each other. One added win and loss between each two players prevent overconfidence after few games.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from pathlib import Path
from typing import Any, Final

from fourfold.clients.bots.arena import records, results
from fourfold.clients.bots.arena.openings import INCLUDED, BadOpenings
from fourfold.clients.bots.arena.pairing import Player, distributions, expected_share
from fourfold.clients.bots.arena.results import BadResults, Result
from fourfold.clients.bots.arena.series import Conditions, Series
from fourfold.clients.bots.arena.statistics import share_at
from fourfold.clients.bots.levels import LEVELS
from fourfold.clients.bots.profile import profile
from fourfold.clients.bots.uci.driver import EngineFault

AVERAGE: Final = 1500.0
"""The mean rating of a list."""

FARTHEST: Final = 1000.0
"""The greatest distance of a rating from the mean: a player who has won all games has no other bound."""

_SWEEPS: Final = 400
_PRECISE: Final = 0.01
"""Elo by which no rating may change for the last sweep."""

_DRAWS: Final = 200
"""Repetitions for the errors."""


@dataclass(frozen=True, slots=True)
class Round:
    """The games of one opening between two players: the points of the first, and its share if both were equal."""

    players: tuple[str, str]
    points: float
    games: int
    expected: float


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
class RatingList:
    """The entries of one variant, budget and book of openings, the best player first."""

    variant: str
    budget: float
    openings: str
    entries: tuple[Entry, ...]


def lists(found: Iterable[Result]) -> list[RatingList]:
    """The lists of all games, by variant, budget and openings."""
    by_terms: dict[tuple[str, float, str], list[Result]] = defaultdict(list)
    for result in found:
        by_terms[result.terms.variant, result.terms.budget, result.terms.openings].append(result)
    return [RatingList(*terms, tuple(_entries(by_terms[terms]))) for terms in sorted(by_terms)]


def _entries(found: Sequence[Result]) -> list[Entry]:
    rounds = rounds_of(found)
    cautious = [*rounds, *(added for players in sorted({one.players for one in rounds}) for added in _added(players))]
    ratings = likeliest(cautious)
    errors = errors_of(cautious)
    games, points = defaultdict[str, int](int), defaultdict[str, float](float)
    for one in rounds:
        for player, own in zip(one.players, (one.points, one.games - one.points), strict=True):
            games[player] += one.games
            points[player] += own
    seconds = _seconds(found)
    names = sorted(ratings, key=lambda name: (-ratings[name], name))
    return [
        Entry(name, games[name], round(points[name], 2), round(ratings[name], 1), round(errors[name], 1), seconds[name])
        for name in names
    ]


def _added(players: tuple[str, str]) -> list[Round]:
    """A win and a loss between two players, which prevent overconfidence after few games."""
    return [Round(players, 1, 1, 0.5), Round(players, 0, 1, 0.5)]


def rounds_of(found: Iterable[Result]) -> list[Round]:
    """The games in their rounds. An unfinished round counts with the games that it has."""
    every: dict[object, list[Result]] = defaultdict(list)
    for result in found:
        size = len(distributions(result.terms.variant, result.terms.seats))
        every[result.terms, result.number // size].append(result)
    return [
        Round(
            games[0].terms.players, sum(game.points for game in games), len(games),
            expected_share(games[0].terms.variant, games[0].terms.seats),
        )
        for games in every.values()
    ]  # fmt: skip


def likeliest(rounds: Sequence[Round]) -> dict[str, float]:
    """The likeliest rating of each player. Their mean is `AVERAGE`; none is farther from it than `FARTHEST`."""
    matches: dict[tuple[str, str, float], list[float]] = defaultdict(lambda: [0.0, 0.0])
    for one in rounds:
        match = matches[(*one.players, one.expected)]
        match[0] += one.points
        match[1] += one.games
    ratings = {name: 0.0 for one in rounds for name in one.players}
    for _ in range(_SWEEPS):
        changed = 0.0
        for name in ratings:
            before = ratings[name]
            ratings[name] = _best(name, ratings, matches)
            changed = max(changed, abs(ratings[name] - before))
        if changed < _PRECISE:
            break
    mean = sum(ratings.values()) / len(ratings) if ratings else 0.0
    return {name: AVERAGE + rating - mean for name, rating in ratings.items()}


def _best(
    name: str, ratings: Mapping[str, float], matches: Mapping[tuple[str, str, float], Sequence[float]]
) -> float:
    """The rating at which a player would have scored as it did, if the others keep theirs."""
    low, high = -FARTHEST, FARTHEST
    while high - low > _PRECISE / 10:
        middle = (low + high) / 2
        lack = 0.0
        for (first, second, expected), (points, games) in matches.items():
            if name in (first, second):
                apart = middle - ratings[second] if name == first else ratings[first] - middle
                surplus = points - games * share_at(apart, expected)
                lack += surplus if name == first else -surplus
        if lack > 0:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def errors_of(rounds: Sequence[Round]) -> dict[str, float]:
    """The half-width of the 95 % interval of each player's rating."""
    chance = random.Random(0)
    by_match: dict[tuple[str, str], list[Round]] = defaultdict(list)
    for one in rounds:
        by_match[one.players].append(one)
    drawn: dict[str, list[float]] = defaultdict(list)
    for _ in range(_DRAWS):
        again = [one for match in by_match.values() for one in chance.choices(match, k=len(match))]
        for name, rating in likeliest(again).items():
            drawn[name].append(rating)
    spread = round(0.025 * _DRAWS)
    return {name: (sorted(every)[-1 - spread] - sorted(every)[spread]) / 2 for name, every in drawn.items()}


def _seconds(found: Iterable[Result]) -> dict[str, float | None]:
    """Each player's processor time for a move."""
    chosen, used = defaultdict[str, int](int), defaultdict[str, float](float)
    unknown = set[str]()
    for result in found:
        for name, count, seconds in zip(
            result.terms.players, result.played.chosen, result.played.seconds, strict=True
        ):  # fmt: skip
            chosen[name] += count
            if seconds is None:
                unknown.add(name)
            else:
                used[name] += seconds
    known = {name: round(used[name] / count, 3) for name, count in chosen.items() if count and name not in unknown}
    return {name: known.get(name) for name in chosen}


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
                f"| {place} | {entry.player} | {entry.rating:.0f} | ± {entry.error:.0f} | {entry.games} "
                f"| {100 * entry.points / entry.games:.1f} % | {seconds} |\n"
            )
        parts.append("\n")
    return "".join(parts)


def as_json(found: Sequence[RatingList]) -> list[dict[str, Any]]:
    """The lists as objects for JSON."""
    return [asdict(one) for one in found]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command, and return its exit code."""
    parser = _parser()
    values = parser.parse_args(arguments)
    try:
        pairs = list(combinations(_players(values), 2)) if values.play else []
        conditions = Conditions(
            values.variant or "teams", values.games, values.budget, values.seats, values.openings or "",
            workers=values.workers,
        )  # fmt: skip
        if values.play and not pairs:
            raise ValueError("--play needs two players: name them by --levels and --engine")
    except ValueError as error:
        parser.error(str(error))
    try:
        if pairs:
            with Series(conditions, values.results[0]) as series:
                for pair in pairs:
                    series.play(pair)
        found = [result for path in values.results for result in results.read(path)]
        found = [result for result in found if values.variant in (None, result.terms.variant)]
        if not found:
            raise BadResults(f"no games in {', '.join(map(str, values.results))}")
        if values.record is not None:
            records.write(found, values.record)
    except (BadOpenings, BadResults, EngineFault, OSError) as error:
        print(f"ratinglist: {error}", file=sys.stderr)
        return 1
    rated = lists(found)
    print(json.dumps(as_json(rated), indent=2) if values.json else markdown(rated), end="\n" if values.json else "")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m fourfold.clients.bots.ratinglist", description="Rate players by their games in the arena."
    )
    parser.add_argument("results", type=Path, nargs="+", help="files of the arena's --results")
    parser.add_argument("--variant", help="rate only this variant; with --play, play it (default teams)")
    parser.add_argument("--json", action="store_true", help="print JSON instead of Markdown")
    parser.add_argument("--record", type=Path, metavar="FILE", help="write all games here, as PGN or PGN4")
    parser.add_argument("--play", action="store_true", help="first play the missing games, into the first file")
    parser.add_argument("--levels", default="", help="with --play: levels that play, as 3,4,5")
    parser.add_argument("--engine", action="append", default=[], metavar="NAME",
                        help="with --play: a UCI engine that plays, by its profile; can be repeated")  # fmt: skip
    parser.add_argument("--games", type=int, default=20, help="with --play: of each pair (default 20)")
    parser.add_argument("--budget", type=float, default=0.1, help="with --play: seconds a move (default 0.1)")
    parser.add_argument("--seats", type=int, default=1, help="with --play: of the first of a pair (default 1)")
    parser.add_argument("--openings", nargs="?", const=INCLUDED, metavar="FILE",
                        help="with --play: the included openings, or those of a file")  # fmt: skip
    parser.add_argument("--workers", type=int, default=1, help="with --play: processes to play in (default 1)")
    return parser


def _players(values: argparse.Namespace) -> list[Player]:
    """The players that the arguments name. Raises `ValueError`."""
    levels = [int(level) for level in values.levels.split(",") if level]
    if not set(levels) <= set(LEVELS):
        raise ValueError(f"--levels are some of {', '.join(map(str, LEVELS))}")
    players = [*map(Player, levels), *(Player(engine=profile(name)) for name in values.engine)]
    if len({player.name for player in players}) < len(players):
        raise ValueError("two players have the same name: give one another name in its profile")
    return players


if __name__ == "__main__":
    sys.exit(main())
