"""What can go wrong with the archive."""

from fourfold.server.storage.event_log import LogUnavailable


class ArchiveUnavailable(LogUnavailable):
    """The archive can't be reached, or refuses."""


class AnotherLog(Exception):
    """The archive holds another log of this room than the one to be kept."""
