"""Fits the evaluation of two-player positions to Stockfish's evaluations, from a file of `tests.bench.judged`.

python -m tests.bench.fitting FILE [--rounds 8]

Prints the tables of `squares` and the numbers of `structure` (in `clients/bots/search`), and the error of the resulting
win chances: the root mean square difference from Stockfish's, in hundredths, for the fitted positions, and for the last
tenth of the file, which is held out. A sum of pieces grows without limit, while Stockfish's evaluation hardly grows
once a game is won: beyond `WON` it grows by less.

Numbers with little evidence stay near those of the neighbouring squares, and near the usual value of a piece.
"""

import argparse
from array import array
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, TypeAlias

import chess
import numpy as np

Floats: TypeAlias = np.ndarray[Any, np.dtype[np.float64]]
Term: TypeAlias = tuple[str, int]
"""A feature: a kind of piece and a square, or a number of `structure` and its row."""

KINDS: Final = {"PAWN": 100, "KNIGHT": 320, "BISHOP": 335, "ROOK": 500, "QUEEN": 950, "KING": 0}
"""The usual values of pieces."""

ONE_SIDED: Final = ("KNIGHT", "BISHOP", "ROOK", "QUEEN")
"""The kinds for which left and right are treated alike."""

EARLY: Final = ("away", "none", "none but hostile", "next", "second", "behind", "beyond", "storm")
LATE: Final = ("foe apart", "own apart")
"""The features that count only in the opening, and those only in the endgame. All others have two numbers."""

STAGES: Final = 16
SCALE: Final = np.log(10) / 400
WON, BEYOND = 450, 0.4
NEAR, SMOOTH = 1e-9, 3e-9
"""Strengths of the penalty for differences from the usual number, and from neighbours."""

STRENGTH: Final = {chess.KNIGHT: 1, chess.BISHOP: 1, chess.ROOK: 1, chess.QUEEN: 2}


def terms(board: chess.Board) -> Iterator[tuple[Term, float]]:
    """The features of a position, for White and against it."""
    for side, sign in ((board, 1), (board.mirror(), -1)):
        for term, times in _side(side):
            yield term, sign * times
    yield ("turn", 0), 1 if board.turn else -1


def _side(board: chess.Board) -> Iterator[tuple[Term, float]]:
    """The same for White alone."""
    own, other = int(board.pieces(chess.PAWN, chess.WHITE)), int(board.pieces(chess.PAWN, chess.BLACK))
    king, foe = board.king(chess.WHITE), board.king(chess.BLACK)
    assert king is not None and foe is not None
    for square, piece in board.piece_map().items():
        if piece.color is chess.WHITE:
            kind = chess.piece_name(piece.piece_type).upper()
            yield (kind, square ^ 7 if kind in ONE_SIDED and square & 4 else square), 1
            if piece.piece_type == chess.PAWN:
                yield from _pawn(square, own, other, king, foe)
            elif piece.piece_type == chess.ROOK and not own & chess.BB_FILES[square & 7]:
                yield ("on half" if other & chess.BB_FILES[square & 7] else "on open", 0), 1
    if len(board.pieces(chess.BISHOP, chess.WHITE)) > 1:
        yield ("pair", 0), 1
    yield from _shelter(own, other, king)


def _pawn(square: int, own: int, other: int, king: int, foe: int) -> Iterator[tuple[Term, float]]:
    file, row = square & 7, square >> 3
    beside = sum(chess.BB_FILES[near] for near in (file - 1, file + 1) if 0 <= near < 8)
    ahead = chess.BB_ALL & ~((1 << 8 * (row + 1)) - 1)
    doubled = own & chess.BB_FILES[file] & ahead
    if doubled:
        yield ("doubled", 0), 1
    if not own & beside:
        yield ("isolated", 0), 1
    elif own & beside & (chess.BB_RANKS[row] | chess.BB_RANKS[row - 1]):
        yield ("supported", row), 1
    if not doubled and not other & ahead & (beside | chess.BB_FILES[file]):
        yield ("passed", row), 1
        if row > 2:
            yield ("foe apart", 0), chess.square_distance(foe, square + 8) * (row - 1)
            yield ("own apart", 0), chess.square_distance(king, square + 8) * (row - 1)


def _shelter(own: int, other: int, king: int) -> Iterator[tuple[Term, float]]:
    row = king >> 3
    if row > 1:
        yield ("away", 0), 1
        return
    middle = min(max(king & 7, 1), 6)
    for file in (middle - 1, middle, middle + 1):
        pawns, hostile = own & chess.BB_FILES[file], other & chess.BB_FILES[file]
        before = pawns >> 8 * (row + 1)
        if not pawns:
            yield ("none but hostile" if hostile else "none", 0), 1
        else:
            found = "next" if before & 0xFF else "second" if before & 0xFF00 else "beyond" if before else "behind"
            yield (found, 0), 1
        if hostile:
            yield ("storm", min(4, chess.lsb(hostile) >> 3)), 1


class Sample:
    """The positions of a file: the features of each, and Stockfish's shares for White."""

    def __init__(self, path: Path) -> None:
        self.columns: dict[Term, int] = {}
        rows, columns, times = array("q"), array("q"), array("d")
        stages, worths = array("d"), array("d")
        for number, line in enumerate(path.read_text(encoding="ascii").splitlines()):
            fen, worth = line.split("\t")
            board = chess.Board(fen)
            for term, count in terms(board):
                rows.append(number)
                columns.append(self.columns.setdefault(term, len(self.columns)))
                times.append(count)
            strength = sum(STRENGTH.get(piece.piece_type, 0) for piece in board.piece_map().values())
            stages.append(min(strength, STAGES) / STAGES)
            worths.append(int(worth))
        self.size = len(stages)
        self._rows, self._columns, self._times = np.array(rows), np.array(columns), np.array(times)
        self._stages, self.shares = np.array(stages), 1 / (1 + np.exp(-SCALE * np.array(worths)))

    def chunk(self, first: int, last: int) -> Floats:
        """A row for each position: its features, weighted by the share of the opening and of the endgame."""
        wide = len(self.columns)
        some = slice(*np.searchsorted(self._rows, [first, last]))
        places = (self._rows[some] - first) * wide + self._columns[some]
        counts = np.bincount(places, self._times[some], (last - first) * wide).reshape(last - first, wide)
        stage = self._stages[first:last, None]
        return np.hstack([counts * stage, counts * (1 - stage)])

    def chunks(self, first: int, last: int, step: int = 4000) -> Iterator[tuple[Floats, Floats]]:
        """Some positions, and their shares."""
        for start in range(first, last, step):
            end = min(start + step, last)
            yield self.chunk(start, end), self.shares[start:end]


def shares(worth: Floats) -> tuple[Floats, Floats]:
    """The chances at a sum of numbers, and the slope of the evaluation there."""
    far = np.abs(worth) > WON
    bent = np.where(far, np.sign(worth) * (WON + BEYOND * (np.abs(worth) - WON)), worth)
    return 1 / (1 + np.exp(-SCALE * bent)), np.where(far, BEYOND, 1.0)


def usual(sample: Sample) -> tuple[Floats, Floats, Floats]:
    """The initial numbers; the matrix that ties them to these and to each other; and which of them are fitted."""
    wide = len(sample.columns)
    start, found = np.zeros(2 * wide), np.ones(2 * wide)
    hold = np.eye(2 * wide) * NEAR
    for (name, place), column in sample.columns.items():
        start[[column, column + wide]] = KINDS.get(name, 0)
        found[column] = name not in LATE
        found[column + wide] = name not in EARLY
        beside = [place + 8] + [place + 1] * (place & 7 < 7) if name in KINDS else []
        for near in beside:
            other = sample.columns.get((name, near))
            for shift in (0, wide) if other is not None else ():
                pair = np.array([column, other]) + shift
                hold[np.ix_(pair, pair)] += SMOOTH * np.array([[1, -1], [-1, 1]])
    return start, hold, found


def fit(sample: Sample, last: int, rounds: int) -> Floats:
    """The numbers with the least cross entropy over the first positions, by Newton's steps."""
    start, hold, found = usual(sample)
    numbers, kept = start.copy(), np.flatnonzero(found)
    for _ in range(rounds):
        slope = 2 * hold @ (numbers - start)
        bend = 2 * hold
        for rows, wanted in sample.chunks(0, last):
            had, growth = shares(rows @ numbers)
            slope = slope + rows.T @ ((had - wanted) * growth) * SCALE / last
            bend = bend + (rows * (had * (1 - had) * growth**2)[:, None]).T @ rows * (SCALE**2 / last)
        numbers[kept] -= np.linalg.solve(bend[np.ix_(kept, kept)], slope[kept])
    return numbers


def error(sample: Sample, numbers: Floats, first: int, last: int) -> float:
    """The error of the chances against Stockfish's, in hundredths."""
    off = [shares(rows @ numbers)[0] - wanted for rows, wanted in sample.chunks(first, last)]
    return float(100 * np.sqrt(np.mean(np.concatenate(off) ** 2)))


def show(sample: Sample, numbers: Floats) -> Iterator[str]:
    """The numbers, in the modules' form."""
    wide = len(sample.columns)
    for title, shift in (("OPENING", 0), ("ENDGAME", wide)):
        yield f"{title}: Final[dict[PieceKind, tuple[int, ...]]] = {{"
        for kind in KINDS:
            yield f"    PieceKind.{kind}: ("
            for row in range(7, -1, -1):
                squares = [8 * row + file for file in range(8)]
                own = [square ^ 7 if kind in ONE_SIDED and square & 4 else square for square in squares]
                at = [sample.columns.get((kind, square)) for square in own]
                worths = [0 if it is None else round(float(numbers[it + shift])) for it in at]
                yield "        " + ", ".join(f"{worth:4}" for worth in worths) + ","
            yield "    ),"
        yield "}\n"
    for (name, row), column in sorted(sample.columns.items()):
        if name not in KINDS:
            yield f"{name} {row}: {numbers[column]:.0f}, {numbers[column + wide]:.0f}"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.fitting", description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--rounds", type=int, default=8)
    values = parser.parse_args()
    sample = Sample(values.file)
    last = sample.size * 9 // 10
    numbers = fit(sample, last, values.rounds)
    print(*show(sample, numbers), sep="\n")
    apart = error(sample, numbers, last, sample.size)
    print(f"{sample.size} positions; error {error(sample, numbers, 0, last):.2f}, held out {apart:.2f}")


if __name__ == "__main__":
    main()
