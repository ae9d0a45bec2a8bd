"""Our server, except that it forgets games after seconds instead of weeks, so that an hour shows the effects of a year.

`python -m tests.bench.forgetful DATA_FOLDER`
"""

import asyncio
import sys
from pathlib import Path

import uvloop

from fourfold.server import logs
from fourfold.server.process import run
from fourfold.server.rooms.retention import Retention
from fourfold.server.settings import Settings

BOTS_KEY = "forgetful"
BRIEF = Retention(open=30_000, playing=120_000, finished=60_000)


class Forgetful(Settings):
    """Settings with short retention and without limits on the load."""

    @property
    def retention(self) -> Retention:
        return BRIEF


if __name__ == "__main__":
    logs.configure("warning", "json")
    no_limits = {"max_rate": 0, "max_rooms": 0, "max_connections": 0}
    settings = Forgetful(port=0, data_dir=Path(sys.argv[1]), bots=0, bots_key=BOTS_KEY, **no_limits)
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(run(settings))
