"""The arguments of the commands about studies. Pure."""

import re
from functools import partial
from typing import Final, Literal

from fourfold.clients.terminal.parser import commands as c
from fourfold.clients.terminal.parser.commands import Command, Unclear
from fourfold.clients.terminal.parser.phrases import chosen, number, optional, shown, variant

SIGNS: Final = {
    1: "!", 2: "?", 3: "!!", 4: "??", 5: "!?", 6: "?!",
    7: "only", 10: "=", 13: "unclear", 14: "+=", 15: "=+", 16: "+/-", 17: "-/+", 18: "+-", 19: "-+",
    22: "zugzwang", 32: "development", 36: "initiative", 40: "attack", 44: "compensation", 132: "counterplay",
    138: "zeitnot", 140: "idea", 146: "novelty",
}  # fmt: skip
"""Glyphs of moves (1 to 7) and positions, by their PGN numbers, in characters of every terminal."""

_NUMBERS: Final = {sign: number for number, sign in SIGNS.items()}

SIGNS.update({glyph + 1: SIGNS[glyph] for glyph in (22, 32, 36, 40, 44, 132, 138)})  # the same for Black


studies: Final = chosen(
    {word: c.Studies("mine") for word in ("", "mine")} | {word: c.Studies("public") for word in ("public", "all")},
    "Type 'studies' for yours, or 'studies public' for public ones.",
)
promote: Final = chosen(
    {"": c.Promote(), "all": c.Promote(whole=True)},
    "Write 'promote', or 'promote all' to make it the main line from the start.",
)
share: Final = chosen(
    {"private": c.Share("private"), "link": c.Share("link"), "public": c.Share("public")},
    "Choose readers: 'share private', 'share link' (everybody with the link) or 'share public'.",
)
chapter: Final = optional(c.ToChapter, partial(number, what="a chapter's number"))


def study(rest: str) -> Command:
    """Parse `ID` or an address, or the source of a new study. Without arguments, list your own studies."""
    word = rest.partition(" ")[0]
    if not rest:
        return c.Studies("mine")
    if word.lower() in ("new", "file", "game"):
        return _made(c.NewStudy, rest)
    if " " in rest:
        raise Unclear("Write 'study ID', 'study new [VARIANT] [TITLE]', 'study file FILE' or 'study game ROOM'.")
    return c.OpenStudy(rest.rpartition("/s/")[2])


def chapters(rest: str) -> Command:
    return _made(c.AddChapters, rest)


def _made(made: type[c.AddChapters], rest: str) -> Command:
    """Parse `new [VARIANT] [TITLE]`, `file FILE` or `game [ROOM]`."""
    word, _, more = rest.partition(" ")
    match word.lower():
        case "new" | "":
            return _start(made, more)
        case "file":
            if not more:
                raise Unclear("Add a file name: 'file games.pgn'.")
            return made("file", more)
        case "game":
            return made("game", more.rpartition("/r/")[2] or None)
    raise Unclear("Write 'add new [VARIANT] [TITLE]', 'add file FILE' or 'add game ROOM'.")


def _start(made: type[c.AddChapters], rest: str) -> Command:
    first, _, title = rest.partition(" ")
    try:
        name = variant(first.lower()) if first else "standard"
    except Unclear:
        name, title = "standard", rest
    return made("start", name, title[:100] or None)


def glyph(rest: str) -> Command:
    """Parse signs such as `!?` and numbers such as `$14`, or `none`."""
    if rest.lower() in ("none", "-"):
        return c.Glyph(())
    found = []
    for word in rest.split():
        code = _NUMBERS.get(word, int(word[1:4]) if word[:1] == "$" and word[1:4].isdecimal() else 0)
        if not 1 <= code <= 255:
            raise Unclear(f"Unknown glyph '{shown(word)}'. Glyphs: {' '.join(_NUMBERS)}, $1 to $255, and 'none'.")
        found.append(code)
    if not found:
        raise Unclear(f"Add a glyph: {' '.join(_NUMBERS)}, $1 to $255, or 'none'.")
    return c.Glyph(tuple(found))


_SQUARES: Final = re.compile(r"([a-z]\d{1,2})(?:\s*(?:-|->|to|;|,)?\s*([a-z]\d{1,2}))?(?:\s+([a-z]+))?")

_COLOURS: Final[dict[str, Literal["green", "red", "yellow", "blue"]]] = {
    "green": "green", "red": "red", "yellow": "yellow", "blue": "blue",
}  # fmt: skip


def draw(rest: str) -> Command:
    """Parse `e2 e4`, an arrow, or `e4`, a mark, with an optional colour."""
    found = _SQUARES.fullmatch(rest.lower())
    if found is None or (found[3] is not None and found[3] not in _COLOURS):
        raise Unclear(f"Write 'arrow e2 e4' or 'mark e4', and perhaps a colour: {', '.join(_COLOURS)}.")
    return c.Draw(found[1], found[2], None if found[3] is None else _COLOURS[found[3]])


def mark(rest: str) -> Command:
    """Parse a square to mark, or, as `glyph` does, glyphs of the move."""
    return draw(rest) if re.match(r"[A-Za-z]\d", rest) else glyph(rest)


def node(rest: str) -> Command:
    if not rest:
        raise Unclear("To which move? Write its number, as the page's address has it.")
    return c.ToNode(0 if rest == "0" else number(rest, "a move's number"))


def title(rest: str) -> Command:
    word, _, more = rest.partition(" ")
    study = word.lower() == "study" and bool(more)
    text = more if study else rest
    if not text:
        raise Unclear("Add a title: 'title The Najdorf'; 'title study OPENINGS' renames the study.")
    return c.Entitle(text[:100], study)


def allow(rest: str) -> Command:
    match rest.lower():
        case "":
            raise Unclear("Choose writers: 'allow owner', 'allow everybody', or names: 'allow Ann, Bob Smith'.")
        case "owner" | "nobody":
            return c.Allow("owner")
        case "everybody" | "all":
            return c.Allow("everybody")
    names = tuple(filter(None, (name.strip() for name in rest.split(","))))
    return c.Allow("named", names)
