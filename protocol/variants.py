"""A variant as the frame `variants` describes it: its seats, board and start arrays, and how its rules differ."""

from msgspec import Struct


class Side(Struct):
    """A seat of a variant: its name, the letter of its pieces in FEN4 and in `sight`, the number of its team (seats
    with the same number are partners), and the direction of its pawns: `north`, to higher ranks; `east`, to later
    files; `south` or `west`."""

    seat: str
    letter: str
    team: int
    forward: str


class Board(Struct):
    """A board: the number of files, lettered from a on the left, and of ranks, numbered from 1 at the bottom, as the
    first seat sees it; and the squares that are missing from it."""

    files: int
    ranks: int
    missing: list[str]


class Array(Struct):
    """A start array: its names, any of which `create` takes as `position`, and its position, as FEN or FEN4."""

    names: list[str]
    position: str


class Promotion(Struct):
    """What a pawn may become: the letter at the end of the move (`e7e8q`), and the letter of the piece that it
    becomes."""

    move: str
    piece: str


class MultiCheck(Struct):
    """The points for a move whose piece checks that number of `kings`: if the piece is a `queen`, and if it is an
    `other`."""

    kings: int
    queen: int
    other: int


class Points(Struct):
    """The points of a variant that points decide.

    `pieces` is for the capture of each piece, `king` for the mate or capture of a king, `stalemate` for the player who
    is stalemated. Every active player gets `walking_stalemate` when a king that walks is stalemated, and `draw` in a
    draw, once and again for each king that walks. The last active player gets `last` for each such king. To claim the
    game, the leader of the last two needs a lead of `lead`, and of `king` more for each king that walks.
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
    """A variant, and how its rules differ from those of others.

    `starts` has the usual array first; or one alone, if the server draws the array. A pawn promotes at
    `promotion_rank`, counted from its own side with 1 as the rank of its king; if that is null, where the board
    ends in front of it. `worth` is the usual value of the pieces. `en_passant` and `dead_kings_walk` say whether
    the variant has these rules. `stalemate` is `"draw"`, or `"out"` if its player goes out of the game.
    `lone_minors_draw` is true if the last two also draw with a knight or a bishop each. After
    `moves_without_progress` moves of each player without a capture or a pawn's move the game is drawn, or may be
    claimed as a draw where `claims` has `fifty_moves`.
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
