"""Setup mode: the commands of `SETUP` applied to a position. Pure."""

from typing import TypeAlias

from fourfold.clients.terminal.parser import commands as c
from fourfold.engine.editor import BoardEditor
from fourfold.engine.variants import opening_of

Change: TypeAlias = c.Put | c.Take | c.Turn | c.Castling | c.Lay


def changed(editor: BoardEditor, change: Change) -> BoardEditor:
    """The board after a change.

    Raises `InvalidNotation`, `InvalidSetup` or `IllegalMove`, whose messages say what is wrong.
    """
    match change:
        case c.Put(seat, piece, square):
            return editor.put(square, seat, piece)
        case c.Take(square):
            return editor.remove(square)
        case c.Turn(seat):
            return editor.turn(seat)
        case c.Castling(rights):
            return editor.castling(editor.possible_castling() if rights is None else rights)
        case c.Lay(None):
            return BoardEditor.empty(editor.rules)
        case c.Lay(str() as position) if "/" in position:
            return BoardEditor.of(opening_of(editor.rules, position=position))
        case c.Lay(array):
            return BoardEditor.of(opening_of(editor.rules, setup=None if array == "start" else array))
