"""The rejections that no state has decided: the log or this server can't take the command."""

from typing import Final

from fourfold.engine.decisions import Rejection, refused
from fourfold.server.storage.event_log import LogUnavailable

UNAVAILABLE: Final = 1000
"""Milliseconds after which clients should retry a command that failed because the store was away."""

GONE: Final = refused("no_such_room", "This room has expired. Its log is no longer kept.")

DAMAGED: Final = refused("damaged", "This room's log is damaged, and its game can't go on. Tell the server's operator.")

NEWER: Final = refused("newer", "A newer version of this server wrote this room's log. Reconnect, or try later.")

FAILED: Final = refused("failed", "The server failed to process this command. It had no effect; the game goes on.")

CLOSED: Final = refused(
    "unavailable", "This server has just unloaded the room. Send the command again with the same key.", UNAVAILABLE
)
"""The answer of a room that this server has dropped. The next attempt loads it again."""

WATCHERS_ONLY: Final = refused(
    "watchers_only", "This server is for watchers only. Connect to another server to play."
)


def unavailable(error: LogUnavailable) -> Rejection:
    """The rejection of a command while the store is away."""
    return refused("unavailable", f"{error} Send the command again with the same key.", UNAVAILABLE)
