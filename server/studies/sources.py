"""What chapters are made of: positions and texts become drafts. Pure: whoever reads long texts does so in a thread."""

import secrets
from collections.abc import Callable

from fourfold.engine.errors import InvalidNotation, InvalidSetup
from fourfold.engine.match.events import Rejection, refused
from fourfold.engine.match.state import start_position
from fourfold.engine.notation.formats import READERS
from fourfold.engine.notation.game import Game
from fourfold.engine.notation.resume import format_of
from fourfold.engine.study import record
from fourfold.engine.study.events import Draft
from fourfold.engine.study.state import CHAPTERS

Drafts = tuple[tuple[str, Draft], ...]
"""Chapters: each a title and what it begins as."""


def of_position(variant: str, position: str | None, title: str | None) -> Drafts | Rejection:
    """A chapter that begins from a position without a move."""
    try:
        start = start_position(variant, position, secrets.randbits(48))
    except InvalidNotation as error:
        return Rejection("unreadable", error.code, error.message)
    except InvalidSetup as error:
        return refused("invalid_setup", " ".join(fault.message for fault in error.faults))
    draft = record.draft(Game(start))
    return draft if isinstance(draft, Rejection) else ((title or "Chapter", draft),)


def of_text(text: str, format: str | None, title: str | None, shown: Callable[[str], str]) -> Drafts | Rejection:
    """A chapter for each game of a text, in PGN or PGN4. `shown` gives what may be shown of a comment or a tag."""
    format = format or format_of(text)
    if format not in ("pgn", "pgn4"):
        return _unreadable("a study is made of PGN or PGN4")
    found: list[tuple[str, Draft]] = []
    try:
        for number, game in enumerate(READERS[format](text), 1):
            if game.failure is not None:
                return _unreadable(f"in game {number}, {game.failure.reason}")
            if not game.line.steps and not game.tags:
                continue  # words, and no game
            draft = record.draft(game, shown)
            if isinstance(draft, Rejection):
                return draft
            name = shown(record.title(game, number)) or f"Chapter {number}"
            found.append((title if title and number == 1 else name, draft))
            if number > CHAPTERS:
                break
    except (InvalidNotation, InvalidSetup) as error:
        return _unreadable(str(error))
    return tuple(found) or _unreadable("there is none")


def _unreadable(why: str) -> Rejection:
    return Rejection("unreadable", "no_game", f"The text has no game that can be studied: {why.rstrip('.')}.")
