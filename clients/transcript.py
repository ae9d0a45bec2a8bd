"""Writes a client's messages to a file, for comparison with the server's log.

Each line is a JSON object: `at` (milliseconds since 1970, by this machine's clock), `client`, `dir` (`in` or `out`) and
`frame`. Tokens are left out, because they are secret.
"""

import json
import time
from io import TextIOWrapper
from pathlib import Path
from typing import Literal, Self

from msgspec import to_builtins

from fourfold.clients.websocket import Observer
from fourfold.protocol.from_client import Request
from fourfold.protocol.from_server import Frame


class Recorder:
    """Writes a file for each client into a folder, or nothing if `folder` is None. A context manager.

    Each line is flushed at once, so that none is lost when the process is killed.
    """

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._files: dict[str, TextIOWrapper] = {}

    def __enter__(self) -> Self:
        if self._folder is not None:
            self._folder.mkdir(parents=True, exist_ok=True)
        return self

    def __exit__(self, *_: object) -> None:
        for file in self._files.values():
            file.close()

    def observer(self, client: str) -> Observer | None:
        """The observer of one client, for its connection: it writes to this client's file."""
        if self._folder is None:
            return None
        file = self._files[client] = (self._folder / f"{client}.jsonl").open("a", encoding="utf-8")

        def observe(direction: Literal["in", "out"], message: Request | Frame) -> None:
            frame = to_builtins(message)
            frame.pop("token", None)
            line = {"at": time.time_ns() // 1_000_000, "client": client, "dir": direction, "frame": frame}
            file.write(json.dumps(line, separators=(",", ":")) + "\n")
            file.flush()

        return observe
