"""Every page in every state, as `pictures` has them: axe finds nothing, and nothing is wider than the window."""

from typing import Any

import pytest

from tests.web.pictures import ARCHIVED, SCENES, SCHEMES, staged
from tests.web.test_access import faults

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.slow]

NARROW = 320


@pytest.mark.parametrize("scene", SCENES)
async def test_a_scene(browser: Any, request: pytest.FixtureRequest, scene: str) -> None:
    kind = "mortal_server" if scene.startswith("offline") else "archiving" if scene in ARCHIVED else "server"
    server = request.getfixturevalue(kind)
    async with staged(browser, server) as stage:
        await SCENES[scene](stage)
        for scheme in SCHEMES:
            await stage.page.emulate_media(color_scheme=scheme)
            assert await faults(stage.page) == [], scheme
        for width in (1280, NARROW):
            await stage.page.set_viewport_size({"width": width, "height": 700})
            assert await stage.page.evaluate("document.documentElement.scrollWidth") <= width
        if scene.startswith("offline"):
            server.start()
