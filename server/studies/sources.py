"""The sources of chapters: turns positions and texts into drafts. Pure: callers run it in a thread for long texts."""

import re
import secrets
from collections.abc import Callable
from typing import Final

from fourfold.engine.decisions import Rejection, refused
from fourfold.engine.errors import InvalidNotation, InvalidSetup
from fourfold.engine.match.state import start_position
from fourfold.engine.notation.formats import READERS
from fourfold.engine.notation.game import Game, Remark
from fourfold.engine.notation.resume import format_of
from fourfold.engine.study import record
from fourfold.engine.study.events import Draft
from fourfold.engine.study.state import CHAPTERS
from fourfold.engine.values import value
from fourfold.engine.variants import rules_of

Drafts = tuple[tuple[str, Draft], ...]
"""Chapters: each a title and its initial content."""

WANTED: Final = "Chapters can be made from the link of a game on this server, a FEN, moves (1. e4 e5), or PGN."
"""The hint after an unusable source."""

NOTES: Final = 8
"""How many notes about a text are shown at most."""

_TOLD: Final = ("open_comment", "open_variation", "stray_parenthesis")
"""The codes of remarks about likely mistakes of a text's author."""

_TAG: Final = re.compile(r'^\s*\[\w+\s+"', re.MULTILINE)
_ADDRESS: Final = re.compile(r"(?:\w+:/)?/\S+|www\.\S+", re.IGNORECASE)
_LINK: Final = re.compile(r"(?:https?://[^/\s]+)?/r/([0-9a-z]{8}|[0-9a-z]{16})(?:\.svg)?(?:[?#]\S*)?")


@value
class Made:
    """The chapters made from a source. `notes` are sentences about the parts of its text that were not read, and why.
    `study` is the default name for a study of it: the name of its original study, or that of its first game."""

    chapters: Drafts
    notes: tuple[str, ...] = ()
    study: str = ""


def game_of(text: str) -> str | None:
    """The game that a text links to, or whose picture it links to; None for any other text."""
    link = _LINK.fullmatch(text.strip())
    return None if link is None else link[1]


def of_position(variant: str, position: str | None, title: str | None) -> Made | Rejection:
    """A chapter that begins from a position without a move."""
    try:
        start = start_position(variant, position, secrets.randbits(48))
    except InvalidNotation as error:
        return Rejection("unreadable", error.code, error.message)
    except InvalidSetup as error:
        return refused("invalid_setup", " ".join(fault.message for fault in error.faults))
    draft = record.draft(Game(start))
    return draft if isinstance(draft, Rejection) else Made(((title or "Chapter", draft),))


def of_text(
    text: str,
    format: str | None,
    title: str | None,
    shown: Callable[[str], str],
    variant: str = "standard",
    first: int = 1,
) -> Made | Rejection:
    """A chapter for each readable game of a text. The text is PGN or PGN4, moves of the `variant` without tags, or a
    position. `shown` makes a tag or a line of a comment safe to show. `first` is the number of the first game."""
    if _ADDRESS.fullmatch(text.strip()):
        return _unreadable(f"This is not the link of a game on this server. {WANTED}")
    chosen = None if variant == "standard" else variant
    format = format or format_of(text)
    if format == "fen":
        position = text.strip().partition("\n")[0].strip()
        return of_position(chosen or ("survivor" if position[1] == "-" else variant), position, title)
    if format == "smith":
        format = "pgn"
    bare = not _TAG.search(text)
    try:
        if chosen is not None and bare:
            rules = rules_of(chosen)
            format, text = rules.records, f'[Variant "{rules.record_name}"]\n\n{text}'
        return _Reading(format, title, shown, chosen, bare).of(text, first)
    except (InvalidNotation, InvalidSetup) as error:
        return _unreadable(str(error))


class _Reading:
    """The reading of a text: the chapters, and the notes about it."""

    def __init__(
        self, format: str, title: str | None, shown: Callable[[str], str], chosen: str | None, bare: bool
    ) -> None:
        self._format = format
        self._title = title
        self._shown = shown
        self._chosen = chosen
        self._bare = bare

    def of(self, text: str, first: int) -> Made | Rejection:
        chapters: list[tuple[str, Draft]] = []
        notes: list[str] = []
        study = ""
        for number, game in enumerate(READERS[self._format](text), first):
            if self._bare:
                game.tags.pop("Variant", None)  # it was not in the text
            elif self._chosen is not None and game.start.variant != self._chosen:
                return _unreadable(_other(number, game.start.variant, self._chosen))
            notes += self._notes(number, game)
            if not _has_something(game):
                continue
            draft = record.draft(game, self._shown)
            if isinstance(draft, Rejection):
                return draft
            name = self._shown(record.title(game, number)) or f"Chapter {number}"
            chapters.append((self._title if self._title and not chapters else name, draft))
            study = study or self._shown(game.tags.get(record.STUDY, ""))[:100]
            if len(chapters) == 1 and not study and name != f"Chapter {number}":
                study = name
            if len(chapters) > CHAPTERS:
                break
        if len(notes) > NOTES:
            notes[NOTES - 1 :] = [f"And {len(notes) - NOTES + 1} more."]
        if not chapters:
            return _unreadable(f"{' '.join(notes) or 'There is no game in this text.'} {WANTED}")
        return Made(tuple(chapters), tuple(notes), study)

    def _notes(self, number: int, game: Game) -> list[str]:
        """The notes about a game: parts that were not read, or were read differently from their likely intent."""
        notes = [
            f"Game {number}, move {_move(game, remark.ply)}: {_lowered(remark.reason)}"
            for remark in game.remarks
            if remark.code in _TOLD
        ]
        if game.failure is not None:
            notes.append(_stopped(number, game, game.failure))
        return notes


def _has_something(game: Game) -> bool:
    """Whether a game can become a chapter: it has moves, or a comment, or a valid position."""
    if game.line.steps:
        return True
    return game.failure is None and bool(game.line.comment or set(game.tags) - {"Result"})


def _stopped(number: int, game: Game, failure: Remark) -> str:
    """Why a game stops at a move: "Game 2 stops at move 5, Qd5: the queen on d1 cannot go to d5."."""
    if failure.ply == 0:
        return f"Game {number} cannot be read: {_lowered(failure.reason)}"
    return f"Game {number} stops at move {_move(game, failure.ply)}, {failure.move[:20]}: {_lowered(failure.reason)}"


def _move(game: Game, ply: int) -> int:
    """The move number of a ply, which is counted from 1."""
    return (game.start.ply + ply - 1) // len(game.start.seats) + 1


def _lowered(sentence: str) -> str:
    """A sentence in the form for use after a colon."""
    return sentence[:1].lower() + sentence[1:]


def _other(number: int, variant: str, chosen: str) -> str:
    name, wanted = rules_of(variant).record_name, rules_of(chosen).record_name
    return f"Game {number} is {name or variant}, but the chosen variant is {wanted}: choose {name}."


def _unreadable(why: str) -> Rejection:
    return Rejection("unreadable", "no_game", why)
