"""Subscriptions at a store that accepts connections but never answers."""

import asyncio

import pytest
from redis.asyncio import Redis

from fourfold.server.storage import pubsub
from fourfold.server.storage.pubsub import Subscriptions
from tests.conftest import HANG
from tests.server.storage.test_event_log import Hearing


@pytest.mark.slow
async def test_a_connection_on_which_no_answer_comes_is_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pubsub, "SILENCE", 1)
    come: list[asyncio.StreamWriter] = []
    again = asyncio.Event()

    async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        come.append(writer)
        if len(come) > 1:
            again.set()

    server = await asyncio.start_server(silent, "127.0.0.1", 0)
    client = Redis.from_url(f"redis://127.0.0.1:{server.sockets[0].getsockname()[1]}", socket_timeout=None)
    subscriptions = Subscriptions(client.connection_pool.make_connection(), lambda: None)
    subscriptions.start()
    adding = asyncio.create_task(subscriptions.add(b"channel", Hearing()))
    try:
        async with asyncio.timeout(HANG):
            await again.wait()
    finally:
        adding.cancel()
        await subscriptions.close()
        for writer in come:
            writer.close()
        server.close()
        await client.aclose()
