"""Files of other programs: games are kept word for word, and everything else is reported."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from fourfold.engine.match.commands import Create, Resign
from fourfold.engine.notation.formats import READERS
from fourfold.engine.variants import VARIANTS
from fourfold.server.archive import texts
from fourfold.server.archive.database import Database
from fourfold.server.archive.facts import Search, fold
from fourfold.server.maintenance.exporting import exported
from fourfold.server.maintenance.importing import Bad, Importer
from fourfold.server.rooms import imported
from fourfold.server.storage.records import read
from tests.server.archive.played import Game


class Vector(NamedTuple):
    """A file, the ends of its games (None: not a game), and the messages about those that are not games."""

    file: bytes
    ends: list[str | None]
    said: tuple[str, ...] = ()
    format: str = "pgn"


LICHESS = b"""[Event "Rated Blitz game"]
[Site "https://lichess.org/abcdefgh"]
[White "Ann"]
[Black "Bob"]
[Result "0-1"]
[UTCDate "2025.05.01"]
[UTCTime "12:00:00"]
[WhiteElo "1500"]
[WhiteRatingDiff "-5"]
[Variant "Standard"]
[TimeControl "180+2"]
[ECO "C20"]
[Opening "King's Pawn Game: Wayward Queen Attack"]
[Termination "Time forfeit"]

1. e4 { [%eval 0.17] [%clk 0:03:00] } 1... e5 { [%eval 0.2] [%clk 0:03:00] }
2. Qh5?! { (0.20 \xe2\x86\x92 -0.37) Inaccuracy. Nf3 was best. } { [%eval -0.37] [%clk 0:02:58] }
(2. Nf3 Nc6 (2... d6 3. d4)) 2... Nc6 { [%clk 0:02:59] } 0-1


[Event "Casual Bullet game"]
[Site "https://lichess.org/bcdefghi"]
[White "Ann"]
[Black "?"]
[Result "*"]
[Variant "Standard"]
[TimeControl "-"]
[Termination "Abandoned"]

*


[Event "Rated Chess960 game"]
[White "Ann"]
[Black "Bob"]
[Result "1/2-1/2"]
[Variant "Chess960"]
[FEN "nqrkbbnr/pppppppp/8/8/8/8/PPPPPPPP/NQRKBBNR w KQkq - 0 1"]
[SetUp "1"]
[Termination "Normal"]

1. d4 d5 2. Nf3 Nf6 1/2-1/2


[Event "Rated Bughouse game"]
[White "Ann"]
[Black "Bob"]
[Result "1-0"]
[Variant "Bughouse"]

1. Nf3 f6 1-0


[Event "Rated Three-check game"]
[White "Ann"]
[Black "Bob"]
[Result "1-0"]
[Variant "Three-check"]

1. e4 e5 2. Bc4 Nc6 3. Bxf7+ Kxf7 1-0


[Event "Casual correspondence game"]
[White "Ann"]
[Black "Bob"]
[Result "1-0"]
[Variant "From Position"]
[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]
[SetUp "1"]

1. Kd2 Kd7 1-0
"""

CHESS_COM = b"""[Event "Live Chess"]
[Site "Chess.com"]
[Date "2024.03.01"]
[Round "-"]
[White "Timekeeper"]
[Black "Bob"]
[Result "1-0"]
[CurrentPosition "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -"]
[Timezone "UTC"]
[ECOUrl "https://www.chess.com/openings/Kings-Pawn-Opening"]
[UTCDate "2024.03.01"]
[UTCTime "10:00:00"]
[TimeControl "180"]
[Termination "Timekeeper won by resignation"]
[StartTime "10:00:00"]
[EndDate "2024.03.01"]
[Link "https://www.chess.com/game/live/1"]

1. e4 {[%clk 0:02:59.9]} 1... e5 {[%clk 0:02:58.1]} 1-0

[Event "Live Chess"]
[Result "0-1"]
[TimeControl "1/86400"]
[Termination "Bob won on time"]

1. e4 e5 0-1

[Event "Live Chess"]
[Result "0-1"]
[Termination "Bob won - game abandoned"]

1. e4 e5 0-1

[Event "Live Chess"]
[Result "1/2-1/2"]
[Termination "Game drawn by timeout vs insufficient material"]

1. e4 e5 1/2-1/2

[Event "Live Chess"]
[Result "1/2-1/2"]
[Termination "Game drawn by agreement"]

1. e4 e5 1/2-1/2

[Event "Live Chess - Chess960"]
[Result "1-0"]
[SetUp "1"]
[FEN "bnrbkrqn/pppppppp/8/8/8/8/PPPPPPPP/BNRBKRQN w KQkq - 0 1"]
[Variant "Chess960"]

1. e4 e5 1-0
"""

TWIC = (
    b'\xef\xbb\xbf[Event "S\xfcper Open"]\r\n[Site "K\xf6ln GER"]\r\n[Date "1998.??.??"]\r\n[Round "7.1"]\r\n'
    b'[White "M\xfcller,K"]\r\n[Black "Sax,G"]\r\n[Result "1/2-1/2"]\r\n[WhiteTitle "GM"]\r\n[ECO "B22"]\r\n'
    b'[EventDate "1998.05.01"]\r\n\r\n1.e4 c5 2.c3 Nf6\r\n3.e5 Nd5 1/2-1/2\r\n\r\n'
    b'[Event "Forfeited"]\r\n[White "A"]\r\n[Black "B"]\r\n[Result "1-0"]\r\n\r\n1-0\r\n\r\n'
    b'[Event "No result"]\r\n[White "A"]\r\n[Black "B"]\r\n\r\n1.e4 e5 2.Nf3\r\n\r\n'
    b'[Event "No blank lines"]\r\n[White "A"]\r\n[Result "0-1"]\r\n1.f3 e5 2.g4 Qh4# 0-1\r\n'
    b'[Event "Another"]\r\n[White "A"]\r\n[Result "1-0"]\r\n1.e4 1-0\r\n'
)

ODD = rb"""[Event "The \"Big\" \\ one"]
[White "O'Neil, "Rook" Ann"]
[Black   "Bob" ]
[Annotator "x] y"]
[Result "1-0"]

{Before {the first} } 1. e4! $14 e5?? $6 $146 ; to the end { of line
2. Nf3 {a
comment [over
lines]} (2. f4 {King's} exf4 (2... d5) 3. Nf3) 2... Nc6
% an escape { that opens nothing
3. O-O-O?? *

[Event "Castling with zeros, moves in full, signs"]
[Result "1-0"]

1.e2-e4 e7-e5 2.Ng1f3 Nb8-c6 3.Bf1b5 Ng8f6 4.0-0 Nxe4 5.d4 exd4 6.Re1 f5 7.Nxd4 Nxd4 8.Qxd4 1-0

[Event "A null move"]
[Result "*"]

1. e4 -- 2. d4 *

[Event "Promotions without a sign"]
[FEN "7k/P7/8/8/8/8/8/K7 w - - 0 1"]
[Result "1-0"]

1. a8Q+ Kg7 2. Qa7+ 1-0

[Event "An impossible position"]
[FEN "8/8/8/8/8/8/8/8 w - - 0 1"]

1. e4 *

[Event "A comment that never ends"]
[Result "1-0"]

1. e4 {here 1... e5 2. Nf3 1-0

[Event "The next game"]
[Result "1-0"]

1. d4 d5 1-0
"""

FOUR = rb"""[GameNr "1"]
[TimeControl "1 | 15D"]
[Variant "FFA"]
[RuleVariants "EnPassant DeadKingWalking PromoteTo=D"]
[StartFen4 "4PC"]
[Red "Ann"]
[RedElo "1500"]
[Blue "Bob"]
[Yellow "Cat"]
[Green "Dan"]
[Result "Ann: 0 - Bob: 0 - Cat: 0 - Dan: 0"]
[Termination "Aborted"]
[Site "www.chess.com/variants/4-player-chess"]
[Date "Mon Jan 01 2024 10:00:00 GMT+0000 (Coordinated Universal Time)"]
[CurrentMove "3"]

1. h2-h3 .. b7-c7 .. g13-g12 .. m8-l8
2. Ng1xn8 .. b8-c8

[Variant "Teams"]
[RuleVariants "EnPassant"]
[StartFen4 "4PC"]
[Red "Ann"]
[Blue "Bob"]
[Yellow "Cat"]
[Green "Dan"]
[Result "1-0"]

1. h2-h4 .. b7-d7 { [%clk 0:01:00] } .. g13-g12 .. m8-l8 {a note}

[Variant "Solo"]
[RuleVariants "EnPassant DeadKingWalking"]
[Red "Ann"]
[Blue "Bob"]
[Yellow "Cat"]
[Green "Dan"]
[Result "Ann: 20 - Bob: 12 - Cat: 5 - Dan: 0"]

1. h2-h3 .. b7-c7 .. g13-g12 .. m8-l8

[StartFen4 "4PCo"]
[Red "Ann"]
[Blue "Bob"]
[Yellow "Cat"]
[Green "Dan"]
[Date "Thu Mar 08 2018 10:00:00 GMT+0000 (UTC)"]

1. h2-h3 .. b7-c7 .. g13-g12 .. m8-l8
2. R

[Variant "Bughouse4"]

1. h2-h3 .. b7-c7
"""

VECTORS = {
    "lichess": Vector(
        LICHESS,
        ["time", None, "agreement", None, "resignation", "resignation"],
        ("has no moves", "not for 'Bughouse'"),
    ),
    "chess.com": Vector(
        CHESS_COM, ["resignation", "time", "abandonment", "insufficient_material", "agreement", "resignation"]
    ),
    "twic": Vector(TWIC, ["agreement", None, "aborted", "checkmate", "resignation"], ("has no moves",)),
    "odd": Vector(
        ODD,
        [None, "resignation", None, "resignation", None, None, "resignation"],
        ("move 5, O-O-O: ", "'--' passes the turn", "", "has no end"),
    ),
    "four": Vector(FOUR, [None, "resignation", "points", "aborted", None], ("move 5, Ng1xn8: ", "bughouse4"), "pgn4"),
}


@pytest.mark.parametrize("name", VECTORS)
async def test_a_file_of_another_program(database: Database, tmp_path: Path, name: str) -> None:
    vector, bad = VECTORS[name], list[Bad]()
    path = tmp_path / f"games.{vector.format}"
    path.write_bytes(vector.file)
    importer = Importer(database, lambda: 0, bad.append)
    with path.open("rb") as file:
        async for _ in importer.take(str(path), file):
            pass
    kept = [number for number, end in enumerate(vector.ends, start=1) if end is not None]
    none = [number for number, end in enumerate(vector.ends, start=1) if end is None]
    assert [one.number for one in bad] == none, bad
    assert all(said in one.why for said, one in zip(vector.said, bad, strict=True)), bad
    lines = vector.file.decode("latin-1").replace("\r\n", "\n").splitlines()
    assert all(lines[one.line - 1].endswith("]") for one in bad)
    assert (importer.new, importer.known) == (len(kept), 0)
    found = {game.room: game.reason for game in await database.search(Search())}
    parts = [part for _, part in imported.texts(iter(vector.file.splitlines(keepends=True)))]
    assert len(parts) == len(vector.ends)
    expected = [parts[number - 1].strip("\n") + "\n" for number in kept]
    assert [found[imported.room_of(text)] for text in expected] == [end for end in vector.ends if end is not None]
    came = [text async for text in exported(database, Search(), vector.format, fail)]
    assert sorted(came) == sorted(expected)


def played(variant: str, seed: int, plies: int, resigns: bool) -> Game:
    """A random game, at whose end a player may resign."""
    players = len(VARIANTS[variant].players)
    game = Game(Create(variant, seed=seed), ["ann", "bob", "cat", "dan"][:players])
    game.play(seed, plies)
    if resigns and game.state is not None and game.state.outcome is None:
        game.do(Resign(), "ann")
    return game


@settings(max_examples=10, suppress_health_check=[HealthCheck.too_slow])
@example("selfpartner", 1, 6, True)  # two players with four seats
@given(
    variant=st.sampled_from(sorted(VARIANTS)),
    seed=st.integers(0, 10_000),
    plies=st.integers(2, 60),
    resigns=st.booleans(),
)
async def test_what_is_exported_and_imported_is_exported_again(
    variant: str, seed: int, plies: int, resigns: bool
) -> None:
    """A game played here, as text; the log made from that text; and the text made from that log."""
    game = played(variant, seed, plies, resigns)
    assert game.state is not None
    if game.state.outcome is None:
        return
    _, (facts,) = await fold("abc", game.decisions)
    format = VARIANTS[variant].records
    text = texts.write(facts, game.decisions, format)
    (parsed,) = READERS[format](text)
    entries, decisions = imported.log(parsed)
    _, (again,) = await fold("abc", decisions)
    assert (again.winners, again.plies, again.position) == (facts.winners, facts.plies, facts.position)
    assert moves(texts.write(again, read(entries), format)) == moves(text)


moves: Callable[[str], str] = lambda text: re.sub(r'^\[.*\n|\{[^}]*\}', "", text, flags=re.MULTILINE)  # noqa: E731
"""The moves of a text, and its end, without tags and clocks."""


def fail(room: str, why: str) -> None:
    pytest.fail(f"{room}: {why}")
