"""Every page in every state, as `pictures` has them: on a laptop and a phone, in light and dark, axe finds nothing, and
nothing is wider than the window."""

import itertools
from typing import Any

import pytest

from tests.web.pictures import ARCHIVED, LAPTOP, SCENES, SCHEMES, staged
from tests.web.test_access import faults

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.slow]

PHONE = (360, 740)
NARROW = 320


@pytest.mark.parametrize("scene", SCENES)
async def test_a_scene(browser: Any, request: pytest.FixtureRequest, scene: str) -> None:
    kind = "mortal_server" if scene.startswith("offline") else "archiving" if scene in ARCHIVED else "server"
    server = request.getfixturevalue(kind)
    async with staged(browser, server) as stage:
        await SCENES[scene](stage)
        for (width, height), scheme in itertools.product((LAPTOP, PHONE), SCHEMES):
            await stage.page.set_viewport_size({"width": width, "height": height})
            await stage.page.emulate_media(color_scheme=scheme)
            assert await faults(stage.page) == [], f"{width}x{height}, {scheme}"
        for width in (LAPTOP[0], PHONE[0], NARROW):
            await stage.page.set_viewport_size({"width": width, "height": 700})
            assert await stage.page.evaluate("document.documentElement.scrollWidth") <= width
        if scene.startswith("offline"):
            server.start()
