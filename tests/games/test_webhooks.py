"""The reports of webhooks on games at a real server."""

import asyncio
import secrets

import pytest

from fourfold.clients.connection import Connection
from fourfold.clients.webhooks import reports
from fourfold.clients.webhooks.reports import Report, Reporter
from fourfold.protocol.from_server import Room
from tests.games.conftest import ServerProcess


@pytest.fixture(autouse=True)
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reports, "EVERY", 0.05)


@pytest.mark.parametrize("mine", [True, False])
async def test_a_game_is_reported(server: ServerProcess, mine: bool) -> None:
    told: asyncio.Queue[Report] = asyncio.Queue()
    async with Connection(server.url, name="Ann") as ann, Connection(server.url, name="Boris") as boris:
        await ann.register(f"Ann {secrets.token_hex(5)}")
        token = (await ann.grant("play", "webhook")).token if mine else None
        async with Connection(server.url, token=token) as hook:
            reporting = asyncio.create_task(Reporter(hook, told.put_nowait, mine=mine).run())
            room = await ann.create()
            await ann.join(room, "white")
            await asyncio.sleep(0.2)  # so that it has checked once, and the game is new
            await boris.join(room)

            async def next_report() -> Report:
                async with asyncio.timeout(240):
                    while (report := await told.get()).table.room != room:
                        pass  # of other tests
                return report

            begun = await next_report()
            assert begun.kind == "game.begun"
            if mine:
                report = await next_report()
                assert (report.kind, report.seat, report.table.moves) == ("game.move", "white", ())
            seq = await ann.move(room, "e2e4", begun.table.seq)
            await boris.move(room, "e7e5", seq)
            if mine:
                assert (await next_report()).sentence.startswith("It is your move after e7e5, in the game of Ann")
            await boris.resign(room)
            report = await next_report()
            assert (report.kind, report.data["winners"]) == ("game.over", ["white"])
            # The hook neither plays nor counts as a watcher, and makes nobody appear online.
            await ann.leave(room)
            async with Connection(server.url, name="Chen") as other:
                async for frame in other.follow(room):
                    if isinstance(frame, Room):
                        assert frame.watchers <= 1 and not frame.seats[0].online
                        break
            reporting.cancel()
            with pytest.raises(asyncio.CancelledError):
                await reporting
