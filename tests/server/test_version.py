"""A running server tells its version: in `welcome`, at `/healthz` and at `/metrics`."""

from fourfold import __version__
from fourfold.clients.connection import Connection
from fourfold.protocol.from_client import Request
from fourfold.protocol.from_server import Frame, Welcome
from tests.server.test_metrics import get


async def test_a_server_tells_its_version(address: str) -> None:
    seen: list[Request | Frame] = []
    async with Connection(address, name="Ann", observe=lambda _, message: seen.append(message)):
        assert [frame.server for frame in seen if isinstance(frame, Welcome)] == [f"fourfold {__version__}"]
    assert (await get(f"{address}/healthz"))[2] == f"ok\nfourfold {__version__}\n"
    assert f'fourfold_build_info{{version="{__version__}"}} 1.0' in (await get(f"{address}/metrics"))[2]
