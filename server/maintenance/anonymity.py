"""Removes one of its players from the log of a room: the games stay, under another id and without the name."""

import secrets
from collections.abc import Sequence
from typing import Any, Final

import msgpack

from fourfold.server.storage.records import BEGINNING, Entry, descend, schema_of, seal

NAME: Final = "Former player"
"""The name shown for players whose account was erased."""

_PREFIX: Final = "former:"


def new_id() -> str:
    """A random id for a former player in one room. Nothing links it to the player."""
    return _PREFIX + secrets.token_urlsafe(9)


def without(entries: Sequence[Entry], player: str, other: str) -> list[Entry]:
    """The entries of a whole log, with another id for a player, and `NAME` as the name. Everything else stays as
    written; the lineage is recomputed."""
    found = []
    lineage = BEGINNING
    for seq, at, before, sealed in entries:
        packed = before
        if player.encode() in before:
            by, key, events = msgpack.unpackb(before)
            packed = msgpack.packb([other if by == player else by, key, _without(events, player, other)])
        lineage = descend(lineage, packed)
        found.append(Entry(seq, at, packed, None if sealed is None else seal(lineage, packed, schema_of(sealed))))
    return found


def _without(values: list[Any], player: str, other: str) -> list[Any]:
    """In stored events a player's name, if any, follows the id; in `seated`, the mark follows the name."""
    found: list[Any] = []
    for place, value in enumerate(values):
        if isinstance(value, list):
            found.append(_without(value, player, other))
        elif value == player:
            found.append(other)
        elif isinstance(value, str) and place and values[place - 1] == player:
            found.append(NAME)
        elif values[0] == "seated" and place > 3 and values[2] == player:
            found.append("")  # the mark of the address goes too
        else:
            found.append(value)
    return found
