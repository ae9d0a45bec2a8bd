"""The rules of chess for two and for four players: legal moves, endings, notations.

>>> from fourfold.engine import Position
>>> position = Position.start("ffa").play("h2h4")
>>> position.seats[position.turn]
'blue'
>>> len(position.legal_moves)
20

Start with `Position`, an immutable position, or with `Game`, a line of moves that you can take back and write as PGN or
PGN4. `VARIANTS` lists the variants by name. TUTORIAL.md shows the library in use, and README.md lists every module.

The package uses the standard library alone. It reads no clock, no network and no files. Import `fourfold.engine.match`
for seats, clocks and votes; this module does not load it.
"""

from fourfold.engine import pickling  # noqa: F401 (so that positions can be pickled)
from fourfold.engine.editor import BoardEditor
from fourfold.engine.errors import EngineError, Fault, IllegalMove, InvalidNotation, InvalidSetup
from fourfold.engine.moves import Move
from fourfold.engine.notation.formats import READERS, WRITERS
from fourfold.engine.notation.game import Game
from fourfold.engine.outcome import Elimination, Outcome, Termination
from fourfold.engine.pieces import Piece, PieceKind
from fourfold.engine.position import Position, Referee, Variant
from fourfold.engine.squares import SquareSet
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
    "SquareSet",
    "Termination",
    "Variant",
]
