"""The names of guests who have given none: friendly, easy to say, and the same for a player at every server."""

from hashlib import blake2b
from typing import Final

_KINDS: Final = (
    "Amber", "Ash", "Azure", "Birch", "Brass", "Bronze", "Cedar", "Clay", "Cobalt", "Copper", "Coral", "Ebony", "Fern",
    "Flint", "Hazel", "Indigo", "Iris", "Ivory", "Jade", "Linen", "Maple", "Marble", "Moss", "Ochre", "Olive", "Opal",
    "Pearl", "Pine", "Plum", "Quartz", "Russet", "Sage", "Silver", "Slate", "Teal", "Topaz", "Umber", "Willow",
)  # fmt: skip
_PIECES: Final = ("Rook", "Knight", "Bishop", "Queen", "King", "Pawn")

_NUMBERS: Final = range(10, 100)


def given_name(player: str) -> str:
    """The name for a player's id, such as `Amber Rook 27`. Two players may have the same."""
    number = int.from_bytes(blake2b(player.encode(), person=b"given name", digest_size=8).digest())
    number, kind = divmod(number, len(_KINDS))
    number, piece = divmod(number, len(_PIECES))
    return f"{_KINDS[kind]} {_PIECES[piece]} {_NUMBERS[number % len(_NUMBERS)]}"
