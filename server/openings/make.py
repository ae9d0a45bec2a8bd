"""Generates the file of opening names.

    python -m fourfold.server.openings.make FOLDER > server/openings/names.txt

`FOLDER` has the files a.tsv to e.tsv of https://github.com/lichess-org/chess-openings, whose lines are a code, a name
and moves, as in PGN.
"""

import sys
from collections import defaultdict
from pathlib import Path

from fourfold.engine.notation import pgn
from fourfold.server.openings.names import FAMILY, short_key

HEAD = """\
# Names of openings: a family, and below it, in order of names, its positions: code, key, and how the name goes on.
# Source: https://github.com/lichess-org/chess-openings, CC0 1.0 Universal (public domain).
# Made by python -m fourfold.server.openings.make."""


def lines(folder: Path) -> list[str]:
    """The lines of the file."""
    families: dict[str, list[tuple[str, str, str]]] = defaultdict(list)
    for path in sorted(folder.glob("?.tsv")):
        for line in path.read_text(encoding="utf-8").splitlines()[1:]:
            code, name, moves = line.split("\t")
            family, _, rest = name.partition(": ")
            game = next(pgn.read(f"{moves} *"))
            position = game.start
            for step in game.line.steps:
                assert step.move is not None  # nobody leaves during an opening
                position = position.play(step.move)
            families[family].append((rest, code, short_key(position)))
    made = [HEAD]
    for family, positions in sorted(families.items()):
        made.append(f"{FAMILY}{family}")
        made += [f"{code} {key} {rest}".rstrip() for rest, code, key in sorted(positions)]
    return made


if __name__ == "__main__":
    print("\n".join(lines(Path(sys.argv[1]))))
