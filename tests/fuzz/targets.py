"""The targets of fuzzing: each parser of the product, the conditions for any input, and valid inputs to start from.

A `Target` checks one input. It passes if the parser reads the input, or refuses it with a declared error. A parsed
input must survive being written and read again, and a server must be able to store and send it. Any other exception is
a finding.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property, partial
from itertools import islice
from pathlib import Path
from typing import Any

import msgpack
import msgspec

from fourfold.engine.decisions import Decision, Rejection
from fourfold.engine.errors import IllegalMove, InvalidNotation
from fourfold.engine.fourplayer import lan
from fourfold.engine.match import decide, evolve
from fourfold.engine.match.commands import Create
from fourfold.engine.notation import pgn, pgn4, smith
from fourfold.engine.notation.game import Game
from fourfold.engine.position import Position
from fourfold.engine.twoplayer import san
from fourfold.engine.variants import VARIANTS, opening
from fourfold.protocol import examples, projection
from fourfold.protocol.codec import JSON, MSGPACK, Codec
from fourfold.protocol.errors import ERRORS, ErrorKind, Unreadable
from fourfold.server.storage.records import pack, unpack

TESTS = Path(__file__).parents[1]
VECTORS = Path(__file__).parent / "vectors"
"""Former findings, in a folder for each target."""

_GAMES = TESTS / "engine" / "notation" / "data"
_FOUR = tuple(name for name, rules in VARIANTS.items() if len(rules.seats) == 4)


@dataclass(frozen=True)
class Target:
    """`check` raises on a finding; the seeds are valid inputs, `words` their building blocks."""

    check: Callable[[bytes], None]
    make_seeds: Callable[[], list[bytes]]
    words: tuple[bytes, ...]

    @cached_property
    def seeds(self) -> list[bytes]:
        return self.make_seeds()


def vectors(target: str) -> Iterator[Path]:
    """The files of former findings."""
    yield from sorted((VECTORS / target).glob("*"))


# -- the wire -------------------------------------------------------------------------------------

def _check_request(codec: Codec, data: bytes) -> None:
    try:
        request = codec.read_request(data.decode(errors="replace") if codec.text else data)
    except Unreadable as error:
        assert ERRORS[error.code].kind is ErrorKind.UNREADABLE and error.message
        codec.encode(examples.FRAMES[0])
        return
    written = codec.encode(request)
    assert codec.read_request(written.decode() if codec.text else written) == request


def _check_frame(codec: Codec, data: bytes) -> None:
    try:
        frame = codec.read_frame(data.decode(errors="replace") if codec.text else data)
    except Unreadable as error:
        assert error.message
        return
    if frame is not None:
        codec.encode(frame)


def _messages(examples: Iterable[Any], codec: Codec) -> list[bytes]:
    maps = [msgspec.to_builtins(example) for example in examples]
    return [json.dumps(fields).encode() if codec.text else msgpack.packb(fields) for fields in maps]


# -- positions ------------------------------------------------------------------------------------

def _check_position(variants: tuple[str, ...], data: bytes) -> None:
    """The effect of a `create` with a position: it is checked, stored, replayed and sent."""
    text = data.decode(errors="replace")
    for variant in variants:
        events = decide(None, Create(variant, position=text if "/" in text else text + "/"), "host", 0)
        if isinstance(events, Rejection):
            assert events.code in ERRORS and len(events.message) < 1000 + 2 * len(text)
            continue
        record = pack("host", "key", events)
        kept = unpack(1, 0, record)
        assert kept.events == events
        state = evolve(None, Decision(1, 0, "host", "key", events))
        for codec in (JSON, MSGPACK):
            codec.encode(projection.snapshot("room", state, projection.Attendance(), 0))
            codec.encode(projection.turn("room", state))
        _check_played(state.position)


def _check_played(position: Position) -> None:
    """Every move of a position can be looked up by its text and made; the notation restores the position."""
    again = opening(position.variant, position=position.fen())
    assert again.fen() == position.fen()
    for text in position.legal_texts():
        move = position.find(text)
        after = position.play(move)
        assert after.fen() and (after.outcome is not None or after.legal_texts())


def _positions_for_two() -> list[bytes]:
    lines = (TESTS / "engine" / "perft" / "standard.epd").read_text().splitlines()
    return [line.split(";")[0].strip().encode() for line in lines if line and not line.startswith("#")]


def _positions_for_four() -> list[bytes]:
    found = [opening(variant, setup=name).fen() for variant in _FOUR for name, _ in VARIANTS[variant].starts]
    for game in pgn4.read((_GAMES / "ffa.pgn4").read_text()):
        found += [step.after.fen() for step in game.line.steps[::20]]
    return [fen.encode() for fen in dict.fromkeys(found)]


# -- moves ----------------------------------------------------------------------------------------

@cache
def _stages() -> tuple[tuple[Position, tuple[Callable[[Position, str], Any], ...]], ...]:
    """Positions of some games, and the parsers of moves that are used in them."""
    two = next(pgn.read((_GAMES / "sample.pgn").read_text())).line.steps
    four = next(pgn4.read((_GAMES / "ffa.pgn4").read_text())).line.steps
    return (
        *((step.before, (Position.find, san.read, smith.read_move)) for step in two[::30]),
        *((step.before, (Position.find, lan.read, smith.read_move)) for step in four[::60]),
    )


def _check_move(data: bytes) -> None:
    text = data.decode(errors="replace")
    for position, readers in _stages():
        for read in readers:
            try:
                move = read(position, text)
            except (InvalidNotation, IllegalMove) as error:
                assert error.code and len(error.message) < 1000 + 2 * len(text)
            else:
                assert move in position.legal_moves


def _moves() -> list[bytes]:
    texts = [b"e2e4", b"e7e8q", b"O-O", b"0-0-0", b"Ngxf3+", b"e8=Q#", b"exd6 e.p.", b"h2-h3", b"Bn6xBg13", b"h7-h8=D",
             b"e1g1c", b"d4e5p", b"e5d6E", b"k11xl10"]  # fmt: skip
    return texts + [text.encode() for position, _ in _stages() for text in position.legal_texts()[:5]]


# -- games ----------------------------------------------------------------------------------------

def _check_games(read: Callable[[str], Iterable[Game]], write: Callable[[Game], str], data: bytes) -> None:
    for game in read(data.decode(errors="replace").replace("\0", "")):
        assert game.failure is None or (game.failure.reason and game.failure.code)
        if game.failure is not None and game.failure.ply == 0:
            continue  # not a game: its tags are at fault
        again, *others = read(write(game))
        assert not others
        assert again.failure is None
        assert again.start.fen() == game.start.fen()
        assert again.position.fen() == game.position.fen()
        assert _played(again) == _played(game)


def _played(game: Game) -> list[str]:
    return [step.move.text for step in game.line.steps if step.move is not None]


def _one(game: Game) -> list[Game]:
    return [game]


def _files(*names: str) -> list[bytes]:
    texts = [(_GAMES / name).read_text() for name in names]
    return [game.encode() for text in texts for game in text.replace("\n\n[", "\n\n\0[").split("\0")]


def _smith_files() -> list[bytes]:
    games = [*islice(pgn.read((_GAMES / "sample.pgn").read_text()), 10)]
    games += islice(pgn4.read((_GAMES / "ffa.pgn4").read_text()), 2)
    return [smith.write(game).encode() for game in games]


_TREE_WORDS = (
    b"(", b")", b"{", b"}", b";", b"$1", b"!?", b"*", b"1-0", b"..", b"%", b"<", b"e.p.", b"R", b"T", b"S", b"#",
    b"\n\n", b'[FEN "', b'[Variant "', b'[StartFen4 "', b'[RuleVariants "', b'[Result "*"]\n', b'"]\n',
    b"[%clk 0:00:01]",
)  # fmt: skip
_PIECES = (*(bytes([letter]) for letter in b"pnbrqkPNBRQKDx/,-0123456789"), b"rK", b"dyK", b"'enPassant':('h3:h4',")
_JSON_WORDS = (b'"type":', b'"id":', b"null", b"true", b"[", b"{", b"}", b"1e999", b"-1", b'"\\ud800"', b"9" * 40)
_PACKED = (b"\x81", b"\xc0", b"\xcf", b"\xdf\xff\xff\xff\xff", b"\xdd\xff\xff\xff\xff", b"\xd6\xff", b"\xa4type")

TARGETS: dict[str, Target] = {
    "json": Target(partial(_check_request, JSON), partial(_messages, examples.REQUESTS, JSON), _JSON_WORDS),
    "msgpack": Target(partial(_check_request, MSGPACK), partial(_messages, examples.REQUESTS, MSGPACK), _PACKED),
    "json-frame": Target(partial(_check_frame, JSON), partial(_messages, examples.FRAMES, JSON), _JSON_WORDS),
    "msgpack-frame": Target(partial(_check_frame, MSGPACK), partial(_messages, examples.FRAMES, MSGPACK), _PACKED),
    "fen": Target(partial(_check_position, ("standard",)), _positions_for_two, _PIECES),
    "fen4": Target(partial(_check_position, _FOUR), _positions_for_four, _PIECES),
    "move": Target(_check_move, _moves, (b"e2", b"e4", b"n14", b"a1", b"O-O", b"=Q", b"x", b"-", b"+", b" ")),
    "pgn": Target(partial(_check_games, pgn.read, pgn.write), partial(_files, "sample.pgn"), _TREE_WORDS),
    "pgn4": Target(
        partial(_check_games, pgn4.read, pgn4.write),
        partial(_files, "ffa.pgn4", "teams.pgn4", "solo-classic-2018.pgn4"),
        _TREE_WORDS,
    ),
    "smith": Target(partial(_check_games, lambda text: _one(smith.read(text)), smith.write), _smith_files, _TREE_WORDS),
}
"""Every target by its name."""
