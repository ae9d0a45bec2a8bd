"""Every page in every state, as `pictures` has them: axe finds nothing, and nothing is wider than the window.

On a laptop in light and on a phone in dark; in the campaign, the other way round too.
"""

from typing import Any

import pytest

from tests.web.pictures import ARCHIVED, LAPTOP, SCENES, SCHEMES, staged
from tests.web.test_access import faults

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.slow]

PHONE = (360, 740)
NARROW = 320


@pytest.mark.parametrize("schemes", [SCHEMES, pytest.param(SCHEMES[::-1], marks=pytest.mark.campaign)], ids="-".join)
@pytest.mark.parametrize("scene", SCENES)
async def test_a_scene(
    browser: Any, request: pytest.FixtureRequest, scene: str, schemes: tuple[str, str]
) -> None:
    kind = "mortal_server" if scene.startswith("offline") else "archiving" if scene in ARCHIVED else "server"
    server = request.getfixturevalue(kind)
    async with staged(browser, server) as stage:
        await SCENES[scene](stage)
        for (width, height), scheme in zip((LAPTOP, PHONE), schemes, strict=True):
            await stage.page.set_viewport_size({"width": width, "height": height})
            await stage.page.emulate_media(color_scheme=scheme)
            assert await faults(stage.page) == [], f"{width}x{height}, {scheme}"
        for width in (LAPTOP[0], PHONE[0], NARROW):
            await stage.page.set_viewport_size({"width": width, "height": 700})
            assert await stage.page.evaluate("document.documentElement.scrollWidth") <= width
        if scene.startswith("offline"):
            server.start()
