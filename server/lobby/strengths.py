"""Players' ratings in a kind of game: read from the archive for many at once, and cached for a while."""

from collections.abc import Callable, Iterable
from typing import Final

from fourfold.server.archive.archive import Archive
from fourfold.server.clock import Clock
from fourfold.server.ratings.kinds import Kind
from fourfold.server.ratings.levels import is_fixed, rated_as, rated_level
from fourfold.server.ratings.standing import Standing, now, standing_of

REMEMBERED: Final = 60_000
"""Milliseconds for which an answer of the archive is cached."""

MOST: Final = 20_000
"""How many answers are cached."""


class Strengths:
    """The ratings of rated players."""

    def __init__(self, archive: Archive, clock: Clock, has_account: Callable[[str], bool]) -> None:
        """`has_account` says whether a player has an account."""
        self._archive = archive
        self._clock = clock
        self._has_account = has_account
        self._known: dict[tuple[Kind, str], tuple[int, Standing]] = {}  # with their expiry; oldest first

    async def of(self, players: Iterable[str], kind: Kind) -> dict[str, Standing]:
        """The standings of those players who are rated: accounts and computer players. Raises `LogUnavailable`."""
        time = self._clock()
        found: dict[str, Standing] = {}
        lacking: dict[str, str] = {}
        for player in players:
            rated = rated_as(player)
            if is_fixed(rated):
                found[player] = standing_of(rated, kind.variant)
            elif rated_level(rated) is not None or self._has_account(player):
                until, standing = self._known.get((kind, rated), (0, None))
                if standing is None or until <= time:
                    lacking[player] = rated
                else:
                    found[player] = now(rated, standing, time)
        if lacking:
            held = await self._archive.ratings(lambda tables: tables.several(set(lacking.values()), kind))
            for player, rated in lacking.items():
                standing = held.get(rated) or standing_of(rated, kind.variant)
                self._known.pop((kind, rated), None)
                self._known[kind, rated] = time + REMEMBERED, standing
                found[player] = now(rated, standing, time)
            while len(self._known) > MOST:
                del self._known[next(iter(self._known))]
        return found
