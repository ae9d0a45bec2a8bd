"""The rules of chess for two and for four, and nothing else: no network, no clock, no chance.

    from fourfold.engine import Position

    position = Position.start("ffa").play("h2h4")
    print(position)

`Position` is what one can ask and play, `Game` a line of moves with its text; `Position.start` takes a variant by its
name in `VARIANTS`, or a record of rules. TUTORIAL.md shows all of it in use, README.md names every module. `match` puts
seats, clocks and votes around a game, and is not loaded here.
"""

from fourfold.engine.editor import BoardEditor
from fourfold.engine.errors import EngineError, Fault, IllegalMove, InvalidNotation, InvalidSetup
from fourfold.engine.moves import Move
from fourfold.engine.notation.formats import READERS, WRITERS
from fourfold.engine.notation.game import Game
from fourfold.engine.outcome import Elimination, Outcome, Termination
from fourfold.engine.pieces import Piece, PieceKind
from fourfold.engine.position import Position, Referee, Variant
from fourfold.engine.variants import VARIANTS

__all__ = [
    "READERS",
    "VARIANTS",
    "WRITERS",
    "BoardEditor",
    "Elimination",
    "EngineError",
    "Fault",
    "Game",
    "IllegalMove",
    "InvalidNotation",
    "InvalidSetup",
    "Move",
    "Outcome",
    "Piece",
    "PieceKind",
    "Position",
    "Referee",
    "Termination",
    "Variant",
]
