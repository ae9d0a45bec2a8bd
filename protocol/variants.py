"""The parts of the frame `variants`: seats, boards, start arrays, and the differences between variants' rules."""

from msgspec import Struct


class Side(Struct):
    """A seat of a variant. `letter` is the letter of its pieces in FEN4 and in `sight`. Seats with the same `team`
    number are partners. `forward` is the direction of its pawns: `north` to higher ranks, `east` to later files,
    `south` or `west`."""

    seat: str
    letter: str
    team: int
    forward: str


class Board(Struct):
    """A board, as the first seat sees it. Files have letters from a on the left, and ranks numbers from 1 at the
    bottom. `missing` has the missing squares."""

    files: int
    ranks: int
    missing: list[str]


class Array(Struct):
    """A start array: its names, each of which `create` takes as `position`, and its FEN or FEN4."""

    names: list[str]
    position: str


class Promotion(Struct):
    """A promotion of a pawn: the letter at the end of the move (`e7e8q`), and the letter of the new piece."""

    move: str
    piece: str


class MultiCheck(Struct):
    """The points for a move whose piece checks that many `kings`: by a `queen`, or by any `other` piece."""

    kings: int
    queen: int
    other: int


class Points(Struct):
    """The points of a variant in which points decide.

    `pieces` has the points for the capture of each piece, `king` those for the mate or capture of a king, and
    `stalemate` those for a stalemated player. If a walking king is stalemated, every active player gets
    `walking_stalemate`. In a draw, every active player gets `draw`, and the same again for each walking king. The last
    active player gets `last` for each walking king. The leader of the last two can claim the game with a lead of
    `lead`, and `king` more for each walking king.
    """

    pieces: dict[str, int]
    king: int
    stalemate: int
    walking_stalemate: int
    draw: int
    last: int
    checks: list[MultiCheck]
    lead: int


class Variant(Struct):
    """A variant, and the differences of its rules from others.

    `starts` has the usual array first, or a single one if the server draws the array. Pawns promote at
    `promotion_rank`, counted from their own side with 1 as the king's rank. If it is null, they promote at the end of
    the board. `worth` has the usual values of the pieces. `en_passant` and `dead_kings_walk` tell whether the variant
    has these rules. `stalemate` is `"draw"`, `"out"` if it eliminates its player, or `"win"` for its player. With
    `lone_minors_draw`, the last two also draw with a knight or bishop each. After `moves_without_progress` moves of
    each player without a capture or pawn move, the game is drawn (0: never); if `claims` has `fifty_moves`, a player
    can claim the draw instead. `drops` has the letters of the pieces that go to the captor's hand and can be dropped.
    With `one_player_a_team`, a player has all seats of a team; the first of them is in votes, chats and challenges.
    """

    variant: str
    title: str
    summary: str
    seats: list[Side]
    board: Board
    starts: list[Array]
    promotion_rank: int | None
    promotions: list[Promotion]
    worth: dict[str, int]
    points: Points | None
    en_passant: bool
    dead_kings_walk: bool
    stalemate: str
    lone_minors_draw: bool
    moves_without_progress: int
    claims: list[str]
    drops: list[str] = []
    one_player_a_team: bool = False
