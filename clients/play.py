"""`fourfold play`: its arguments, and the venue and front end that they choose."""

import argparse
import os
import sys
from collections.abc import Callable, Coroutine
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import Any, Final

from fourfold.clients.errors import Dismissed
from fourfold.clients.games.game import Venue
from fourfold.clients.games.local import LocalVenue
from fourfold.clients.games.remote import RemoteVenue
from fourfold.clients.terminal import tokens
from fourfold.clients.terminal.parser import phrases
from fourfold.clients.terminal.parser.commands import Unclear
from fourfold.clients.terminal.parser.language import LOBBY
from fourfold.clients.terminal.plain import Plain
from fourfold.clients.terminal.text.ink import Ink
from fourfold.clients.websocket import address
from fourfold.engine.variants import seats

ABOUT: Final = """\
Play chess for two or for four in the terminal: in a ROOM of a server, or on this machine alone (--local). Without a
ROOM it starts in the lobby, or with a new game if an option describes one. Without a terminal it is plain, so that a
game can be played through a pipe."""

KEPT: Final = """\
Your identity is kept in $XDG_STATE_HOME/fourfold/tokens (usually ~/.local/state/fourfold/tokens), for each server and
--name: start it again, and you have your seat back. Type 'help' for all commands."""


@dataclass(frozen=True, slots=True)
class Play:
    """Where to play (no `url`: on this machine), as whom, on which front end, the lines to begin with, and the room."""

    url: str | None
    name: str | None
    plain: bool
    ascii: bool
    first: tuple[str, ...]
    room: str | None


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `fourfold play`, but for `--url`."""
    parser.add_argument("room", metavar="ROOM", nargs="?", help="the room's id, or its URL; none: the lobby")
    parser.add_argument("--seat", help="the seat to take: white, red, ...; default the first free one")
    parser.add_argument("--password", help="the room's password")
    parser.add_argument("--local", action="store_true", help="on this machine, without a server, at one keyboard")
    parser.add_argument("--players", type=int, choices=(2, 4), help="open a game for this many players")
    parser.add_argument("--variant", type=_read(phrases.variant), help="open a game of standard, survivor, ffa, teams")
    parser.add_argument(
        "--bots",
        action="append",
        default=[],
        metavar="SEAT=LEVEL",
        help="computer players, level 1 to 5: black=3, or blue=2,green=4; 3 alone: at every seat but yours",
    )
    parser.add_argument("--clock", metavar="MIN+SEC", help="time: 5+3, or 5d3 with a delay; default untimed")
    parser.add_argument("--private", action="store_true", help="open a room that is in no list")
    parser.add_argument("--name", help="your name")
    parser.add_argument("--plain", action="store_true", help="text and a prompt, no full screen: for screen readers")
    parser.add_argument("--ascii", action="store_true", help="letters instead of figures")
    parser.set_defaults(run=run)


def run(values: argparse.Namespace) -> Coroutine[Any, Any, None]:
    """The coroutine that a command line asks for. Raises `ArgumentTypeError`."""
    url, _, room = (values.room or "").rpartition("/r/")
    if values.local and values.room:
        raise argparse.ArgumentTypeError("a room is on a server: leave out either it or --local")
    creates = values.local or values.players or values.variant or values.bots or values.clock or values.private
    if values.room and creates:
        raise argparse.ArgumentTypeError("these options describe a new game: leave out the ROOM")
    if url:
        try:
            address(url)
        except ValueError as error:
            raise argparse.ArgumentTypeError(str(error)) from error
    if values.room:
        password = [f"password={values.password}"] if values.password else []
        first = [" ".join(["join", room, *([values.seat] if values.seat else []), *password])]
    else:
        first = [_creation(values)] if creates else []
    typed = sys.stdin.isatty() and sys.stdout.isatty()
    if values.local and typed and not (
        values.players or values.variant or values.bots or values.clock or values.seat
    ):
        first = ["begin"]
    bare = values.plain or not typed or os.environ.get("TERM", "dumb") == "dumb"
    where = None if values.local else url or values.url
    return play(Play(where, values.name, bare, values.ascii, tuple(first), room or None))


def _creation(values: argparse.Namespace) -> str:
    """The line that opens the game."""
    variant = values.variant or {None: "standard", 2: "standard", 4: "survivor"}[values.players]
    if values.players not in (None, len(seats(variant))):
        raise argparse.ArgumentTypeError(f"{variant} is for {len(seats(variant))} players, not {values.players}")
    words = ["create", variant]
    if values.clock:
        words.append(values.clock)
    for wish in ",".join(values.bots).split(",") if values.bots else []:
        words.append(wish if "=" in wish else f"bots={wish}")
    if values.seat:
        words.append(f"seat={values.seat}")
    if values.private:
        words.append("private")
    if values.password:
        words.append(f"password={values.password}")
    line = " ".join(words)
    try:
        LOBBY.read(line)
    except Unclear as error:
        raise argparse.ArgumentTypeError(str(error)) from error
    return line


def _read(reader: Callable[[str], str]) -> Callable[[str], str]:
    def read(text: str) -> str:
        try:
            return reader(text.lower())
        except Unclear as error:
            raise argparse.ArgumentTypeError(str(error)) from error

    return read


async def play(options: Play) -> None:
    """Play until it is over. Raises `ConnectionFault`."""
    if options.url is None:
        pace = 0.6 if sys.stdin.isatty() else 0
        async with LocalVenue(options.name, pace) as here:
            await _front(here, options)
        return
    with tokens.StoredToken(tokens.folder(os.environ), options.url, options.name) as token:
        if token.trouble is not None:
            print(f"fourfold: {token.trouble}", file=sys.stderr)
        async with AsyncExitStack() as stack:
            try:
                there = await stack.enter_async_context(
                    RemoteVenue(options.url, options.name, token.text, room=options.room)
                )
            except Dismissed:
                if token.text is None:
                    raise
                # The token may belong to another server that had this address before.
                there = await stack.enter_async_context(RemoteVenue(options.url, options.name, room=options.room))
            token.keep(there.token)
            await _front(there, options)


async def _front(venue: Venue, options: Play) -> None:
    found = Ink.of(sys.stdout)
    if options.plain:
        ink = Ink(found.system, unicode=found.unicode and not options.ascii)
        await Plain(venue, sys.stdin, sys.stdout, ink, options.first).run()
        return
    from fourfold.clients.terminal.fullscreen.app import FourfoldApp
    from fourfold.clients.terminal.fullscreen.paint import Script

    app = FourfoldApp(venue, options.first, Script.FIGURES if found.unicode and not options.ascii else Script.LETTERS)
    await app.run_async()
    if app.fault is not None:
        raise app.fault
