"""`fourfold play`: its arguments, and the choice of venue and front end."""

import argparse
import asyncio
import os
import sys
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING, Any, Final, Literal, TypeVar

from fourfold import extras
from fourfold.clients import signals
from fourfold.clients.connection import Connection
from fourfold.clients.errors import Dismissed
from fourfold.clients.games.game import Venue
from fourfold.clients.games.local import LocalVenue
from fourfold.clients.games.remote import RemoteVenue
from fourfold.clients.terminal import tokens
from fourfold.clients.terminal.parser import phrases
from fourfold.clients.terminal.parser.language import LOBBY
from fourfold.clients.terminal.plain import Plain
from fourfold.clients.terminal.text.ink import Ink
from fourfold.clients.websocket import address
from fourfold.engine.variants import VARIANTS, player_seats

if TYPE_CHECKING:
    from fourfold.clients.terminal.fullscreen.app import FourfoldApp

ABOUT: Final = """\
Play chess for two or four players in the terminal: in a ROOM of a server, or only on this machine (--local). Without a
ROOM it starts in the lobby, or with a new game if options describe one. In a pipe it uses plain text."""

KEPT: Final = """\
Your identity is stored in $XDG_STATE_HOME/fourfold/tokens (usually ~/.local/state/fourfold/tokens), for each server
and --name. Restart, and you get your seat back. Type 'help' for all commands."""


_Value = TypeVar("_Value")
_Opened = TypeVar("_Opened")


def argument(read: Callable[[str], _Value]) -> Callable[[str], _Value]:
    """A type for argparse that shows the message of `read`'s ValueError."""

    def reader(text: str) -> _Value:
        try:
            return read(text)
        except ValueError as error:
            raise argparse.ArgumentTypeError(str(error)) from error

    return reader


def server(url: str) -> str:
    """The URL, if it is a server's. Raises ValueError otherwise."""
    address(url)
    return url


def variant(values: argparse.Namespace) -> str:
    """The variant of `--variant` and `--players`. Raises ValueError if there is none."""
    name: str = values.variant or phrases.variant(str(values.players or 2))
    players = len(player_seats(name))
    if values.players not in (None, players):
        raise ValueError(f"{name} is for {players} players, not {values.players}")
    return name


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `fourfold play`, except `--url`."""
    parser.add_argument("room", metavar="ROOM", nargs="?", help="the room's id or URL; without it, the lobby")
    parser.add_argument("--seat", help="the seat to take: white, red, ... (default the first free seat)")
    parser.add_argument("--password", help="the room's password")
    parser.add_argument("--local", action="store_true", help="play on this machine, without a server, at one keyboard")
    parser.add_argument("--players", type=int, choices=(2, 4), help="open a game for 2 or 4 players")
    about = f"open a game of {', '.join(VARIANTS)}"
    parser.add_argument("--variant", type=argument(lambda text: phrases.variant(text.lower())), help=about)
    parser.add_argument(
        "--bots",
        action="append",
        default=[],
        metavar="SEAT=LEVEL",
        help="computer players, level 1 to 5: black=3, or blue=2,green=4; 3 alone fills every seat but yours",
    )
    parser.add_argument("--clock", metavar="MIN+SEC", help="time control: 5+3, or 5d3 with a delay (default untimed)")
    parser.add_argument("--private", action="store_true", help="open a private room, which no list shows")
    add_looks(parser)
    parser.set_defaults(run=run)


def add_looks(parser: argparse.ArgumentParser) -> None:
    """Add the arguments about the player's identity and the look of the terminal."""
    parser.add_argument("--name", help="your name")
    parser.add_argument("--plain", action="store_true", help="plain text and a prompt, for screen readers")
    parser.add_argument("--ascii", action="store_true", help="letters instead of figures")


def run(values: argparse.Namespace) -> Coroutine[Any, Any, None]:
    """The coroutine of a command line. Raises ValueError for contradictory arguments, and `MissingExtra`."""
    url, _, room = (values.room or "").rpartition("/r/")
    if values.local and values.room:
        raise ValueError("a ROOM is on a server; leave out ROOM or --local")
    creates = values.local or values.players or values.variant or values.bots or values.clock or values.private
    if values.room and creates:
        raise ValueError("these options describe a new game; leave out the ROOM")
    where = None if values.local else server(url or values.url)
    typed = sys.stdin.isatty() and sys.stdout.isatty()
    first = None
    if values.room:
        password = f"password={values.password}" if values.password else None
        first = " ".join(filter(None, ("join", room, values.seat, password)))
    elif creates:
        described = values.players or values.variant or values.bots or values.clock or values.seat
        first = "begin" if values.local and typed and not described else _creation(values)
    values.room = room or None
    check_screen(values)
    return play(where, values, () if first is None else (first,))


def _creation(values: argparse.Namespace) -> str:
    """The command that opens the game."""
    bots = ",".join(values.bots).split(",") if values.bots else []
    words = [
        "create",
        variant(values),
        values.clock,
        *(bot if "=" in bot else f"bots={bot}" for bot in bots),
        values.seat and f"seat={values.seat}",
        values.private and "private",
        values.password and f"password={values.password}",
    ]
    line = " ".join(filter(None, words))
    LOBBY.read(line)  # raises `Unclear`, a ValueError
    return line


async def grant(url: str, name: str | None, scope: Literal["play", "bot", "organize"], called: str) -> None:
    """Make an access token of the account that is stored for a server and a name, and print it. Raises `RequestError`
    or `ConnectionFault`."""
    with tokens.StoredToken(tokens.folder(os.environ), url, name) as token:
        async with Connection(url, name=name, token=token.text) as connection:
            token.keep(connection.token)
            print((await connection.grant(scope, called)).token)


async def play(url: str | None, values: argparse.Namespace, first: Sequence[str]) -> None:
    """Play on a server, or on this machine if `url` is None, until the end. `first` has the first commands. Raises
    `ConnectionFault`."""
    if url is None:
        pace = 0.6 if sys.stdin.isatty() else 0
        async with LocalVenue(values.name, pace) as here:
            await _front(here, values, first)
        return
    if granted := os.environ.get("FOURFOLD_TOKEN"):
        async with RemoteVenue(url, token=granted, room=values.room) as there:
            await _front(there, values, first)
        return
    with tokens.StoredToken(tokens.folder(os.environ), url, values.name) as token:
        if token.trouble is not None:
            print(f"fourfold: {token.trouble}", file=sys.stderr)
        async with known(lambda proof: RemoteVenue(url, values.name, proof, room=values.room), token.text) as there:
            token.keep(there.token)
            there.keep = token.keep
            there.users = tokens.names(tokens.folder(os.environ), url)
            await _front(there, values, first)


@asynccontextmanager
async def known(
    open: Callable[[str | None], AbstractAsyncContextManager[_Opened]], token: str | None, *, anew: bool = True
) -> AsyncIterator[_Opened]:
    """The connection that `open` makes with a token. If the server does not know the token, and `anew` is true, the
    connection without it: the token may belong to another server that had this address before."""
    async with AsyncExitStack() as stack:
        try:
            opened = await stack.enter_async_context(open(token))
        except Dismissed:
            if token is None or not anew:
                raise
            opened = await stack.enter_async_context(open(None))
        yield opened


async def _front(venue: Venue, values: argparse.Namespace, first: Sequence[str]) -> None:
    ink = Ink.of(sys.stdout)
    ink.unicode = ink.unicode and not values.ascii
    if not _on_full_screen(values):
        await Plain(venue, sys.stdin, sys.stdout, ink, first).run()
        return
    from fourfold.clients.terminal.fullscreen.app import FourfoldApp

    app = FourfoldApp(venue, first, ascii=not ink.unicode)
    with signals.hangup(sys.stdin.fileno()):
        await _show(app)
    if app.quoted is not None:
        print(app.quoted)
    if app.fault is not None:
        raise app.fault


async def _show(app: "FourfoldApp") -> None:
    """Show the full screen until it ends. Cancelled, it ends in order: Textual may swallow a cancellation."""
    running = asyncio.create_task(app.run_async())
    try:
        await asyncio.shield(running)
    except asyncio.CancelledError:
        app.exit()
        await running
        raise


def check_screen(values: argparse.Namespace) -> None:
    """Check that the full screen is installed, where it is the front end. Raises `MissingExtra`."""
    if _on_full_screen(values):
        extras.need("terminal", "The full screen (--plain works without it)")


def _on_full_screen(values: argparse.Namespace) -> bool:
    """Whether the front end is the full screen: on a terminal, unless `--plain` says otherwise."""
    typed = sys.stdin.isatty() and sys.stdout.isatty()
    return typed and not values.plain and os.environ.get("TERM", "dumb") != "dumb"
