"""The example of the folder's page works: a replicated counter."""

import re
from pathlib import Path
from typing import Any

import pytest

from fourfold.engine.decisions import Rejection
from fourfold.server.metrics import Metrics
from fourfold.server.replication.log_writer import LogWriter, answer_of
from tests.server.memory_log import MemoryLog

PAGE = Path(__file__).parents[3] / "server" / "replication" / "README.md"


def example() -> dict[str, Any]:
    """The names that the page's example defines."""
    [code] = re.findall(r"^```python\n(.*?)^```", PAGE.read_text(), re.DOTALL | re.MULTILINE)
    names: dict[str, Any] = {"__name__": "example"}
    exec(code, names)
    return names


async def add(writer: LogWriter[Any, int], number: int, key: str = "") -> int | Rejection:
    return await answer_of(lambda answer: writer.submit(number, "ann", answer, key))


@pytest.mark.interpreted
async def test_two_servers_count_together() -> None:
    log, taken = MemoryLog(lambda: 7), list[int]()
    first, second = (
        example()["CounterWriter"]("counter", log, log.now, Metrics(), note, lambda _: None, lambda _: None)
        for note in (lambda *told: taken.append(told[0].seq), lambda *_: None)
    )
    assert await add(first, 3, "a") == 1
    assert await add(second, 4) == 2
    assert await add(second, 3, "a") == 1
    no = await add(first, -1)
    assert isinstance(no, Rejection) and no.code == "not_positive"
    assert first.state == second.state == (2, 7, 7)
    assert taken == [1, 2]
