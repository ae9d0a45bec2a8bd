"""The arguments of commands: squares, seats, numbers, times. Each parser returns a command, or raises `Unclear`.
Pure."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Final, Literal, TypeVar, cast, get_args

from fourfold.clients.bots.levels import LEVELS
from fourfold.clients.games.game import Opening, Sought, Wish
from fourfold.clients.terminal.parser import commands as c
from fourfold.clients.terminal.parser.commands import Command, Unclear
from fourfold.engine.variants import VARIANTS, player_seats, rules_of, seats
from fourfold.protocol.from_client import Clock, Reaction, Speed

SQUARE: Final = re.compile(r"[A-Za-z]\d{1,3}")
_CLOCK: Final = re.compile(r"(\d+(?:\.\d+)?)(?:([+d])(\d+(?:\.\d+)?))?")
_PIECE: Final = re.compile(r"([A-Za-z])([A-Za-z])")

_BY_PLAYERS: Final = {"two": "standard", "chess": "standard", "four": "survivor"}
"""Words for the variant of a number of players. A bare number means the first variant for that many."""

REACTIONS: Final[tuple[str, ...]] = get_args(Reaction)
"""The names of the quick reactions."""

Reader = Callable[[str], Command]
"""Parses the text after the first word."""

_Argument = TypeVar("_Argument")


def nothing(command: Command, rest: str) -> Command:
    """Parse a command without arguments. Raises `Unclear` if there are any."""
    if rest:
        raise Unclear(f"Unexpected text: '{shown(rest)}'.")
    return command


def number(text: str, what: str = "a number") -> int:
    """Parse a whole number from 1. Raises `Unclear`."""
    if not (text.isascii() and text.isdecimal()) or not 1 <= int(text[:9]) <= 1_000_000:
        raise Unclear(f"'{shown(text)}' is not {what}; write a whole number from 1.")
    return int(text)


def square(text: str) -> str:
    """Parse text with the form of a square's name. Raises `Unclear`."""
    if SQUARE.fullmatch(text) is None:
        raise Unclear(f"'{shown(text)}' is not a square such as e2.")
    return text.lower()


def word(text: str) -> str:
    """Parse one word. Raises `Unclear` for several."""
    if " " in text:
        raise Unclear(f"One word was expected, not '{shown(text)}'.")
    return text.lower()


def counted(command: Callable[[int], Command]) -> Reader:
    """A parser for a number of moves, 1 by default."""
    return lambda rest: command(number(rest, "a number of moves") if rest else 1)


def optional(command: Callable[[_Argument | None], Command], read: Callable[[str], _Argument]) -> Reader:
    """A parser for an optional argument, which `read` parses."""
    return lambda rest: command(read(rest) if rest else None)


def needed(command: Callable[[str], Command], question: str) -> Reader:
    """A parser for a required argument. Without one, it asks the `question`."""

    def read(rest: str) -> Command:
        if not rest:
            raise Unclear(question)
        return command(rest)

    return read


def chosen(commands: Mapping[str, Command], question: str) -> Reader:
    """A parser for one of these words, in any case; an empty one stands for no argument. For other texts, it asks the
    `question`."""

    def read(rest: str) -> Command:
        if rest.lower() not in commands:
            raise Unclear(question)
        return commands[rest.lower()]

    return read


read: Final = optional(c.Read, str)
save: Final = optional(c.Save, str)
export: Final = optional(c.Export, word)
targets: Final = optional(c.Targets, square)
rooms: Final = optional(c.Rooms, lambda name: variant(name.lower()))
edit: Final = optional(c.Edit, lambda name: variant(name.lower()))
rating: Final = optional(c.Rating, str)
follow: Final = optional(c.Follow, str)
unfollow: Final = needed(
    lambda name: c.Follow(name, on=False), "Name a player. 'following' lists the players you follow."
)
undo: Final = optional(lambda plies: c.Propose("undo", plies), partial(number, what="a number of moves"))
redo: Final = counted(lambda plies: c.Propose("redo", plies))
back: Final = counted(lambda plies: c.GoTo("back", plies))
forward: Final = counted(lambda plies: c.GoTo("forward", plies))
comment: Final = needed(c.Comment, "Add the comment: 'comment A new idea.'")
move: Final = needed(c.Move, "Which move? Write it as 'move e2 e4'.")
remove: Final = needed(lambda seat: c.Propose("remove", seat=word(seat)), "Remove whom? Name the seat: 'remove blue'.")
kick: Final = needed(lambda seat: c.Kick(word(seat)), "Free which seat? Name it: 'kick blue'.")
turn: Final = needed(lambda seat: c.Turn(word(seat)), "Whose move is it? Name the seat: '= black'.")
lay: Final = needed(c.Lay, "Add a FEN, a FEN4, or the name of a start array. 'clear' empties the board.")
zoom: Final = chosen(
    {"": c.Zoom(0), "in": c.Zoom(1), "+": c.Zoom(1), "out": c.Zoom(-1), "-": c.Zoom(-1)},
    "Write 'zoom', 'zoom in' or 'zoom out'.",
)


def history(rest: str) -> Command:
    if not rest:
        return c.History()
    return c.GoTo("first") if rest == "0" else c.GoTo("ply", number(rest, "a move's number"))


def help(rest: str) -> Command:
    return c.Targets(rest.lower()) if SQUARE.fullmatch(rest) else c.Help(rest or None)


def say(to: Literal["table", "all"]) -> Reader:
    return needed(lambda text: c.Say(text[:200], to), "Say what? Add the text: 'say good game'.")


def react(rest: str) -> Command:
    word = "_".join(rest.lower().rstrip("!.").split())
    if word not in REACTIONS:
        raise Unclear(f"Write 'react' and one of: {', '.join(one.replace('_', ' ') for one in REACTIONS)}.")
    return c.React(cast(Reaction, word))


def level(text: str) -> int:
    """Parse the level of a computer player. Raises `Unclear`."""
    if text not in map(str, LEVELS):
        raise Unclear(f"Computer players have levels {LEVELS[0]} to {LEVELS[-1]}, not '{shown(text)}'.")
    return int(text)


def bot(rest: str) -> Command:
    words = [word for word in rest.lower().replace("=", " ").split() if word not in ("level", "bot", "to", "at")]
    seat = [word for word in words if not word.isdecimal()]
    numbers = [word for word in words if word.isdecimal()]
    if len(numbers) != 1 or len(seat) > 1:
        raise Unclear(f"Write a seat and a level from {LEVELS[0]} to {LEVELS[-1]}: 'bot black 3', or 'bot 3'.")
    return c.Bot(seat[0] if seat else None, level(numbers[0]))


def clock(text: str) -> Clock | None:
    """Parse a time control: minutes, and seconds for each move: `5`, `5+3` (added), `5d3` (a delay), `0d30` (a limit
    for each move); `untimed` is none. Raises `Unclear`."""
    if text in ("untimed", "none", "-"):
        return None
    match = _CLOCK.fullmatch(text)
    if match is None or len(text) > 16:
        raise Unclear(f"'{shown(text)}' is not a time control. Write 5+3 (minutes, seconds), 5d3 (delay) or 'untimed'.")
    minutes, kind, seconds = match.groups()
    base, extra = round(float(minutes) * 60_000), round(float(seconds or 0) * 1000)
    delay = extra if kind == "d" else 0
    if not (base or delay) or base > 7 * 86_400_000 or extra > 86_400_000:
        raise Unclear(
            "A clock has at least a little time, at most a week, and at most a day for each move; 0d30 gives each move "
            "30 seconds."
        )
    return Clock(base, increment=extra - delay, delay=delay)


def variant(text: str) -> str:
    """Parse a variant's name, or a number of players. Raises `Unclear`."""
    name = _named(text)
    if name is None:
        raise Unclear(f"There is no variant '{shown(text)}'. Variants: {', '.join(VARIANTS)}.")
    return name


def _named(text: str) -> str | None:
    if text.isdecimal():
        return next((name for name in VARIANTS if str(len(seats(name))) == text), None)
    name = _BY_PLAYERS.get(text, text)
    return name if name in VARIANTS else None


def seating(name: str, wishes: Sequence[str], mine: str | None = None) -> dict[str, int]:
    """Parse the computer players of a game, by seat: `black=3` seats one, `3` one at every seat except `mine` (None:
    the first seat).

    Raises `Unclear`.
    """
    levels: dict[str, int] = {}
    rest: int | None = None
    for wish in wishes:
        seat, equals, text = wish.partition("=")
        if equals:
            levels[player_seat(name, seat)] = level(text)
        else:
            rest = level(wish)
    if mine in levels:
        raise Unclear(f"You cannot sit at {mine} beside a computer player.")
    if rest is not None:
        free = [seat for seat in player_seats(name) if seat not in levels]
        levels |= dict.fromkeys([seat for seat in free if seat != (mine or free[0])], rest)
    return levels


def seat_of(name: str, text: str) -> str:
    """Parse a seat of a variant, by its colour or first letter. Raises `Unclear`."""
    there = seats(name)
    found = next((one for one in there if text in (one, one[0])), None)
    if found is None:
        raise Unclear(f"There is no seat '{shown(text)}' in {name}. Seats: {', '.join(there)}.")
    return found


def player_seat(name: str, text: str) -> str:
    """Parse a seat of a variant, as `seat_of`. Returns the first seat of its player."""
    seat = seats(name).index(seat_of(name, text))
    return seats(name)[rules_of(name).together(seat)[0]]


def create(rest: str) -> Command:
    """Parse the arguments of `create`, in any order; the number of players comes first."""
    first = rest.partition(" ")[0]
    if first.isdecimal() and _named(first) is None:
        raise Unclear(
            f"There is no game for {shown(first)}; there are games for two, three and four ('create 4'). "
            f"Write a time with its seconds: {shown(first)}+0."
        )
    name, control, private, password, mine = "standard", None, False, None, None
    rated = True
    wishes = []
    for word in rest.split():
        key, equals, value = word.partition("=")
        lower = word.lower()
        if key.lower() == "password" and equals:
            password = value
        elif key.lower() == "seat" and equals:
            mine = value.lower()
        elif key.lower() == "bots" and equals:
            wishes.append(value)
        elif equals:
            wishes.append(lower)
        elif lower in ("private", "public"):
            private = lower == "private"
        elif lower in ("casual", "rated"):
            rated = lower == "rated"
        elif _named(lower) is not None:
            name = variant(lower)
        elif lower in ("untimed", "none", "-") or lower[0].isdecimal():
            control = clock(lower)
        else:
            raise Unclear(
                f"'{shown(word)}' is not a variant ({', '.join(VARIANTS)}), a time such as 5+3, "
                "'private', 'casual', or a computer player such as black=3."
            )
    mine = None if mine is None else player_seat(name, mine)
    opening = Opening(name, clock=control, password=password, levels=seating(name, wishes, mine), seat=mine)
    return c.Create(replace(opening, visibility="private" if private else "public", rated=rated))


def _where(text: str) -> tuple[str, list[str]]:
    words = text.split()
    if not words:
        raise Unclear("Which room? Write its id, as 'rooms' lists it, or its address.")
    return words[0].rpartition("/r/")[2], words[1:]


def join(rest: str) -> Command:
    room, more = _where(rest)
    seat = password = None
    for word in more:
        if word.lower().startswith("password="):
            password = word[len("password=") :]
        else:
            seat = word.lower()
    return c.Join(room, seat, password)


def watch(rest: str) -> Command:
    room, more = _where(rest)
    return c.Watch(room, more[0].removeprefix("password=") if more else None)


def seek(rest: str) -> Command:
    given = {key.lower(): value for key, equals, value in map(_pair, rest.split()) if equals}
    others = [word for word in rest.split() if _pair(word)[0].lower() not in ("pool", "range")]
    wish = create(" ".join(others))
    assert isinstance(wish, c.Create)
    points = given.get("range")
    if points is not None and not points.isdecimal():
        raise Unclear(f"A range is a number of points, such as range=200, not range={shown(points)}.")
    opening, range = wish.opening, None if points is None else int(points)
    return c.Seek(Sought(opening.variant, opening.clock, given.get("pool"), opening.rated, range))


def _pair(word: str) -> tuple[str, str, str]:
    return word.partition("=")


_SPEEDS: Final[tuple[Speed, ...]] = get_args(Speed)


def leaderboard(rest: str) -> Command:
    """The default speed: blitz, for variants for two players."""
    words = rest.lower().split()
    bots = "bots" in words
    speeds = [speed for speed in _SPEEDS if speed in words]
    others = [word for word in words if word not in speeds and word != "bots"]
    kind = variant(others[0]) if others else "standard"
    if len(seats(kind)) > 2:
        return c.Leaderboard(kind, None, bots)
    return c.Leaderboard(kind, speeds[0] if speeds else "blitz", bots)


def invite(rest: str) -> Command:
    """Parse a player to invite to this table: a name of several words, after a seat and `=`, or before `to` and a
    seat."""
    seat, equals, name = rest.partition("=")
    if not equals:
        name, _, seat = rest.rpartition(" to ")
        name, seat = (name, seat) if name else (rest, "")
    if equals and not (seat.strip() and name.strip()):
        raise Unclear("Name a player: 'invite NAME', or with a seat 'invite blue=NAME'. 'invite' alone lists bots.")
    seat, name = seat.strip().lower(), name.strip()
    return c.InviteBot(seat or None, int(name) if name in _LEVELS else name or None)


_RESPONSES: Final[dict[str, Literal["yes", "no", "cancel"]]] = {
    "yes": "yes", "accept": "yes", "no": "no", "decline": "no", "cancel": "cancel",
}  # fmt: skip


def challenge(rest: str) -> Command:
    """Parse players and terms of a challenge, in any order; names may have several words. Or parse the answer to a
    challenge."""
    first, _, more = rest.partition(" ")
    if not rest:
        return c.Challenge()
    if rest.lower() in ("again", "these"):
        return c.PlayAgain()
    if first.lower() in _RESPONSES:
        which, _, text = more.partition(" ") if more.partition(" ")[0].isdecimal() else ("", "", more)
        chosen = number(which, "the number of a challenge") if which else None
        return c.Respond(_RESPONSES[first.lower()], chosen, text[:200])
    name, control, seat, private, rated = "standard", None, None, False, True
    names: dict[str, list[str]] = {}
    at = ""  # the seat of the name that is being parsed
    for part in rest.split():
        key, equals, value = part.partition("=")
        lower = part.lower()
        if key.lower() == "seat" and equals:
            seat = value.lower()
        elif equals:
            at = key.lower()
            names.setdefault(at, []).append(value)
        elif lower in ("private", "public"):
            private = lower == "private"
        elif lower in ("casual", "rated"):
            rated = lower == "rated"
        elif _named(lower) is not None:
            name = variant(lower)
        elif lower == "untimed" or _CLOCK.fullmatch(lower):
            control = clock(lower)
        else:
            names.setdefault(at, []).append(part)
    people = {seat: " ".join(words) for seat, words in names.items()}
    player = people.pop("", None)
    if (player is None) is (not people):
        raise Unclear("Name a player: 'challenge NAME', or for four with seats: 'challenge 4 blue=NAME green=3 ...'.")
    chosen_seats = {player_seat(name, seat): int(who) if who in _LEVELS else who for seat, who in people.items()}
    wish = Wish(name, player, chosen_seats, None if seat is None else player_seat(name, seat), control)
    return c.Challenge(replace(wish, visibility="private" if private else "public", rated=rated))


_LEVELS: Final = frozenset(map(str, LEVELS))


def games(rest: str) -> Command:
    """Parse the arguments of `games`: `all` or a player's name, then a variant."""
    words = rest.split()
    kind = _named(words.pop().lower()) if words and _named(words[-1].lower()) else None
    name = None if [word.lower() for word in words] in ([], ["all"]) else " ".join(words)
    return c.Games(kind, mine=not words, name=name)


_ACCOUNT: Final[dict[str, tuple[Literal["new", "rename", "login", "code", "out"], str | None]]] = {
    "new": ("new", "Add a name: 'account new Ann'."),
    "name": ("rename", "Add a name: 'account name Ann'."),
    "login": ("login", "Add your recovery code: 'account login CODE'."),
    "code": ("code", None),
    "out": ("out", None),
}
"""The actions on an account, each with its question for a missing argument."""


def account(rest: str) -> Command:
    word, _, text = rest.partition(" ")
    if not word:
        return c.Account("show")
    if word.lower() not in _ACCOUNT:
        raise Unclear(f"Unknown account command '{shown(word)}'. Commands: {', '.join(_ACCOUNT)}.")
    do, question = _ACCOUNT[word.lower()]
    if question is not None and not text:
        raise Unclear(question)
    return c.Account(do, text)


def put(rest: str) -> Command:
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


def take(rest: str) -> Command:
    return c.Take(square(rest))


def castling(rest: str) -> Command:
    words = rest.lower().replace(",", " ").split()
    if words in ([], ["all"]):
        return c.Castling(None)
    if words in (["none"], ["-"]):
        return c.Castling(())
    sides = {"short": True, "long": False}
    if len(words) % 2 or any(side not in sides for side in words[1::2]):
        raise Unclear("Write 'castling all', 'castling none', or seats and sides: 'castling white short black long'.")
    return c.Castling(tuple((seat, sides[side]) for seat, side in zip(words[::2], words[1::2], strict=True)))


def shown(text: str) -> str:
    """Typed text for an answer, cut if it is long."""
    return text if len(text) <= 20 else text[:20] + "…"
