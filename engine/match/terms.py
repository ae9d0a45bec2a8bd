"""What the host settles about a room besides the game. The match carries it and does not look into it."""

from dataclasses import field

from fourfold.engine.values import value


@value
class Terms:
    """Whether people may talk, what the room's password must match, whether it waits for anybody who seeks a game,
    how much later than the players those who watch see the game, in milliseconds, whether the game was played
    elsewhere and `imported`, and whether it may change ratings. A room that waits for seekers of a `pool` waits for
    nobody else. With `same_address` the game is rated although players of it come from one address.

    `lock` is a salted hash in a form of the server's own, None where there is no password. It is kept
    in the log alone: neither shown to anybody nor printed.
    """

    chat: bool = True
    lock: str | None = field(default=None, repr=False)
    seek: bool = False
    delay: int = 0
    imported: bool = False
    rated: bool = True
    pool: str = ""
    same_address: bool = False


USUAL = Terms()
"""What holds where nothing else was said."""
