"""What somebody at a terminal can want, as values. How it is typed is `language`'s knowledge, what becomes of it
`desk`'s."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from fourfold.clients.connection import ProposalKind
from fourfold.clients.games.game import Opening
from fourfold.protocol.from_client import Clock


class Unclear(ValueError):
    """What was typed is no command, or not a whole one; the message says what would be."""


# -- at a game --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Move:
    """Play a move, in whatever notation it was written: see `typed.read`."""

    text: str


@dataclass(frozen=True, slots=True)
class Targets:
    """Show where the piece on a square can go, or (None) all that can be played."""

    square: str | None


@dataclass(frozen=True, slots=True)
class Propose:
    """Put something to the vote."""

    kind: ProposalKind
    plies: int | None = None
    seat: str | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """Yes or no: to the question that was asked last, be it a vote or our own."""

    accept: bool


@dataclass(frozen=True, slots=True)
class Withdraw:
    """Take one's own proposal back."""


@dataclass(frozen=True, slots=True)
class Claim:
    """End the game by what the rules let one claim."""


@dataclass(frozen=True, slots=True)
class Kick:
    """Free a seat before the start; later, propose to take its absent player out."""

    seat: str


@dataclass(frozen=True, slots=True)
class Close:
    """End a room whose game has not begun."""


@dataclass(frozen=True, slots=True)
class Resign:
    """Give up a seat: the speaker's, unless another is named."""

    seat: str | None


@dataclass(frozen=True, slots=True)
class Abort:
    """Call the game off before everybody has moved."""


@dataclass(frozen=True, slots=True)
class Say:
    """Talk, to all or to those who play."""

    text: str
    to: Literal["table", "all"]


@dataclass(frozen=True, slots=True)
class Bot:
    """A computer player of a level, to a seat, or (None) to the first that is free."""

    seat: str | None
    level: int


@dataclass(frozen=True, slots=True)
class Sit:
    """Take a seat, or (None) the first that is free."""

    seat: str | None


@dataclass(frozen=True, slots=True)
class Leave:
    """Back to the lobby."""


# -- looking ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Show:
    """Say something about the game."""

    what: Literal["board", "score", "clocks", "fen", "who", "link"]


@dataclass(frozen=True, slots=True)
class History:
    """List the moves."""


@dataclass(frozen=True, slots=True)
class Step:
    """Look at another moment of the game: its first or last, so many plies back or forward, or after a ply."""

    to: Literal["first", "back", "forward", "last", "ply"]
    plies: int = 1


@dataclass(frozen=True, slots=True)
class Flip:
    """Turn the board: to another seat's side, or (None) to the next one's."""

    seat: str | None


@dataclass(frozen=True, slots=True)
class Zoom:
    """A larger board (1), a smaller (-1), or the next size round (0)."""

    by: Literal[-1, 0, 1]


@dataclass(frozen=True, slots=True)
class Help:
    """What can be typed: everything by groups, a group, or about one command."""

    topic: str | None


# -- files ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Save:
    """Write the game to a file, or (None) ask to which."""

    path: str | None


@dataclass(frozen=True, slots=True)
class Read:
    """Open a game as a file has it, or (None) ask from which."""

    path: str | None


@dataclass(frozen=True, slots=True)
class Export:
    """Print the game: in a format, or (None) the one it is usually written in."""

    format: str | None


# -- elsewhere --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Rooms:
    """The games that are open or being played."""

    variant: str | None


@dataclass(frozen=True, slots=True)
class Create:
    """Open a game."""

    opening: Opening


@dataclass(frozen=True, slots=True)
class Begin:
    """Ask what is to be played, and open it."""


@dataclass(frozen=True, slots=True)
class Join:
    """Sit down in a game."""

    room: str
    seat: str | None = None
    password: str | None = None


@dataclass(frozen=True, slots=True)
class Watch:
    """Look on."""

    room: str
    password: str | None = None


@dataclass(frozen=True, slots=True)
class Seek:
    """Be paired with whoever wants the same game."""

    variant: str
    clock: Clock | None = None


@dataclass(frozen=True, slots=True)
class Edit:
    """Put a position together (setup mode): for a variant, or (None) the one of the game on the board."""

    variant: str | None


@dataclass(frozen=True, slots=True)
class Quit:
    """Go, after an offer to save."""


# -- over a board that is set up --------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Put:
    """A piece on a square: `wK e1`."""

    seat: str
    piece: str
    square: str


@dataclass(frozen=True, slots=True)
class Take:
    """The piece off a square."""

    square: str


@dataclass(frozen=True, slots=True)
class Turn:
    """Whose move it is."""

    seat: str


@dataclass(frozen=True, slots=True)
class Castling:
    """Who may castle: pairs of a seat and whether the short side is meant; None, all that the pieces allow."""

    rights: tuple[tuple[str, bool], ...] | None


@dataclass(frozen=True, slots=True)
class Lay:
    """Another board to begin with: empty (None), or the position of a FEN, a FEN4 or a start array's name."""

    position: str | None


@dataclass(frozen=True, slots=True)
class Done:
    """Play from here."""


@dataclass(frozen=True, slots=True)
class Cancel:
    """Forget the position."""


Command: TypeAlias = (
    Move | Targets | Propose | Answer | Withdraw | Claim | Kick | Close | Resign | Abort | Say | Bot | Sit | Leave
    | Show | History | Step | Flip | Zoom | Help | Save | Read | Export
    | Rooms | Create | Begin | Join | Watch | Seek | Edit | Quit
    | Put | Take | Turn | Castling | Lay | Done | Cancel
)  # fmt: skip
