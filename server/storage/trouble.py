"""What the log says of a store that is away or refuses to write: a line when that begins, one now and then, one when
it is over. Whatever fails because of it says so at the level of debugging.
"""

from time import monotonic
from typing import Final

import structlog

AGAIN: Final = 10.0
"""Seconds after which a trouble that lasts is told again."""

CHANGED: Final = 1.0
"""Seconds after which another reason than was told is told."""

_log = structlog.get_logger(__name__)


class TroubleReporter:
    """The trouble with one server, which the log calls `url`."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._since: float | None = None
        self._told = 0.0
        self._reason = ""

    def tell(self, reason: str) -> None:
        """It did not answer, or not as it should."""
        now = monotonic()
        reason = reason.partition(" script: ")[0]  # which line of which script met it says nothing
        if self._since is None:
            self._since = now
        elif now - self._told < (AGAIN if reason == self._reason else CHANGED):
            return
        self._told, self._reason = now, reason
        _log.warning("store in trouble", url=self._url, reason=reason, seconds=round(now - self._since, 1))

    def over(self) -> None:
        """It has done as it was told."""
        if self._since is not None:
            _log.warning("store well again", url=self._url, seconds=round(monotonic() - self._since, 1))
            self._since = None
