"""A room on a server that serves watchers: it follows the log, and leaves every decision to other servers."""

from typing import Final

from fourfold.engine.match.commands import Command
from fourfold.engine.match.events import refused
from fourfold.server.rooms.log_writer import Answer
from fourfold.server.rooms.room import Room

WATCHERS_ONLY: Final = refused(
    "watchers_only", "This server is for watchers, and changes no room. Connect to another server to play."
)


class WatchedRoom(Room):
    """Judges no command, and has no deadlines."""

    def submit(self, command: Command, by: str, answer: Answer, key: str = "") -> None:
        """Refuse the command."""
        answer(WATCHERS_ONLY)

    def _vacancy(self) -> None:
        return None

    def _set_alarm(self) -> None:
        """Other servers act at the room's deadlines."""
