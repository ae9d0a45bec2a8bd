"""Logs that a store is away or refuses writes: a line at the beginning, one now and then, and one at the end.

Failures caused by it are logged at level debug.
"""

from typing import Final

import structlog

from fourfold.server.clock import monotonic

AGAIN: Final = 10.0
"""Seconds after which continuing trouble is logged again."""

CHANGED: Final = 1.0
"""Seconds after which a new reason is logged."""

_log = structlog.get_logger(__name__)


class TroubleReporter:
    """Reports the trouble with one node. The log names the node by `url`."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._since: float | None = None
        self._told = 0.0
        self._reason = ""

    def tell(self, reason: str) -> None:
        """The node did not answer, or refused."""
        now = monotonic()
        reason = reason.partition(" script: ")[0]  # the line of the script that failed is of no use
        if self._since is None:
            self._since = now
        elif now - self._told < (AGAIN if reason == self._reason else CHANGED):
            return
        self._told, self._reason = now, reason
        _log.warning("store in trouble", url=self._url, reason=reason, seconds=round(now - self._since, 1))

    def over(self) -> None:
        """The node works again."""
        if self._since is not None:
            _log.warning("store well again", url=self._url, seconds=round(monotonic() - self._since, 1))
            self._since = None
