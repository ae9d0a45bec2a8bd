"""Games on this machine."""

from fourfold.clients.games.game import Opening
from fourfold.clients.games.local import LocalVenue


async def test_each_game_of_chess960_draws_an_array() -> None:
    async with LocalVenue() as venue:
        arrays = {(await venue.create(Opening("chess960"))).table.position.fen() for _ in range(5)}
    assert len(arrays) > 1
