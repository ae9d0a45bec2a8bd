"""Servers that wait on a busy machine, where their store and their players may be silent for seconds."""

from typing import Final

from fourfold.server import health
from fourfold.server.bots import analysts
from fourfold.server.rooms import liveness
from fourfold.server.sessions import inbound
from fourfold.server.storage import redis_log
from fourfold.server.transport import cutoff

HANG: Final = 240.0
"""As in `tests.conftest`, which a server does not load."""

ANSWER: Final = 20.0
"""Seconds within which players answer. Those who have gone are waited for as long."""


def patient() -> None:
    """Make this process's server stay ready, refuse nothing, send nobody away, and give nobody's seat to another."""
    for module, name in (
        (cutoff, "AFTER"), (health, "PATIENCE"), (redis_log, "HOPE"), (redis_log, "PATIENCE"), (inbound, "HELLO"),
        (analysts, "PATIENCE"),
    ):  # fmt: skip
        setattr(module, name, HANG)
    liveness.WITHIN = ANSWER  # type: ignore[misc]
