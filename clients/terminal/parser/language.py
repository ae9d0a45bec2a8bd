"""The text form of commands. A line of text becomes a command, or `Unclear` says what is expected.

Pure. Each of the four languages (`PLAY` in a game, `LOBBY` before one, `SETUP` in setup mode, `STUDY` in a study) is a
table, which also supplies its help. The command's handler checks whether a square or seat exists and a move is legal.

    PLAY.read("e2;e4")      # Move("e2;e4")
    PLAY.read("undo 3")     # Propose("undo", 3)
    PLAY.help()             # the groups of commands, a line each
    PLAY.help("2")          # a group, a line for each command
"""

import difflib
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from fourfold.clients.terminal.parser import commands as c
from fourfold.clients.terminal.parser import moderation, phrases, studies
from fourfold.clients.terminal.parser.commands import Command, Unclear
from fourfold.clients.terminal.parser.phrases import Reader

_LONGEST: Final = 5100
"""The longest line, in characters: a comment of a study may have 5,000."""
_ASKED: Final = re.compile(r"([A-Za-z]\d{1,3})\s*\?+")
_MOVE: Final = re.compile(r"(?![A-Za-z]{3,}\s).*(?:[A-Za-z@]\d|[0Oo]-[0Oo])")
_GLUED: Final = re.compile(r"([A-Za-z]{2,})(\d+)")
_PASSED: Final = re.compile(r"--|[RTA][a-z]?")
_SIGN: Final = re.compile(r"([-+=<>]+)\s*(.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Entry:
    """A command in its text form, with its `words`; the first is the usual one. `usage` and `about` are its help.
    `read` is the command, or the parser of its arguments."""

    words: tuple[str, ...]
    usage: str
    about: str
    read: Command | Reader


@dataclass(frozen=True, slots=True)
class Group:
    """A group of commands in the help."""

    name: str
    entries: tuple[Entry, ...]


class Language:
    """A table of commands. `plain` parses lines that start with none of its words. It returns None for other lines."""

    def __init__(self, groups: Sequence[Group], plain: Callable[[str], Command | None]) -> None:
        self.groups = tuple(groups)
        self.entries = tuple(entry for group in groups for entry in group.entries)
        self._by_word = {word: entry for entry in self.entries for word in entry.words}
        self._plain = plain

    def read(self, line: str) -> Command:
        """The command of a line. Raises only `Unclear`."""
        text = " ".join(line.split())
        if not text:
            raise Unclear("Type a move or a command; 'help' lists them.")
        if len(text) > _LONGEST:
            raise Unclear(f"That line has {len(text)} characters; the limit is {_LONGEST}.")
        asked = _ASKED.fullmatch(text)
        if asked is not None:
            return c.Targets(asked[1].lower())
        word, rest = _first_word(text)
        entry = self._by_word.get(word)
        if entry is None:
            glued = _GLUED.fullmatch(word)
            if glued is not None and glued[1] in self._by_word:
                entry, rest = self._by_word[glued[1]], f"{glued[2]} {rest}".rstrip()
        if entry is not None:
            return entry.read(rest) if callable(entry.read) else phrases.nothing(entry.read, rest)
        plain = self._plain(text)
        if plain is not None:
            return plain
        raise Unclear(self._suggestion(word))

    def help(self, topic: str | None = None) -> list[str]:
        """The groups of commands, a line each; or the commands of a group, by its number or name; or the explanation of
        a word. Raises `Unclear` for any other topic."""
        if topic is None:
            numbered = enumerate(self.groups, start=1)
            return [f"{n} {group.name}: {', '.join(_brief(entry) for entry in group.entries)}" for n, group in numbered]
        group = self.group(topic)
        if group is not None:
            width = max(len(entry.usage) for entry in group.entries)
            return [f"{entry.usage:<{width}}  {entry.about}" for entry in group.entries]
        entry = self._by_word.get(topic.lower())
        if entry is None:
            raise Unclear(self._suggestion(topic.lower()))
        others = [word for word in entry.words[1:] if word]
        also = f" Also: {', '.join(others)}." if others else ""
        return [f"{entry.usage}: {entry.about}.{also}"]

    def group(self, topic: str) -> Group | None:
        """A group by its number or name."""
        if topic.isascii() and topic.isdecimal():
            number = int(topic[:3])
            return self.groups[number - 1] if 1 <= number <= len(self.groups) else None
        return next((group for group in self.groups if group.name.lower() == topic.lower()), None)

    def spellings(self, word: str) -> tuple[str, ...]:
        """All words for the same command."""
        return self._by_word[word].words

    def _suggestion(self, word: str) -> str:
        near = difflib.get_close_matches(word, self._by_word, n=1, cutoff=0.6)
        guess = f" Did you mean '{near[0]}'?" if near else ""
        return f"There is no command '{phrases.shown(word)}'.{guess} 'help' lists them."


def _brief(entry: Entry) -> str:
    """A command in the short form of the list of groups."""
    return entry.usage.partition(" ")[0]


def _first_word(text: str) -> tuple[str, str]:
    sign = _SIGN.fullmatch(text)
    if sign is not None:
        return sign[1], sign[2]
    word, _, rest = text.partition(" ")
    return word.lower(), rest


def _moved(text: str) -> Command | None:
    """Parse a move: text with a square in it, or castling, unless its first word is a command."""
    return c.Move(text) if _MOVE.match(text) else None


# -- the four languages -----------------------------------------------------------------------------

_HELP: Final = Entry(
    ("help", "?", "h", "options"), "help", "list the groups; 'help 2', 'help undo' and 'help e2' say more", phrases.help
)
_QUIT: Final = Entry(("quit", "q", "exit", "bye"), "quit", "quit (offers to save)", c.Quit())
_READ: Final = Entry(("read", "r", "load", "open"), "read FILE", "open a game from a file", phrases.read)
_BOARD: Final = Entry(("board", "b"), "board", "show the board", c.Show("board"))
_FLIP: Final = Entry(("flip", "rotate"), "flip [SEAT]", "turn the board", phrases.optional(c.Flip, phrases.word))
_ZOOM: Final = Entry(("zoom",), "zoom [in|out]", "a larger or smaller board", phrases.zoom)
_FEN: Final = Entry(("fen",), "fen", "the position as FEN, or FEN4", c.Show("fen"))

_ACCOUNT: Final = Entry(
    ("account",),
    "account",
    "your account; 'account new NAME' makes one; name NAME, login CODE, code, out [N]",
    phrases.account,
)

_GAMES: Final = (
    Entry(("rooms", "list"), "rooms [VARIANT]", "the games that are open or being played", phrases.rooms),
    Entry(
        ("games",),
        "games [all|NAME] [VARIANT]",
        "your games, everybody's, or a player's, those that are over too",
        phrases.games,
    ),
    Entry(
        ("create", "new", "game"),
        "create [2|4|VARIANT] [5+3] [SEAT=LEVEL]",
        "open a game: variant, time, computer players, 'private', 'casual'",
        phrases.create,
    ),
    Entry(("begin",), "begin", "choose a game step by step: two or four players, setup", c.Begin()),
    Entry(("join",), "join ROOM [SEAT]", "take a seat in a game", phrases.join),
    Entry(("watch", "observe"), "watch ROOM", "watch a game", phrases.watch),
    Entry(
        ("seek", "pair"),
        "seek [VARIANT] [5+3]",
        "be paired; range=200: near your rating; pool=CODE: in a class or club",
        phrases.seek,
    ),
    Entry(("setup", "edit"), "setup [VARIANT]", "build a position, and play from it", phrases.edit),
)

_PLAYERS: Final = Group(
    "Players",
    (
        Entry(("rating", "ratings"), "rating [NAME]", "your ratings, or another player's", phrases.rating),
        Entry(
            ("leaderboard", "leaders"),
            "leaderboard [bots] [VARIANT] [SPEED]",
            "the highest ratings; speeds: bullet, blitz, rapid, classical, untimed",
            phrases.leaderboard,
        ),
        Entry(
            ("follow", "following", "friends"),
            "follow [NAME]",
            "follow a player who has an account; alone, list the players you follow",
            phrases.follow,
        ),
        Entry(("unfollow",), "unfollow NAME", "stop following a player", phrases.unfollow),
    ),
)

_CHALLENGE: Final = Entry(
    ("challenge", "challenges"),
    "challenge NAME [VARIANT] [5+3]",
    "challenge a player; 4 blue=NAME ...; alone: list; yes, no, cancel, again",
    phrases.challenge,
)

_ONLINE: Final = Entry(("players", "people", "online"), "players", "who is online", c.People())

_MODERATE: Final = Entry(
    ("moderate", "mod"),
    "moderate [ACT ...]",
    "for moderators: ban, mute, lift, settle ...; alone, list reports and orders",
    moderation.moderate,
)

_STUDIES: Final = (
    Entry(("studies",), "studies [public]", "your studies, or the public ones", studies.studies),
    Entry(
        ("study",),
        "study ID",
        "open a study; or create one: new [VARIANT] [TITLE], file FILE, game [ROOM]",
        studies.study,
    ),
)

LOBBY: Final = Language(
    (
        Group("Games", _GAMES),
        Group("People", (_ONLINE, _CHALLENGE, _MODERATE)),
        Group("Program", (_READ, _ACCOUNT, _HELP, _QUIT)),
        _PLAYERS,
        Group("Studies", _STUDIES),
    ),
    lambda _: None,
)
"""The commands before a game."""

_MOVES: Final = (
    Entry(
        ("move", "m", "play"), "e2e4", "play a move; also e2;e4, move e2 e4, Nf3, O-O, e7e8q (promotion)", phrases.move
    ),
    Entry(
        ("moves", "targets", "legal"),
        "e2? or help e2",
        "where the piece on e2 can go; 'moves', all moves",
        phrases.targets,
    ),
    Entry(("claim",), "claim", "end the game by a claim that the rules allow", c.Act("claim")),
    Entry(("resign", "surrender"), "resign [SEAT]", "give up", phrases.optional(c.Resign, phrases.word)),
    Entry(("abort",), "abort", "abort the game before everybody has moved", c.Act("abort")),
    Entry(("give",), "give [SEAT]", "give an opponent 15 seconds", phrases.optional(c.Give, phrases.word)),
    Entry(("berserk",), "berserk", "before your first move: give up half of your time", c.Act("berserk")),
)

_VOTES: Final = (
    Entry(("undo", "u", "takeback"), "undo [N]", "propose to undo to your last turn, or N moves", phrases.undo),
    Entry(("redo",), "redo [N]", "propose to redo N undone moves", phrases.redo),
    Entry(("draw", "remis"), "draw", "propose a draw (in ffa: to end on points)", c.Propose("draw")),
    Entry(("rematch", "again"), "rematch", "propose another game, with other colours", c.Propose("rematch")),
    Entry(("pause",), "pause", "propose to stop the clocks for at most 10 minutes", c.Propose("pause")),
    Entry(("resume", "unpause"), "resume", "propose to end the pause", c.Propose("resume")),
    Entry(("remove",), "remove SEAT", "propose to remove an absent player", phrases.remove),
    Entry(("withdraw", "retract"), "withdraw", "take your proposal back", c.Act("withdraw")),
    Entry(("yes", "y", "agree", "accept", "ok"), "yes", "vote yes, or answer yes", c.Answer(True)),
    Entry(("no", "n", "refuse", "decline"), "no", "vote no, or answer no", c.Answer(False)),
)

_SEEN: Final = (
    _BOARD,
    _FLIP,
    _ZOOM,
    Entry(("score", "material"), "score", "the series, points, and material", c.Show("score")),
    Entry(("clocks", "clock", "time"), "clocks", "the time left", c.Show("clocks")),
    Entry(("link", "room", "url"), "link", "the address of this game", c.Show("link")),
    _FEN,
)

_PAST: Final = (
    Entry(("history",), "history [N]", "the moves so far; with N, the board after move N", phrases.history),
    Entry(("first", "<<", "start"), "first", "look at the beginning", c.GoTo("first")),
    Entry(("back", "<", "previous"), "back [N]", "look N moves (1) back", phrases.back),
    Entry(("forward", ">", "next"), "forward [N]", "look N moves (1) forward", phrases.forward),
    Entry(("explore", "explorer"), "explore", "moves from here in archived games, with results", c.Explore()),
    Entry(("analyse", "analyze", "lines"), "analyse", "best lines from here, after the game", c.Analyse()),
    Entry(("review",), "review", "review of the bad moves, after the game", c.Review()),
    Entry(("puzzle", "puzzles"), "puzzle", "puzzles from this game, or from your latest ones", c.Puzzle()),
    Entry(("last", ">>", "live", "end"), "last", "look at the present position", c.GoTo("last")),
)

_PEOPLE: Final = (
    Entry(("who", "watchers", "players", "seats"), "who", "players, connections and watchers", c.Show("who")),
    Entry(("say", "chat", "tell"), "say TEXT", "chat with everybody", phrases.say("all")),
    Entry(("table", "whisper"), "table TEXT", "chat with the players", phrases.say("table")),
    Entry(("react",), "react WORD", "show a reaction, such as 'good move'; alone, list them", phrases.react),
    Entry(("bot", "add", "level"), "bot [SEAT] LEVEL", "a computer player of level 1 to 5", phrases.bot),
    Entry(("invite",), "invite [SEAT=]NAME", "invite a bot to your table; alone, list bots", phrases.invite),
    Entry(("sit", "person"), "sit [SEAT]", "take a seat", phrases.optional(c.Sit, phrases.word)),
    Entry(("people", "online"), "people", "who is online", c.People()),
    _CHALLENGE,
)

_ORDER: Final = Group(
    "Order",
    (
        Entry(("kick",), "kick SEAT", "in your room: remove a player before the start", phrases.kick),
        Entry(("close",), "close", "in your room: close it before the start", c.Act("close")),
        Entry(("report",), "report SEAT WHY", "report a player to the moderators", moderation.report),
        _MODERATE,
    ),
)

_FILES: Final = (
    Entry(("save", "write"), "save FILE", "save to a file: .pgn, .pgn4, .smith or .fen", phrases.save),
    _READ,
    Entry(("export", "pgn", "print"), "export [FORMAT]", "print the game", phrases.export),
    _ACCOUNT,
    _HELP,
    _QUIT,
)

_LEAVE: Final = Entry(("leave", "lobby"), "leave", "go to the lobby; you keep your seat in a running game", c.Leave())

PLAY: Final = Language(
    (
        Group("Moves", _MOVES),
        Group("Votes", _VOTES),
        Group("Board", _SEEN),
        Group("Past", _PAST),
        Group("People", _PEOPLE),
        Group("Games", (*_GAMES, _LEAVE)),
        Group("Program", _FILES),
        _PLAYERS,
        _ORDER,
        Group("Studies", _STUDIES),
    ),
    _moved,
)
"""The commands in a game."""

SETUP: Final = Language(
    (
        Group(
            "Board",
            (
                Entry(("+", "put", "add"), "+ wK e1", "put a piece on a square: colour, piece, square", phrases.put),
                Entry(("-", "remove", "take"), "- e1", "remove the piece from a square", phrases.take),
                Entry(("=", "turn", "move"), "= black", "set the side to move", phrases.turn),
                Entry(
                    ("castling", "rights"),
                    "castling all|none|SEAT SIDE...",
                    "set the castling rights",
                    phrases.castling,
                ),
                Entry(("clear", "empty"), "clear", "empty the board", c.Lay(None)),
                Entry(
                    ("fen", "start", "lay"),
                    "fen FEN",
                    "start from a FEN, a FEN4, or a start array's name",
                    phrases.lay,
                ),
            ),
        ),
        Group(
            "Program",
            (
                Entry(("done", "play", "ready"), "done", "play from here", c.Done()),
                Entry(("cancel", "leave", "abort"), "cancel", "forget it", c.Cancel()),
                _BOARD,
                _FLIP,
                _ZOOM,
                _HELP,
                _QUIT,
            ),
        ),
    ),
    lambda _: None,
)
"""The commands in setup mode."""

_WALK: Final = (
    Entry(("move", "m", "play"), "e2e4", "play a move, or go to it; also Nf3, O-O; '--' passes the turn", phrases.move),
    Entry(("moves", "targets", "legal"), "e2?", "where the piece on e2 can go; 'moves', all moves", phrases.targets),
    Entry(("back", "<", "previous"), "back [N]", "N moves (1) back", phrases.back),
    Entry(("forward", ">", "next"), "forward [N]", "N moves (1) forward", phrases.forward),
    Entry(("first", "<<", "start"), "first", "to the start of the chapter", c.GoTo("first")),
    Entry(("last", ">>", "end"), "last", "to the end of the line", c.GoTo("last")),
    Entry(("down", "variation"), "down", "to the next variation beside this move", c.Sibling(1)),
    Entry(("up",), "up", "to the variation before, or the main move", c.Sibling(-1)),
    Entry(("node", "go"), "node N", "to a move by its number in the page's address", studies.node),
)

_NOTES: Final = (
    Entry(
        ("comment", "note", "say"), "comment TEXT", "comment on the move; 'uncomment' removes it", phrases.comment
    ),
    Entry(("uncomment",), "uncomment", "remove the comment", c.Comment("")),
    Entry(("arrow", "draw"), "arrow e2 e4 [COLOUR]", "draw an arrow; repeat to remove it", studies.draw),
    Entry(("mark",), "mark e4 [COLOUR]", "mark a square; repeat to remove the mark", studies.mark),
    Entry(("glyph",), "glyph !?", "glyphs of the move: ! ? !! ?? !? ?! = +- ..., or 'none'", studies.glyph),
    Entry(("promote",), "promote [all]", "promote this variation; 'all': to the main line", studies.promote),
    Entry(("remove", "delete", "prune"), "remove", "remove the move and everything after it", c.Prune()),
)

_CHAPTERS: Final = (
    Entry(("chapter", "chapters"), "chapter [N]", "list the chapters; go to the Nth", studies.chapter),
    Entry(("add",), "add new [VARIANT]", "add a chapter; also 'add file FILE' and 'add game ROOM'", studies.chapters),
    Entry(("title", "rename"), "title TEXT", "rename the chapter; 'title study TEXT' renames the study", studies.title),
    Entry(("drop",), "drop", "remove this chapter", c.DropChapter()),
    Entry(("share",), "share private|link|public", "choose who can see the study", studies.share),
    Entry(("allow", "writers"), "allow owner|everybody|NAMES", "choose who can write in it", studies.allow),
    Entry(("destroy",), "destroy", "delete the study for good", c.DeleteStudy()),
)

STUDY: Final = Language(
    (
        Group("Moves", _WALK),
        Group("Notes", _NOTES),
        Group("Chapters", _CHAPTERS),
        Group(
            "Board",
            (
                _BOARD,
                Entry(("tree", "history"), "tree", "all moves, with variations and comments", c.Tree()),
                _FLIP,
                _ZOOM,
                _FEN,
                Entry(("who", "watchers", "people"), "who", "who is here, and at which move", c.Show("who")),
                Entry(("link", "url"), "link", "the address of this study", c.Show("link")),
                Entry(("explore", "explorer"), "explore", "moves from here in archived games", c.Explore()),
                Entry(("analyse", "analyze", "lines"), "analyse", "best lines from here", c.Analyse()),
            ),
        ),
        Group(
            "Program",
            (
                Entry(("save", "write"), "save FILE", "save all chapters to a file: .pgn or .pgn4", phrases.save),
                Entry(("export", "pgn", "print"), "export [FORMAT]", "print the chapter", phrases.export),
                *_STUDIES,
                Entry(("leave", "lobby", "close"), "leave", "back to the lobby", c.Leave()),
                _HELP,
                _QUIT,
            ),
        ),
    ),
    lambda text: c.Move(text) if _PASSED.fullmatch(text) else _moved(text),
)
"""The commands in a study."""
