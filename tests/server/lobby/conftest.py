"""What the lobby's tests share."""

from collections.abc import AsyncIterator

import pytest

from fourfold.server.rooms import liveness, seat_presence
from fourfold.server.storage.redis_log import RedisLog
from tests.conftest import HANG


@pytest.fixture(autouse=True)
def seekers_are_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine a ping takes seconds, and so does the message that a player has come to another server. The
    players of most tests are there: nobody takes a seat from them."""
    monkeypatch.setattr(liveness, "WITHIN", HANG)
    monkeypatch.setattr(seat_presence, "SETTLED", int(1000 * HANG))


@pytest.fixture
async def log(common_url: str) -> AsyncIterator[RedisLog]:
    """The log, as another server sees it."""
    log = await RedisLog.open(common_url)
    yield log
    await log.close()
