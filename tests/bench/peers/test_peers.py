"""The compared servers can be started and played on, and lost moves are counted."""

from pathlib import Path

import pytest

from tests.bench.load import Load
from tests.bench.peers.kill import lost
from tests.bench.peers.servers import SERVERS, missing

pytestmark = pytest.mark.slow
LACKS = missing()
needs_node = pytest.mark.skipif(LACKS is not None, reason=LACKS or "")


@pytest.mark.parametrize(
    "name", ["evening", *(pytest.param(name, marks=needs_node) for name, server in SERVERS.items() if server.on_node)]
)
async def test_whole_games_are_played(name: str, tmp_path: Path) -> None:
    server = SERVERS[name]
    with server.start(tmp_path) as running:
        load = Load(running, 2, make=server.make)
        await load.open()
        games = moves = 0
        while not games:
            report = await load.play(1.0)
            assert not report["errors"]
            games += report["games"]
            moves += report["moves"]
        assert (await load.play(1.0))["moves"] > 0  # the next one has begun
        await load.close()
    assert moves > 50


@pytest.mark.parametrize("name", ["fourfold", "evening"])
async def test_what_is_on_disk_is_there_after_a_kill(name: str, tmp_path: Path) -> None:
    acknowledged, gone = await lost(SERVERS[name], tmp_path)
    assert acknowledged > 100
    assert gone == 0


@needs_node
@pytest.mark.parametrize("name", ["colyseus", "boardgame.io"])
async def test_what_is_in_memory_is_gone_after_a_kill(name: str, tmp_path: Path) -> None:
    acknowledged, gone = await lost(SERVERS[name], tmp_path)
    assert acknowledged > 100
    assert gone == acknowledged
