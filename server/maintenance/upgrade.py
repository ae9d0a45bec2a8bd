"""The report of `fourfold-server upgrade-check`: what the first start of this version changes, and the way back.

It reads the data that servers of another version use or have left, and changes none of it.
"""

import asyncio
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import AsyncExitStack
from typing import Final, NamedTuple
from urllib.error import URLError
from urllib.request import urlopen

from fourfold import __version__
from fourfold.server.archive import pending
from fourfold.server.archive.address import file_of
from fourfold.server.archive.database import Database
from fourfold.server.archive.errors import ArchiveUnavailable
from fourfold.server.checks import BadSetting, check
from fourfold.server.clock import today
from fourfold.server.maintenance.backups import folder_of, kept
from fourfold.server.maintenance.doctor import DAY, FAILURE, OK, PATIENCE, WARNING, Finding, url_of
from fourfold.server.maintenance.places import living, open_store
from fourfold.server.settings import Settings
from fourfold.server.storage import form
from fourfold.server.storage.embedded import StoreError
from fourfold.server.storage.event_log import LogUnavailable
from fourfold.server.storage.heartbeat import STAMP_KEYS
from fourfold.server.storage.redis_node import without_password

FILES: Final = "appendonlydir"
"""The folder in the data folder with the files of the embedded store."""

STALE: Final = 60 * 60
"""Seconds after which a backup is too old to go back to."""


class StoreState(NamedTuple):
    """The findings about the store; the form that it has, None for that of version 0.1; whether it has data; and the
    number of live servers."""

    findings: list[Finding]
    wrote: form.Form | None = None
    filled: bool = False
    servers: int = 0


async def examine(settings: Settings, environment: Mapping[str, str]) -> list[Finding]:
    """The findings, in order. A failure means that this version can't start on this data, or with these settings."""
    store = await _store(settings)
    archive = [finding async for finding in _archive(settings)]
    blocked = any(one.level == FAILURE for one in (*store.findings, *archive))
    migrates = any(one.topic == MIGRATION for one in archive)
    return [
        Finding("version", OK, f"this is {__version__}"),
        *_settings(settings, environment),
        *await asyncio.to_thread(lambda: [*_server(settings, store.servers)]),
        *store.findings,
        *archive,
        *([] if blocked or not (store.filled or archive) else _way_back(settings, store, migrates=migrates)),
    ]


MIGRATION: Final = "migrate"
"""The topic of a migration of the archive."""


def _settings(settings: Settings, environment: Mapping[str, str]) -> Iterator[Finding]:
    try:
        check(settings, environment, make=False)
    except BadSetting as error:
        yield Finding("setting", FAILURE, str(error), "change it; this version does not start")


def _server(settings: Settings, servers: int) -> Iterator[Finding]:
    others = f"; {servers} servers share the store" if servers > 1 else ""
    url = url_of(settings)
    try:
        with urlopen(f"{url}/healthz", timeout=PATIENCE) as answer:
            said = answer.read(200).decode(errors="replace").split()
    except (URLError, OSError):
        yield Finding("server", OK, f"none answers at {url}{others}")
        return
    if said[:1] == ["ok"]:
        yield Finding("server", OK, f"{url} runs version {said[-1] if len(said) > 1 else '0.1'}{others}")
    else:
        yield Finding("server", WARNING, f"another program answers at {url}", "give the port of your server")


async def _store(settings: Settings) -> StoreState:
    shown = "embedded" if settings.redis_url is None else without_password(settings.redis_url)
    if settings.redis_url is None and not (settings.data_dir / FILES).exists():
        return StoreState([Finding("store", OK, f"there is none in {settings.data_dir} yet")])
    async with AsyncExitStack() as stack:
        try:
            store = await open_store(settings, stack)
            wrote = form.read(await store.execute(form.KEY, "GET", form.KEY))
            stamp, servers = STAMP_KEYS[0], 0 if settings.redis_url is None else await living(store)
            filled = wrote is not None or bool(await store.execute(stamp, "EXISTS", stamp))
        except (LogUnavailable, StoreError) as error:
            return StoreState([Finding("store", FAILURE, f"{shown}: {error}", "start it")])
    if not filled:
        return StoreState([Finding("store", OK, f"{shown} is empty")], servers=servers)
    if (why := form.refusal(wrote)) is not None:
        return StoreState([Finding("store", FAILURE, why)], wrote, True, servers)
    text = f"{shown}: version {_version(wrote)} has written it"
    if _is_older(wrote):
        found = Finding("store", WARNING, f"{text}; the first start of this version marks it as form {form.FORM}")
    else:
        found = Finding("store", OK, f"{text}; this version reads and writes the same form")
    return StoreState([found], wrote, True, servers)


def _version(wrote: form.Form | None) -> str:
    return "0.1" if wrote is None else wrote.version


def _is_older(wrote: form.Form | None) -> bool:
    """Whether the version that wrote the store can't read it any more once this version has."""
    return wrote is None or wrote.form < form.OLDEST


async def _archive(settings: Settings) -> AsyncIterator[Finding]:
    file = file_of(settings.database_url, settings.data_dir)
    shown = str(file) if file is not None else without_password(settings.database_url or "")
    if file is not None and not file.exists():
        return
    try:
        state = await Database.look(settings.database_url, settings.data_dir, today() - DAY)
    except ArchiveUnavailable as error:
        yield Finding("archive", FAILURE, f"{shown}: {error}", "start it, or set DATABASE_URL to another one")
        return
    if state.revision is None:
        return
    if not state.known:
        yield Finding("archive", FAILURE, f"{shown}: a newer version has migrated it to {state.revision}", _RETURN)
    elif state.current:
        yield Finding("archive", OK, f"{shown}: nothing to migrate")
    else:
        found = await asyncio.to_thread(pending.after, state.revision)
        count = f"{len(found)} migration{'' if len(found) == 1 else 's'}"
        text = f"{shown}: the first start runs {count}, in one transaction"
        yield Finding("archive", OK, text)
        for revision, purpose in found:
            yield Finding(MIGRATION, OK, f"{revision}: {purpose}")


_RETURN: Final = "run that version, or restore the backup from before the upgrade"


def _way_back(settings: Settings, store: StoreState, *, migrates: bool) -> Iterator[Finding]:
    """The newest backup, and whether going back needs one."""
    needed = migrates or (store.filled and _is_older(store.wrote))
    if not needed:
        version = _version(store.wrote)
        if version == __version__:
            yield Finding("return", OK, "this version has used the data before; the start changes nothing")
        else:
            yield Finding("return", OK, f"version {version} can use the data afterwards; start it again to go back")
        return
    files = kept(folder_of(settings))
    age = None if not files else today() / 1000 - files[0].stat().st_mtime
    if age is not None and age < STALE:
        yield Finding("backup", OK, f"{files[0]} is {age / 60:.0f} minutes old")
    else:
        text = "there is no automatic one" if age is None else f"the newest automatic one is {age / 3600:.1f} hours old"
        yield Finding("backup", WARNING, text, "make one now: fourfold-server backup FILE")
    yield Finding(
        "return",
        WARNING,
        f"version {_version(store.wrote)} can't use the data once this version has started",
        "to go back, restore the backup; moves made after it are lost",
    )
