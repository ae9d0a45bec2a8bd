"""The description of a UCI engine: its program, options, variants and times.

A profile is a TOML table. `engines.toml`, beside this module, has the included ones. A file of your own has one table
with the same keys:

    command = ["stockfish"]            # the program and its arguments
    like = "fourfold"                  # an included profile, whose keys this one replaces
    name = "Stockfish at 1500"         # the name at the table (default the engine's own)
    budget = 1.0                       # the most seconds for a move
    overhead = 0.05                    # seconds by which it exceeds its time
    unlisted = true                    # it accepts options that it does not list
    options = {UCI_LimitStrength = true, UCI_Elo = 1500}
    variants = {standard = ""}         # its variants, each with the value of its option UCI_Variant, if it has one
    variant_option = "Mode"            # the option for the variant (default UCI_Variant)
    position = "fen4"                  # the word before a position (default "fen")
    go = "depth 8"                     # the limit of a search, if it does not know "movetime"
    again = "depth 1"                  # the limit of a second search, if the first gives no move in time
    refusals = ["Invalid FEN"]         # texts in its `info string` that mean a failed command
    underpromotes = true               # it may name another piece than the only one that a pawn becomes
    fen4 = {extras = ["enPassant"], walls = true, promoted = true, grey = true}     # its form of FEN4

Only `command` is required, or `like`. An engine without `variants` is assumed to play every variant. The keys of
`fen4` are the fields of `fourfold.engine.fourplayer.fen4.Fen4`; the defaults are the values above.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from fourfold.engine.errors import InvalidNotation
from fourfold.engine.fourplayer.fen4 import EXTRAS, Fen4
from fourfold.engine.moves import Move
from fourfold.engine.position import Position

_BUILT_IN: Final = "engines.toml"


_CLASSIC: Final = Fen4(extras=("enPassant",))
"""The default form of FEN4 for other programs."""


class BadProfile(ValueError):
    """The profile does not exist, or one of its keys is wrong."""


@dataclass(frozen=True, slots=True)
class Profile:
    """A UCI engine. The fields are the keys of the module docstring."""

    command: tuple[str, ...]
    name: str | None = None
    budget: float | None = None
    overhead: float = 0
    unlisted: bool = False
    options: Mapping[str, str] = field(default_factory=dict)
    variants: Mapping[str, str] | None = None
    variant_option: str = "UCI_Variant"
    position: str = "fen"
    go: str | None = None
    again: str | None = None
    refusals: tuple[str, ...] = ()
    underpromotes: bool = False
    fen4: Fen4 = _CLASSIC

    def fen(self, position: Position) -> str:
        """A position in the notation that the engine reads."""
        return self.fen4.write(position) if isinstance(position.rules.notation, Fen4) else position.fen()

    def move(self, position: Position, text: str) -> Move:
        """A move as the engine writes it. Raises `IllegalMove` or `InvalidNotation`."""
        try:
            return position.find(text)
        except InvalidNotation:
            if not self.underpromotes:
                raise
            return position.find(text.partition("=")[0])


def profiles() -> dict[str, Profile]:
    """The included profiles, by name."""
    return {name: _read(name, table) for name, table in _included().items()}


def _included() -> dict[str, dict[str, Any]]:
    return tomllib.loads((files(__package__) / _BUILT_IN).read_text(encoding="utf-8"))


def profile(name: str) -> Profile:
    """An included profile, or the profile in a file whose name ends in .toml. Raises `BadProfile`."""
    if not name.endswith(".toml"):
        known = profiles()
        if name not in known:
            raise BadProfile(f"there is no profile '{name}': use {', '.join(known)}, or a .toml file")
        return known[name]
    try:
        table = tomllib.loads(Path(name).read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise BadProfile(f"{name} cannot be read: {error}") from error
    like = table.pop("like", None)
    if like is None:
        return _read(name, table)
    included = _included()
    if not isinstance(like, str) or like not in included:
        raise BadProfile(f"{name}: like is one of {', '.join(included)}, not {like!r}")
    return _read(name, {**included[like], **table})


_KEYS: Final[Mapping[str, tuple[str, tuple[type, ...]]]] = {
    "command": ("a list of texts, the program first", (list,)),
    "name": ("a text", (str,)),
    "budget": ("a number of seconds", (int, float)),
    "overhead": ("a number of seconds", (int, float)),
    "unlisted": ("true or false", (bool,)),
    "options": ("a table", (dict,)),
    "variants": ("a table", (dict,)),
    "variant_option": ("a text", (str,)),
    "position": ("a text", (str,)),
    "go": ("a text", (str,)),
    "again": ("a text", (str,)),
    "refusals": ("a list of texts", (list,)),
    "underpromotes": ("true or false", (bool,)),
    "fen4": ("a table", (dict,)),
}

_FEN4_KEYS: Final = ("extras", "walls", "promoted", "grey")


def _read(name: str, table: Mapping[str, Any]) -> Profile:
    for key, value in table.items():
        if key not in _KEYS:
            raise BadProfile(f"{name}: unknown key '{key}'. Keys: {', '.join(_KEYS)}")
        wanted, types = _KEYS[key]
        if type(value) not in types:
            raise BadProfile(f"{name}: {key} is {wanted}, not {value!r}")
    command = table.get("command", [])
    if not command or not all(isinstance(word, str) for word in command):
        raise BadProfile(f"{name}: command is {_KEYS['command'][0]}")
    refusals = table.get("refusals", [])
    if not all(isinstance(text, str) for text in refusals):
        raise BadProfile(f"{name}: refusals is {_KEYS['refusals'][0]}")
    texts = {key: {each: _text(value) for each, value in table[key].items()} for key in _TABLES if key in table}
    read = {"command": tuple(command), "refusals": tuple(refusals), "fen4": _read_fen4(name, table.get("fen4", {}))}
    return Profile(**{**table, **texts, **read})


def _read_fen4(name: str, table: Mapping[str, Any]) -> Fen4:
    for key, value in table.items():
        if key not in _FEN4_KEYS:
            raise BadProfile(f"{name}: unknown key '{key}' of fen4. Keys: {', '.join(_FEN4_KEYS)}")
        if key == "extras" and not (isinstance(value, list) and set(value) <= set(EXTRAS)):
            raise BadProfile(f"{name}: extras of fen4 is a list of {', '.join(EXTRAS)}")
        if key != "extras" and not isinstance(value, bool):
            raise BadProfile(f"{name}: {key} of fen4 is true or false, not {value!r}")
    return replace(_CLASSIC, **{**table, "extras": tuple(table.get("extras", _CLASSIC.extras))})


_TABLES: Final = ("options", "variants")


def _text(value: object) -> str:
    """A value in UCI's notation."""
    return str(value).lower() if isinstance(value, bool) else str(value)
