"""The changes of a step: a client without rules shows the same board as one with rules."""

from random import Random
from typing import Any

import pytest

from fourfold.engine.match.events import Flagged, Moved, Removed, Resigned
from fourfold.engine.pieces import NOBODY, Piece
from fourfold.engine.position import Position
from fourfold.engine.variants import opening
from fourfold.server.storage.records import pack, unpack


def cells(position: Position) -> dict[str, str]:
    letters = "wb" if len(position.seats) == 2 else "rbyg"
    return {square: cell(letters, piece) for square, piece in position.pieces().items()}


def cell(letters: str, piece: Piece) -> str:
    owner = "" if piece.seat == NOBODY else letters[piece.seat]
    return "d" * piece.grey + owner + piece.kind.letter.upper()


def look(board: dict[str, str], changes: Any) -> None:
    for square, piece in changes:
        if piece:
            board[square] = piece
        else:
            del board[square]


@pytest.mark.parametrize("variant", ["standard", "survivor", "ffa", "teams"])
@pytest.mark.parametrize("number", range(4))
def test_who_only_looks_sees_every_board(table: Any, variant: str, number: int) -> None:
    random = Random(f"{variant} {number}")
    t = table(variant, seed=number)
    board = cells(t.state.start)
    while t.state.position.outcome is None and len(t.log) < 150:
        if random.random() < 0.02:
            events = t.resign(t.state.seat_name(random.choice(t.state.position.alive)))
        else:
            events = t.play(random.choice(sorted(t.state.position.legal_texts())))
        kept = unpack(1, 0, pack("", "", events)).events
        for event in kept:
            if isinstance(event, Moved | Resigned | Flagged | Removed):
                assert event.sight is not None
                look(board, event.sight.changes)
                last = event.sight
        assert board == cells(t.state.position)
        assert last.check == t.state.position.checked()
        assert last.points == t.state.position.points


@pytest.mark.parametrize(
    ("variant", "moves", "text", "changes", "check"),
    [
        ("standard", "e2e4", "e4", {"e2": "", "e4": "wP"}, ()),
        ("standard", "e2e4 a7a6 e4e5 d7d5 e5d6", "exd6", {"e5": "", "d5": "", "d6": "wP"}, ()),
        ("standard", "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 e1g1", "O-O",
         {"e1": "", "f1": "wR", "g1": "wK", "h1": ""}, ()),
        ("standard", "f2f3 e7e5 g2g4 d8h4", "Qh4#", {"d8": "", "h4": "bQ"}, (0,)),
        ("survivor", "h2h4", "h2-h4", {"h2": "", "h4": "rP"}, ()),
    ],
)  # fmt: skip
def test_a_move_says_what_it_changes(
    table: Any, variant: str, moves: str, text: str, changes: dict[str, str], check: tuple[int, ...]
) -> None:
    moved = table(variant).play(*moves.split())[0]
    assert (moved.sight.text, dict(moved.sight.changes), moved.sight.check) == (text, changes, check)


def test_a_departure_turns_an_army_grey(table: Any) -> None:
    resigned = table("survivor").resign("blue")[0]
    assert resigned.sight.text == ""
    army = {f"{file}{rank}" for file in "ab" for rank in range(4, 12)}
    assert {square for square, _ in resigned.sight.changes} == army
    assert {piece[:2] for _, piece in resigned.sight.changes} == {"db"}


def test_logs_older_than_sight_are_read() -> None:
    for event in (Moved(0, "e2e4", 1), Resigned(1), Flagged(2), Removed(3)):
        assert unpack(1, 0, pack("", "", (event,))).events == (event,)


def test_a_grey_piece_of_nobody_has_no_colour() -> None:
    fen = opening("survivor").fen().replace("bP,10,gP", "bP,5,dP,4,gP", 1)
    assert cells(opening("survivor", position=fen))["h11"] == "dP"
