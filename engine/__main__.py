"""``python -m fourfold.engine``: the rules from a command line.

``perft DEPTH`` counts move sequences. ``legal`` lists the legal moves. ``replay FILE…`` plays the games of
files and prints a JSON object for each. Wrong input prints an error on standard error and exits with status 2.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from fourfold.engine.errors import EngineError, InvalidNotation
from fourfold.engine.notation.replay import replay
from fourfold.engine.perft import divide, perft
from fourfold.engine.position import Position
from fourfold.engine.variants import VARIANTS, opening


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return the exit status."""
    options = _parser().parse_args(arguments)
    if options.command == "replay":
        return max([_replay(Path(name)) for name in options.files])
    try:
        position = _position(options)
    except EngineError as error:
        print(error, file=sys.stderr)
        return 2
    if options.command == "legal":
        print(*sorted(position.legal_texts()))
        return 0
    if options.divide and options.depth > 0:
        counts = divide(position, options.depth)
        for move, count in counts.items():
            print(f"{move}: {count}")
        print(sum(counts.values()))
    else:
        print(perft(position, options.depth))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m fourfold.engine", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    count = commands.add_parser("perft", help="count the sequences of DEPTH plies")
    count.add_argument("depth", type=_depth, metavar="DEPTH")
    count.add_argument("--divide", action="store_true", help="count for each first move")
    for command in (count, commands.add_parser("legal", help="list the legal moves")):
        command.add_argument("--variant", default="standard", help=f"one of {', '.join(VARIANTS)}")
        command.add_argument("--setup", help="a starting array, such as modern or classic")
        command.add_argument("--fen", help="a position, as FEN or FEN4")
        command.add_argument("--moves", default="", help="moves to play first, separated by blanks")
    games = commands.add_parser("replay", help="play the games of files from their start")
    games.add_argument("files", nargs="+", metavar="FILE", help="a .pgn, .pgn4 or .smith file")
    return parser


def _replay(path: Path) -> int:
    try:
        summaries = replay(_text(path), path.suffix.lower())
    except (OSError, InvalidNotation) as error:
        print(f"{path}: {error.strerror if isinstance(error, OSError) else error}", file=sys.stderr)
        return 2
    for summary in summaries:
        print(json.dumps(summary))
    return 0


def _text(path: Path) -> str:
    data = path.read_bytes()
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        # The PGN standard's own character set.
        return data.decode("latin-1")


def _depth(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"'{text}' is not a number of plies such as 4")
    return int(text)


def _position(options: argparse.Namespace) -> Position:
    position = opening(options.variant, setup=options.setup, position=options.fen)
    for text in options.moves.split():
        position = position.play(position.find(text))
    return position


if __name__ == "__main__":
    try:
        code = main()
        sys.stdout.flush()
    except BrokenPipeError:  # the reader has closed the pipe
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # otherwise Python prints an error at exit
        code = 1
    sys.exit(code)
