"""The time to parse a text grows in proportion to its length: eight times the text takes about eight times as long.

Each text is as bad as its grammar allows: unclosed parts, repetitions, parts that must be tried at every place. A
parser with quadratic time would take sixty-four times as long.
"""

from __future__ import annotations

import contextlib
import gc
import time
from collections.abc import Callable, Iterable

import pytest

from fourfold.engine.errors import IllegalMove, InvalidNotation, InvalidSetup
from fourfold.engine.fourplayer import lan
from fourfold.engine.notation import pgn, pgn4, resume, smith
from fourfold.engine.twoplayer import san
from fourfold.engine.variants import opening

LENGTH = 125_000
"""Characters of the longer texts."""

LONGEST = 1_000_000
"""Characters of the longer texts in the campaign."""

SHORTER = 8
"""The factor by which the other texts are shorter."""

ALLOWED = 24
"""The factor by which the long text may take longer: three times the expected one, and far below the square of
`SHORTER`."""

NOTHING = 0.02
"""Times too short to compare, in seconds."""

Read = Callable[[str], object]
FEN4, _, BOARD = opening("survivor").fen().rpartition("-")
FEN4 += "-"


def _all(read: Callable[[str], Iterable[object]]) -> Read:
    return lambda text: sum(1 for _ in read(text))


def _position(variant: str) -> Read:
    return lambda text: opening(variant, position=text)


def _move(read: Callable[..., object], variant: str) -> Read:
    start = opening(variant)
    return lambda text: read(start, text)


_PGN, _PGN4 = _all(pgn.read), _all(pgn4.read)

TEXTS: dict[str, tuple[Read, str, str, str]] = {
    "FEN4: slots that never end": (_position("survivor"), FEN4 + "{", "'enPassant':(", ""),
    "FEN4: slots that never end, and a board": (_position("survivor"), FEN4 + "{", "'enPassant':(", "}-" + BOARD),
    "FEN4: extras that never end": (_position("survivor"), FEN4 + "{", "'ply':'", "}-" + BOARD),
    "FEN4: names that never end": (_position("survivor"), FEN4 + "{", "'aaaaaaaa", "}-" + BOARD),
    "FEN4: one slot": (_position("survivor"), FEN4 + "{'enPassant':(", "'h3:h4',", ")}-" + BOARD),
    "FEN4: an order without end": (_position("survivor"), FEN4 + "{'out':(", "'b',", ")}-" + BOARD),
    "FEN4: a ply without end": (_position("survivor"), FEN4 + "{'ply':", "1", "}-" + BOARD),
    "FEN4: dashes": (_position("survivor"), FEN4, "-", "-" + BOARD),
    "FEN4: points": (_position("survivor"), "R-0,0,0,0-1,1,1,1-1,1,1,1-", "0,", "0-0-" + BOARD),
    "FEN4: cells": (_position("survivor"), FEN4, "rP,", ""),
    "FEN4: ranks": (_position("survivor"), FEN4, "14/", "14"),
    "FEN4: blanks": (_position("survivor"), FEN4, " \n", BOARD),
    "FEN4: numbers without commas": (_position("survivor"), FEN4, "1", "/x"),
    "FEN: ranks": (_position("standard"), "", "8/", "8 w - - 0 1"),
    "FEN: squares": (_position("standard"), "", "1", "/8/8/8/8/8/8/8 w - - 0 1"),
    "FEN: fields": (_position("standard"), "", "8 ", ""),
    "FEN: rights": (_position("standard"), "8/8/8/8/8/8/8/8 w ", "KQkq", " - 0 1"),
    "FEN: a clock": (_position("standard"), "8/8/8/8/8/8/8/8 w - - ", "1", " 1"),
    "PGN4: slots that never end": (_PGN4, f'[StartFen4 "{FEN4}' + "{", "'enPassant':(", f'}}-{BOARD}"]\nh2'),
    "PGN4: options": (_PGN4, '[RuleVariants "', "PromoteTo=Q ", '"]\nh2-h3'),
    "PGN4: letters of an option": (_PGN4, '[RuleVariants "PromoteTo=', "Q,", '"]\nh2-h3'),
    "PGN4: dates": (_PGN4, '[Date "', "201 ", '"]\nh2-h3'),
    "PGN4: terminations": (_PGN4, '[Termination "', "5insuff", '"]\nh2-h3'),
    "PGN4: empty games": (_PGN4, "", '[A "b"]\n*\n', ""),
    "PGN4: a walking king": (_PGN4, "", "K1+", ""),
    "PGN4: verdicts": (_PGN4, "h2-h3 ", "(S) ", ""),
    "PGN: empty games": (_PGN, "", '[A "b"]\n*\n', ""),
    "PGN: results": (_PGN, "", "e4 * ", ""),
    "PGN: tags that never end": (_PGN, "", '[a "', ""),
    "PGN: tags that never end, in lines": (_PGN, "", '[a "\n', ""),
    "PGN: tags that are not closed": (_PGN, "", '[a "b" ', ""),
    "PGN: names without values": (_PGN, "", "[aaaa ", ""),
    "PGN: backslashes": (_PGN, '[a "', "\\", ""),
    "PGN: quoted quotes": (_PGN, '[a "', '\\"', '"]'),
    "PGN: braces": (_PGN, "1. e4 ", "{", ""),
    "PGN: comments on one move": (_PGN, "1. e4 ", "{a}", ""),
    "PGN: remarks": (_PGN, "1. e4 ", ";a\n", ""),
    "PGN: clocks that never end": (_PGN, "1. e4 {", "[%clk ", "}"),
    "PGN: blanks in a clock": (_PGN, "1. e4 {[%clk", " \n", "}"),
    "PGN: escapes": (_PGN, "", "%\n", ""),
    "PGN: glyphs on one move": (_PGN, "1. e4 ", "$1$2!?", ""),
    "PGN: parentheses that never end": (_PGN, "1. e4 ", "(", ""),
    "PGN: unopened parentheses": (_PGN, "1. e4 ", ")", ""),
    "PGN: empty variations": (_PGN, "1. e4 ", "()", ""),
    "PGN: variations of bad moves": (_PGN, "1. e4 ", "(Zzzzzzzzzzz9) ", ""),
    "PGN: angle brackets": (_PGN, "", "< ", ""),
    "PGN: dots": (_PGN, "", ". ", ""),
    "PGN: a number": (_PGN, "", "1", "a"),
    "PGN: numbers": (_PGN, "", "1 ", ""),
    "PGN: half results": (_PGN, "", "1/2-1/", ""),
    "PGN: e.p.": (_PGN, "", "e.p", ""),
    "PGN: a symbol": (_PGN, "", "N", ""),
    "SAN: a rank": (_move(san.read, "standard"), "e", "1", ""),
    "SAN: blanks": (_move(san.read, "standard"), "e4", " ", "e.p"),
    "SAN: marks": (_move(san.read, "standard"), "e9", "+", "x"),
    "LAN: a rank": (_move(lan.read, "ffa"), "h2-h", "1", ""),
    "LAN: marks": (_move(lan.read, "ffa"), "", "#", "x"),
    "coordinates": (lambda text: opening("standard").find(text), "e2e4", "q", ""),
    "Smith: letters behind a move": (smith.read, "e2e4", "pnbrqkdQ", ""),
    "Smith: promotions behind a move": (smith.read, "e2e4", "Q", ""),
    "Smith: a symbol": (smith.read, "", "A", ""),
    "Smith: tags": (smith.read, "", '[RuleVariants "', ""),
    "any text: ranks": (resume.read, "", "8/", ""),
    "any text: blanks": (resume.read, "", " \n", "x"),
    "any text: tags": (resume.read, "", "[Variant ", ""),
    "any text: dots": (resume.read, "", " ..", "x"),
}  # fmt: skip

LONG_GAMES: dict[str, tuple[Read, str, str, str]] = {
    "PGN: a game without progress": (_PGN, "", "Nf3 Nf6 Ng1 Ng8 ", ""),
    "PGN: null moves": (_PGN, "", "-- ", ""),
    "PGN: variations": (_PGN, "1. e4 ", "(d4 d5) ", ""),
    "PGN: games": (_PGN, "", '[A "b"]\ne4 e5 *\n', ""),
    "PGN: starts": (_PGN, "", '[FEN "4k3/8/8/8/8/8/8/4K2R w"]\n*\n', ""),
    "PGN4: a game without progress": (_PGN4, "", "Nj1-i3 .. Na5-c6 .. Ne14-f12 .. Nn10-l9\n"
                                      "Ni3-j1 .. Nc6-a5 .. Nf12-e14 .. Nl9-n10\n", ""),
    "Smith: a game without progress": (smith.read, "", "g1f3 g8f6\nf3g1 f6g8\n", ""),
}  # fmt: skip


def _took(read: Read, text: str) -> float:
    gc.collect()
    gc.disable()  # its cost depends on what other tests have left
    began = time.process_time()
    try:
        with contextlib.suppress(InvalidNotation, InvalidSetup, IllegalMove):
            read(text)
        return time.process_time() - began
    finally:
        gc.enable()


def _grows_with_its_length(read: Read, begins: str, part: str, ends: str, longest: int) -> None:
    longer, shorter = (begins + part * (length // len(part)) + ends for length in (longest, longest // SHORTER))
    ratio = 0.0
    for _ in range(3):  # other processes may use the processor
        ratio = _took(read, longer) / max(_took(read, shorter), NOTHING)
        if ratio <= ALLOWED:
            return
    pytest.fail(f"{SHORTER} times the text takes {ratio:.0f} times the time")


@pytest.mark.parametrize("longest", [LENGTH, pytest.param(LONGEST, marks=pytest.mark.campaign)])
@pytest.mark.parametrize("why", TEXTS)
@pytest.mark.slow
def test_a_long_text_takes_eight_times_as_long_as_an_eighth(why: str, longest: int) -> None:
    _grows_with_its_length(*TEXTS[why], longest=longest)


@pytest.mark.parametrize("why", LONG_GAMES)
@pytest.mark.slow
def test_a_long_game_takes_eight_times_as_long_as_an_eighth(why: str) -> None:
    _grows_with_its_length(*LONG_GAMES[why], longest=LENGTH)
