"""How commands are typed: a line of text becomes a command, or `Unclear` says what would be one.

Pure. Each of the three languages (`PLAY`, at a game; `LOBBY`, before one; `SETUP`, over a board that is put together)
is a table, from which its help is printed too. It refuses to know games: whether there is such a seat or square, and
whether a move is legal, finds out who carries the command out.

    PLAY.read("e2;e4")      # Move("e2;e4")
    PLAY.read("undo 3")     # Propose("undo", 3)
    PLAY.help()             # the table, as lines of text
"""

import difflib
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from clients.bots.levels import LEVELS
from clients.connection import ProposalKind
from clients.terminal import commands as c
from clients.terminal.commands import Command, Unclear
from clients.terminal.game import Opening
from engine.variants import VARIANTS, seats
from protocol.from_client import Clock

_LONGEST: Final = 2000
_SQUARE: Final = re.compile(r"[A-Za-z]\d{1,3}")
_ASKED: Final = re.compile(r"([A-Za-z]\d{1,3})\s*\?+")
_MOVE: Final = re.compile(r"[A-Za-z@]\d|[0Oo]-[0Oo]")
_GLUED: Final = re.compile(r"([A-Za-z]{2,})(\d+)")
_SIGN: Final = re.compile(r"([-+=<>]+)\s*(.*)", re.DOTALL)
_CLOCK: Final = re.compile(r"(\d+(?:\.\d+)?)(?:([+d])(\d+(?:\.\d+)?))?")
_PIECE: Final = re.compile(r"([A-Za-z])([A-Za-z])")

Reader = Callable[[str], Command]
"""Reads what stands behind the first word."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A command as it is typed: by any of the `words`, the first being the usual; `usage` and `about` are for help."""

    words: tuple[str, ...]
    usage: str
    about: str
    read: Reader


class Language:
    """A table of commands. `plain` reads what begins with none of its words, None if nothing may."""

    def __init__(self, entries: Sequence[Entry], plain: Callable[[str], Command | None]) -> None:
        self.entries = tuple(entries)
        self._by_word = {word: entry for entry in entries for word in entry.words}
        self._plain = plain

    def read(self, line: str) -> Command:
        """The command that a line means. Raises `Unclear`, and nothing else."""
        text = " ".join(line.split())
        if not text:
            raise Unclear("Type a move or a command; 'help' lists them.")
        if len(text) > _LONGEST:
            raise Unclear(f"That line has {len(text)} characters; at most {_LONGEST} are read.")
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
            return entry.read(rest)
        plain = self._plain(text)
        if plain is not None:
            return plain
        raise Unclear(self._suggestion(word))

    def help(self, topic: str | None = None) -> list[str]:
        """All commands, a line each, or those that a word names. Raises `Unclear` for a word that is none."""
        if topic is None:
            width = max(len(entry.usage) for entry in self.entries)
            return [f"{entry.usage:<{width}}  {entry.about}" for entry in self.entries]
        entry = self._by_word.get(topic.lower())
        if entry is None:
            raise Unclear(self._suggestion(topic.lower()))
        others = [word for word in entry.words[1:] if word]
        also = f" Also: {', '.join(others)}." if others else ""
        return [f"{entry.usage}: {entry.about}.{also}"]

    def spellings(self, word: str) -> tuple[str, ...]:
        """All words for the same command."""
        return self._by_word[word].words

    def words(self) -> list[str]:
        """Every word that begins a command."""
        return sorted(self._by_word)

    def _suggestion(self, word: str) -> str:
        near = difflib.get_close_matches(word, self._by_word, n=1, cutoff=0.6)
        guess = f" Did you mean '{near[0]}'?" if near else ""
        return f"There is no command '{_shown(word)}'.{guess} 'help' lists them."


def _first_word(text: str) -> tuple[str, str]:
    sign = _SIGN.fullmatch(text)
    if sign is not None:
        return sign[1], sign[2]
    word, _, rest = text.partition(" ")
    return word.lower(), rest


def _shown(text: str) -> str:
    return text if len(text) <= 20 else text[:20] + "…"


# -- what stands behind a word ----------------------------------------------------------------------


def _nothing(command: Command) -> Reader:
    def read(rest: str) -> Command:
        if rest:
            raise Unclear(f"Nothing more was expected before '{_shown(rest)}'.")
        return command

    return read


def number(text: str, what: str = "a number") -> int:
    """A whole number from 1. Raises `Unclear`."""
    if not (text.isascii() and text.isdecimal()) or not 1 <= int(text[:9]) <= 1_000_000:
        raise Unclear(f"'{_shown(text)}' is not {what}; write a whole number from 1.")
    return int(text)


def square(text: str) -> str:
    """What looks like the name of a square. Raises `Unclear`."""
    if _SQUARE.fullmatch(text) is None:
        raise Unclear(f"'{_shown(text)}' is no square; write one as e2.")
    return text.lower()


def _maybe(text: str) -> str | None:
    return text or None


def _word(text: str) -> str | None:
    """One word, or none."""
    if " " in text:
        raise Unclear(f"One word was expected, not '{_shown(text)}'.")
    return text.lower() or None


def _proposal(kind: ProposalKind) -> Reader:
    def read(rest: str) -> Command:
        return c.Propose(kind, number(rest, "a number of moves") if rest else 1)

    return read


def _step(to: str) -> Reader:
    def read(rest: str) -> Command:
        return c.Step(to, number(rest, "a number of moves") if rest else 1)  # type: ignore[arg-type]

    return read


def _history(rest: str) -> Command:
    if not rest:
        return c.History()
    return c.Step("first") if rest == "0" else c.Step("ply", number(rest, "a move's number"))


def _move(rest: str) -> Command:
    if not rest:
        raise Unclear("Which move? Write it as 'move e2 e4'.")
    return c.Move(rest)


def _help(rest: str) -> Command:
    return c.Targets(rest.lower()) if _SQUARE.fullmatch(rest) else c.Help(_maybe(rest))


def _targets(rest: str) -> Command:
    return c.Targets(square(rest) if rest else None)


def _say(to: str) -> Reader:
    def read(rest: str) -> Command:
        if not rest:
            raise Unclear("Say what? Write it behind: 'say good game'.")
        return c.Say(rest[:200], to)  # type: ignore[arg-type]

    return read


def level(text: str) -> int:
    """The level of a computer player. Raises `Unclear`."""
    if text not in map(str, LEVELS):
        raise Unclear(f"'{_shown(text)}' is no level of a computer player; there are {LEVELS[0]} to {LEVELS[-1]}.")
    return int(text)


def _bot(rest: str) -> Command:
    words = [word for word in rest.lower().replace("=", " ").split() if word not in ("level", "bot", "to", "at")]
    seat = [word for word in words if not word.isdecimal()]
    numbers = [word for word in words if word.isdecimal()]
    if len(numbers) != 1 or len(seat) > 1:
        raise Unclear(f"Write a seat and a level from {LEVELS[0]} to {LEVELS[-1]}: 'bot black 3', or 'bot 3'.")
    return c.Bot(seat[0] if seat else None, level(numbers[0]))


def _remove(rest: str) -> Command:
    if not rest:
        raise Unclear("Remove whom? Name the seat: 'remove blue'.")
    return c.Propose("remove", seat=_word(rest))


def _zoom(rest: str) -> Command:
    steps: dict[str, c.Zoom] = {"": c.Zoom(0), "in": c.Zoom(1), "+": c.Zoom(1), "out": c.Zoom(-1), "-": c.Zoom(-1)}
    if rest.lower() not in steps:
        raise Unclear("Write 'zoom', 'zoom in' or 'zoom out'.")
    return steps[rest.lower()]


def clock(text: str) -> Clock | None:
    """A time control as people write it: minutes, and seconds for each move: `5`, `5+3` (added), `5d3` (a delay);
    `untimed` is none. Raises `Unclear`."""
    if text in ("untimed", "none", "-"):
        return None
    match = _CLOCK.fullmatch(text)
    if match is None or len(text) > 16:
        raise Unclear(
            f"'{_shown(text)}' is no time; write minutes and seconds a move: 5+3, 5d3 (a delay) or 'untimed'."
        )
    minutes, kind, seconds = match.groups()
    base, extra = round(float(minutes) * 60_000), round(float(seconds or 0) * 1000)
    if not 1 <= base <= 7 * 86_400_000 or extra > 86_400_000:
        raise Unclear("A clock has at least a little time, at most a week, and at most a day for each move.")
    return Clock(base, increment=0 if kind == "d" else extra, delay=extra if kind == "d" else 0)


def variant(text: str) -> str:
    """A variant by its name, or by how many play. Raises `Unclear`."""
    name = {"2": "standard", "two": "standard", "4": "survivor", "four": "survivor", "chess": "standard"}.get(
        text, text
    )
    if name not in VARIANTS:
        raise Unclear(f"There is no variant '{_shown(text)}'; there are {', '.join(VARIANTS)}.")
    return name


def seating(name: str, wishes: Sequence[str]) -> dict[str, int]:
    """The computer players of a game: `black=3` seats one, `3` one at every seat that is left but the first of them.

    Raises `Unclear`.
    """
    there = seats(name)
    levels: dict[str, int] = {}
    rest: int | None = None
    for wish in wishes:
        seat, equals, text = wish.partition("=")
        if not equals:
            rest = level(wish)
            continue
        full = next((one for one in there if seat in (one, one[0])), None)
        if full is None:
            raise Unclear(f"There is no seat '{_shown(seat)}' in {name}; there are {', '.join(there)}.")
        levels[full] = level(text)
    if rest is not None:
        free = [seat for seat in there if seat not in levels]
        levels |= dict.fromkeys(free[1:], rest)
    return levels


def _create(rest: str) -> Command:
    name, control, private, password = "standard", None, False, None
    wishes = []
    for word in rest.split():
        key, equals, value = word.partition("=")
        lower = word.lower()
        if key.lower() == "password" and equals:
            password = value
        elif key.lower() == "bots" and equals:
            wishes.append(value)
        elif equals:
            wishes.append(lower)
        elif lower in ("private", "public"):
            private = lower == "private"
        elif lower in VARIANTS or lower in ("2", "4", "two", "four", "chess"):
            name = variant(lower)
        elif lower in ("untimed", "none", "-") or lower[0].isdecimal():
            control = clock(lower)
        else:
            raise Unclear(
                f"'{_shown(word)}' is neither a variant ({', '.join(VARIANTS)}), nor a time such as 5+3, "
                "nor 'private', nor a computer player such as black=3."
            )
    levels = seating(name, wishes)
    opening = Opening(name, clock=control, password=password, levels=levels)
    return c.Create(replace(opening, visibility="private") if private else opening)


def _where(text: str) -> tuple[str, list[str]]:
    words = text.split()
    if not words:
        raise Unclear("Which room? Write its id, as 'rooms' lists it, or its address.")
    return words[0].rpartition("/r/")[2], words[1:]


def _join(rest: str) -> Command:
    room, more = _where(rest)
    seat = password = None
    for word in more:
        if word.lower().startswith("password="):
            password = word[len("password=") :]
        else:
            seat = word.lower()
    return c.Join(room, seat, password)


def _watch(rest: str) -> Command:
    room, more = _where(rest)
    return c.Watch(room, more[0].removeprefix("password=") if more else None)


def _seek(rest: str) -> Command:
    opening = _create(rest)
    assert isinstance(opening, c.Create)
    return c.Seek(opening.opening.variant, opening.opening.clock)


def _rooms(rest: str) -> Command:
    return c.Rooms(variant(rest.lower()) if rest else None)


def _edit(rest: str) -> Command:
    return c.Edit(variant(rest.lower()) if rest else None)


def _put(rest: str) -> Command:
    words = rest.replace(",", " ").split()
    if len(words) == 1 and len(words[0]) >= 4:  # +wKe1
        words = [words[0][:2], words[0][2:]]
    if len(words) == 2:
        pieces = _PIECE.fullmatch(words[0])
        if pieces is not None:
            return c.Put(pieces[1].lower(), pieces[2].lower(), square(words[1]))
    if len(words) == 3:  # white king e1
        return c.Put(words[0].lower(), words[1].lower(), square(words[2]))
    raise Unclear("Write colour, piece and square: '+ wK e1', or '+ white king e1'.")


def _take(rest: str) -> Command:
    return c.Take(square(rest))


def _turn(rest: str) -> Command:
    seat = _word(rest)
    if seat is None:
        raise Unclear("Whose move is it? Name the seat: '= black'.")
    return c.Turn(seat)


def _castling(rest: str) -> Command:
    words = rest.lower().replace(",", " ").split()
    if words in ([], ["all"]):
        return c.Castling(None)
    if words in (["none"], ["-"]):
        return c.Castling(())
    sides = {"short": True, "long": False}
    if len(words) % 2 or any(side not in sides for side in words[1::2]):
        raise Unclear("Write 'castling all', 'castling none', or seats and sides: 'castling white short black long'.")
    return c.Castling(tuple((seat, sides[side]) for seat, side in zip(words[::2], words[1::2], strict=True)))


def _lay(rest: str) -> Command:
    if not rest:
        raise Unclear("Write a FEN, a FEN4, or the name of a start array behind it; 'clear' empties the board.")
    return c.Lay(rest)


def _moved(text: str) -> Command | None:
    """Whatever has a square in it, or castles, is meant as a move."""
    return c.Move(text) if _MOVE.search(text) else None


# -- the three languages ----------------------------------------------------------------------------

_HELP: Final = Entry(
    ("help", "?", "h", "options"), "? or help", "this list; 'help undo' says more of one command", _help
)
_QUIT: Final = Entry(("quit", "q", "exit", "bye"), "quit", "go, after an offer to save", _nothing(c.Quit()))
_READ: Final = Entry(
    ("read", "r", "load", "open"), "read FILE", "open a game from a file", lambda rest: c.Read(_maybe(rest))
)
_BOARD: Final = Entry(("board", "b"), "board", "show the board", _nothing(c.Show("board")))
_FLIP: Final = Entry(("flip", "rotate"), "flip [SEAT]", "turn the board", lambda rest: c.Flip(_word(rest)))
_ZOOM: Final = Entry(("zoom",), "zoom [in|out]", "a larger or smaller board", _zoom)
_FEN: Final = Entry(("fen",), "fen", "the position as FEN, or FEN4", _nothing(c.Show("fen")))

_ELSEWHERE: Final = (
    Entry(("rooms", "list", "games"), "rooms [VARIANT]", "the games that are open or being played", _rooms),
    Entry(
        ("create", "new", "game"),
        "create [2|4|VARIANT] [5+3] [SEAT=LEVEL]",
        "open a game: variant, time, computer players, 'private'",
        _create,
    ),
    Entry(("join",), "join ROOM [SEAT]", "sit down in a game", _join),
    Entry(("watch", "observe"), "watch ROOM", "look on", _watch),
    Entry(("seek", "pair"), "seek [VARIANT] [5+3]", "play whoever wants the same game", _seek),
    _READ,
    Entry(("setup", "edit"), "setup [VARIANT]", "put a position together, and play from it", _edit),
)

LOBBY: Final = Language((*_ELSEWHERE, _HELP, _QUIT), lambda _: None)
"""Before a game."""

PLAY: Final = Language(
    (
        Entry(("move", "m", "play"), "e2e4", "play a move; also e2;e4, move e2 e4, Nf3, O-O, e7e8q (promotion)", _move),
        Entry(
            ("moves", "targets", "legal"),
            "e2? or help e2",
            "where the piece on e2 can go; 'moves', all moves",
            _targets,
        ),
        Entry(("undo", "u", "takeback"), "undo [N]", "take back N moves (1), if all agree", _proposal("undo")),
        Entry(("redo",), "redo [N]", "play N undone moves again, if all agree", _proposal("redo")),
        Entry(("draw", "remis"), "draw", "end as a draw, if all agree", _nothing(c.Propose("draw"))),
        Entry(("yes", "y", "agree", "accept", "ok"), "yes", "agree to what is asked", _nothing(c.Answer(True))),
        Entry(("no", "n", "refuse", "decline"), "no", "refuse what is asked", _nothing(c.Answer(False))),
        Entry(("resign", "surrender"), "resign [SEAT]", "give up", lambda rest: c.Resign(_word(rest))),
        Entry(("abort",), "abort", "call the game off before everybody has moved", _nothing(c.Abort())),
        Entry(
            ("rematch", "again"),
            "rematch",
            "another game, colours changed, if all agree",
            _nothing(c.Propose("rematch")),
        ),
        Entry(("score", "material"), "score", "the series, points, and material", _nothing(c.Show("score"))),
        Entry(("clocks", "clock", "time"), "clocks", "the time left", _nothing(c.Show("clocks"))),
        _BOARD,
        _FLIP,
        _ZOOM,
        Entry(("history",), "history [N]", "the moves so far; with N, the board after move N", _history),
        Entry(("first", "<<", "start"), "first", "look at the beginning", _nothing(c.Step("first"))),
        Entry(("back", "<", "previous"), "back [N]", "look N moves (1) back", _step("back")),
        Entry(("forward", ">", "next"), "forward [N]", "look N moves (1) forward", _step("forward")),
        Entry(("last", ">>", "live", "end"), "last", "look at the game as it is", _nothing(c.Step("last"))),
        Entry(("say", "chat", "tell"), "say TEXT", "talk to all", _say("all")),
        Entry(("table", "whisper"), "table TEXT", "talk to those who play", _say("table")),
        Entry(("bot", "add", "level"), "bot [SEAT] LEVEL", "a computer player of level 1 to 5", _bot),
        Entry(("sit", "person"), "sit [SEAT]", "take a seat", lambda rest: c.Sit(_word(rest))),
        Entry(("remove", "kick"), "remove SEAT", "take an absent player out, if all agree", _remove),
        Entry(
            ("who", "watchers", "players", "seats"),
            "who",
            "who plays, who is here, how many watch",
            _nothing(c.Show("who")),
        ),
        Entry(("link", "room", "url"), "link", "the address of this game", _nothing(c.Show("link"))),
        _FEN,
        Entry(
            ("save", "write"), "save FILE", "to a file: .pgn, .pgn4, .smith or .fen", lambda rest: c.Save(_maybe(rest))
        ),
        Entry(("export", "pgn", "print"), "export [FORMAT]", "print the game", lambda rest: c.Export(_word(rest))),
        *_ELSEWHERE,
        Entry(
            ("leave", "lobby"), "leave", "back to the lobby; your seat is kept once the game runs", _nothing(c.Leave())
        ),
        _HELP,
        _QUIT,
    ),
    _moved,
)
"""At a game."""

SETUP: Final = Language(
    (
        Entry(("+", "put", "add"), "+ wK e1", "a piece on a square: colour, piece, square", _put),
        Entry(("-", "remove", "take"), "- e1", "the piece off a square", _take),
        Entry(("=", "turn", "move"), "= black", "whose move it is", _turn),
        Entry(("castling", "rights"), "castling all|none|SEAT SIDE...", "who may castle, and to which side", _castling),
        Entry(("clear", "empty"), "clear", "an empty board", _nothing(c.Lay(None))),
        Entry(("fen", "start", "lay"), "fen FEN", "a position to change: a FEN, a FEN4, or a start array's name", _lay),
        _BOARD,
        Entry(("flip", "rotate"), "flip [SEAT]", "turn the board", lambda rest: c.Flip(_word(rest))),
        _ZOOM,
        Entry(("done", "play", "ready"), "done", "play from here", _nothing(c.Done())),
        Entry(("cancel", "leave", "abort"), "cancel", "forget it", _nothing(c.Cancel())),
        _HELP,
        _QUIT,
    ),
    lambda _: None,
)
"""Over a board that is put together."""
