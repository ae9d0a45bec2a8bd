"""Pickled positions: the pieces, the plain fields, and the variant by its name.

Importing this module teaches `pickle` and `copy` the form, for which positions need no method.
"""

from __future__ import annotations

import copyreg
from collections.abc import Callable
from typing import Any

from fourfold.engine.outcome import Elimination, Outcome, Termination
from fourfold.engine.pieces import Piece, PieceKind
from fourfold.engine.position import Memo, Position, Variant, begun_draft
from fourfold.engine.tables import tables_of

_PLAIN = (
    "turn", "rights", "halfmove", "ply", "history", "alive", "fallen", "points", "walking", "seed", "exposed",
    "cornered", "checks", "hands",
)  # fmt: skip
"""The fields that are pickled unchanged."""

_Told = tuple[int, int, bool, bool]
"""The pickled form of a piece: seat, kind, grey, promoted."""


def _told(piece: Piece) -> _Told:
    return piece.seat, int(piece.kind), piece.grey, piece.promoted


def _piece(told: _Told) -> Piece:
    seat, kind, grey, promoted = told
    return Piece(seat, PieceKind(kind), grey, promoted)


def _reduced(position: Position) -> tuple[Callable[..., Position], tuple[object, ...]]:
    pieces = {square: _told(man.piece) for army in position._armies for square, man in army.items()}
    changed: dict[int, _Told | None] = dict.fromkeys(position.changed)
    for army in position._before:
        changed |= {square: _told(man.piece) for square, man in army.items() if square in changed}
    steps = [move.text for move, step in position.tables.double_steps.items() if step in position.steps]
    gone = [[(one.seat, one.reason, one.by) for one in some] for some in (position.out, position.eliminated)]
    ended = position.ended and (
        position.ended.termination, position.ended.winners, position.ended.standings, position.ended.points
    )
    plain = {name: getattr(position, name) for name in _PLAIN}
    return _restored, (position.rules, pieces, changed, steps, gone, ended, plain)


def _restored(
    rules: Variant,
    pieces: dict[int, _Told],
    changed: dict[int, _Told | None],
    steps: list[str],
    gone: list[list[tuple[int, Termination, int | None]]],
    ended: tuple[Termination, tuple[int, ...], tuple[int, ...], tuple[int, ...] | None] | None,
    plain: dict[str, object],
) -> Position:
    position = begun_draft()
    tables = tables_of(rules)
    position.rules = rules
    hands: Any = plain["hands"]
    position.place(tables, {square: _piece(told) for square, told in pieces.items()}, hands)
    position._before = [army.copy() for army in position._armies]
    for square, told in changed.items():
        for army in position._before:
            army.pop(square, None)
        if told is not None:
            man = tables.men_of(_piece(told))[square]
            position._before[-1 if man.piece.grey else man.seat][square] = man
    position.steps = tuple([tables.double_steps[tables.moves.by_text[text]] for text in steps])
    position.out, position.eliminated = [tuple([Elimination(*one) for one in some]) for some in gone]
    position.ended = None if ended is None else Outcome(*ended)
    for name, value in plain.items():
        setattr(position, name, value)
    position._memo = Memo()
    return position.seal()


copyreg.pickle(Position, _reduced)
