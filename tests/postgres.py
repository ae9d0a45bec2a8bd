"""Debian's PostgreSQL for tests and measurements: a separate server, on a unix socket in its own folder."""

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

READY: Final = 240.0
"""Seconds that the server has to start."""


def binaries() -> Path | None:
    """The folder of its programs; None if it is not installed."""
    found = max(Path("/usr/lib/postgresql").glob("*/bin/postgres"), default=None)
    return None if found is None else found.parent


class NotStarted(Exception):
    """One of its programs has failed. The message has its output."""


class PostgresProcess:
    """A PostgreSQL server: it may be killed and started again."""

    def __init__(self, binaries: Path, memory: str = "16MB", begin: Callable[[], None] | None = None) -> None:
        """`memory` is the size of its cache; `begin` is called in the server's process before the server begins. Raises
        `NotStarted`."""
        self.folder = Path(tempfile.mkdtemp(prefix="fourfold-postgres-"))
        self._binaries = binaries
        self._memory = memory
        self._begin = begin
        self._user = "nobody" if os.geteuid() == 0 else None  # it refuses to run as root
        self._process: subprocess.Popen[bytes] | None = None
        self._databases = 0
        if self._user is not None:
            shutil.chown(self.folder, self._user)
        options = ("--username", "fourfold", "--auth", "trust", "--encoding", "UTF8", "--locale", "C", "--no-sync")
        self._run("initdb", "--pgdata", str(self.folder / "data"), *options)

    @property
    def socket(self) -> str:
        """The path of the socket on which it listens."""
        return str(self.folder / ".s.PGSQL.5432")

    @property
    def runs(self) -> bool:
        """Whether it has been started, and has not ended since."""
        return self._process is not None and self._process.poll() is None

    def size(self) -> int:
        """The size of its files, in bytes."""
        return sum(path.stat().st_size for path in (self.folder / "data" / "base").rglob("*") if path.is_file())

    def _run(self, program: str, *arguments: str) -> None:
        done = subprocess.run(
            [self._binaries / program, *arguments], cwd=self.folder, user=self._user, capture_output=True, check=False
        )
        if done.returncode != 0:
            raise NotStarted(f"{program} failed:\n{done.stderr.decode()}")

    def start(self) -> None:
        """Start; returns when it serves. After `kill`, it retries until the helpers have ended too."""
        deadline = time.monotonic() + READY
        ready = [self._binaries / "pg_isready", "--quiet", "--host", self.folder]
        self._launch()
        while subprocess.run(ready, check=False).returncode != 0:
            if time.monotonic() > deadline:
                raise NotStarted(f"PostgreSQL did not start:\n{(self.folder / 'server.log').read_text()[-2000:]}")
            time.sleep(0.05)
            if not self.runs:
                self._launch()

    def _launch(self) -> None:
        options = ("-c", "listen_addresses=", "-c", f"shared_buffers={self._memory}", "-k", str(self.folder))
        with (self.folder / "server.log").open("ab") as output:
            self._process = subprocess.Popen(
                [self._binaries / "postgres", "-D", str(self.folder / "data"), *options],
                cwd=self.folder, user=self._user, stdout=output, stderr=subprocess.STDOUT, preexec_fn=self._begin,
            )  # fmt: skip

    def database(self) -> str:
        """The URL of a new database."""
        self._databases += 1
        name = f"test{self._databases}"
        self._run("createdb", "--host", str(self.folder), "--username", "fourfold", name)
        return f"postgresql://fourfold@/{name}?host={self.folder}"

    def kill(self) -> None:
        """kill -9 of the server. Its helpers notice through their pipe to it, and end in a moment."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def stop(self) -> None:
        """End it, and delete its folder."""
        if self._process is not None:
            self._process.send_signal(signal.SIGINT)  # without waiting for its clients
            self._process.wait()
        shutil.rmtree(self.folder)


@contextmanager
def running(binaries: Path, memory: str = "16MB") -> Iterator[PostgresProcess]:
    """A PostgreSQL server that runs until the context ends."""
    process = PostgresProcess(binaries, memory)
    try:
        process.start()
        yield process
    finally:
        process.stop()
