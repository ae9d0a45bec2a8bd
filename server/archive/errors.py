"""The errors of the archive."""

from fourfold.server.storage.event_log import LogUnavailable


class ArchiveUnavailable(LogUnavailable):
    """The archive can't be reached, or refuses."""


class AnotherLog(Exception):
    """The archive already has a different log for this room."""
