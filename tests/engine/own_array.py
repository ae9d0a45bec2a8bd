"""Four players with another array, defined in one file like any variant. Bishops and knights are swapped in every
army."""

from __future__ import annotations

from dataclasses import replace

from fourfold.engine.fourplayer.rules import FFA

_SWAPPED = str.maketrans("BN", "NB")


def _swapped(fen4: str) -> str:
    """The array with bishops and knights swapped. The letters in the fields before the board stay."""
    fields, board = fen4.rsplit("-", 1)
    return f"{fields}-{board.translate(_SWAPPED)}"


CAVALRY = replace(
    FFA,
    name="cavalry",
    title="Cavalry",
    summary="Free for all, with the knights beside king and queen.",
    starts=tuple((name, _swapped(text)) for name, text in FFA.starts),
    record_name="Cavalry",
)
