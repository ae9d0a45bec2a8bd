"""Signing in at a real OpenID provider, in a real browser."""

import re
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import pytest
from playwright.async_api import expect

from tests.games.conftest import ServerProcess, running
from tests.provider import provider
from tests.web.test_access import faults

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.slow]

Visit = Callable[..., Awaitable[Any]]


@pytest.fixture(scope="module")
def school() -> Iterator[ServerProcess]:
    """A server on which all who have an account come from a school's provider."""
    with provider() as issuer:
        told = ("--oidc-issuer", issuer, "--oidc-client-id", "fourfold", "--oidc-client-secret", "s3cret")
        with running(None, 0, "--accounts", "oidc", *told) as server:
            yield server


async def quietly(page: Any) -> None:
    """Gives the provider's page the style sheet and the icon that it has not: nothing is fetched from elsewhere."""
    await page.context.route(re.compile(r"^https?://(?!127\.0\.0\.1)"), lambda route: route.fulfill(body=""))
    await page.context.route("**/favicon.ico", lambda route: route.fulfill(body=""))


async def test_a_guest_signs_in_and_the_seat_stays_and_so_does_a_second_device(
    school: ServerProcess, visit: Visit
) -> None:
    ann = await visit(school.url, name="Ann", reduced_motion="reduce")
    await quietly(ann)
    await ann.get_by_role("button", name="Create a table").click()
    await ann.get_by_role("button", name="Open the table").click()
    await ann.wait_for_url("**/r/*")
    room = ann.url
    await ann.goto(f"{school.url}/#you")
    await expect(ann.get_by_role("heading", name="Sign in")).to_be_visible()
    await expect(ann.get_by_text("Make an account")).to_have_count(0)
    assert await faults(ann) == []
    await ann.get_by_role("button", name="Sign in at 127.0.0.1").click()
    await ann.get_by_role("button", name="ann-1").click()
    await expect(ann.get_by_text("Ann of School, since")).to_be_visible()
    await expect(ann.get_by_text("Signing in at 127.0.0.1.")).to_be_visible()
    assert ann.url == f"{school.url}/#you"
    assert await faults(ann) == []
    await ann.goto(room)
    await expect(ann.get_by_role("button", name="Leave seat")).to_be_visible()

    phone = await visit(f"{school.url}/#you", name="Phone")
    await quietly(phone)
    await phone.get_by_role("button", name="Sign in at 127.0.0.1").click()
    await phone.get_by_role("button", name="ann-1").click()
    await expect(phone.get_by_text("Ann of School, since")).to_be_visible()


async def test_a_refusal_of_the_provider_is_told(school: ServerProcess, visit: Visit) -> None:
    page = await visit(f"{school.url}/#you", name="Di")
    await quietly(page)
    await page.get_by_role("button", name="Sign in at 127.0.0.1").click()
    await page.get_by_role("button", name="Deny").click()
    await expect(page.locator("#account-trouble")).to_contain_text("The provider has refused the sign-in")
    await page.goto(f"{school.url}/signed-in?state=made-up&code=made-up")
    await expect(page.locator("#account-trouble")).to_contain_text("was not started here")
