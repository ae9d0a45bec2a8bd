"""The setup: an admin chooses a few settings in a browser. They are kept in a file of the data folder.

A server reads that file at its start, beneath all others, so the choices hold from the next start on.
"""

from collections.abc import Mapping
from typing import Any, Final

import structlog

from fourfold.server.config_file import Start, keep
from fourfold.server.console import Choices
from fourfold.server.maintenance.doctor import chosen
from fourfold.server.settings import Settings

VARIABLES: Final = ("SERVICE_NAME", "ACCOUNTS", "BOTS", "ALLOWED_ORIGINS")
"""The settings that the setup chooses."""

_log = structlog.get_logger(__name__)


class SetupFile:
    """The file of the choices, for a server that was started in some way."""

    def __init__(self, settings: Settings, environment: Mapping[str, str], start: Start) -> None:
        self._settings = settings
        self._environment = environment
        self._start = start

    @property
    def done(self) -> bool:
        """Whether choices were made."""
        return bool(self._start.chosen)

    def fixed(self) -> list[str]:
        """The variables that the setup can't change."""
        sources = chosen(self._settings, self._environment, self._start.files)
        given = {name for name, _, source in sources if name in VARIABLES and source in ("environment", "flag")}
        engine = {"BOTS"} if self._settings.analysis_engine is not None else set()  # which needs computer players
        return sorted(given | engine | (self._start.named.keys() & set(VARIABLES)))

    def choose(self, choices: Choices) -> None:
        """Store the choices, and restart the server. Raises `OSError`."""
        kept: dict[str, Any] = {"service_name": choices.service_name, "accounts": choices.accounts}
        if not choices.computers:
            kept["bots"] = 0
        if choices.origin:
            kept["allowed_origins"] = [choices.origin]
        fixed = self.fixed()
        keep(self._settings.data_dir, {name: value for name, value in kept.items() if name.upper() not in fixed})
        _log.info("set up", settings=sorted(kept))
        if self._start.restart is not None:
            self._start.restart()
