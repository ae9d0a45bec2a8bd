"""The formats of whole games by their names, which are also the endings of files' names."""

from __future__ import annotations

from fourfold.engine.notation import pgn, pgn4, smith
from fourfold.engine.notation.game import READERS, WRITERS

__all__ = ["READERS", "WRITERS"]

READERS |= {"pgn": pgn.read, "pgn4": pgn4.read, "smith": lambda text: iter([smith.read(text)])}
"""Each gives the games of a text."""

WRITERS |= {"pgn": pgn.write, "pgn4": pgn4.write, "smith": smith.write}
"""Each gives the text of a game."""
