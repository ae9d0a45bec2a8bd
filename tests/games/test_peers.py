"""Programs of others, unmodified, play here through the gateway with a person who undoes, offers a draw and leaves."""

from pathlib import Path

import pytest

from tests.games import conversation
from tests.games.conftest import ServerProcess
from tests.games.conversation import OPTIONS, PROGRAMS, meet
from tests.games.peers import Recorder, gateway_to
from tests.games.person import person_at
from tests.games.test_gateway import tokens

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]


@pytest.mark.parametrize("program", PROGRAMS)
async def test_with_a_person(program: str, server: ServerProcess, tmp_path: Path) -> None:
    _, token = await tokens(server)()
    recorder = Recorder()
    async with (
        gateway_to(server.url, recorder=recorder) as gateway,
        PROGRAMS[program](tmp_path, gateway, token, 1, **OPTIONS[program]),
        person_at(server.url) as person,
    ):
        await recorder.until("/api/stream/event")
        await meet(person, gateway, token)
        table = await conversation.play(person)
        assert table.result is not None and table.result.winners == ["black"]
