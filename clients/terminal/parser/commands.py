"""The commands of the terminal, as values. `language` defines their text form, and `controller` executes them."""

from typing import Literal

from msgspec import Struct

from fourfold.clients.games.game import Opening, Sought, Wish
from fourfold.protocol.from_client import Reaction, Speed, VoteKind


class Unclear(ValueError):
    """A line that is not a command, or incomplete. The message says what is expected."""


class Command(Struct):
    """A command of the terminal."""


# -- at a game --------------------------------------------------------------------------------------


class Move(Command):
    """Play a move, in any notation: see `typed.read`."""

    text: str


class Targets(Command):
    """Show the moves of the piece on a square, or (None) all legal moves."""

    square: str | None


class Propose(Command):
    """Open a vote. An undo without `plies` goes back to your last turn."""

    kind: VoteKind
    plies: int | None = None
    seat: str | None = None


class Answer(Command):
    """Answer yes or no: to the latest question, or to the open vote."""

    accept: bool


class Act(Command):
    """Take back your own proposal; claim the end of the game, as the rules allow; close a room whose game has not
    started; abort the game before everybody has moved; or give up half of the time, before the first move."""

    do: Literal["withdraw", "claim", "close", "abort", "berserk"]


class Kick(Command):
    """Remove a player before the start; later, propose to remove the seat's absent player."""

    seat: str


class Resign(Command):
    """Resign: for the speaker, or for a named seat."""

    seat: str | None


class Give(Command):
    """Give an opponent 15 seconds: the one at a seat, or (None) the only one."""

    seat: str | None


class Say(Command):
    """Send a chat message, to all or to the players."""

    text: str
    to: Literal["table", "all"]


class React(Command):
    """Show a quick reaction."""

    reaction: Reaction


class Bot(Command):
    """Add a computer player of a level, at a seat or (None) at the first free one."""

    seat: str | None
    level: int


class Sit(Command):
    """Take a seat, or (None) the first free one."""

    seat: str | None


class Leave(Command):
    """Return to the lobby."""


# -- looking ----------------------------------------------------------------------------------------


class Show(Command):
    """Show information about the game."""

    what: Literal["board", "score", "clocks", "fen", "who", "link"]


class History(Command):
    """List the moves."""


class GoTo(Command):
    """Look at another moment of the game: the first or last, some plies back or forward, or after a ply."""

    to: Literal["first", "back", "forward", "last", "ply"]
    plies: int = 1


class Flip(Command):
    """Turn the board to another seat's side, or (None) to the next one's."""

    seat: str | None


class Zoom(Command):
    """Make the board larger (1), smaller (-1), or the next size of the cycle (0)."""

    by: Literal[-1, 0, 1]


class Help(Command):
    """Show help: all groups, one group, or one command."""

    topic: str | None


# -- files ------------------------------------------------------------------------------------------


class Save(Command):
    """Save the game to a file, or (None) ask for its name."""

    path: str | None


class Read(Command):
    """Open the game in a file, or (None) ask for its name."""

    path: str | None


class Export(Command):
    """Print the game in a format, or (None) in the usual one."""

    format: str | None


# -- elsewhere --------------------------------------------------------------------------------------


class Rooms(Command):
    """List the games that are open or being played."""

    variant: str | None


class Games(Command):
    """List your own games, running and finished; or everybody's; or those of players with a name."""

    variant: str | None
    mine: bool
    name: str | None = None


class Account(Command):
    """Show your account. Or create one (`new`), `rename` it, `login` to one, make a new recovery `code`, or sign a
    device `out`."""

    do: Literal["show", "new", "rename", "login", "code", "out"]
    text: str = ""
    """The name, the code, or the number of the device; empty for this device."""


class Rating(Command):
    """Show the ratings of the account with a name, or (None) your own."""

    name: str | None


class Leaderboard(Command):
    """Show the highest ratings in a variant, and for two players at a speed; optionally of bots only."""

    variant: str
    speed: Speed | None
    bots: bool = False


class Explore(Command):
    """Show the moves played from the current position in archived games."""


class Analyse(Command):
    """Show a computer player's best lines in the current position."""


class Review(Command):
    """Show the review of the finished game."""


class Puzzle(Command):
    """Pose a puzzle: from the finished game, or from your own latest games."""


class Create(Command):
    """Open a game."""

    opening: Opening


class Begin(Command):
    """Ask what to play, and open it."""


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
    """Seek players who want the same game."""

    wish: Sought


class People(Command):
    """List the players who are online."""


class Follow(Command):
    """Follow a player, or (`on` False) stop following. Without a name (None), list the players you follow."""

    name: str | None = None
    on: bool = True


class PlayAgain(Command):
    """Challenge the players of this table to another game of the same kind, each at the next seat."""


class Challenge(Command):
    """Challenge players to a game. Without a wish (None), list the open challenges."""

    wish: Wish | None = None


class InviteBot(Command):
    """Invite a player, usually a bot, or a level of computer player, to a seat of this table, or (None) to the first
    free one. Without a name, list the bots that play such games."""

    seat: str | None = None
    name: str | int | None = None


class Respond(Command):
    """Accept or decline a challenge, or take back your own: by its number in the list, or (None) the latest."""

    do: Literal["yes", "no", "cancel"]
    number: int | None = None
    text: str = ""
    """A message with a no."""


class Report(Command):
    """Report a seat's player to the moderators, with a reason."""

    seat: str
    why: str


class Moderation(Command):
    """List the orders in force, the open reports, and the moderators' latest acts."""


class Moderate(Command):
    """Act as a moderator: the `act` of the request `moderate`, or `settle` a report. An order or report goes by its
    number in the list, or by its id."""

    act: str
    target: str = ""
    text: str = ""
    why: str = ""
    seconds: int | None = None


class Edit(Command):
    """Set up a position (setup mode): of a variant, or (None) of the present game's variant."""

    variant: str | None


class Quit(Command):
    """Quit. Offers to save first."""


# -- over a board that is set up --------------------------------------------------------------------


class Put(Command):
    """Put a piece on a square: `wK e1`."""

    seat: str
    piece: str
    square: str


class Take(Command):
    """Remove the piece from a square."""

    square: str


class Turn(Command):
    """Set the seat to move."""

    seat: str


class Castling(Command):
    """Set the castling rights: pairs of a seat and True for the short side; None for all that the pieces allow."""

    rights: tuple[tuple[str, bool], ...] | None


class Lay(Command):
    """Set another position: empty (None), or a FEN, a FEN4 or a start array's name."""

    position: str | None


class Done(Command):
    """Start the game from the position."""


class Cancel(Command):
    """Leave setup mode without a game."""


# -- studies ----------------------------------------------------------------------------------------


class Studies(Command):
    """List your own studies, or the public ones."""

    whose: Literal["mine", "public"] = "mine"


class OpenStudy(Command):
    """Open an existing study."""

    room: str


class AddChapters(Command):
    """Add chapters to the study: a position, a file's games, or a room's game (None: the open one)."""

    of: Literal["start", "file", "game"]
    what: str | None = None
    """The variant, the file or the room."""
    title: str | None = None


class NewStudy(AddChapters):
    """Create a study with such chapters, and open it."""


class Sibling(Command):
    """Go to a later variation at this move, or (negative) to an earlier one."""

    by: int


class ToNode(Command):
    """Go to the move with a number, as in the addresses of the browser's page."""

    node: int


class Promote(Command):
    """Promote the current variation by one level; with `whole`, make it the main line from the start."""

    whole: bool = False


class Prune(Command):
    """Remove the current move and everything after it."""


class Comment(Command):
    """Replace the comment on the current move; an empty text removes it."""

    text: str


class Draw(Command):
    """Draw an arrow from a square to a `target`, or mark the square. If it exists in this colour (None: in any), remove
    it. The default colour is green."""

    square: str
    target: str | None = None
    colour: Literal["green", "red", "yellow", "blue"] | None = None


class Glyph(Command):
    """Replace the glyphs of the current move: PGN's Numeric Annotation Glyphs."""

    glyphs: tuple[int, ...]


class Tree(Command):
    """List the moves of the chapter, with variations and comments."""


class ToChapter(Command):
    """Go to the chapter with a number in the list; None: list them."""

    number: int | None = None


class DropChapter(Command):
    """Remove the current chapter."""


class Entitle(Command):
    """Rename the current chapter, or the whole `study`."""

    title: str
    study: bool = False


class Share(Command):
    """Choose who can see the study."""

    visibility: Literal["private", "link", "public"]


class Allow(Command):
    """Choose who can write in the study: named accounts, or else the owner or everybody."""

    write: Literal["owner", "named", "everybody"]
    writers: tuple[str, ...] = ()


class DeleteStudy(Command):
    """Delete the study for good."""
