"""EPD: positions with operations, compared with python-chess."""

from __future__ import annotations

import chess
import pytest

from fourfold.engine import EngineError, Position
from fourfold.engine.twoplayer import epd

LINES = [  # from the Bratko-Kopec test, the Win at Chess suite, and perft suites
    '1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - bm Qd1+; id "BK.01";',
    '3r1k2/4npp1/1ppr3p/p6P/P2PPPP1/1NR5/5K2/2R5 w - - bm d5; id "BK.02";',
    '2q1rr1k/3bbnnp/p2p1pp1/2pPp3/PpP1P1P1/1P2BNNP/2BQ1PRK/7R b - - bm f5; id "BK.03";',
    '2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - bm Qg6; am Qh4 Qf4; ce 32767; dm 3; id "WAC.001";',
    'r3k2r/8/8/8/8/8/8/R3K2R w KQkq - D1 26; D2 568; c0 "a; b"; noop; weight 0.5;',
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - pv e4 e5 Nf3; hmvc 3; fmvn 7",
]


@pytest.mark.parametrize("line", LINES)
def test_a_line_is_read_as_python_chess_reads_it(line: str) -> None:
    board, expected = chess.Board.from_epd(line)
    read = epd.read(line)
    assert read.position.fen() == board.fen()
    assert list(read.operations) == list(expected)
    for name, value in expected.items():
        found: object = tuple(str(operand) for operand in read.operations[name])
        moves = tuple(map(str, value)) if isinstance(value, list) else () if value is None else (str(value),)
        assert found == moves, name
    again = epd.read(epd.write(read.position, read.operations))
    assert again.operations == read.operations
    assert chess.Board.from_epd(epd.write(read.position, read.operations))[1] == expected


def test_a_fen_with_operations_and_other_variants() -> None:
    read = epd.read("4k3/8/8/8/8/8/4P3/4K3 w - - 7 30 bm e4;")
    assert (read.position.halfmove, read.position.ply) == (7, 58)
    checks = epd.read("4k3/8/8/8/8/8/4P3/4K3 w - - 1+3 bm e4;", "threecheck")
    assert checks.position.checks == (2, 0)
    assert epd.write(checks.position) == "4k3/8/8/8/8/8/4P3/4K3 w - - 1+3"
    assert epd.read("4k3/8/8/8/8/8/4P3/4K3 w").operations == {}


def test_a_file_is_read_line_by_line() -> None:
    text = "# two positions\n\n" + "\n".join(LINES[:2]) + "\n"
    assert [one.operations["id"] for one in epd.read_all(text.splitlines(keepends=True))] == [("BK.01",), ("BK.02",)]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("4k3/8/8/8/8/8/4P3/4K3 w - - bm e5;", "cannot_move_there"),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - bm hello;", "invalid_san"),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - id x; 77;", "invalid_epd"),
        ('4k3/8/8/8/8/8/4P3/4K3 w - - id "x;', "invalid_epd"),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - hmvc many;", "invalid_fen"),
        ("", "invalid_fen"),
    ],
)
def test_errors(text: str, code: str) -> None:
    with pytest.raises(EngineError) as raised:
        epd.read(text)
    assert raised.value.code == code


def test_quotes_inside_a_text() -> None:
    assert epd.write(Position.start(), {"id": ('a "b"',)}).endswith("""id "a 'b'";""")
