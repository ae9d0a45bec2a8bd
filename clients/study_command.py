"""`fourfold study`, and `fourfold export` of a study: arguments and actions."""

import argparse
import os
import sys
from collections.abc import Coroutine
from contextlib import AsyncExitStack
from typing import Any, Final

from fourfold.clients import demo, play
from fourfold.clients.connection import Connection
from fourfold.clients.errors import RequestError
from fourfold.clients.games import files
from fourfold.clients.games.open_study import missing
from fourfold.clients.terminal import tokens
from fourfold.clients.terminal.parser import phrases

ABOUT: Final = """\
Read and write a STUDY in the terminal: positions and trees of moves, which several people can edit at once. Without a
STUDY, list yours. Type 'help' for all commands."""

_LENGTH: Final = 14
"""The number of characters in a study's id; ids of games have other lengths."""


def is_study(id: str) -> bool:
    """Whether an id is a study's."""
    return len(id) == _LENGTH


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `fourfold study`, except `--url`."""
    parser.add_argument("room", metavar="STUDY", nargs="?", help="the study's id or URL; without it, a list of yours")
    made = parser.add_mutually_exclusive_group()
    made.add_argument("--public", action="store_true", help="list the public studies")
    made.add_argument("--new", metavar="VARIANT", nargs="?", const="standard", help="create one from a variant's start")
    made.add_argument("--file", metavar="FILE", help="create a study from a .pgn, .pgn4 or .fen file")
    made.add_argument("--game", metavar="ROOM", help="create a study from the game in a room")
    play.add_looks(parser)
    parser.set_defaults(run=run)


def run(values: argparse.Namespace) -> Coroutine[Any, Any, None]:
    """The coroutine of a command line. Raises ValueError for contradictory arguments, and for files without games or
    positions; and `MissingExtra`."""
    url, _, room = (values.room or "").rpartition("/s/")
    makes = values.new or values.file or values.game
    if room and (makes or values.public):
        raise ValueError("these options create or list studies; leave out the STUDY")
    first = "studies public" if values.public else "studies"
    if room:
        first = f"study {room}"
    elif values.new:
        first = f"study new {phrases.variant(values.new.lower())}"
    elif values.file:
        try:
            files.sources(files.path(values.file))
        except files.FileFault as fault:
            raise ValueError(str(fault)) from fault
        first = f"study file {values.file}"
    elif values.game:
        first = f"study game {values.game}"
    values.room, values.password = room or None, None
    play.check_screen(values)
    return play.play(play.server(url or values.url), values, (first,))


async def export(url: str, room: str, format: str | None, name: str | None) -> None:
    """Print a study as text, as the player whose token is stored for a name. The default format is PGN, or PGN4 if no
    chapter has PGN. Raises `ConnectionFault` or `RequestError`."""
    async with AsyncExitStack() as stack:
        granted = os.environ.get("FOURFOLD_TOKEN")
        kept = None if granted else stack.enter_context(tokens.StoredToken(tokens.folder(os.environ), url, name))
        token = granted or (kept.text if kept is not None else None)
        opened = play.known(lambda proof: Connection(url, name=name, token=proof, room=room), token, anew=not granted)
        try:
            text = await demo.text_of(await stack.enter_async_context(opened), room, format)
        except RequestError as error:
            if error.code == "no_such_room":
                raise missing() from error
            raise
    sys.stdout.write(text)
