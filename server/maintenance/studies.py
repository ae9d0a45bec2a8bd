"""Studies among the store's logs: recognises, replays and erases them, with their listings."""

import asyncio
from collections.abc import Sequence
from typing import Final

from fourfold.engine.decisions import Decision
from fourfold.engine.study import Study, evolve
from fourfold.engine.study.events import Created
from fourfold.server.maintenance.places import Places
from fourfold.server.storage.records import evolved
from fourfold.server.storage.redis_log import stream
from fourfold.server.studies import catalogue

FOLDED: Final = 50
"""How many decisions are applied in one turn of the event loop."""


def is_study(decisions: Sequence[Decision]) -> bool:
    """Whether a log is that of a study."""
    return bool(decisions) and isinstance(decisions[0].events[0], Created)


async def fold(decisions: Sequence[Decision]) -> Study:
    """The study after its whole log, which has at least one entry. Raises `DamagedEntry`."""
    study: Study | None = None
    for number, decision in enumerate(decisions, 1):
        study = evolved(evolve, study, decision)
        if number % FOLDED == 0:
            await asyncio.sleep(0)
    assert study is not None  # a log is never empty
    return study


async def erase(places: Places, id: str, study: Study) -> bool:
    """Remove a study's log and its listings; False if it was changed after it was read. Raises `LogUnavailable`."""
    if not await places.store.keys.remove_log(stream(id), study.seq):
        return False
    await places.archive.marks.forget([id])
    key = catalogue.key_of(study.owner)
    await places.store.execute(key, "HDEL", key, id)
    at, told = catalogue.CHANGED, catalogue.LISTINGS
    await places.store.execute(at, "EVAL", catalogue.WITHDRAW, 2, at, told, id)
    return True
