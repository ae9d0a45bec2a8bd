"""The record `STANDARD`: the rules of standard chess."""

from __future__ import annotations

from fourfold.engine.geometry import NORTH, SOUTH, SQUARE_8
from fourfold.engine.position import Variant
from fourfold.engine.rules import Side, two_step_castlings
from fourfold.engine.twoplayer import san
from fourfold.engine.twoplayer.draws import TwoPlayerReferee
from fourfold.engine.twoplayer.fen import Fen

_SEATS = (Side("white", "w", NORTH), Side("black", "b", SOUTH))

STANDARD = Variant(
    name="standard",
    title="Chess",
    summary="Chess for two, by the FIDE laws: checkmate wins.",
    geometry=SQUARE_8,
    seats=_SEATS,
    teams=(0, 1),
    referee=TwoPlayerReferee(),
    notation=Fen(),
    move_notation=san,
    starts=(("standard", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),),
    castlings=two_step_castlings(SQUARE_8, _SEATS, ("e1", "e8")),
    idle_steps_differ=False,
    minor_pieces_draw=True,
    most_removed=1,
    records="pgn",
    record_name="Standard",
    records_departures=False,
)
