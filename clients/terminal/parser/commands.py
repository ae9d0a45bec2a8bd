"""The commands of the terminal, as values. `language` says how they are typed, `controller` carries them out."""

from typing import Literal

from msgspec import Struct

from fourfold.clients.games.game import Opening, Sought, Wish
from fourfold.protocol.from_client import Speed, VoteKind


class Unclear(ValueError):
    """A line that is no command, or not a whole one; the message says what is expected."""


class Command(Struct):
    """A command of the terminal."""


# -- at a game --------------------------------------------------------------------------------------


class Move(Command):
    """Play a move, in whatever notation it was written: see `typed.read`."""

    text: str


class Targets(Command):
    """Show where the piece on a square can go, or (None) all that can be played."""

    square: str | None


class Propose(Command):
    """Put something to the vote. An undo without `plies` leads back to one's last turn."""

    kind: VoteKind
    plies: int | None = None
    seat: str | None = None


class Answer(Command):
    """Yes or no: to the question that was asked last, or to the open vote."""

    accept: bool


class Withdraw(Command):
    """Withdraw one's own proposal."""


class Claim(Command):
    """Claim the end of the game that the rules grant."""


class Kick(Command):
    """Free a seat before the start; later, propose to remove its absent player."""

    seat: str


class Close(Command):
    """End a room whose game has not begun."""


class Resign(Command):
    """Give up a seat: the speaker's, unless another is named."""

    seat: str | None


class Abort(Command):
    """Call the game off before everybody has moved."""


class Say(Command):
    """Talk, to all or to the players."""

    text: str
    to: Literal["table", "all"]


class Bot(Command):
    """A computer player of a level, to a seat, or (None) to the first that is free."""

    seat: str | None
    level: int


class Sit(Command):
    """Take a seat, or (None) the first that is free."""

    seat: str | None


class Leave(Command):
    """Back to the lobby."""


# -- looking ----------------------------------------------------------------------------------------


class Show(Command):
    """Say something about the game."""

    what: Literal["board", "score", "clocks", "fen", "who", "link"]


class History(Command):
    """List the moves."""


class GoTo(Command):
    """Look at another moment of the game: its first or last, so many plies back or forward, or after a ply."""

    to: Literal["first", "back", "forward", "last", "ply"]
    plies: int = 1


class Flip(Command):
    """Turn the board: to another seat's side, or (None) to the next one's."""

    seat: str | None


class Zoom(Command):
    """A larger board (1), a smaller (-1), or the next size round (0)."""

    by: Literal[-1, 0, 1]


class Help(Command):
    """Help: all groups, one group, or one command."""

    topic: str | None


# -- files ------------------------------------------------------------------------------------------


class Save(Command):
    """Write the game to a file, or (None) ask to which."""

    path: str | None


class Read(Command):
    """Open the game of a file, or (None) ask which."""

    path: str | None


class Export(Command):
    """Print the game in a format, or (None) the usual one."""

    format: str | None


# -- elsewhere --------------------------------------------------------------------------------------


class Rooms(Command):
    """The games that are open or being played."""

    variant: str | None


class Games(Command):
    """One's own games, those that are played and those that were; or everybody's, or those of the players of a name."""

    variant: str | None
    mine: bool
    name: str | None = None


class Account(Command):
    """Show one's account; or make one (`new`) or another name for it (`rename`), `login` to one, make a new recovery
    `code`, sign a device `out`."""

    do: Literal["show", "new", "rename", "login", "code", "out"]
    text: str = ""
    """The name, the code, or the number of the device; empty for this one."""


class Rating(Command):
    """The ratings of the account of a name, or (None) one's own."""

    name: str | None


class Leaderboard(Command):
    """Who stands highest in a variant, and in one for two players at a speed; of bots alone, if told so."""

    variant: str
    speed: Speed | None
    bots: bool = False


class Explore(Command):
    """What was played from the position that is looked at."""


class Analyse(Command):
    """What a computer player holds best in the position that is looked at."""


class Review(Command):
    """The review of the game that is over."""


class Puzzle(Command):
    """A puzzle: of the game that is over, or of one's own latest games."""


class Create(Command):
    """Open a game."""

    opening: Opening


class Begin(Command):
    """Ask what is to be played, and open it."""


class Join(Command):
    """Take a seat in a game."""

    room: str
    seat: str | None = None
    password: str | None = None


class Watch(Command):
    """Watch a game."""

    room: str
    password: str | None = None


class Seek(Command):
    """Seek others who want the same game."""

    wish: Sought


class People(Command):
    """Who is online."""


class Follow(Command):
    """Follow a player, or (`on` False) no longer; without a name (None), list whom one follows."""

    name: str | None = None
    on: bool = True


class PlayAgain(Command):
    """Challenge those who sit at this table to another game of the same kind, at seats moved on by one."""


class Challenge(Command):
    """Challenge players to a game; without a wish (None), list the challenges that are open."""

    wish: Wish | None = None


class InviteBot(Command):
    """Ask a player, mostly a bot, or a level of computer player, to a seat of this table, or (None) the first that is
    free; without a name, list the bots that play such games."""

    seat: str | None = None
    name: str | int | None = None


class Respond(Command):
    """Say yes or no to a challenge, or take one's own back: the one of a number in the list, or (None) the latest."""

    do: Literal["yes", "no", "cancel"]
    number: int | None = None
    text: str = ""
    """What is said beside a no."""


class Report(Command):
    """Report who sits at a seat to the moderators, and why."""

    seat: str
    why: str


class Moderation(Command):
    """Ask for what moderators have ordered, what is reported, and what was done lately."""


class Moderate(Command):
    """Do what a moderator does: the `act` of the request `moderate`, or `settle` a report. An order or a report is
    named by its number in the list, or by its id."""

    act: str
    target: str = ""
    text: str = ""
    why: str = ""
    seconds: int | None = None


class Edit(Command):
    """Set up a position (setup mode): of a variant, or (None) of that of the present game."""

    variant: str | None


class Quit(Command):
    """Quit, after an offer to save."""


# -- over a board that is set up --------------------------------------------------------------------


class Put(Command):
    """A piece on a square: `wK e1`."""

    seat: str
    piece: str
    square: str


class Take(Command):
    """The piece off a square."""

    square: str


class Turn(Command):
    """Whose move it is."""

    seat: str


class Castling(Command):
    """Who may castle: pairs of a seat and whether the short side is meant; None, all that the pieces allow."""

    rights: tuple[tuple[str, bool], ...] | None


class Lay(Command):
    """Another position to begin with: empty (None), or that of a FEN, a FEN4 or a start array's name."""

    position: str | None


class Done(Command):
    """Play from here."""


class Cancel(Command):
    """Forget the position."""


# -- studies ----------------------------------------------------------------------------------------


class Studies(Command):
    """One's own studies, or the public ones."""

    whose: Literal["mine", "public"] = "mine"


class OpenStudy(Command):
    """Open a study that is there."""

    room: str


class AddChapters(Command):
    """Add chapters to the study: of a position, of a file's games, or of a room's game (None: the one that is
    open)."""

    of: Literal["start", "file", "game"]
    what: str | None = None
    """The variant, the file or the room."""
    title: str | None = None


class NewStudy(AddChapters):
    """Make a study of such chapters, and open it."""


class Sibling(Command):
    """Look at the variation so many places behind (or, below 0, before) the move that is looked at."""

    by: int


class ToNode(Command):
    """Look at the move of a number, as the addresses of the browser's page have it."""

    node: int


class Promote(Command):
    """Make the variation that is looked at the main one; `whole`, all the way from the start."""

    whole: bool = False


class Prune(Command):
    """Remove the move that is looked at, and what follows it."""


class Comment(Command):
    """Say something of the move that is looked at; an empty text removes what was said."""

    text: str


class Draw(Command):
    """Draw an arrow from a square to a `target`, or mark the square; take it away if it is there in this colour, or in
    any if none is named (None: green)."""

    square: str
    target: str | None = None
    colour: Literal["green", "red", "yellow", "blue"] | None = None


class Glyph(Command):
    """Give the move that is looked at these glyphs, PGN's numeric ones."""

    glyphs: tuple[int, ...]


class Tree(Command):
    """The moves of the chapter, with their variations and comments."""


class ToChapter(Command):
    """Look at the chapter of a number in the list; None: list them."""

    number: int | None = None


class DropChapter(Command):
    """Remove the chapter that is looked at."""


class Entitle(Command):
    """Give the chapter that is looked at, or the whole `study`, another title."""

    title: str
    study: bool = False


class Share(Command):
    """Say who may see the study."""

    visibility: Literal["private", "link", "public"]


class Allow(Command):
    """Say who may write in the study: some who are named, by their accounts, or else the owner or everybody."""

    write: Literal["owner", "named", "everybody"]
    writers: tuple[str, ...] = ()


class DeleteStudy(Command):
    """Delete the study for good."""
