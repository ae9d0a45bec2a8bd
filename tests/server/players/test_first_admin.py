"""The first admin: by a one-time code. Names give no role."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from redis import Redis

from fourfold.server.archive.database import Database
from fourfold.server.archive.people import AccountFacts
from fourfold.server.players.first_admin import KEY
from fourfold.server.players.names import skeleton
from fourfold.server.process import public
from fourfold.server.settings import Settings
from tests.conftest import HANG
from tests.server.conftest import Dial, Wire

Start = Callable[..., Awaitable[str]]

pytestmark = pytest.mark.archiving


@pytest.fixture
def address(tmp_path: Path) -> str:
    """An empty archive."""
    return f"sqlite:///{tmp_path}/archive.db"


async def member(dial: Dial, at: str, name: str) -> Wire:
    wire = await dial(at=at)
    assert (await wire.asks("register", name=name))["type"] == "account"
    return wire


async def noted(store: Redis, field: str) -> str:
    """The store's data about admins, once they are written."""
    async with asyncio.timeout(HANG):
        while (value := store.hget(KEY, field)) is None:  # noqa: ASYNC110 - the store tells nobody
            await asyncio.sleep(0.01)
    return bytes(value).decode()  # type: ignore[arg-type]


async def role(wire: Wire) -> str:
    found: str = (await wire.asks("account"))["role"]
    return found


async def test_the_code_makes_one_account_an_admin(start: Start, dial: Dial, store: Redis, address: str) -> None:
    here, there = [await start(database_url=address, admin="Boss") for _ in range(2)]
    ann, bob, guest = await member(dial, here, "Ann"), await member(dial, there, "Bob"), await dial(at=there)
    code = (await noted(store, "code")).upper()
    assert (await guest.asks("administer", code=code))["code"] == "no_account"
    assert (await bob.asks("administer", code="aaaa-bbbb"))["code"] == "wrong_code"
    assert await role(bob) == ""
    shown = "-".join(code[start : start + 4] for start in range(0, len(code), 4))
    assert (await ann.asks("administer", code=shown))["role"] == "admin"
    assert (await bob.asks("administer", code=code))["code"] == "wrong_code"
    assert (await bob.asks("moderation"))["code"] == "not_moderator"
    (act,) = (await ann.asks("moderation"))["acts"]
    assert (act["by"], act["action"], act["name"]) == ("server", "appoint admin", "Ann")


@pytest.mark.slow
async def test_only_an_admin_takes_the_name_and_it_gives_no_role(
    start: Start, dial: Dial, store: Redis, address: str
) -> None:
    at = await start(database_url=address, admin="Boss", trust_proxy=1)
    ann, bob = await member(dial, at, "Ann"), await dial(at=at, name="BO5S")
    code = await noted(store, "code")
    assert (await dial(at=at, name="Boss")).frames[0]["name"] == "Boss (guest)"
    for type in ("register", "rename"):
        wire = bob if type == "register" else ann
        assert (await wire.asks(type, name="B.oss"))["code"] == "bad_name"
    assert (await ann.asks("grant", scope="bot", name="boss"))["code"] == "bad_name"
    await ann.asks("administer", code=code)
    assert (await ann.asks("rename", name="Boss"))["role"] == "admin"
    assert (await ann.asks("rename", name="Ann"))["role"] == "admin", "it belongs to the player, not to the name"
    await bob.asks("register", name="Bob")
    assert (await bob.asks("rename", name="Boss"))["code"] == "bad_name"
    assert (await ann.asks("moderate", act="rename", target="Bob", text="Boss"))["code"] == "bad_name"
    assert await role(bob) == ""


@pytest.mark.slow
async def test_who_was_admin_by_name_before_stays_it(start: Start, dial: Dial, store: Redis, address: str) -> None:
    """Once: an account with the name of a later setting gets no role."""
    database = await Database.open(address, Path())
    for name in ("Boss", "Other"):
        await database.accounts.add(AccountFacts(name.lower(), name, skeleton(name), None, 1))
    await database.close()

    async def roles() -> list[str]:
        database = await Database.open(address, Path())
        try:
            return [account.role for account in await database.accounts.all()]
        finally:
            await database.close()

    await start(database_url=address, admin="Boss")
    await noted(store, "settled")
    assert await roles() == ["admin", ""]
    await start(database_url=address, admin="Other")
    late = await member(dial, await start(database_url=address, admin="Other"), "Late")
    assert (await late.asks("administer", code="aaaa"))["code"] == "wrong_code"
    assert store.hget(KEY, "code") is None, "there is an admin"
    assert await roles() == ["admin", "", ""]


def test_the_link_leads_to_the_public_address() -> None:
    here = "http://127.0.0.1:8080"
    assert public(Settings(), here) == here
    assert public(Settings(allowed_origins=("https://chess.example.org",)), here) == "https://chess.example.org"
