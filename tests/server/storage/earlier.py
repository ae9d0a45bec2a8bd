"""Makes the data folder of an earlier version: a server of that version plays games there, and stops.

    python -m tests.server.storage.earlier v0.2.0

writes `tests/server/storage/vectors/folders/v0.2.0.tar.xz`. Run it once for each tag, right after the tag is set. Such
a file is never made again. It takes ten seconds, and needs a git checkout that has the tag. The version runs with the
libraries of this environment.

The file has the folder `data` with the embedded store and the archive, and `kept.json`: what the server said about its
games at the end. These are

* two games of two accounts and guests with clocks, and of four guests without: under way;
* the same, finished by resignations, and moved to the archive;
* a study of an account, with a variation, a comment and two chapters.
"""

import asyncio
import io
import json
import os
import signal
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any, Final

from websockets.asyncio.client import connect
from websockets.typing import Subprotocol

from fourfold.protocol.errors import SUBPROTOCOL_JSON
from tests.conftest import HANG
from tests.server.conftest import Wire

ROOT: Final = Path(__file__).parents[3]
FOLDERS: Final = Path(__file__).parent / "vectors" / "folders"
CLOCK: Final = {"base": 3_600_000, "increment": 0}
"""An hour. It does not run while no server runs, so years later the time is still there."""

SEATS: Final = {"standard": ("white", "black"), "survivor": ("red", "blue", "yellow", "green")}
PLIES: Final = 12
STUDY: Final = """[StudyName "Fools"]
[White "Ada"]

1. f3 e5 (1... d5 {or so}) 2. g4 Qh4# *

[White "Bo"]

1. e4 *
"""


class NoCheckout(Exception):
    """This is no git checkout, or it lacks the commit. The message says which."""


def unpack(ref: str, folder: Path) -> None:
    """Write the files of a commit into a folder. Raises `NoCheckout`."""
    try:
        made = subprocess.run(["git", "archive", ref], cwd=ROOT, capture_output=True, check=True)
    except FileNotFoundError as error:
        raise NoCheckout("git is not installed") from error
    except subprocess.CalledProcessError as error:
        raise NoCheckout(f"git has no {ref} here: {error.stderr.decode().strip()}") from error
    with tarfile.open(fileobj=io.BytesIO(made.stdout)) as archive:
        archive.extractall(folder, filter="tar")  # the package is made of links, which "data" refuses if they lead up


def _environment(source: Path, data: Path) -> dict[str, str]:
    """The environment of a server of the version in a folder, on a data folder."""
    kept = {name: value for name, value in os.environ.items() if name in ("PATH", "HOME", "TMPDIR")}
    environment = kept | {
        "PYTHONPATH": str(source / ".src"), "PYTHONDONTWRITEBYTECODE": "1", "PORT": "0", "DATA_DIR": str(data),
        "BOTS": "0", "EXHIBITION": "no", "ARCHIVE_AFTER": "1", "SAME_ADDRESS_RATED": "yes", "LOG_LEVEL": "warning",
        "SETUP": "no",
    }  # fmt: skip
    where = [sys.executable, "-c", "import fourfold.server as server; print(server.__file__)"]
    found = subprocess.run(where, cwd=source, env=environment, capture_output=True, text=True, check=True).stdout
    assert Path(found.strip()).resolve().is_relative_to(source.resolve()), f"{found} is not the version in {source}"
    return environment


@asynccontextmanager
async def serving(source: Path, data: Path) -> AsyncIterator[str]:
    """A server of the version in a folder, on a data folder; yields its address."""
    environment = _environment(source, data)
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "fourfold.server", cwd=source, env=environment, stdout=asyncio.subprocess.PIPE
    )
    assert process.stdout is not None
    try:
        async with asyncio.timeout(HANG):
            line = (await process.stdout.readline()).decode().split()
        assert line[:1] == ["ready"], "the server did not start"
        yield line[1]
    finally:
        if process.returncode is None:
            process.send_signal(signal.SIGTERM)
        code = await process.wait()
    assert code == 0, f"the server ended with {code}"


async def dialled(stack: AsyncExitStack, url: str, token: str | None = None, name: str | None = None) -> Wire:
    """A connection to a server, which has said hello."""
    options = {"subprotocols": [Subprotocol(SUBPROTOCOL_JSON)], "max_size": None, "compression": None}
    wire = Wire(await connect(f"{url.replace('http', 'ws')}/ws", **options), text=True)  # type: ignore[arg-type]
    stack.push_async_callback(wire.end)
    welcome = await wire.asks("hello", token=token, name=name)
    wire.player, wire.token = welcome["player"], welcome["token"]
    return wire


async def played(players: Sequence[Wire], variant: str, **terms: Any) -> tuple[str, dict[str, Wire]]:
    """A game with its first plies; returns its room, and the players by seat."""
    room: str = (await players[0].asks("create", variant=variant, **terms))["room"]
    seats = dict(zip(SEATS[variant], players, strict=True))
    for seat, player in seats.items():
        joined = await player.asks("join", room=room, seat=seat)
        assert joined["type"] == "joined", joined
    for _ in range(PLIES):
        await moved(seats, room)
    return room, seats


async def moved(seats: dict[str, Wire], room: str) -> int:
    """Play one move, the first of the legal ones, and wait until all have seen it; returns its version."""
    turn = await next(iter(seats.values())).asks("legal", room=room)
    key = f"move {turn['seq']}"
    done = await seats[turn["seat"]].asks("move", room=room, move=turn["moves"][0], seq=turn["seq"], key=key)
    assert done["type"] == "ok", done
    for player in seats.values():
        await player.seq(done["seq"])
    return int(done["seq"])


async def resigned(seats: dict[str, Wire], room: str) -> None:
    """All but one resign."""
    for player in list(seats.values())[1:]:
        assert (await player.asks("resign", room=room, key="enough"))["type"] == "ok"


async def archived(wire: Wire, room: str) -> dict[str, Any]:
    """Wait until a finished game is in the archive; returns its snapshot from there."""
    async with asyncio.timeout(HANG):
        while True:
            snapshot = await wire.asks("watch", room=room)
            if snapshot["archived"]:
                return snapshot
            await asyncio.sleep(0.2)  # nothing tells of it


async def filled(url: str) -> dict[str, Any]:
    """Play on a server; returns what is to be kept: the people, and what the server says about each room."""
    async with AsyncExitStack() as stack:
        ada, bo, *guests = [await dialled(stack, url, name=name) for name in ("", "", "Cy", "Di")]
        accounts = {wire: await wire.asks("register", name=name) for wire, name in ((ada, "Ada"), (bo, "Bo"))}
        for wire, account in accounts.items():
            wire.token = account["token"]
        people = dict(zip(("Ada", "Bo", "Cy", "Di"), (ada, bo, *guests), strict=True))
        rooms: dict[str, dict[str, Any]] = {}
        for variant, terms in (("standard", {"clock": CLOCK}), ("survivor", {})):
            players = [*people.values()][: len(SEATS[variant])]
            over, seats = await played(players, variant, **terms)
            await resigned(seats, over)
            under_way, _ = await played(players, variant, **terms)
            for room, snapshot in (
                (over, await archived(ada, over)), (under_way, await ada.asks("watch", room=under_way))
            ):  # fmt: skip
                format = "pgn" if variant == "standard" else "pgn4"
                exported = await ada.asks("export", room=room, format=format)
                rooms[room] = {"snapshot": snapshot, "format": format, "text": exported["text"]}
        study = (await ada.asks("study", source={"text": STUDY}))["room"]
        text = (await ada.asks("export", room=study, format="pgn"))["text"]
        return {
            "people": {
                name: {"player": one.player, "token": one.token, "code": accounts.get(one, {}).get("code")}
                for name, one in people.items()
            },
            "rooms": rooms,
            "study": {"room": study, "text": text, "snapshot": await ada.asks("watch", room=study)},
        }


async def make(ref: str, folder: Path) -> Path:
    """Make the data folder of a commit's version below a folder, with `kept.json` beside it. Returns it. Raises
    `NoCheckout`."""
    source, data = folder / "source", folder / "data"
    source.mkdir()
    unpack(ref, source)
    async with serving(source, data) as url:
        kept = await filled(url)
    (folder / "kept.json").write_text(json.dumps(kept))
    return data


def _wanted(member: tarfile.TarInfo) -> tarfile.TarInfo | None:
    """Leaves out logs, and locks of processes that have ended."""
    return None if member.name.endswith((".log", ".lock")) else member


def main() -> None:
    """Make the file of a tag."""
    tag = sys.argv[1]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        asyncio.run(make(tag, folder))
        FOLDERS.mkdir(parents=True, exist_ok=True)
        file = FOLDERS / f"{tag}.tar.xz"
        with tarfile.open(file, "w:xz") as packed:
            for part in ("data", "kept.json"):
                packed.add(folder / part, part, filter=_wanted)
    print(f"{file}: {file.stat().st_size} bytes")


if __name__ == "__main__":
    main()
