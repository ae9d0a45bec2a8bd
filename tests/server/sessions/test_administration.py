"""The admin's requests: vital signs, findings, accounts, backups, the log's level; and that nobody else has them."""

import asyncio
import base64
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from redis import Redis

from fourfold.protocol import from_client as ask
from fourfold.server.maintenance import backups
from fourfold.server.maintenance.backups import Backups
from fourfold.server.maintenance.verification import verify_file
from fourfold.server.sessions import administration
from tests import forked
from tests.conftest import archive_of
from tests.server.conftest import Dial, Wire, appointed

Start = Callable[..., Awaitable[str]]

SECRET = "a secret of many words"

LONG = 240
"""Seconds for a backup: where the server is compiled, its process gets only what busy processes leave."""

PRIVATE: list[tuple[str, dict[str, Any]]] = [
    ("status", {}), ("doctor", {}), ("accounts", {}), ("backups", {}),
    ("backup", {"name": "fourfold-20261125-100000.backup"}), ("operate", {"act": "back_up"}),
]  # fmt: skip


@pytest.fixture
def name(request: pytest.FixtureRequest) -> str:
    """A name that no other test uses: the tests share an archive."""
    return f"Q{abs(hash(request.node.name)) % 10**9}"


@pytest.fixture
async def address(start: Start, tmp_path: Path, store: Redis, monkeypatch: pytest.MonkeyPatch) -> str:
    store.flushall()  # the check of a backup finds what other tests have damaged
    return await start(backup_dir=tmp_path / "kept", secret=SECRET)


@pytest.fixture
async def admin(address: str, dial: Dial, name: str, common_url: str) -> Wire:
    wire = await dial(at=address)
    account = await wire.asks("register", name=name)
    assert account["type"] == "account", account
    wire.token = account["token"]
    await appointed(archive_of(common_url), wire.player)
    return wire


@pytest.fixture
def forked_commands(monkeypatch: pytest.MonkeyPatch) -> None:
    """The server's backups are made and checked by forked processes, which need not load the modules.
    `maintenance/test_backups.py` starts the commands themselves."""

    async def run(command: str, file: Path, environment: Mapping[str, str]) -> tuple[int, str]:
        done = await asyncio.to_thread(forked.run, command, str(file), env=environment)
        return done.returncode, done.stdout + done.stderr

    monkeypatch.setattr(backups, "_run", run)


async def acts(admin: Wire) -> list[tuple[str, str, str]]:
    """The audit log, newest first: action, target, reason."""
    found = (await admin.asks("moderation"))["acts"]
    return [(one["action"], one["target"], one["why"]) for one in found if one["by"] != "test"]


@pytest.mark.parametrize(("request_type", "fields"), PRIVATE, ids=[name for name, _ in PRIVATE])
async def test_only_admins_get_an_answer(
    address: str, dial: Dial, name: str, common_url: str, request_type: str, fields: dict[str, Any]
) -> None:
    guest = await dial(at=address)
    assert (await guest.asks(request_type, **fields))["code"] == "not_moderator"
    await guest.asks("register", name=name)
    assert (await guest.asks(request_type, **fields))["code"] == "not_moderator"


async def test_a_moderator_or_a_token_is_not_enough(admin: Wire, address: str, dial: Dial, name: str) -> None:
    eve = await dial(at=address)
    await eve.asks("register", name=f"{name} two")
    assert (await admin.asks("moderate", act="appoint", target=eve.player, text="moderator"))["type"] == "ok"
    assert (await eve.asks("status"))["message"] == "Only admins can do this."
    token = (await admin.asks("grant", scope="moderate", name="a program"))["token"]
    program = await dial(at=address, token=token)
    assert (await program.asks("backups"))["code"] == "out_of_scope"


async def test_the_vital_signs(admin: Wire) -> None:
    room = (await admin.asks("create"))["room"]
    await admin.asks("join", room=room, seat="white")
    found = await admin.asks("status")
    assert found["name"].startswith("fourfold ") and found["period"] == 15_000 and found["started"] > 0
    sample = found["samples"][-1]
    assert sample["memory"] > 10**7 and sample["moves"] == 0
    later = await admin.asks("status", since=sample["at"])
    assert all(one["at"] > sample["at"] for one in later["samples"])


async def test_the_findings_are_those_of_this_server_and_a_secret_stays_one(admin: Wire) -> None:
    found = await admin.asks("doctor")
    texts = {one["text"] for one in found["findings"]}
    assert "this server is ready" in texts
    settings = {one["variable"]: (one["value"], one["source"]) for one in found["settings"]}
    assert settings["SECRET"] == ("set", "flag") and settings["MAX_ROOMS"] == ("60", "default")
    assert "many words" not in str(found)


async def test_accounts_are_found_by_any_spelling_with_their_sessions_and_orders(
    admin: Wire, address: str, dial: Dial, name: str
) -> None:
    eve = await dial(at=address)
    await eve.asks("register", name=f"{name} Éve", device="Firefox")
    await admin.asks("moderate", act="mute", target=eve.player, seconds=60)
    for text in (f"{name} éve", f"{name.lower()} ÉV", eve.player):
        (found,) = (await admin.asks("accounts", text=text))["accounts"]
        assert found["player"] == eve.player and found["orders"] == ["mute"] and found["role"] == ""
        assert [one["device"] for one in found["sessions"]] == ["Firefox"]
    assert len((await admin.asks("accounts", text=name))["accounts"]) == 2
    assert (await admin.asks("accounts", text="%_"))["accounts"] == []
    newest = (await admin.asks("accounts"))["accounts"]
    assert newest[0]["player"] == eve.player and len(newest) <= administration.MOST


async def test_a_session_of_a_bot_is_shown_with_its_owner(admin: Wire, name: str) -> None:
    await admin.asks("grant", scope="bot", name=f"{name} bot")
    found = (await admin.asks("accounts", text=name))["accounts"]
    bot, owner = sorted(found, key=lambda one: not one["owner"])
    assert bot["owner"] == name and [one["scope"] for one in bot["sessions"]] == ["bot"]
    assert sorted(one["scope"] for one in owner["sessions"]) == ["", "bot"]


async def test_an_admin_ends_sessions_of_others(admin: Wire, address: str, dial: Dial, name: str) -> None:
    eve = await dial(at=address)
    token = (await eve.asks("register", name=f"{name} two"))["token"]
    again = await dial(at=address, token=token)
    refused = await admin.asks("operate", act="sign_out", target=eve.player, text="not one of theirs")
    assert refused["code"] == "no_such_session"
    assert (await admin.asks("operate", act="sign_out", target=name))["code"] == "bad_target"
    reply = await admin.asks("operate", act="sign_out", target=f"{name} two", why="lost the phone")
    assert reply["type"] == "ok"
    await again.closed()
    late = await dial(at=address, hello=False)
    assert (await late.asks("hello", token=token))["code"] == "bad_token"
    assert (await acts(admin))[0] == ("sign out 1", eve.player, "lost the phone")


async def until_made(admin: Wire) -> dict[str, Any]:
    async with asyncio.timeout(LONG):
        while True:
            found = await admin.asks("backups")
            if not found["making"]:
                return found
            await asyncio.sleep(0.05)


@pytest.mark.usefixtures("forked_commands")
async def test_a_backup_is_made_and_read_in_parts(
    admin: Wire, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(administration, "PART", 1000)
    goes_on, make_one = asyncio.Event(), Backups._make_one

    async def held(made_by: Backups) -> str:
        await goes_on.wait()  # otherwise it may be made before the next request comes
        return await make_one(made_by)

    monkeypatch.setattr(Backups, "_make_one", held)
    await admin.asks("create")
    assert (await admin.asks("backups"))["backups"] == []
    assert (await admin.asks("operate", act="back_up", why="before a change"))["type"] == "ok"
    assert (await admin.asks("operate", act="back_up"))["code"] == "busy"
    goes_on.set()
    found = await until_made(admin)
    assert found["failed"] == "" and found["folder"] == str(tmp_path / "kept")
    (backup,) = found["backups"]
    assert (await acts(admin))[0] == ("make backup", found["folder"], "before a change")
    data = b""
    while len(data) < backup["size"]:
        part = await admin.asks("backup", name=backup["name"], start=len(data))
        assert part["size"] == backup["size"]
        data += base64.b64decode(part["data"])
    copy = tmp_path / "copy.backup"
    copy.write_bytes(data)
    checked = [one async for one in verify_file(copy)]
    assert len(checked) > 0 and not [one for one in checked if one.damage is not None]
    assert [action for action, *_ in await acts(admin)].count("download backup") == 1


@pytest.mark.parametrize("name_", ["../archive.db", "fourfold-20261125-100000.backup", "fourfold-1.backup"])
async def test_only_backups_can_be_read(admin: Wire, name_: str) -> None:
    assert (await admin.asks("backup", name=name_))["code"] == "no_such_backup"


@pytest.mark.usefixtures("forked_commands")
async def test_why_a_backup_failed_is_told_and_it_can_be_tried_again(admin: Wire, tmp_path: Path) -> None:
    (tmp_path / "kept").write_text("not a folder")
    await admin.asks("operate", act="back_up")
    assert "File exists" in (await until_made(admin))["failed"]
    (tmp_path / "kept").unlink()
    await admin.asks("operate", act="back_up")
    assert (await until_made(admin))["failed"] == ""


async def test_a_folder_that_cannot_be_read_is_a_refusal(admin: Wire, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise PermissionError("no access")

    for method in ("files", "part"):
        monkeypatch.setattr(Backups, method, broken)
    for request in (("backups", {}), ("backup", {"name": "fourfold-20261125-100000.backup"})):
        refused = await admin.asks(request[0], **request[1])
        assert refused["code"] == "busy" and "no access" in refused["message"]


async def test_a_server_for_watchers_makes_no_backups(start: Start, dial: Dial, admin: Wire) -> None:
    watchers = await dial(at=await start(watchers_only=True, secret=SECRET), token=admin.token)
    assert (await watchers.asks("backups"))["code"] == "busy"
    assert (await watchers.asks("status"))["type"] == "status"


async def test_the_level_of_the_log_is_changed_and_noted(admin: Wire) -> None:
    assert (await admin.asks("operate", act="log_level", text="loud"))["code"] == "bad_target"
    for level in ("error", "debug"):
        assert (await admin.asks("operate", act="log_level", text=level, why="a look"))["type"] == "ok"
        async with asyncio.timeout(240):
            while True:
                if (await admin.asks("status"))["level"] == level:
                    break
        assert (await acts(admin))[0] == ("log level", level, "a look")


def test_each_act_has_a_handler() -> None:
    assert set(administration._ACTS) == set(ask.Operate.__annotations__["act"].__args__)
