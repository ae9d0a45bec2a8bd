"""A room on a server for watchers: it follows the log, and leaves every decision to other servers."""

from fourfold.server.replication.rejections import WATCHERS_ONLY
from fourfold.server.rooms.room import Room


class WatchedRoom(Room):
    """A room that rejects all commands and has no deadlines."""

    refuses = WATCHERS_ONLY

    def _vacancy(self) -> None:
        return None

    def _set_alarm(self) -> None:
        """Other servers act at the room's deadlines."""
