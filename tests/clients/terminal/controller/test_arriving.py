"""The way to a game: the ratings in the lobby's list."""

from collections.abc import Iterable

from fourfold.clients.games.local import LocalVenue
from fourfold.clients.terminal.controller.arriving import rated
from fourfold.protocol.from_server import Control, ListedSeat, Listing


class Lobby(LocalVenue):
    """A venue with rated players, which records the requests."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[tuple[str, list[str]]] = []

    async def strengths(self, players: Iterable[str], variant: str, clock: Control | None) -> dict[str, str]:
        self.asked.append((variant, list(players)))
        return {player: f"{variant} {len(player)}" for player in self.asked[-1][1] if player != "guest"}


async def test_ratings_are_asked_for_once_for_all_rooms_of_a_kind() -> None:
    venue = Lobby()
    clock = Control(300_000, 3_000, 0)
    rooms = [
        listing("a", "standard", clock, "ann", "bob"),
        listing("b", "standard", Control(300_000, 3_000, 0), "cy", "guest"),
        listing("c", "ffa", None, "ann"),
    ]
    found = await rated(venue, rooms)
    assert venue.asked == [("standard", ["ann", "bob", "cy", "guest"]), ("ffa", ["ann"])]
    names = [[seat.name for seat in room.seats] for room in found]
    assert names == [["ANN standard 3", "BOB standard 3"], ["CY standard 2", "GUEST"], ["ANN ffa 3"]]


def listing(room: str, variant: str, clock: Control | None, *players: str) -> Listing:
    """A room with these players."""
    seats = [ListedSeat(f"seat {player}", player.upper(), player=player) for player in players]
    return Listing(room, variant, clock, "open", seats, 0, 0, 0)
