"""A server to fuzz, as a separate process. Its log is checked at the end."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from tests.games.conftest import ServerProcess, running


def complaints(log: str) -> list[Any]:
    """Forbidden in a server's log: errors, tracebacks, and lines that are not its own."""
    found: list[Any] = []
    for line in log.splitlines():
        try:
            fields = json.loads(line)
        except ValueError:
            found.append(line)
            continue
        if fields["level"] in ("error", "critical") or "exception" in fields:
            found.append(fields)
    return found


@pytest.fixture(scope="module")
def server() -> Iterator[ServerProcess]:
    """A server that all tests of a module share. Fails if the server has logged an error."""
    with running(None, 0, "--log-format", "json") as server:
        yield server
        server.stop()
        log = (server.folder / "server.log").read_text()
        server.start()
    assert complaints(log) == []
