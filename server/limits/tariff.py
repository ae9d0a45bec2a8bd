"""What requests cost, in tokens: of which MAX_RATE gives a connection so many a second.

A token stands for up to a tenth of a millisecond of the server's time, or what is about as dear to others. Whatever is
not in the table costs one.
"""

from collections.abc import Callable
from typing import Any, Final

from fourfold.protocol import from_client as ask

MOVES: Final = 4
"""So many moves that a game begins with cost a token."""

MISSED: Final = 10
"""So many decisions that somebody is told of who comes back cost a token."""

_COSTS: Final[dict[type[ask.Request], Callable[[Any], int]]] = {
    ask.Create: lambda request: 8 + len(request.moves) // MOVES,
    ask.Check: lambda _: 8,
    ask.Seek: lambda _: 8,
    ask.Export: lambda _: 40,
    ask.Read: lambda _: 40,
    ask.Variants: lambda _: 4,
    ask.Join: lambda _: 2,
    ask.Watch: lambda _: 2,
    ask.Legal: lambda _: 2,
    ask.Rooms: lambda request: 1 + request.limit // 20,
}


def cost(request: ask.Request) -> int:
    """How many tokens a request costs. What a `watch` has missed comes on top, once it is known."""
    price = _COSTS.get(type(request))
    return 1 if price is None else price(request)
