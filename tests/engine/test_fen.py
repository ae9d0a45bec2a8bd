"""FEN: written positions are read back, and unreadable ones get an explanation."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fourfold.engine.errors import InvalidNotation, InvalidSetup
from fourfold.engine.variants import opening
from tests.each import each
from tests.engine.places import play
from tests.engine.test_perft import standard_vectors

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


@each("fen", [fen for fen, _ in standard_vectors()])
def test_round_trip(fen: str) -> None:
    written = opening("standard", position=fen).fen()
    fields, given = written.split(), fen.split()
    assert fields[:3] == given[:3] and fields[4:] == given[4:]
    assert fields[3] in ("-", given[3])
    assert opening("standard", position=written).fen() == written


@pytest.mark.parametrize(
    ("moves", "fen"),
    [
        ("", START),
        ("e2e4", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"),
        ("e2e4 e7e5 g1f3", "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2"),
        ("a2a3 d7d5 a3a4 d5d4 e2e4", "rnbqkbnr/ppp1pppp/8/8/P2pP3/8/1PPP1PPP/RNBQKBNR b KQkq e3 0 3"),
    ],
)
def test_writing(moves: str, fen: str) -> None:
    assert play(opening("standard"), moves).fen() == fen


def test_the_ends_may_be_left_out() -> None:
    for shorter in (START, START[:-2], START[:-4], START[:-6], START[:-6].rsplit(" ", 1)[0] + " -"):
        position = opening("standard", position=shorter)
        assert position.fen().split()[:2] == START.split()[:2]
    assert opening("standard", position="4k3/8/8/8/8/8/8/4K2R w").ply == 0
    assert opening("standard", position="4k3/8/8/8/8/8/8/4K2R b - - 0 0").ply == 1
    assert opening("standard", position="4k3/8/8/8/8/8/8/4K2R b - - 0 7").ply == 13


@pytest.mark.parametrize(
    ("fen", "message"),
    [
        ("", "six fields, not 0"),
        ("8/8", "six fields, not 1"),
        (START + " more", "six fields, not 7"),
        ("8/8/8 w - - 0 1", "8 ranks, not 3"),
        (START.replace("/8/", "/9/", 1), "'9' on rank 6 is neither"),
        (START.replace("/8/", "/x7/", 1), "'x' on rank 6 is neither"),
        (START.replace("/8/", "/7/", 1), "rank 6 has 7 squares instead of 8"),
        (START.replace("/8/", "/8p/", 1), "rank 6 has 9 squares instead of 8"),
        (START.replace(" w ", " x "), "w or b, not 'x'"),
        (START.replace("KQkq", "KX"), "not 'KX'"),
        (START.replace("KQkq", "KK"), "not 'KK'"),
        (START.replace(" - ", " z9 "), "'z9' is not a square"),
        (START.replace(" 0 ", " -1 "), "half-move clock is a number, not '-1'"),
        (START[:-1] + "one", "move number is a number, not 'one'"),
        (START[:-1] + "9" * 9, "move number is a number"),
    ],
)
def test_unreadable(fen: str, message: str) -> None:
    with pytest.raises(InvalidNotation) as raised:
        opening("standard", position=fen)
    assert raised.value.code == "invalid_fen"
    assert message in str(raised.value)


@given(st.text(max_size=80) | st.builds(str.replace, st.just(START), st.sampled_from(START), st.text(max_size=3)))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        position = opening("standard", position=text)
    except (InvalidNotation, InvalidSetup):
        return
    assert opening("standard", position=position.fen()).fen() == position.fen()
