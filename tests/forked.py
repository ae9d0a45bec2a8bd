"""Servers as processes of their own, forked from a process that has loaded the server's modules.

A new interpreter takes 1.0 s of processor time to load them. What `main` does is the same. `games/test_every_block.py`
and others start the command itself.
"""

import asyncio
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from multiprocessing import get_context
from multiprocessing.reduction import DupFd
from pathlib import Path
from typing import IO, Any, Self

_CONTEXT = get_context("forkserver")
_CONTEXT.set_forkserver_preload(["tests.preloaded", "tests.forked"])


class ForkedServer:
    """A running `fourfold-server`, with the members of `subprocess.Popen` that tests need."""

    def __init__(
        self,
        *arguments: str,
        stderr: IO[Any] | None = None,
        cwd: Path | None = None,
        env: Mapping[str, str] | None = None,
        begin: Callable[[], None] | None = None,
    ) -> None:
        """Without `stderr`, its log is lost. `begin`, a module's function, is called in the process first."""
        reading, writing = os.pipe()
        outputs = _Output(writing), stderr and _Output(stderr.fileno())
        place = cwd or Path.cwd(), dict(os.environ if env is None else env)
        self._process = _CONTEXT.Process(target=_serve, args=(arguments, outputs, *place, begin))
        self._process.start()
        os.close(writing)
        assert self._process.pid is not None
        self.pid = self._process.pid
        self.stdout = open(reading, encoding="utf-8")  # noqa: SIM115 - the caller closes it

    @property
    def sentinel(self) -> int:
        """A file descriptor that can be read when the process has ended."""
        return self._process.sentinel

    def poll(self) -> int | None:
        """The exit status, or the negative number of the signal that ended it; None if it runs."""
        return self._process.exitcode

    def send_signal(self, number: int) -> None:
        """Send a signal, unless the process has ended."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        """kill -9."""
        self.send_signal(signal.SIGKILL)

    def terminate(self) -> None:
        """Send SIGTERM."""
        self.send_signal(signal.SIGTERM)

    def wait(self, timeout: float | None = None) -> int:
        """The exit status, when it has ended. Raises `subprocess.TimeoutExpired`."""
        self._process.join(timeout)
        status = self.poll()
        if status is None:
            raise subprocess.TimeoutExpired("fourfold-server", timeout or 0)
        return status


def run(*arguments: str, env: Mapping[str, str] | None = None) -> "subprocess.CompletedProcess[str]":
    """What `fourfold-server` prints with these arguments, when it ends by itself, as `subprocess.run` returns it."""
    with tempfile.TemporaryFile("w+") as errors:
        process = ForkedServer(*arguments, stderr=errors, env=env)
        try:
            with process.stdout:
                printed = process.stdout.read()
            status = process.wait(timeout=240)
        finally:
            process.kill()
        errors.seek(0)
        return subprocess.CompletedProcess(["fourfold-server", *arguments], status, printed, errors.read())


class AwaitedServer:
    """The same, with the members of `asyncio.subprocess.Process`."""

    def __init__(self, server: ForkedServer, stdout: asyncio.StreamReader) -> None:
        self._server = server
        self.pid = server.pid
        self.stdout = stdout
        self.send_signal = server.send_signal
        self.kill = server.kill

    @classmethod
    async def start(cls, *arguments: str, **options: Any) -> Self:
        """Start one; the arguments are those of `ForkedServer`."""
        server, stdout = ForkedServer(*arguments, **options), asyncio.StreamReader()
        await asyncio.get_running_loop().connect_read_pipe(
            lambda: asyncio.StreamReaderProtocol(stdout), server.stdout
        )
        return cls(server, stdout)

    @property
    def returncode(self) -> int | None:
        """The exit status, or the negative number of the signal that ended it; None if it runs."""
        return self._server.poll()

    def terminate(self) -> None:
        """Send SIGTERM."""
        self._server.terminate()

    async def wait(self) -> int:
        """The exit status, when it has ended."""
        loop = asyncio.get_running_loop()
        ended = asyncio.Event()
        sentinel = os.dup(self._server.sentinel)  # a loop has one reader for each number
        loop.add_reader(sentinel, ended.set)
        try:
            await ended.wait()
        finally:
            loop.remove_reader(sentinel)
            os.close(sentinel)
        return self._server.wait()


class _Output:
    """A file descriptor for the new process."""

    def __init__(self, number: int) -> None:
        self.number = number

    def __getstate__(self) -> Any:
        return DupFd(self.number)

    def __setstate__(self, given: Any) -> None:
        self.number = given.detach()


def _serve(
    arguments: tuple[str, ...],
    outputs: tuple[_Output, _Output | None],
    cwd: Path,
    env: dict[str, str],
    begin: Callable[[], None] | None,
) -> None:
    from fourfold.server.__main__ import main

    if begin is not None:
        begin()
    for number, output in enumerate(outputs, 1):
        given = os.open(os.devnull, os.O_WRONLY) if output is None else output.number
        os.dup2(given, number)
        os.close(given)
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(env)
    sys.argv = ["fourfold-server", *arguments]
    main()
