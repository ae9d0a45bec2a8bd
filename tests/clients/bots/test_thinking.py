"""Choosers in other processes."""

import asyncio
import multiprocessing

import pytest

from fourfold.clients.bots.thinking import Workers
from fourfold.engine.variants import opening


@pytest.mark.slow
async def test_a_worker_that_is_killed_is_replaced() -> None:
    position = opening("standard")
    with Workers(1) as workers:
        for _ in range(2):
            first, second = workers.player(1), workers.player(2)
            for move in await asyncio.gather(first(position, 1), second(position, 1)):
                assert move in position.legal_texts()
            for process in multiprocessing.active_children():
                process.kill()
                process.join()
