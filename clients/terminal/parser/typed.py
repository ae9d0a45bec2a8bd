"""Typed moves, in any notation, and explanations of wrong ones. Pure."""

import re
from collections.abc import Callable
from typing import Final

from fourfold.engine.errors import EngineError, IllegalMove, InvalidNotation
from fourfold.engine.moves import Move
from fourfold.engine.notation import smith
from fourfold.engine.position import Position

_SQUARES: Final = re.compile(r"\s*([A-Za-z]\d{1,2})\s*(?:[-x:;,]|to\b)?\s*([A-Za-z]\d{1,2})\s*(\S*)\s*")
_ON: Final = re.compile(r"\bon ([a-z]\d{1,2})\b")

FAULTS: Final[dict[str, tuple[str, str]]] = {
    "bad_source": ("Wrong start square", ""),
    "bad_destination": ("Wrong target square", ""),
    "no_piece": ("Nothing to move", ""),
    "own_piece": ("You cannot move onto your own piece", ""),
    "unknown_promotion": ("Unknown promotion", ""),
    "cannot_move_there": ("Illegal move", "'{source}?' shows its moves."),
    "king_in_check": ("Illegal move", ""),
    "not_your_piece": ("That is not your piece", ""),
    "promotion_missing": ("Promote to what?", ""),
    "ambiguous_move": ("More than one piece can go there", ""),
    "invalid_san": ("Not a move", "Write it as e2e4, e2;e4, Nf3, or O-O."),
    "wrong_mark": ("Wrong letters after the squares", ""),
    "wrong_piece": ("That is another piece", ""),
    "not_your_turn": ("It is not your turn", ""),
    "archived": ("", "'create' opens another room."),
    "game_over": ("", "'rematch' asks for another, 'history' looks back."),
    "not_started": ("", "'who' shows which seats are free."),
    "no_castling": ("Illegal move", ""),
    "no_account": ("", "'account new NAME' makes an account."),
}
"""By error code of the engine or the server: the texts before and after the error's own sentence."""


class BadMove(EngineError):
    """A move that cannot be played: its code, and a sentence."""


def bad(code: str, message: str) -> BadMove:
    """A bad move with a code and its sentence."""
    return BadMove(code, sentence(code, message))


def read(position: Position, text: str) -> Move:
    """The legal move of a text: coordinates (`e2e4`, `e2;e4`, `E2-E4`, `e2 to e4`), Smith notation (`d4c5p`), SAN for
    two players (`Nf3`; `nf3` if nothing else fits), long algebraic notation for four (`Nj1-i3`).

    Raises `BadMove`.
    """
    faults: list[InvalidNotation | IllegalMove] = []
    for notation in _notations(position, text):
        try:
            return notation()
        except (InvalidNotation, IllegalMove) as fault:
            faults.append(fault)
    if text.strip().lower() in position.geometry.index:
        square = text.strip().lower()
        raise BadMove("bad_destination", f"A move has two squares, such as e2e4. '{square}?' shows moves from there.")
    first = faults[0]  # in the notation that the text resembles
    raise bad(first.code, first.message)


def _notations(position: Position, text: str) -> list[Callable[[], Move]]:
    capital = text[:1].upper() + text[1:]
    algebraic = [lambda: position.read_move(text), lambda: position.read_move(capital)]
    match = _SQUARES.fullmatch(text)
    if match is not None:
        squares = f"{match[1]}{match[2]}".lower() + match[3].lstrip("=")
        return [lambda: smith.read_move(position, squares), *algebraic]
    if _is_algebraic(position, text):
        return algebraic
    return [lambda: position.find(text), *algebraic]


def _is_algebraic(position: Position, text: str) -> bool:
    """Whether a text looks like algebraic notation: it starts with a piece's letter, has only one square, or is
    castling."""
    squares = re.findall(r"[A-Za-z]\d+", text)
    return text[:1] in "KQRBNPDO0" or (len(squares) < 2 and position.geometry.index.get(text[:2].lower()) is not None)


def sentence(code: str, message: str) -> str:
    """The sentence for a wrong move: first the kind of error, then its details."""
    before, after = FAULTS.get(code, ("", ""))
    source = _ON.search(message)
    hint = after.format(source="e2" if source is None else source[1])
    lead = f"{before}:" if before[-1:].isalpha() else before
    return " ".join(filter(None, (lead, message, hint)))
