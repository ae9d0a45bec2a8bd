"""The server's own log, for its operator: one line for each event, on standard error.

Libraries log the same way. Lines about a request name its connection and its player. Never logged: tokens, passwords,
the server's secret, and the frames that carry them. Text from clients can't forge a line or a terminal command, because
control characters are escaped in every field.
"""

import logging
import re
import sys
from typing import Any, Final, TextIO

import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

OURS: Final = "fourfold.server"
"""The prefix of our loggers' names."""

LEVELS: Final = ("debug", "info", "warning", "error")
"""The levels, by what they leave out."""

_CONTROL: Final = re.compile(
    "[\x00-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]"
)
"""C0, C1, and the characters that break lines, change the direction of writing, or hide."""


def configure(level: str, format: str | None, stream: TextIO = sys.stderr) -> None:
    """Write entries of at least `level`, as `console` or `json`; None means console on a terminal, json elsewhere."""
    console = format == "console" or (format is None and stream.isatty())
    fields: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_logger_name,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True, key="time"),
    ]
    people = structlog.dev.ConsoleRenderer(
        colors=stream.isatty(), timestamp_key="time", exception_formatter=structlog.dev.plain_traceback, sort_keys=False
    )
    handler = logging.StreamHandler(stream)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=fields,
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                structlog.processors.format_exc_info,  # without local variables, which may be secret
                _escape,
                people if console else structlog.processors.JSONRenderer(),
            ],
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    structlog.configure(
        processors=[*fields, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=False,  # so that the level can change
    )
    set_level(level)


def set_level(level: str) -> None:
    """From now on, write entries of at least `level`."""
    least = logging.getLevelNamesMapping()[level.upper()]
    # Below that level, `websockets` and `redis` log their traffic, including tokens and passwords.
    logging.getLogger().setLevel(max(least, logging.WARNING))
    logging.getLogger(OURS).setLevel(least)
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(least))


def level() -> str:
    """The level of our log now."""
    return logging.getLevelName(logging.getLogger(OURS).getEffectiveLevel()).lower()


def change_level(to: str) -> None:
    """Change the level while the server runs, and log that, whatever the level."""
    before = level()
    set_level("info")
    structlog.get_logger(__name__).info("log level changed", before=before, now=to)
    set_level(to)


def _escape(_: WrappedLogger, __: str, fields: EventDict) -> EventDict:
    return {name: _plain(name, value) for name, value in fields.items()}


def _plain(name: str, value: Any) -> Any:
    if not isinstance(value, str):
        return value
    if name == "exception":  # a traceback keeps its lines, indented so that none looks like a line of the log
        return "\n".join("    " + _CONTROL.sub(_escaped, line) for line in value.splitlines())
    return _CONTROL.sub(_escaped, value)


def _escaped(found: re.Match[str]) -> str:
    return found.group().encode("unicode_escape").decode()
