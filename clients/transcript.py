"""What a connection said and heard, kept in a file for a checker to compare with the log.

One JSON object a line: `at` (milliseconds since 1970, this machine's clock), `client`, `dir` (`in` or
`out`) and `frame`. Tokens are left out: whoever reads a record must not become its players.
"""

import json
import time
from io import TextIOWrapper
from pathlib import Path
from types import TracebackType
from typing import Literal, Self

from msgspec import to_builtins

from fourfold.clients.websocket import Observer
from fourfold.protocol.from_client import Request
from fourfold.protocol.from_server import Frame


class Recorder:
    """Keeps a file for each client in a folder, or nothing if there is no folder; a context manager.

    Lines are added to files that exist, and flushed one by one, so that a kill loses none.
    """

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._files: dict[str, TextIOWrapper] = {}

    def __enter__(self) -> Self:
        if self._folder is not None:
            self._folder.mkdir(parents=True, exist_ok=True)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for file in self._files.values():
            file.close()

    def observer(self, client: str) -> Observer | None:
        """What to give a connection as `observe`, to be kept under this name."""
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
