"""Runs the server's own bot host: the process `fourfold bots`, restarted while the server runs.

It is an ordinary client. It ends when its standard input closes, and so also when this server is killed.
"""

import asyncio
import contextlib
import os
import subprocess
import sys
from typing import Final

import structlog

_SHORTEST, _LONGEST = 1.0, 30.0
"""Seconds before a host that ended is restarted: at first, and at most."""

STEADY: Final = 60.0
"""Seconds of running after which the end of a host no longer counts as a repeated failure."""

_COMMAND: Final = (sys.executable, "-m", "fourfold.clients", "bots")

_log = structlog.get_logger(__name__)


class BadEngine(Exception):
    """The analysis engine has no valid profile, or can't run."""


def check_engine(profile: str) -> None:
    """Check that a host can run the engine of a profile. Raises `BadEngine`."""
    command = [*_COMMAND, "--analysis-engine", profile, "--check"]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    if done.returncode:
        said = done.stderr.decode(errors="replace").strip().rpartition("\n")[2]
        raise BadEngine(said.rpartition("--analysis-engine: ")[2])


async def keep_hosting(url: str, key: str, workers: int, stop: asyncio.Event, engine: str | None = None) -> None:
    """Keep a host running until cancelled, with `workers` worker processes, and with the profile `engine` for analysis.
    Once `stop` is set, none is started."""
    loop = asyncio.get_running_loop()
    wait = _SHORTEST
    while not stop.is_set():
        started = loop.time()
        await _host(url, key, workers, stop, engine)
        wait = _SHORTEST if loop.time() - started > STEADY else min(2 * wait, _LONGEST)
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(stop.wait(), wait)


async def _host(url: str, key: str, workers: int, stop: asyncio.Event, engine: str | None) -> None:
    analysing = [] if engine is None else ["--analysis-engine", engine]
    process = await asyncio.create_subprocess_exec(
        *_COMMAND, "--url", url, *analysing, "--workers", str(workers), "--until-eof",
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
        env=os.environ | {"FOURFOLD_BOTS_KEY": key},
        start_new_session=True,  # Ctrl-C is meant for the server, whose players should see the shutdown
    )  # fmt: skip
    assert process.stdin is not None and process.stderr is not None
    _log.info("bot host started", pid=process.pid)
    try:
        async for line in process.stderr:
            say = _log.debug if stop.is_set() else _log.info  # it reports that it has lost the server
            say("bot host", says=line.decode(errors="replace").rstrip())
        code = await process.wait()
    except asyncio.CancelledError:
        process.stdin.close()
        await process.wait()
        raise
    say = _log.info if stop.is_set() else _log.warning
    say("bot host ended", pid=process.pid, code=code)
