"""Automatic backups: one of the servers of a store makes them at intervals, checks them, and removes the oldest.

The command `fourfold-server backup` makes each in a separate process, so that no move waits for it. The store has the
time of the last good backup, and the server that is making one now.
"""

import asyncio
import contextlib
import os
import re
import sys
from collections.abc import Awaitable, Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import structlog

from fourfold.server.clock import Clock
from fourfold.server.console import StoredBackup
from fourfold.server.settings import Settings
from fourfold.server.storage.event_log import LogUnavailable
from fourfold.server.storage.redis_log import RedisLog
from fourfold.server.supervision import end, supervise

MADE: Final = "fourfold:backup:made"
"""The key of the time (ms since 1970) at which the last good backup was started."""

MAKING: Final = "fourfold:backup:making"
"""The key of the server that is making one now."""

FAILED: Final = b"failed"
"""What that key holds instead after a failure."""

LEASE: Final = 60 * 60 * 1000
"""Milliseconds after which another server may make one, if the server that started one has not finished."""

LOOK: Final = 30.0
"""Seconds between checks whether one is due."""

AGAIN: Final = 10 * 60 * 1000
"""Milliseconds until a failed backup is tried again."""

NICE: Final = 10
"""The niceness of the backup process."""

_NAME: Final = re.compile(r"fourfold-\d{8}-\d{6}\.backup")

_log = structlog.get_logger(__name__)

Make = Callable[[Path], Awaitable[str | None]]
"""Makes a backup and checks it; returns why it failed, or None."""


class Backups:
    """Makes backups from `start` to `close`."""

    def __init__(self, log: RedisLog, now: Clock, folder: Path, every: int | None, keep: int, make: Make) -> None:
        """`every` is in milliseconds (None: only those that `begin` begins). Of the files in the folder that this has
        made, the newest `keep` stay."""
        self.making = False
        """Whether this server makes a backup now."""
        self.failed = ""
        """Why the last one that `begin` began has failed; empty if it has not."""
        self._log = log
        self._now = now
        self._folder = folder
        self._every = every
        self._keep = keep
        self._make = make
        self._made: int | None = None
        self._task: asyncio.Task[None] | None = None
        self._asked: asyncio.Task[None] | None = None

    @property
    def place(self) -> str:
        """The folder's path."""
        return str(self._folder)

    @property
    def age(self) -> float | None:
        """Seconds since the last good backup was started, by any server; None if there is none, or if the store has not
        answered yet."""
        return None if not self._made else (self._now() - self._made) / 1000

    def start(self) -> None:
        """Start, if there is an interval."""
        if self._every is not None:
            self._task = supervise("backups", self._watch)

    async def close(self) -> None:
        """Stop. A backup in progress is given up."""
        await end([self._task, self._asked])

    def begin(self) -> bool:
        """Begin to make a backup; returns False if this server makes one already."""
        if self.making:
            return False
        self.making, self.failed = True, ""
        self._asked = asyncio.create_task(self._make_as_asked())
        return True

    async def _make_as_asked(self) -> None:
        try:
            if await self._log.execute(MAKING, "GET", MAKING) == FAILED:
                await self._log.execute(MAKING, "DEL", MAKING)
            self.failed = await self._make_one()
        except LogUnavailable as error:
            self.failed = str(error)
        finally:
            self.making = False

    def files(self) -> list[StoredBackup]:
        """The backups, newest first. Raises `OSError`."""
        found = [(file.name, file.stat()) for file in kept(self._folder)]
        return [StoredBackup(name, facts.st_size, int(facts.st_mtime * 1000)) for name, facts in found]

    def part(self, name: str, start: int, size: int) -> tuple[bytes, int] | None:
        """At most `size` bytes of a backup from byte `start` on, and the size of the whole; None if there is none of
        this name. Raises `OSError`."""
        file = self._folder / name
        if not _NAME.fullmatch(name) or not file.is_file():
            return None
        with file.open("rb") as opened:
            opened.seek(start)
            return opened.read(size), file.stat().st_size

    async def _watch(self) -> None:
        while True:
            with contextlib.suppress(LogUnavailable):  # the code that writes to the store logs it
                await self.look()
            await asyncio.sleep(LOOK)

    async def look(self) -> None:
        """Make one if it is due and no other server is making one. Raises `LogUnavailable`."""
        made = await self._log.execute(MADE, "GET", MADE)
        self._made = int(made or 0)
        if self._every is not None and self._now() >= self._made + self._every and not self.making:
            self.making = True
            try:
                await self._make_one()
            finally:
                self.making = False

    async def _make_one(self) -> str:
        """Make one, unless another server does; returns why not, or an empty text. Raises `LogUnavailable`."""
        if not await self._log.execute(MAKING, "SET", MAKING, self._log.node, "NX", "PX", LEASE):
            return "another server of this store makes one"
        began = self._now()
        name = f"fourfold-{datetime.fromtimestamp(began / 1000, UTC):%Y%m%d-%H%M%S}.backup"
        failed = await self._make(self._folder / name)
        if failed is not None:
            _log.error("backup failed", file=str(self._folder / name), error=failed)
            await self._log.execute(MAKING, "SET", MAKING, FAILED, "PX", AGAIN)
            return failed
        _log.info("backup made", file=str(self._folder / name))
        await self._log.execute(MADE, "SET", MADE, began)
        self._made = began
        await self._log.execute(MAKING, "DEL", MAKING)
        await asyncio.to_thread(self._rotate)
        return ""

    def _rotate(self) -> None:
        for old in kept(self._folder)[self._keep :]:
            old.unlink(missing_ok=True)


def kept(folder: Path) -> list[Path]:
    """The automatic backups in a folder, newest first."""
    return sorted((file for file in folder.glob("*.backup") if _NAME.fullmatch(file.name)), reverse=True)


def folder_of(settings: Settings) -> Path:
    """The folder of a server's backups."""
    return settings.data_dir / "backups" if settings.backup_dir is None else settings.backup_dir


def variables(settings: Settings, store: str) -> Mapping[str, str]:
    """The environment for a command that uses a server's store and archive."""
    database = {} if settings.database_url is None else {"DATABASE_URL": settings.database_url}
    return {**os.environ, "REDIS_URL": store, "DATA_DIR": str(settings.data_dir), "LOG_LEVEL": "warning", **database}


async def make(file: Path, environment: Mapping[str, str]) -> str | None:
    """Make a backup with the command, and check it; see `Make`. A file that fails the check is removed."""
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        return str(error)
    for command in ("backup", "verify"):
        status, said = await _run(command, file, environment)
        if status:
            if command == "verify":
                await asyncio.to_thread(file.unlink, missing_ok=True)
            return said.strip() or f"`{command}` ended with {status}"
    return None


async def _run(command: str, file: Path, environment: Mapping[str, str]) -> tuple[int, str]:
    """Run a command on a file of a backup, at a low priority; returns its exit status and its output. If this is
    cancelled, the process is killed, and the part of the file that it has written is removed."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "fourfold.server", command, str(file),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
        env=environment,
        start_new_session=True,  # Ctrl-C is meant for the server, which ends this process
    )  # fmt: skip
    try:
        with contextlib.suppress(ProcessLookupError, PermissionError):  # the server's own priority may be lower
            os.setpriority(os.PRIO_PROCESS, process.pid, NICE)
        said, _ = await process.communicate()
    except asyncio.CancelledError:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()
        await asyncio.to_thread(file.with_name(f"{file.name}.part").unlink, missing_ok=True)
        raise
    assert process.returncode is not None
    return process.returncode, said.decode(errors="replace")
