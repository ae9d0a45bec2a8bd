"""The moves of a game as people write them, and its captures. Pure: built from a record and the moves after it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Self

from fourfold.engine.errors import IllegalMove
from fourfold.engine.moves import Move
from fourfold.engine.notation.game import Game as Record
from fourfold.engine.notation.game import Step
from fourfold.engine.pieces import Piece, PieceKind
from fourfold.engine.position import Position
from fourfold.engine.questions import captured
from fourfold.protocol.events import Moved, Redone, Rematched, Undone
from fourfold.protocol.from_server import Update


@dataclass(frozen=True, slots=True)
class PlayedMove:
    """A move: its ply (from 1), its seat's number and its text. `move` is played in the position `before`."""

    ply: int
    seat: int
    text: str
    before: Position
    move: Move


class Chronicle:
    """The moves of a game in order. Immutable: `after` gives the next chronicle."""

    def __init__(self, entries: Iterable[PlayedMove] = ()) -> None:
        self.entries = tuple(entries)

    @classmethod
    def of(cls, record: Record) -> Self:
        """The chronicle of a record's main line."""
        moves = (step for step in record.line.steps if step.move is not None)
        return cls(_entry(ply, step) for ply, step in enumerate(moves, 1))

    def __len__(self) -> int:
        return len(self.entries)

    def position(self, ply: int) -> Position | None:
        """The position after `ply` moves; None after the last."""
        return self.entries[ply].before if ply < len(self.entries) else None

    def after(self, position: Position, update: Update) -> Chronicle | None:
        """The chronicle after an update in a position; None if it needs the game's record."""
        entries = self.entries
        for event in update.events:
            match event:
                case Moved(move=move, ply=ply) if ply == len(entries) + 1:
                    step = Step.of_move(position, position.find(move))
                    entries += (_entry(ply, step),)
                    position = step.after
                case Undone(ply=ply) if ply <= len(entries):
                    entries = entries[:ply]
                case Rematched():
                    entries = ()
                case Moved() | Undone() | Redone():
                    return None
        return Chronicle(entries)

    def reaching(self, position: Position, moves: Sequence[str]) -> Chronicle | None:
        """The chronicle of exactly these moves, given the position after the present ones; None if they do not fit."""
        entries = self.entries[: len(moves)]
        if [entry.move.text for entry in entries] != list(moves[: len(entries)]):
            return None
        for move in moves[len(entries) :]:
            try:
                step = Step.of_move(position, position.find(move))
            except IllegalMove:
                return None  # a player left the game in between
            entries += (_entry(len(entries) + 1, step),)
            position = step.after
        return Chronicle(entries)

    def taken(self, plies: int | None = None) -> dict[int, list[Piece]]:
        """Each seat's captures in the first `ply` plies, the most valuable first."""
        taken = captured((entry.before, entry.move) for entry in self.entries[:plies])
        return {seat: sorted(pieces, key=_worth, reverse=True) for seat, pieces in taken.items()}


def _worth(piece: Piece) -> int:
    return PieceKind.PAWN if piece.kind is PieceKind.PROMOTED_QUEEN else piece.kind


def _entry(ply: int, step: Step) -> PlayedMove:
    assert step.move is not None  # a departure has no ply
    return PlayedMove(ply, step.seat, step.before.san(step.move, step.after), step.before, step.move)
