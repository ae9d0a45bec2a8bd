"""Every page in every state, as `pictures` has them: axe finds nothing, and nothing is wider than the window.

Each scene has one of four looks, in turn: a laptop or a phone, light or dark. In the campaign each has all four. Lively
scenes have all four, and all sizes, in `.ci/run` too.
"""

from typing import Any, Final

import pytest

from tests.web.pictures import ARCHIVED, LAPTOP, SCENES, SCHEMES, SIZES, staged
from tests.web.test_access import faults

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.slow]

PHONE: Final = (360, 740)
NARROW: Final = 320
LOOKS: Final = ((LAPTOP, "light"), (PHONE, "dark"), (LAPTOP, "dark"), (PHONE, "light"))
ELSEWHERE: Final = {
    "games_mine", "games_all", "games_player", "games_download", "account_code", "admin", "admin_refused", "moderate",
    "announced", "banned", "lobby_challenges", "lobby_decline", "lobby_followed", "puzzle", "study",
}  # fmt: skip
"""Scenes that other tests hold against axe: the tests of what people do there."""

ALIKE: Final = {
    "begun_two", "begun_four", "offline_two", "rated_four", "before", "survived", "replay", "judged", "result_four",
}  # fmt: skip
"""Scenes that differ little from another one."""

LIVELY: Final = (
    "first_screen", "returning", "lobby_members", "friends", "learn_four", "learn_two", "learn_hill", "preferences",
    "tv", "tv_two", "wall", "wall_club", "embed", "overlay", "lobby_file", "finished", "told_four", "mate",
    "result_two", "result_told", "out_four",
)  # fmt: skip
"""Scenes of the first minute and of the moment of the result: at all sizes of the pictures, in light and dark."""

assert SCENES.keys() >= ELSEWHERE | ALIKE | set(LIVELY)
assert set(SIZES) >= {LAPTOP, PHONE} and min(SIZES)[0] == NARROW


@pytest.mark.parametrize(
    ("scene", "turn"),
    [
        pytest.param(scene, turn, marks=pytest.mark.campaign if turn or scene in ELSEWHERE | ALIKE else ())
        for scene in SCENES
        if scene not in LIVELY
        for turn in range(len(LOOKS))
    ],
)
async def test_a_scene(browser: Any, request: pytest.FixtureRequest, scene: str, turn: int) -> None:
    kind = "mortal_server" if scene.startswith("offline") else "archiving" if scene in ARCHIVED else "server"
    server = request.getfixturevalue(kind)
    (width, height), scheme = LOOKS[(list(SCENES).index(scene) + turn) % len(LOOKS)]
    async with staged(browser, server) as stage:
        await SCENES[scene](stage)
        await stage.page.set_viewport_size({"width": width, "height": height})
        await stage.page.emulate_media(color_scheme=scheme)
        assert await faults(stage.page) == [], f"{width}x{height}, {scheme}"
        for width in (LAPTOP[0], PHONE[0], NARROW):
            await stage.page.set_viewport_size({"width": width, "height": 700})
            assert await stage.page.evaluate("document.documentElement.scrollWidth") <= width
        if scene.startswith("offline"):
            server.start()


@pytest.mark.parametrize("scene", LIVELY)
async def test_a_scene_at_all_sizes(browser: Any, request: pytest.FixtureRequest, scene: str) -> None:
    server = request.getfixturevalue("archiving" if scene in ARCHIVED else "server")
    async with staged(browser, server) as stage:
        await SCENES[scene](stage)
        for scheme in SCHEMES:
            await stage.page.emulate_media(color_scheme=scheme)
            for width, height in SIZES:
                await stage.page.set_viewport_size({"width": width, "height": height})
                assert await stage.page.evaluate("document.documentElement.scrollWidth") <= width, f"{width}x{height}"
                if (width, height) in (LAPTOP, PHONE):
                    assert await faults(stage.page) == [], f"{width}x{height}, {scheme}"
