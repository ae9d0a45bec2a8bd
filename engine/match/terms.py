"""The terms of a room: the host's choices besides the game itself. The match mostly carries them without using them."""

from dataclasses import field

from fourfold.engine.values import value


@value
class Terms:
    """The terms of a room."""

    chat: bool = True
    """Whether people can chat."""
    lock: str | None = field(default=None, repr=False)
    """The room's password as a salted hash of the server's; None without a password. Only the log has it: it is never
    shown or printed."""
    seek: bool = False
    """Whether players who look for a game are paired into this room."""
    delay: int = 0
    """How much later watchers see the game, in milliseconds."""
    imported: bool = False
    """Whether the game was imported from elsewhere."""
    rated: bool = True
    """Whether the game may change ratings."""
    pool: str = ""
    """If not empty, only players who look for a game in this pool are paired into the room."""
    same_address: bool = False
    """Whether the game is rated even if some of its players share an address."""
    fill: int = 0
    """The level of the computers that fill the free seats; people may replace them while the game is young. 0: none."""


USUAL = Terms()
"""The default terms."""
