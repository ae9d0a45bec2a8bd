"""`fourfold invite`: opens a table, and shows the link and the QR code by which friends come to it."""

import argparse
import asyncio
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from functools import partial
from io import StringIO
from pathlib import Path
from typing import Any, Final, TextIO
from urllib.parse import urlsplit

from fourfold import extras, network
from fourfold.clients import play, signals
from fourfold.clients.connection import Connection
from fourfold.clients.errors import ConnectionFault, RequestError, Unreachable
from fourfold.clients.following import Following
from fourfold.clients.terminal import tokens
from fourfold.clients.terminal.parser import phrases
from fourfold.clients.terminal.text.ink import Colour, Ink
from fourfold.clients.websocket import room_url
from fourfold.engine.variants import VARIANTS
from fourfold.protocol.events import Seated
from fourfold.protocol.from_client import Clock
from fourfold.protocol.from_server import Update

ABOUT: Final = """\
Open a table for you and your friends, take a seat, and show the link, the code and a QR code of the table. If no server
answers on this machine, one is started that your network can reach, and stopped when you leave."""

PATIENCE: Final = 60.0
"""Seconds that a server has to start, or to stop."""

_DARK: Final = Colour("#000000", 16)
_LIGHT: Final = Colour("#ffffff", 231)

TRIAL: Final = 3.0
"""Seconds to find out whether a server can be reached from the network."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `fourfold invite`, but for `--url`."""
    parser.add_argument("--players", type=int, choices=(2, 4), help="how many play (default 2)")
    about = f"the variant, one of {', '.join(VARIANTS)}"
    parser.add_argument("--variant", type=play.argument(lambda text: phrases.variant(text.lower())), help=about)
    about = "time: 5+3, or 5d3 with a delay; default untimed"
    parser.add_argument("--clock", type=play.argument(phrases.clock), metavar="MIN+SEC", help=about)
    play.add_looks(parser)
    parser.set_defaults(run=run)


def run(values: argparse.Namespace) -> Coroutine[Any, Any, None]:
    """The coroutine that a command line asks for.

    Raises ValueError for one that contradicts itself, and `MissingExtra`.
    """
    variant = play.variant(values)
    play.check_screen(values)
    return _invite(values.url, variant, values)


async def _invite(url: str, variant: str, values: argparse.Namespace) -> None:
    async with _server(url, lambda sentence: print(sentence, flush=True)) as (here, there):
        room = await _open(here, there, variant, values)
        if room is not None:
            values.room, values.password = room, None
            await play.play(here, values, (f"join {room}",))


async def _open(here: str, there: str | None, variant: str, values: argparse.Namespace) -> str | None:
    """Open a table, take a seat there, and wait until you or a friend want to begin. The id of the table; None if
    you quit. Raises `ConnectionFault` or `RequestError`."""
    granted = os.environ.get("FOURFOLD_TOKEN")
    with tokens.StoredToken(tokens.folder(os.environ), here, values.name) as token:
        opened = play.known(
            lambda proof: Connection(here, name=values.name, token=proof), granted or token.text, anew=not granted
        )
        async with opened as connection:
            if not granted:
                token.keep(connection.token)
            clock: Clock | None = values.clock
            room = await connection.create(variant, visibility="private", clock=clock)
            frames = connection.follow(room)
            await connection.join(room)
            show(sys.stdout, Ink.of(sys.stdout), None if there is None else room_url(there, room), room_url(here, room))
            if not (sys.stdin.isatty() and sys.stdout.isatty()):
                return room
            print("Press Enter to go to the table, or wait until a friend sits down. q and Enter: quit.", flush=True)
            if await _wait(frames, connection.player):
                return room
            with suppress(RequestError):  # a friend has just come
                await connection.close_room(room)
            return None


def show(out: TextIO, ink: Ink, link: str | None, own: str) -> None:
    """Print the link of a table, its QR code and its code; without a `link` for friends, your `own`, and why."""
    sending = "" if link is None else " Send this link to your friend:"
    out.write(f"\n  {ink.paint('Your table is open.', bold=True)}{sending}\n\n")
    out.write(f"    {ink.paint(link or own, bold=True)}\n\n")
    if link is None:
        out.write("  Only this machine can open it: the server listens to no network. To let others in, stop the\n")
        out.write("  server, and type fourfold invite again, or start it with: fourfold-server --host 0.0.0.0\n\n")
    else:
        code = qr(link) if ink.unicode and out.isatty() else ""
        if code and len(code.splitlines()[0]) + 4 <= shutil.get_terminal_size().columns:
            out.write("".join(f"    {ink.paint(line, on=_DARK, in_=_LIGHT)}\n" for line in code.splitlines()) + "\n")
        out.write(f"  It opens in any browser. In a terminal: fourfold play {link}\n")
        out.write(f"  The code of the table is {link.rpartition('/')[2]}.\n\n")
    out.flush()


def qr(link: str) -> str:
    """A QR code in block characters, light on dark, with a margin; empty without the extra `terminal`."""
    if not extras.installed("terminal"):
        return ""
    import segno

    rows = [list(row) for row in segno.make_qr(link, error="l").matrix_iter(border=2)]
    if len(rows) % 2:
        rows.append([0] * len(rows[0]))
    image = StringIO()
    blocks = {(0, 0): "█", (0, 1): "▀", (1, 0): "▄", (1, 1): " "}
    for upper, lower in zip(rows[::2], rows[1::2], strict=True):
        image.write("".join(blocks[bool(top), bool(bottom)] for top, bottom in zip(upper, lower, strict=True)) + "\n")
    return image.getvalue()


async def _wait(frames: Following, player: str | None) -> bool:
    """Wait for a line, or for somebody else to sit down. Whether to go to the table: not after q."""
    loop = asyncio.get_running_loop()
    typed: asyncio.Future[str] = loop.create_future()
    file = sys.stdin.fileno()

    def read() -> None:
        loop.remove_reader(file)
        try:
            typed.set_result(os.read(file, 4096).decode(errors="replace"))
        except OSError:
            typed.set_result("")  # the terminal is gone

    async def arrived() -> None:
        async for frame in frames:
            if isinstance(frame, Update):
                for event in frame.events:
                    if isinstance(event, Seated) and event.player != player:
                        return

    loop.add_reader(file, read)
    arrival = asyncio.create_task(arrived())
    try:
        waiting: set[asyncio.Future[Any]] = {typed, arrival}
        await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
    finally:
        loop.remove_reader(file)
        os.set_blocking(file, True)  # uvloop's reader has changed it, for standard output too: a terminal is one file
        arrival.cancel()
    if arrival.done() and not arrival.cancelled():
        arrival.result()
    line = typed.result() if typed.done() else "\n"
    return line.strip().lower() not in ("q", "quit") and line != ""


@asynccontextmanager
async def _server(url: str, say: Callable[[str], None]) -> AsyncIterator[tuple[str, str | None]]:
    """A server: its URL for this machine, and its URL for others in the network, or None.

    If none answers at `url`, and it is of this machine, one runs until the context ends. Raises `ConnectionFault` or
    `MissingExtra`.
    """
    parts = urlsplit(url)
    here = parts.hostname in network.LOOPBACK
    if not here:
        yield url, url
    elif await _answers(url):
        yield url, await _from_network(parts.port or 80)
    else:
        async with _started(parts.port or 80, say) as started:
            yield url, network.shared(started)


async def _answers(url: str) -> bool:
    """Whether a server answers. Raises `Dismissed` if another program does."""
    try:
        async with Connection(url):
            return True
    except Unreachable:
        return False


async def _from_network(port: int) -> str | None:
    """The URL of the server at a port of this machine for others in the network, or None."""
    address = network.own_address()
    if address is None:
        return None
    try:
        async with asyncio.timeout(TRIAL):
            _, writer = await asyncio.open_connection(address, port)
    except (OSError, TimeoutError):
        return None
    writer.close()
    return f"http://{address}:{port}"


@asynccontextmanager
async def _started(port: int, say: Callable[[str], None]) -> AsyncIterator[str]:
    """A server that listens to all networks at a port, until the context ends; gives the URL that it prints."""
    extras.need("server", "A server of your own")
    log = tokens.folder(os.environ).parent / "server.log"
    log.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    say("No server runs here yet. Starting one ...")
    with log.open("wb") as errors:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "fourfold.server", "--host", "0.0.0.0", "--port", str(port)),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=errors,
            start_new_session=True,  # Ctrl-C is for this program, which then stops the server
        )
    assert process.stdout is not None
    reading: asyncio.Task[None] | None = None
    with signals.at_last(partial(os.kill, process.pid, signal.SIGTERM)):  # else the server would outlive this program
        try:
            async with asyncio.timeout(PATIENCE):
                line = (await process.stdout.readline()).decode()
            if not line.startswith("ready "):
                raise ConnectionFault(f"The server did not start: {_last_line(log)}")
            reading = asyncio.create_task(_drain(process.stdout))
            yield line.removeprefix("ready ").strip()
        finally:
            with suppress(ProcessLookupError):
                process.terminate()
            await asyncio.wait_for(process.wait(), PATIENCE)
            if reading is not None:
                await reading
                say("The server has stopped. It keeps your games.")


async def _drain(stream: asyncio.StreamReader) -> None:
    """Read a stream to its end."""
    while await stream.read(4096):
        pass


def _last_line(log: Path) -> str:
    return log.read_text(errors="replace").strip().rpartition("\n")[2] or "it said nothing"
