"""Every request has a price, which grows with the size of the request."""

import pytest

from fourfold.protocol import from_client as ask
from fourfold.protocol.examples import REQUESTS as EXAMPLES
from fourfold.server.limits.prices import LEAST, MOVE, REQUESTS


def test_every_request_has_a_price() -> None:
    assert set(REQUESTS) == set(ask.REQUESTS.values())
    for request in EXAMPLES:
        assert REQUESTS[type(request)].of(request) >= LEAST, request


def test_a_game_with_moves_costs_by_their_number() -> None:
    price = REQUESTS[ask.Create]
    more = price.of(ask.Create(moves=["e2e4"] * 400)) - price.of(ask.Create())
    assert more == pytest.approx(400 * MOVE)
