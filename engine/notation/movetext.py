"""The common grammar of PGN and PGN4: tags, comments, variations, glyphs and symbols.

A `Dialect` interprets the symbols; this module builds the tree of moves. The grammar is the PGN standard's
(1994, sections 7, 8 and 18), read leniently. Glyphs and comments may appear anywhere. The parser ignores separators
(``..``) and move numbers, and accepts a file that ends early. Its time is linear in the length of any text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple, Protocol

from fourfold.engine.errors import IllegalMove, InvalidNotation, InvalidSetup
from fourfold.engine.notation import comments
from fourfold.engine.notation.game import UNKNOWN, Game, Line, Remark, Step
from fourfold.engine.position import Position

_TOKEN = re.compile(
    r"""
    (?P<move>[KQRBNDOa-n][KQRBNDOa-n0-9x=+\#-]*(?=\s))
    | (?P<number>\d+\.+)
    | (?P<escape>^%.*)
    | \[\s*(?P<name>\w+)\s*"(?P<tag>(?:\\.|[^"\\])*|[^\[\n]*?)"\s*\]
    | \{(?P<comment>[^}]*)\}
    | \{(?P<open_comment>[^}]*)
    | ;(?P<remark>.*)
    | \$(?P<nag>\d{1,3})
    | (?P<glyph>[!?]+)
    | (?P<open>\()
    | (?P<close>\))
    | (?P<result>(?:1-0|0-1|1/2-1/2|½-½|\*)(?=[\s\[{;)]|$))
    | (?P<skip>^\[.*|\}|\.+|…|\d+\.+|\d+(?=[\s({]|$)|e\.p\.|<[^<>\n]*>)
    | (?P<symbol>(?:(?!e\.p\.)[^\s(){}\[\];$!?.])+|\S)
    """,
    re.VERBOSE | re.MULTILINE,
)
"""The pattern of a token. The first two are a symbol and a skipped text in the forms that most tokens have. They match
fastest."""
_UNFINISHED = re.compile(r'\[\s*+(?:\w++\s*+(?:"(?:(?:\\.|[^"\\])*+(?:"\s*+)?|[^\[\n]*"\s*+))?)?\Z')
"""The end of a text that is the beginning of a tag if more follows, and other tokens if nothing does."""
_PASSED = ("number", "skip", "escape")
"""The kinds of text that are no tokens."""
_DEPTH = 50
_GLYPHS = {"!": 1, "?": 2, "!!": 3, "??": 4, "!?": 5, "?!": 6}
_CLOCK = re.compile(r"\[%clk\s+(\d{1,4}):(\d{1,2}):(\d{1,2})(?:\.(\d{1,3})\d*)?\]\s*")


class _Lines:
    """Finds the line of a place in a text: few tokens are asked for theirs. Ascending places take linear time."""

    def __init__(self, text: str, place: int, line: int) -> None:
        self._text = text
        self._place = place
        self._line = line

    def of(self, place: int) -> int:
        """The line of a place, counted from 1 at the start of the whole text."""
        if place < self._place:
            return self._line - self._text.count("\n", place, self._place)
        self._line += self._text.count("\n", self._place, place)
        self._place = place
        return self._line


class Token(NamedTuple):
    """A token: its kind (a group of `_TOKEN`), its content, its place in the text with its lines, and the name if it is
    a tag."""

    kind: str
    text: str
    place: int
    lines: _Lines
    name: str = ""

    @property
    def line(self) -> int:
        """The line of the token, counted from 1."""
        return self.lines.of(self.place)


class Dialect(Protocol):
    """The part of the grammar that is specific to a format. `pgn` and `pgn4` implement it; both import this module."""

    def begin(self, tags: Mapping[str, str]) -> Position:
        """The starting position of a game with these tags. Without tags, the default one. Raises `InvalidNotation` or
        `InvalidSetup`."""

    def steps(self, position: Position, symbol: str) -> list[Step]:
        """The steps that a symbol of the movetext stands for. Raises `InvalidNotation` or `IllegalMove`."""


def read(text: str | Iterable[str], dialect: Dialect) -> Iterator[Game]:
    """Yield the games of a text, or of the lines of an open file. From a file it reads about one game ahead.

    A game stops at its first bad move, and the next game follows all the same. A variation also stops at its first bad
    move, but the game does not fail. A game with a bad start has no moves, and the default start. Moves after an
    automatic draw are read, because other servers have other rules; `Game.remarks` reports them.
    """
    parts = (text,) if isinstance(text, str) else _parts(text)
    for tokens in _games_of(parts):
        yield _read_game(tokens, dialect)


_PART = 1 << 16


def _parts(lines: Iterable[str]) -> Iterator[str]:
    """Whole lines, joined to parts of at least `_PART` characters."""
    held: list[str] = []
    size = 0
    for line in lines:
        held.append(line)
        size += len(line)
        if size >= _PART:
            yield "".join(held)
            held, size = [], 0
    if held:
        yield "".join(held)


def _games_of(parts: Iterable[str]) -> Iterator[list[Token]]:
    """The tokens of each game of a text that comes in parts.

    The last game of the text so far stays until the next part, because it may go on there. So does the game before the
    end of the text if that may be read otherwise there. The text of earlier games is dropped. A game of many parts is
    read again only each time that its text has doubled.
    """
    text, place, line, wanted = "", 0, 1, 0
    ahead = iter(parts)
    part = next(ahead, None)
    if part is not None:
        part = part.removeprefix("\ufeff")
    while part is not None:
        text += part
        part = next(ahead, None)
        if part is not None and len(text) < wanted:
            continue
        games = list(_games(_tokens(text, place, line)))
        if part is None:
            yield from games
            return
        unfinished = _UNFINISHED.search(text, place)
        end = len(text) if unfinished is None else unfinished.start()
        whole = max(0, sum(tokens[0].place < end for tokens in games) - 1)
        yield from games[:whole]
        for first, *_ in games[whole : whole + 1]:
            begin = min(first.place, end)
            line = first.lines.of(begin)
            # From the start of the line: its first columns count for the form of comments.
            start = text.rfind("\n", 0, begin) + 1
            text, place = text[start:], begin - start
        wanted = 0 if whole else 2 * len(text)


def tag_pairs(tags: Mapping[str, str]) -> str:
    """Tags as text, one a line."""
    quoted = {name: value.replace("\\", "\\\\").replace('"', '\\"') for name, value in tags.items()}
    return "".join(f'[{name} "{value}"]\n' for name, value in quoted.items())


def notes(step: Step) -> list[str]:
    """The words after a step's move: glyphs, remaining time and comment."""
    comment = " ".join(filter(None, (_write_clock(step.clock), step.comment)))
    return [f"${nag}" for nag in step.nags] + comments.braced(comment)


def rounds(slots: Iterable[tuple[int, str]]) -> Iterator[list[str]]:
    """Group words by rounds. `slots` are pairs of a seat and its word; a lower seat number starts a new round."""
    words: list[str] = []
    last = -1
    for seat, word in slots:
        if seat < last:
            yield words
            words = []
        last = seat
        words.append(word)
    if words:
        yield words


def wrapped(words: Iterable[str]) -> str:
    """Wrap words into lines shorter than 80 characters, each with a line feed. Words and commands
    (``[%clk 0:03:00]``) stay whole. A comment of several lines keeps its lines."""
    lines = [""]
    for word in words:
        first, *more = word.split("\n")
        for part in comments.words(first):
            if len(lines[-1]) + len(part) > comments.WIDTH:
                lines.append("")
            lines[-1] += f"{part} "
        if more:
            lines += more[:-1]
            lines.append(f"{more[-1]} ")
    return "".join(f"{line.rstrip()}\n" for line in lines)


def _tokens(text: str, place: int = 0, line: int = 1) -> Iterator[Token]:
    """The tokens from `place` on, which is in the given line."""
    lines = _Lines(text, place, line)
    begin = text.rfind("\n", 0, place) + 1
    for match in _TOKEN.finditer(text, place):
        kind = match.lastgroup
        assert kind is not None  # every alternative of the grammar has a name
        if kind == "move" or kind == "symbol":
            yield Token("symbol", match[0], match.start(), lines)
        elif kind in _PASSED:
            pass
        elif kind == "tag":
            yield Token(kind, re.sub(r"\\(.)", r"\1", match[kind]), match.start(), lines, match["name"])
        elif kind in ("comment", "open_comment"):
            start = match.start()
            begin = max(begin, text.rfind("\n", place, start) + 1)
            place = start
            yield Token(kind, comments.read(match[kind], start - begin), start, lines)
        else:
            yield Token(kind, match[kind], match.start(), lines)


def _games(tokens: Iterable[Token]) -> Iterator[list[Token]]:
    """The tokens of each game. A tag, or a move after a result, starts the next game."""
    game: list[Token] = []
    moves = over = False
    depth = 0
    for token in tokens:
        kind = token.kind
        if (over and kind == "symbol") or (moves and kind == "tag"):
            yield game
            game = []
            moves = over = False
            depth = 0
        game.append(token)
        if kind == "symbol":
            moves = True
        elif kind != "tag":
            moves = True
            depth += (kind == "open") - (kind == "close")
            over = over or (kind == "result" and depth == 0)
    if game:
        yield game


def _read_game(tokens: list[Token], dialect: Dialect) -> Game:
    tags = {token.name: token.text for token in tokens if token.kind == "tag"}
    try:
        game = Game(dialect.begin(tags), tags)
    except (InvalidNotation, InvalidSetup) as error:
        return Game(dialect.begin({}), tags, failure=Remark(tokens[0].line, 0, "", error.code, error.message))
    tree = _Tree(game, dialect)
    for number, token in enumerate(tokens):
        tree.take(token)
        if game.failure is not None:
            for rest in tokens[number:]:
                if rest.kind == "result":
                    tree.take(rest)
            break
    tree.end()
    return game


class _Branch:
    """A line during parsing: its latest position, and whether it has hit a bad move (`broken`)."""

    def __init__(self, line: Line, position: Position, broken: bool = False) -> None:
        self.line = line
        self.position = position
        self.broken = broken
        self._comments: list[str] = []  # after the last step, or before the first

    def annotate(self, comment: str) -> None:
        steps = self.line.steps
        clock = _CLOCK.search(comment) if steps else None
        if clock is not None:
            hours, minutes, seconds, part = clock.groups(default="")
            steps[-1].clock = 1000 * (3600 * int(hours) + 60 * int(minutes) + int(seconds)) + int(part.ljust(3, "0"))
            comment = _CLOCK.sub("", comment, count=1)
        self._comments.append(comment.strip())

    def settle(self) -> None:
        """Attach the collected comments to the last step, which is complete now."""
        if self._comments:
            where = self.line.steps[-1] if self.line.steps else self.line
            where.comment = " ".join(filter(None, (where.comment, *self._comments)))
            self._comments.clear()


class _Tree:
    """Builds the tree of one game from its tokens."""

    def __init__(self, game: Game, dialect: Dialect) -> None:
        self._game = game
        self._dialect = dialect
        self._branches = [_Branch(game.line, game.start)]
        self._open: list[Token] = []  # the opening parentheses of the current branches

    def take(self, token: Token) -> None:
        branch = self._branches[-1]
        match token.kind:
            case "symbol":
                if not branch.broken:
                    self._play(branch, token)
            case "comment" | "remark" | "open_comment":
                if token.kind == "open_comment":
                    unread = "This comment has no end: the rest of the text is not read as moves."
                    self._remark(token._replace(text="{"), "open_comment", unread)
                if not branch.broken:
                    branch.annotate(comments.lines(token.text))
            case "nag" | "glyph":
                nag = _GLYPHS.get(token.text) if token.kind == "glyph" else int(token.text)
                if nag is not None and not branch.broken and branch.line.steps:
                    step = branch.line.steps[-1]
                    if nag not in step.nags:
                        step.nags += (nag,)
            case "open":
                self._branches.append(_variation(branch, too_deep=len(self._branches) > _DEPTH))
                self._open.append(token)
            case "close":
                if self._open:
                    self._open.pop()
                    self._branches.pop().settle()
                else:
                    self._remark(token, "stray_parenthesis", "This closing parenthesis has no opening one.")
            case "result":
                if len(self._branches) == 1 and self._game.tags.get("Result", "*") in UNKNOWN:
                    self._game.tags["Result"] = token.text

    def end(self) -> None:
        for branch in self._branches:
            branch.settle()
        if self._open and self._game.failure is None:
            unread = "This variation has no end: the rest of the text is read as part of it."
            self._remark(self._open[0], "open_variation", unread)

    def _play(self, branch: _Branch, token: Token) -> None:
        try:
            before, steps = self._steps(branch.position, token.text)
        except (InvalidNotation, IllegalMove) as error:
            branch.broken = True
            if len(self._branches) == 1:
                ply = self._game.plies + 1
                self._game.failure = Remark(token.line, ply, token.text, error.code, error.message)
            return
        branch.settle()
        if steps and before is not branch.position:
            outcome = branch.position.outcome
            assert outcome is not None  # a draw
            reason = outcome.termination.value.replace("_", " ")
            self._remark(token, "past_draw", f"By our rules, the game was drawn here ({reason}), but it went on.")
        for step in steps:
            if step.move is None and step.reason is None:
                passes = f"'{token.text}' passes the turn, so the moves from here on are an analysis."
                self._remark(token, "null_move", passes)
            branch.line.steps.append(step)
            branch.position = step.after

    def _steps(self, position: Position, symbol: str) -> tuple[Position, list[Step]]:
        """The steps of a symbol, and the position before them: past a draw by our rules that did not end the game."""
        try:
            return position, self._dialect.steps(position, symbol)
        except (InvalidNotation, IllegalMove):
            # Only now: a draw by our rules is rare, and takes time to exclude.
            before = position.past_draw()
            if before is position:
                raise
            return before, self._dialect.steps(before, symbol)

    def _remark(self, token: Token, code: str, sentence: str) -> None:
        """Add a remark, unless the game already has one with this code."""
        if all(remark.code != code for remark in self._game.remarks):
            self._game.remarks.append(Remark(token.line, self._game.plies + 1, token.text, code, sentence))


def _variation(branch: _Branch, too_deep: bool) -> _Branch:
    """The branch of an opening parenthesis, an alternative to the last step. The branch is broken, so its moves are
    dropped, if there is no such step or the nesting is too deep."""
    line = Line()
    if branch.broken or too_deep or not branch.line.steps:
        return _Branch(line, branch.position, broken=True)
    step = branch.line.steps[-1]
    step.variations.append(line)
    return _Branch(line, step.before)


def _write_clock(clock: int | None) -> str:
    if clock is None:
        return ""
    whole, thousandths = divmod(clock, 1000)
    part = f".{thousandths:03d}".rstrip("0") if thousandths else ""
    return f"[%clk {whole // 3600}:{whole // 60 % 60:02d}:{whole % 60:02d}{part}]"
