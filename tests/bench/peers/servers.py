"""The compared servers: how each is started, its players, and its work for a move."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from shutil import which
from typing import Final

from tests.bench.peers.boardgameio import BoardgameTable
from tests.bench.peers.colyseus import ColyseusTable
from tests.bench.peers.players import EveningTable, MakeTable, RelayTable
from tests.bench.processes import Running, alone, fourfold, stored

HERE: Final = Path(__file__).parent
_INSTALLED: Final = HERE / "node_modules" / ".package-lock.json"
"""npm writes it last."""


def missing() -> str | None:
    """The missing requirements of the servers on Node; None if there are none."""
    if which("node") is None or which("npm") is None:
        return "Node.js and npm are not installed"
    if not _INSTALLED.exists():
        return "the packages are not installed: npm ci --prefix tests/bench/peers"
    return None


def install() -> None:
    """Install the packages of the servers on Node, in the versions of `package-lock.json`, if they are missing.

    Raises `FileNotFoundError` without npm, and `subprocess.CalledProcessError` if it fails."""
    if not _INSTALLED.exists():
        command = ["npm", "ci", "--prefix", str(HERE), "--ignore-scripts", "--no-audit", "--no-fund"]
        subprocess.run(command, stdout=sys.stderr, check=True)


def relay(data: Path | None = None) -> AbstractContextManager[Running]:
    """The bare relay."""
    return alone(sys.executable, "-m", "tests.bench.peers.relay")


def evening(data: Path | None = None) -> AbstractContextManager[Running]:
    """The evening's server, on a separate store, with the store's files in a folder."""
    return stored("tests.bench.peers.evening", data)


def node(program: str, **environment: str) -> Callable[[Path], AbstractContextManager[Running]]:
    """The command that starts a server on Node; in the environment FOLDER stands for the folder of its files."""

    def start(data: Path) -> AbstractContextManager[Running]:
        known = {name: value.replace("FOLDER", str(data)) for name, value in environment.items()}
        return alone("node", str(HERE / program), NODE_ENV="production", **known)

    return start


@dataclass(frozen=True, slots=True)
class Server:
    """A measured server. `make` creates a table at it, one of ours if None; `keeps` describes what it stores."""

    title: str
    start: Callable[[Path], AbstractContextManager[Running]]
    make: MakeTable | None
    keeps: str = "nothing"
    on_node: bool = False


_AT_ONCE: Final = "each move, on disk, before it is shown"


def _on_node(title: str, program: str, make: MakeTable, keeps: str = "nothing", **environment: str) -> Server:
    return Server(title, node(program, **environment), make, keeps, on_node=True)


SERVERS: Final = {
    "relay": Server("a bare relay on `websockets`, without rules", relay, RelayTable),
    "fourfold": Server("Fourfold", lambda data: fourfold(data=data), None, _AT_ONCE),
    "evening": Server(
        "`websockets`, python-chess, redis-py, as written in an evening", evening, EveningTable, _AT_ONCE
    ),
    "colyseus": _on_node("Colyseus 0.17, chess.js", "colyseus.mjs", ColyseusTable),
    "colyseus-list": _on_node("the same, listing the legal moves", "colyseus.mjs", ColyseusTable, LIST="1"),
    "boardgame.io": _on_node("boardgame.io 0.50, chess.js", "boardgameio.cjs", BoardgameTable),
    "boardgame.io-list": _on_node("the same, listing the legal moves", "boardgameio.cjs", BoardgameTable, LIST="1"),
    "boardgame.io-files": _on_node(
        "boardgame.io 0.50 on its `FlatFile`, chess.js",
        "boardgameio.cjs",
        BoardgameTable,
        "files, written after a move is shown",
        FLATFILE_DIR="FOLDER",
    ),
}
"""By their names on the command line. Ours and the evening's list the legal moves."""
