"""The formats of whole games, by name. The names are also the extensions of files."""

from __future__ import annotations

from fourfold.engine.notation import pgn, pgn4, smith
from fourfold.engine.notation.game import READERS, WRITERS

__all__ = ["READERS", "WRITERS"]

READERS |= {"pgn": pgn.read, "pgn4": pgn4.read, "smith": lambda text: iter([smith.read("".join(text))])}
"""Functions that yield the games of a text or open file, by format: ``pgn``, ``pgn4``, ``smith``. They read a file game
by game."""

WRITERS |= {"pgn": pgn.write, "pgn4": pgn4.write, "smith": smith.write}
"""Functions that give the text of a game, by format."""
