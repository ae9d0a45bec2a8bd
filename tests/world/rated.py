"""Accounts, and games that count for ratings."""

import asyncio
from contextlib import suppress
from typing import Any, Final

from fourfold.clients.errors import RequestError
from tests.faults.blows import Stage
from tests.world.blows import loses
from tests.world.passers import Passer, insist

RATED: Final = 60.0
"""Seconds after which a rated game must count, whatever goes wrong meanwhile."""


async def register(stage: Stage, guest: Passer) -> str | None:
    """Make an account, as soon as the archive takes it. The player gets its token and its code, whatever is lost.
    Returns the code."""
    before = guest.connection.player
    try:
        account = await insist(lambda: guest.connection.register(guest.who))
    except RequestError as error:
        stage.wrong.append(f"{guest.who} gets no account: {error.code}")
        return None
    if isinstance(account.code, str) and account.player == before:
        return account.code
    stage.wrong.append(f"{guest.who}, player {before}, gets the account {account}")
    return None


async def count_for(stage: Stage, room: str, one: Passer, other: Passer) -> None:
    """Where games are archived, a rated one counts for both soon, and once."""
    table = one.table
    if not stage.cluster.archives or loses(stage) or table is None or table.result is None or table.result.unrated:
        return
    found: list[Any] = []
    with suppress(TimeoutError):
        async with asyncio.timeout(RATED):
            while True:
                with suppress(RequestError):
                    found = [(await player.connection.ratings()).ratings for player in (one, other)]
                    if all(ratings and ratings[0].games == 1 for ratings in found):
                        return
                await asyncio.sleep(0.5)  # paces the looks
    stage.wrong.append(f"the rated game in {room} does not count for {[one.who, other.who]}: {found}")
