"""The rules of chess for two, as a record."""

from __future__ import annotations

from fourfold.engine.geometry import NORTH, SOUTH, SQUARE_8
from fourfold.engine.rules import Rules, Side
from fourfold.engine.twoplayer.draws import TwoPlayerReferee
from fourfold.engine.twoplayer.fen import Fen

STANDARD = Rules(
    name="standard",
    title="Chess",
    summary="Chess for two, by the FIDE laws: checkmate wins.",
    geometry=SQUARE_8,
    seats=(Side("white", "w", NORTH), Side("black", "b", SOUTH)),
    teams=(0, 1),
    referee=TwoPlayerReferee(),
    notation=Fen(),
    starts=(("standard", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),),
    king_homes=("e1", "e8"),
    minor_pieces_draw=True,
)
