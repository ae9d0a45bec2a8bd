"""The pages that teach the rules: played by mouse, by keyboard and by typed moves, and read aloud."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from fourfold.clients.web.lessons import LESSONS, Lesson, written

pytestmark = pytest.mark.asyncio(loop_scope="session")

Visit = Callable[..., Awaitable[Any]]


@pytest.mark.parametrize(
    "variant",
    [name if name in ("survivor", "standard") else pytest.param(name, marks=pytest.mark.campaign) for name in LESSONS],
)
async def test_all_lessons_are_played_to_the_end(server: Any, visit: Visit, variant: str) -> None:
    page = await visit(f"{server.url}/learn/{variant}")
    for number, lesson in enumerate(LESSONS[variant], 1):
        await page.get_by_role("heading", name=lesson.title).wait_for()
        if isinstance(lesson, Lesson):
            move = next(iter(written(variant, lesson)["solved"]))
            await page.get_by_label("Move", exact=True).fill(move)
            await page.get_by_role("button", name="Play", exact=True).click()
        else:
            await page.get_by_role("button", name=lesson.answers[1], exact=True).click()
            await page.locator(".verdict.wrong", has_text="Not yet.").wait_for()
            await page.get_by_role("button", name=lesson.answers[0], exact=True).click()
        await page.locator(".verdict.right", has_text=lesson.right).wait_for()
        assert await page.locator("#spoken").inner_text() == lesson.right, "it is read aloud"
        if number < len(LESSONS[variant]):
            await page.get_by_role("button", name="Next").click()
    await page.get_by_role("link", name="Play", exact=True).wait_for()
    assert await page.locator(".steps-bar .done").count() == 5


async def test_a_wrong_move_goes_back_with_a_hint(server: Any, visit: Visit) -> None:
    page = await visit(f"{server.url}/learn/survivor")
    lesson = LESSONS["survivor"][0]
    await page.get_by_label("Move", exact=True).fill("e10e9")
    await page.get_by_role("button", name="Play", exact=True).click()
    await page.locator(".verdict.wrong", has_text=f"Not yet. {lesson.hint}").wait_for()
    await page.locator("[role=gridcell][data-square=e10][aria-label*=queen]").wait_for()


async def test_the_board_is_played_by_keyboard_alone(server: Any, visit: Visit) -> None:
    page = await visit(f"{server.url}/learn/standard")
    await page.keyboard.press("Tab")
    await page.get_by_text("Skip to the board").press("Enter")
    focused = "document.activeElement?.dataset.square"
    square = await page.evaluate(focused)
    for _ in range(ord("e") - ord(square[0])):
        await page.keyboard.press("ArrowRight")
    for _ in range(int(square[1]) - 1):
        await page.keyboard.press("ArrowDown")
    await page.keyboard.press("Enter")
    for _ in range(7):
        await page.keyboard.press("ArrowUp")
    await page.keyboard.press("Enter")
    await page.locator(".verdict.right").wait_for()


async def test_it_is_found_from_the_first_screen_the_dialog_and_a_table(server: Any, visit: Visit) -> None:
    page = await visit(server.url, name="Ada")
    await page.get_by_role("button", name="Create a table").click()
    await page.locator("[name=variant][value=ffa]").check()
    assert await page.get_by_role("link", name="Learn the rules").get_attribute("href") == "/learn/ffa"
    await page.locator("#close-create").click()
    await page.get_by_role("link", name="Show me").click()
    await page.wait_for_url("**/learn/survivor")
    await page.get_by_role("link", name="Teams").click()
    await page.get_by_role("heading", name="Learn Teams").wait_for()
