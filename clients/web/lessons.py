"""The rules of each variant in five small positions that one plays, for the pages at `/learn/VARIANT`.

`python -m fourfold.clients.web.lessons` writes them to `static/learn/lessons.js`, with the legal moves of each position
and what the board looks like after a right one: the browser knows no rules. A test compares the file with these
lessons.
"""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from fourfold.engine.moves import Move
from fourfold.engine.outcome import Termination
from fourfold.engine.position import Position
from fourfold.engine.variants import opening

PATH: Final = Path(__file__).parent / "static" / "learn" / "lessons.js"

RANKS: Final = range(14, 0, -1)
FILES: Final = "abcdefghijklmn"
SEATS: Final = "rbyg"

Goal = Callable[[Position, Move, Position], bool]
"""Whether a move solves a position, which leads to another."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """A position (FEN or FEN4) to play: the task, the moves that solve it, the text after them, and a hint."""

    title: str
    text: str
    position: str
    goal: Goal
    right: str
    hint: str


@dataclass(frozen=True, slots=True)
class Question:
    """A question with answers, the first of which is right, above a position without input."""

    title: str
    text: str
    position: str
    answers: tuple[str, ...]
    right: str
    hint: str


def cross(pieces: str, *, out: str = "", points: tuple[int, int, int, int] = (0, 0, 0, 0)) -> str:
    """The FEN4 of pieces such as `h1rK`, with red to move; those of the seats that are `out` are grey."""
    there = {piece[:-2]: ("d" if piece[-2] in out else "") + piece[-2:] for piece in pieces.split()}
    rows = []
    for rank in RANKS:
        cells: list[str] = []
        for file in FILES:
            corner = file in "abclmn" and not 3 < rank < 12
            cell = "x" if corner else there.get(f"{file}{rank}", "")
            if cell:
                cells.append(cell)
            elif cells and cells[-1].isdecimal():
                cells[-1] = str(int(cells[-1]) + 1)
            else:
                cells.append("1")
        rows.append(",".join(cells))
    dead = ",".join(str(int(seat in out)) for seat in SEATS)
    scores = ",".join(map(str, points))
    return f"R-{dead}-0,0,0,0-0,0,0,0-{scores}-0-{'/'.join(rows)}"


def to(*squares: str) -> Goal:
    """A move to one of these squares."""
    return lambda before, move, _: before.geometry.names[move.target] in squares


def wins(before: Position, _: Move, after: Position) -> bool:
    """A move that mates a player, or wins the game."""
    mated = any(gone.reason is Termination.CHECKMATE for gone in after.eliminated)
    return mated or (after.outcome is not None and before.turn in after.outcome.winners)


def promotes(_before: Position, move: Move, _: Position) -> bool:
    """A pawn becomes another piece."""
    return move.promotion is not None


VOTES: Final = (
    "Everything that changes the game is put to the vote: taking moves back, a draw, a rematch.",
    "Every player still in the game must agree. One no ends the vote, and no answer is a no.",
)

_SURVIVOR: Final = (
    Lesson(
        "Mate puts a player out",
        "You are red, at the bottom. Blue comes from the left, yellow from the top, green from the right. Mate the "
        "blue king: it must be in check with no way out.",
        cross("g1rK b11rR e10rQ a7bK h14yK n8gK"),
        wins,
        "Blue is out of the game at once. Three players go on.",
        "The rook guards the second line. Give check with the queen along the edge.",
    ),
    Lesson(
        "Grey pieces stay",
        "Blue is out, and its pieces are grey. They never move and give no check, but they stand in the way. Anyone "
        "may take them. Take the grey rook.",
        cross("g1rK h3rR h9bR c8bP b6bN h14yK n8gK", out="b"),
        to("h9"),
        "The rook is gone, and your rook stands on its square.",
        "Move your rook straight up.",
    ),
    Lesson(
        "Pawns promote at the far edge",
        "Your pawns move up. One that reaches the last square of its file becomes a queen, rook, bishop or knight. "
        "Promote the pawn.",
        cross("g1rK e13rP a7bK h14yK n8gK"),
        promotes,
        "A pawn on the far edge becomes the piece you choose.",
        "Move the pawn one square up.",
    ),
    Lesson(
        "The last king wins",
        "Only yellow is left. Mate the yellow king, and you win the game.",
        cross("g1rK k13rR d10rQ g14yK b6bP m7gN", out="bg"),
        wins,
        "You are the last king standing. The others take the places in the order in which they went out.",
        "Your rook guards the second row. Give check with the queen on the last one.",
    ),
    Question(
        "Votes",
        "Bo asks to take back 2 moves. You agree, Cy agrees, Di refuses. What happens?",
        cross("g1rK e5rQ a7bK h14yK n8gK"),
        ("The moves stay", "The moves are taken back"),
        VOTES[1],
        VOTES[1],
    ),
)

_FFA: Final = (
    Lesson(
        "Captures score points",
        "In a free for all the most points win. A pawn is worth 1, a knight 3, a bishop or rook 5, a queen 9. Take the "
        "piece that is worth most.",
        cross("g1rK h4rR h9bQ e4gN k4yB a7bK h14yK n8gK"),
        to("h9"),
        "9 points for the queen. Points count even if you go out later.",
        "The queen stands on the same file as your rook.",
    ),
    Lesson(
        "Mate scores 20",
        "Mate puts a player out and scores 20. Mate the blue king.",
        cross("g1rK b11rR e10rQ a7bK h14yK n8gK"),
        wins,
        "20 points. Blue's pieces stay on the board, grey.",
        "The rook guards the second line. Give check with the queen along the edge.",
    ),
    Lesson(
        "Grey pieces score nothing",
        "Blue is out. Its grey pieces can be taken but score nothing. Take the piece that scores.",
        cross("g1rK h4rR h9bQ k4yB h14yK n8gK", out="b"),
        to("k4"),
        "5 points for the bishop. The grey queen would have scored 0.",
        "The yellow bishop stands on the same row as your rook.",
    ),
    Lesson(
        "Pawns promote in the middle",
        "In a free for all a pawn becomes a queen on its eighth row: for red that is row 8. Promote the pawn.",
        cross("g1rK e7rP a7bK h14yK n8gK"),
        promotes,
        "A promoted queen moves like any queen, but scores only 1 point when it is taken.",
        "Move the pawn one square up.",
    ),
    Question(
        "Who wins",
        "Three players are out. You are the last one on the board, with 31 points. Bo went out with 40. Who wins?",
        cross("g1rK e5rQ b6bP m7gN g11yP", out="byg", points=(31, 40, 8, 12)),
        ("Bo, with the most points", "You, as the last king"),
        "The most points win, also from outside. A draw needs the agreement of every player still in the game.",
        "In a free for all points decide, not who is left.",
    ),
)

_TEAMS: Final = (
    Lesson(
        "You play with yellow",
        "Red and yellow are partners, against blue and green. Mate the blue king: you both win.",
        cross("g1rK b11rR e10rQ a7bK h14yK n8gK"),
        wins,
        "Blue is mated on its own turn, so red and yellow win together.",
        "The rook guards the second line. Give check with the queen along the edge.",
    ),
    Lesson(
        "Guard your partner",
        "The green rook gives check to your partner's king. Take the rook.",
        cross("g1rK h3rQ h9gR a7bK h14yK n8gK"),
        to("h9"),
        "Your partner is out of check before its own turn. Partners cannot take each other's pieces.",
        "The rook stands on the same file as your queen.",
    ),
    Lesson(
        "Attack together",
        "Your rook can reach blue's queen, and your partner's bishop guards that square. Take the queen.",
        cross("g1rK h5rR d5bQ a7bK g8yB h14yK n8gK"),
        to("d5"),
        "If blue takes back, your partner takes again. Two armies guard each other.",
        "The queen stands on the same row as your rook.",
    ),
    Lesson(
        "Pawns promote on row 11",
        "In teams a red pawn promotes on row 11. Promote the pawn.",
        cross("g1rK e10rP a7bK h14yK n8gK"),
        promotes,
        "It becomes the piece you choose: queen, rook, bishop or knight.",
        "Move the pawn one square up.",
    ),
    Question(
        "One for both",
        "Your partner is mated. What happens?",
        cross("g1rK e5rQ a7bK h14yK n8gK"),
        ("Blue and green win", "You play on alone"),
        "The first mate decides the game for both teams. " + VOTES[1],
        "In teams the first mate decides.",
    ),
)

_MATE: Final = Lesson(
    "Checkmate wins",
    "You are white. Mate the black king: it must be in check with no way out.",
    "6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1",
    wins,
    "The king cannot escape: you win.",
    "Black's own pawns stand in the king's way. Go to the last row.",
)
_PROMOTION: Final = Lesson(
    "Pawns promote",
    "A pawn that reaches the last row becomes a queen, rook, bishop or knight. Promote the pawn.",
    "8/2P5/8/8/5k2/8/8/K7 w - - 0 1",
    promotes,
    "You have a new piece.",
    "Move the pawn one square up.",
)
_CASTLING: Final = Lesson(
    "Castling",
    "Once in a game the king may move two squares towards a rook, and the rook jumps over it. Castle.",
    "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1",
    lambda _before, move, _after: move.text in ("e1g1", "e1c1"),
    "The king is safe, and the rook is in play.",
    "Move the king two squares to the left or to the right.",
)
_VOTE: Final = Question(
    "Votes",
    "You ask to take back a move. Your opponent does not answer for 30 seconds. What happens?",
    "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2",
    ("The move stays", "The move is taken back"),
    "No answer is a no. Undo and draw only happen if both players agree.",
    VOTES[1],
)

_STANDARD: Final = (
    _MATE,
    _CASTLING,
    Lesson(
        "En passant",
        "Black's pawn has just moved two squares and stands beside yours. Take it as if it had moved only one.",
        "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
        to("d6"),
        "En passant: only in the very next move.",
        "Move your pawn diagonally, behind the black one.",
    ),
    _PROMOTION,
    _VOTE,
)

_CHESS960: Final = (
    Question(
        "960 arrays",
        "The pieces behind the pawns stand in one of 960 orders, the same for both. What do they have in common?",
        "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w - - 0 1",
        ("The king stands between the rooks", "The queen stands beside the king"),
        "So you can castle to both sides. The bishops stand on squares of different colours.",
        "Look at the king and the rooks.",
    ),
    Lesson(
        "The same play",
        "Pieces move as in chess. Mate the black king.",
        "6k1/5ppp/8/8/8/8/8/1K2R3 w - - 0 1",
        wins,
        "The king cannot escape: you win.",
        "Go to the last row with the rook.",
    ),
    Lesson(
        "Develop the knight",
        "Knights jump over pieces from wherever they begin. Bring a knight out.",
        "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w - - 0 1",
        lambda before, move, _: before.geometry.names[move.source] in ("d1", "e1"),
        "There are no openings to know by heart.",
        "The knights stand on d1 and e1.",
    ),
    _PROMOTION,
    _VOTE,
)

_HILL: Final = (
    Lesson(
        "The middle wins",
        "A king that reaches one of the four squares in the middle wins. Go there.",
        "6k1/8/8/8/8/4K3/8/8 w - - 0 1",
        to("d4", "e4"),
        "You won without a mate.",
        "The squares are d4, e4, d5 and e5.",
    ),
    Lesson(
        "Guard the middle",
        "The black king is one step away. Check it, so that it must go back.",
        "8/8/3k4/8/8/8/1R6/6K1 w - - 0 1",
        to("b6"),
        "A king in check must answer it first.",
        "Go up the file to the king's row.",
    ),
    _MATE,
    _PROMOTION,
    _VOTE,
)

_CHECKS: Final = (
    Lesson(
        "The third check wins",
        "You have given two checks. Give the third.",
        "4k3/8/8/8/8/8/8/R3K3 w - - 1+3 0 1",
        wins,
        "Three checks, and you won.",
        "Go to the king's row with the rook.",
    ),
    Lesson(
        "A check costs nothing",
        "Every check counts, also one that is easily answered. Check the king.",
        "rnbqkbnr/ppp2ppp/3p4/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 3+3 0 3",
        lambda _before, _move, after: bool(after.checked()),
        "One of three.",
        "The bishop can reach the diagonal of the king.",
    ),
    _MATE,
    _PROMOTION,
    _VOTE,
)

LESSONS: Final[dict[str, tuple[Lesson | Question, ...]]] = {
    "survivor": _SURVIVOR,
    "ffa": _FFA,
    "teams": _TEAMS,
    "standard": _STANDARD,
    "chess960": _CHESS960,
    "kingofthehill": _HILL,
    "threecheck": _CHECKS,
}
"""Five of each variant."""


def written(variant: str, lesson: Lesson | Question) -> dict[str, Any]:
    """A lesson as the browser needs it. Raises `ValueError` if no move solves it."""
    position = opening(variant, position=lesson.position)
    told = {"title": lesson.title, "text": lesson.text, "position": position.fen(), "hint": lesson.hint}
    told["right"] = lesson.right
    if isinstance(lesson, Question):
        return told | {"answers": list(lesson.answers)}
    moves = [(move, position.play(move)) for move in position.legal_moves]
    solved = {move.text: after.fen() for move, after in moves if lesson.goal(position, move, after)}
    if not solved:
        raise ValueError(f"{variant}: no move solves {lesson.title!r}")
    return told | {"legal": sorted(move.text for move, _ in moves), "solved": solved}


def module() -> str:
    """The text of the module."""
    return "".join(_lines())


def _lines() -> Iterator[str]:
    yield "/** The rules of each variant in small positions. Generated by `clients/web/lessons.py`. */\n"
    yield '/** @type {Record<string, import("./learn.js").Lesson[]>} */\n'
    yield "export const LESSONS = {\n"
    for variant, lessons in LESSONS.items():
        yield f"  {json.dumps(variant)}: [\n"
        for lesson in lessons:
            yield f"    {json.dumps(written(variant, lesson))},\n"
        yield "  ],\n"
    yield "};\n"


if __name__ == "__main__":
    PATH.write_text(module())
