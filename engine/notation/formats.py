"""The formats of whole games by their names, which are also the endings of files' names."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from fourfold.engine.notation import pgn, pgn4, smith
from fourfold.engine.notation.game import Game

READERS: dict[str, Callable[[str], Iterator[Game]]] = {
    "pgn": pgn.read,
    "pgn4": pgn4.read,
    "smith": lambda text: iter([smith.read(text)]),
}
"""Each gives the games of a text."""

WRITERS: dict[str, Callable[[Game], str]] = {"pgn": pgn.write, "pgn4": pgn4.write, "smith": smith.write}
"""Each gives the text of a game."""
