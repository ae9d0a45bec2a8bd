"""Generates the book's files: `python -m fourfold.clients.bots.openings.make OPENINGS GAMES4`.

`OPENINGS` is a folder with the tables of lichess-org/chess-openings (`*.tsv`: eco, name, pgn), `GAMES4` one with games
for four (`*.pgn4`). The files are written beside this module. `reactive4.txt` was written by hand.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import takewhile
from pathlib import Path
from typing import Final, TypeAlias

from fourfold.clients.bots.openings.book import Perspective
from fourfold.engine.moves import Move
from fourfold.engine.notation import pgn, pgn4
from fourfold.engine.notation.game import Game, Step
from fourfold.engine.pieces import PieceKind
from fourfold.engine.position import Position

Line: TypeAlias = tuple[str, ...]

_UNSOUND: Final = re.compile(r"(?<!Queen's )Gambit|Trap|Fool|Mate|Blunder")
"""Words in the name of a line that gives something away."""

_ODD_FIRST: Final = {"a2a3", "a2a4", "f2f3", "g2g4", "g1h3", "h2h3", "h2h4", "b1a3", "c2c3", "d2d3", "e1f2", "b2b4"}
"""First moves that are in the table for their names, not because they are good."""

_SYSTEMS: Final = {
    0: r"London System|King's Indian Attack|Colle System|Torre Attack|Nimzo-Larsen Attack|Réti Opening",
    1: r"King's Indian Defense|Pirc Defense|Modern Defense|Dutch Defense: Stonewall|Queen's Indian Defense"
    r"|Sicilian Defense: Hedgehog|Old Indian Defense",
}
"""Openings whose player, White or Black, builds the same setup against anything."""

_SETUP_LENGTH: Final = 8
_LEAST: Final = 3
"""The least number of games for four with a setup's move."""

_OPENINGS: Final = "lichess-org/chess-openings, commit 51b886249b9e418498d25b6e39b926c3de99c29a (CC0 1.0)"
_GAMES: Final = "the beginnings of 65 public games for four: each player's own quiet moves, as red would make them"


def main(openings: Path, games4: Path) -> None:
    here = Path(__file__).parent
    rows = [
        line.split("\t")[1:]
        for path in sorted(openings.glob("*.tsv"))
        for line in path.read_text(encoding="utf-8").splitlines()[1:]
    ]
    games = [(name, next(pgn.read(f"{moves} *"))) for name, moves in rows]
    _write(here / "reactive2.txt", _OPENINGS, _shared(_reactive(games)))
    _write(here / "setups2.txt", _OPENINGS, _counted(_setups_of_two(games), least=1))
    played = [game for path in sorted(games4.glob("*.pgn4")) for game in pgn4.read(path.read_text(encoding="utf-8"))]
    _write(here / "setups4.txt", _GAMES, _counted(_setups_of_four(played), least=_LEAST))
    _write(here / "replies4.txt", _GAMES, _counted(_replies(played), least=_LEAST))


def _reactive(games: Iterable[tuple[str, Game]]) -> list[Line]:
    """The sound lines, by their names, that are not the beginning of another."""
    lines = sorted(
        {line for name, game in games if not _UNSOUND.search(name) and (line := _moves(game))[0] not in _ODD_FIRST}
    )
    return [line for line, after in zip(lines, [*lines[1:], ()], strict=True) if after[: len(line)] != line]


def _moves(game: Game) -> Line:
    return tuple(step.move.text for step in game.line.steps if step.move is not None)


def _shared(lines: Iterable[Line]) -> Iterator[str]:
    before: Line = ()
    for line in lines:
        shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(before, line, strict=False)))
        yield " ".join((str(shared), *line[shared:]))
        before = line


def _setups_of_two(games: Iterable[tuple[str, Game]]) -> Counter[Line]:
    found: Counter[Line] = Counter()
    for name, game in games:
        for seat, systems in _SYSTEMS.items():
            if re.match(systems, name) and not _UNSOUND.search(name):
                setup = _own_quiet(game.line.steps, seat)
                if len(setup) >= 4:
                    found[game.start.seats[seat], *setup] += 1
    return found


def _setups_of_four(games: Iterable[Game]) -> Counter[Line]:
    """Every beginning of a setup, so that only rare endings of usual setups are left out."""
    found: Counter[Line] = Counter()
    for game in games:
        for seat in range(len(game.start.seats)):
            view = Perspective(game.start, seat)
            setup = tuple(view.to_red(text) for text in _own_quiet(game.line.steps, seat))
            for length in range(1, len(setup) + 1):
                found[setup[:length]] += 1
    usual = {line: count for line, count in found.items() if count >= _LEAST}
    # A line counts only for its longest part; other continuations were counted there.
    ends: Counter[Line] = Counter()
    for line, count in usual.items():
        longer = sum(more for other, more in usual.items() if len(other) == len(line) + 1 and other[:-1] == line)
        ends[line] = count if not longer else 0
    return +ends


def _replies(games: Iterable[Game]) -> Counter[Line]:
    """Every quiet move of a seat, with one opponent's moves until then."""
    found: Counter[Line] = Counter()
    for game in games:
        seats = range(len(game.start.seats))
        views = [Perspective(game.start, seat) for seat in seats]
        quiet = {seat: _own_quiet(game.line.steps, seat) for seat in seats}
        made = [0 for _ in seats]
        for seat in (step.seat for step in game.line.steps if step.move is not None):
            view, mine = views[seat], quiet[seat]
            made[seat] += 1
            for other in seats:
                if other != seat and made[seat] <= len(mine) and 0 < made[other] <= len(quiet[other]):
                    theirs = [view.to_red(text) for text in quiet[other][: made[other]]]
                    own = [view.to_red(text) for text in mine[: made[seat]]]
                    found[(view.side(other), *theirs, ":", *own)] += 1
    return found


def _own_quiet(steps: Iterable[Step], seat: int) -> Line:
    """A seat's moves until one captures, checks or crosses the middle of its half."""
    setup: list[str] = []
    for step in steps:
        if step.move is not None and step.seat == seat:
            if not _quiet(step.before, step.move, step.after) or len(setup) == _SETUP_LENGTH:
                break
            setup.append(step.move.text)
    return tuple(setup)


def _quiet(before: Position, move: Move, after: Position) -> bool:
    seat = before.turn
    board, forward = before.geometry, before.rules.seats[seat].forward
    king_walk = before.armies[seat][move.source].kind is PieceKind.KING and move not in before.tables.castle_of_move
    near = board.depth(move.target, forward) <= (4 if len(before.seats) == 2 else 5)
    return before.man_at(move.target) is None and not after.checked() and near and not king_walk


def _counted(lines: Counter[Line], least: int) -> Iterator[str]:
    return (" ".join((str(count), *line)) for line, count in sorted(lines.items()) if count >= least)


def _write(path: Path, source: str, lines: Iterable[str]) -> None:
    path.write_text("\n".join((f"# From {source}.", *lines, "")), encoding="ascii")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
