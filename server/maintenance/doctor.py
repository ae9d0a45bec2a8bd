"""The checks of `fourfold-server doctor`: the settings, the disk, the store, the archive, and the server itself.

It changes nothing. Each finding is good, a warning or a failure, with a suggested fix.
"""

import asyncio
import json
import os
import platform
import shutil
import stat
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from typing import Final, NamedTuple
from urllib.error import HTTPError, URLError
from urllib.request import urlopen

from fourfold import __version__
from fourfold.network import EVERYWHERE, LOOPBACK, address_of
from fourfold.server.archive.address import file_of
from fourfold.server.archive.database import Database
from fourfold.server.archive.errors import ArchiveUnavailable
from fourfold.server.checks import BadSetting, check, strangers
from fourfold.server.clock import today
from fourfold.server.maintenance.backups import folder_of, kept
from fourfold.server.settings import Settings, table
from fourfold.server.storage import disk, form
from fourfold.server.storage.cluster import OLDEST
from fourfold.server.storage.embedded import EmbeddedStore, StoreMissing, find_binary
from fourfold.server.storage.event_log import LogUnavailable
from fourfold.server.storage.redis_log import ARCHIVE
from fourfold.server.storage.redis_node import without_password
from fourfold.server.storage.safety import CROWDED, condition, faults
from fourfold.server.storage.safety import version as redis_version
from fourfold.server.storage.survey import Survey, survey

OK: Final = "ok"
WARNING: Final = "warning"
FAILURE: Final = "failure"

APART: Final = 2.0
"""Seconds by which the clocks of the store and of this machine may differ."""

PATIENCE: Final = 5.0
"""Seconds within which the server must answer."""

DAY: Final = 24 * 60 * 60 * 1000

SECRET: Final = ("secret", "bots_key", "oidc_client_secret")
"""Settings whose values are never printed."""


class Finding(NamedTuple):
    """A finding: its subject, its level, its text, and the suggested fix."""

    topic: str
    level: str
    text: str
    cure: str = ""


async def examine(
    settings: Settings,
    environment: Mapping[str, str],
    file: Mapping[str, str],
    readiness: Callable[[], Awaitable[tuple[str | None, str | None]]] | None = None,
) -> list[Finding]:
    """Run all checks, in order. `file` has the settings of the config file, by their variables. Inside a server,
    `readiness` returns why it is not ready (None: it is), and its warning; elsewhere the server is asked."""
    store, agreed = await _store(settings)
    if readiness is None:
        server = await asyncio.to_thread(lambda: [*_reached(settings)])
    else:
        server = [*_said(settings, "this server", *await readiness())]
    return [
        Finding("version", OK, f"fourfold {__version__}, Python {platform.python_version()}"),
        *_settings(settings, environment, file),
        *_disk(settings),
        *store,
        *[finding async for finding in _archive(settings, agreed)],
        *_backups(settings),
        *server,
    ]


# -- settings --


def _settings(settings: Settings, environment: Mapping[str, str], file: Mapping[str, str]) -> Iterator[Finding]:
    for variable, shown, source in chosen(settings, environment, file):
        if source != "default":
            yield Finding("setting", OK, f"{variable}: {shown} (from {SOURCES[source]})")
    try:
        check(settings, environment, make=False)
    except BadSetting as error:
        yield Finding("setting", FAILURE, str(error), "change it; the server does not start")
    for variable, meant in strangers(environment):
        yield Finding("setting", WARNING, f"{variable} is no setting", f"call it {meant}, or unset it")


SOURCES: Final = {"environment": "the environment", "file": "the config file", "flag": "a flag"}
"""The words for the sources of settings."""


def chosen(
    settings: Settings, environment: Mapping[str, str], file: Mapping[str, str]
) -> Iterator[tuple[str, str, str]]:
    """All settings: variable, value (empty: none) and source. Secrets are just `set`."""
    for name, (variable, setting, default) in table().items():
        value, told, line = getattr(settings, name), environment.get(variable), file.get(variable)
        if value == default or (name == "data_dir" and not (told or line)):
            source = "default"
        elif told and setting.parse(told) == value:
            source = "environment"
        else:
            source = "file" if line and not told and setting.parse(line) == value else "flag"
        shown = _written(value)
        if "://" in shown and name != "allowed_origins":
            shown = without_password(shown)
        yield variable, "set" if name in SECRET and value is not None else shown, source


def _written(value: object) -> str:
    """The value of a setting as operators write it; empty for none."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "" if value is None else ", ".join(value) if isinstance(value, tuple) else str(value)


# -- disk --


def _disk(settings: Settings) -> Iterator[Finding]:
    folder = settings.data_dir
    if not folder.exists():
        yield Finding("disk", OK, f"{folder} is not there yet; the first start makes it")
        folder = next(parent for parent in folder.parents if parent.exists())
    elif not os.access(folder, os.W_OK):
        yield Finding("disk", FAILURE, f"{folder} can't be written by this user", "give it to the server's user")
    elif stat.S_IMODE(folder.stat().st_mode) & 0o077:
        yield Finding("disk", WARNING, f"{folder} is open to other users", f"chmod 700 {folder}")
    usage = shutil.disk_usage(folder)
    free = f"{usage.free / 10**9:.1f} GB free of {usage.total / 10**9:.0f} at {folder}"
    low, full = disk.limits(usage.total)
    level = FAILURE if usage.free < full else WARNING if usage.free < low else OK
    embedded, text = settings.redis_url is None, "a full disk stops all games"
    if embedded and level != OK:
        text = "no moves are taken" if level == FAILURE else "no new rooms are opened"
    yield Finding("disk", level, free, "" if level == OK else f"free some space; {text}")


# -- the store --


async def _store(settings: Settings) -> tuple[list[Finding], str | None]:
    """The findings about the store, and the id of the archive that its servers have agreed on."""
    url = settings.redis_url
    if url is None:
        try:
            binary = find_binary()
        except StoreMissing as error:
            return [Finding("store", FAILURE, str(error))], None
        url = EmbeddedStore(settings.data_dir, binary).url
    try:
        told = await survey(url, (ARCHIVE, form.KEY))
    except LogUnavailable as error:
        if settings.redis_url is None:
            return [Finding("store", OK, f"embedded, not running; the server starts {binary}")], None
        return [Finding("store", FAILURE, f"{without_password(url)} does not answer: {error}", "start it")], None
    return [*_judged(settings, without_password(url), told)], told.values[ARCHIVE]


def _judged(settings: Settings, url: str, told: Survey) -> Iterator[Finding]:
    info, name = told.info, "embedded" if settings.redis_url is None else url
    yield Finding("store", OK, f"{name}: as Redis {info['redis_version']}, {info['used_memory'] / 10**6:.0f} MB used")
    if redis_version(info) < OLDEST:
        yield Finding("store", FAILURE, f"it is Redis {info['redis_version']}", "7.0 or newer is needed")
    wrote = form.read(told.values[form.KEY])
    if (why := form.refusal(wrote)) is not None:
        yield Finding("store", FAILURE, why)
    elif wrote is not None and wrote.form < form.FORM:
        text = f"version {wrote.version} has written it, and can't any more once this version has"
        yield Finding("store", WARNING, text, "make a backup before the upgrade")
    if told.forbidden is not None:
        yield Finding("store", WARNING, f"its appendfsync can't be known: {told.forbidden}", "check that it is always")
    for fault in faults(told.config, info):
        if settings.unsafe_store:
            yield Finding("store", WARNING, f"it may lose games: {fault}; UNSAFE_STORE allows it")
        else:
            yield Finding("store", FAILURE, f"it may lose games: {fault}", "fix it, or set UNSAFE_STORE=yes")
    found = condition(info, settings.replicas, unsafe=settings.unsafe_store)
    if found.trouble is not None:
        yield Finding("store", FAILURE, found.trouble)
    if not info.get("maxmemory"):
        yield Finding("store", WARNING, "its memory has no limit", "set maxmemory; for the embedded one, STORE_MEMORY")
    elif found.fullness >= CROWDED:
        text = f"its memory is {100 * found.fullness:.0f} % full: no new rooms are opened"
        yield Finding("store", WARNING, text, "raise maxmemory; for the embedded one, STORE_MEMORY")
    if abs(told.ahead) > APART:
        text = f"its clock is {abs(told.ahead):.1f} s {'ahead of' if told.ahead > 0 else 'behind'} this machine's"
        yield Finding("store", WARNING, text, "synchronise both clocks with NTP")


# -- the archive --


async def _archive(settings: Settings, agreed: str | None) -> AsyncIterator[Finding]:
    address, file = settings.database_url, file_of(settings.database_url, settings.data_dir)
    shown = str(file) if file is not None else without_password(address or "")
    if file is not None and not file.exists():
        yield Finding("archive", OK, f"{shown} is not there yet; the first start makes it")
        return
    try:
        state = await Database.look(address, settings.data_dir, today() - DAY)
    except ArchiveUnavailable as error:
        yield Finding("archive", FAILURE, f"{shown}: {error}", "start it, or set DATABASE_URL to another one")
        return
    if state.revision is None:
        yield Finding("archive", OK, f"{shown} is empty; the first start sets it up")
        return
    size = f", {file.stat().st_size / 10**6:.1f} MB" if file is not None else ""
    if state.known and not state.current:
        yield Finding("archive", OK, f"{shown}{size}: the next start brings it up to date", "make a backup before")
    elif state.known:
        yield Finding("archive", OK, f"{shown}{size}")
    else:
        yield Finding("archive", FAILURE, f"{shown}: a newer version has written it", "run that version")
    if agreed is not None and state.id != agreed:
        text = f"the servers of this store use the archive {agreed}, and this is {state.id}"
        yield Finding("archive", FAILURE, text, "set DATABASE_URL or DATA_DIR to theirs")
    if state.loss is not None and any(state.loss):
        yield Finding("archive", FAILURE, f"within a day the store has lost moves: {state.loss}", "see OPERATING.md")


# -- backups --


def _backups(settings: Settings) -> Iterator[Finding]:
    folder = folder_of(settings)
    if settings.backup_every is None:
        yield Finding("backup", WARNING, "the server makes no backups", "set BACKUP_EVERY, or make backups yourself")
    elif not (files := kept(folder)):
        yield Finding("backup", WARNING, f"there is none in {folder}", "a running server makes the first at once")
    else:
        hours = (today() / 1000 - files[0].stat().st_mtime) / 3600
        late = hours * 3600 > 2 * settings.backup_every
        text = f"{len(files)} in {folder}, the newest {hours:.1f} hours old"
        yield Finding("backup", FAILURE if late else OK, text, "see the server's log: backup failed" if late else "")


# -- the server --


def _reached(settings: Settings) -> Iterator[Finding]:
    url = url_of(settings)
    try:
        with urlopen(f"{url}/readyz", timeout=PATIENCE) as answer:
            said = json.load(answer)
    except HTTPError as error:
        try:
            why = json.load(error)["why"]
        except (ValueError, KeyError, TypeError):
            why = "another program answers there"
        yield Finding("server", FAILURE, f"{url} is not ready: {why}")
        return
    except (ValueError, KeyError):
        yield Finding("server", FAILURE, f"another program answers at {url}", "choose another PORT")
        return
    except (URLError, OSError) as error:
        yield Finding("server", WARNING, f"no server answers at {url}: {getattr(error, 'reason', error)}", "start it")
        return
    yield from _said(settings, url, None, said.get("warning"))


def _said(settings: Settings, name: str, why: str | None, warning: str | None) -> Iterator[Finding]:
    """The findings about a server: why it is not ready (None: it is), its warning, and its exposure."""
    yield Finding("server", OK, f"{name} is ready") if why is None else Finding("server", FAILURE, f"not ready: {why}")
    if warning:
        yield Finding("server", WARNING, warning)
    local = settings.host in LOOPBACK
    if not local and settings.trust_proxy:
        text = "clients that bypass the proxy can claim any address"
        yield Finding("server", WARNING, text, "close the port with a firewall, or listen only on loopback")
    if not local and settings.allowed_origins is None:
        text = "pages of any site may open a socket in a visitor's browser"
        yield Finding("server", WARNING, text, "set ALLOWED_ORIGINS to your origin")


def url_of(settings: Settings) -> str:
    """The address at which this machine reaches a server with these settings."""
    here = dict(zip(EVERYWHERE, ("127.0.0.1", "::1"), strict=True))
    return address_of(here.get(settings.host, settings.host), settings.port)


def line(finding: Finding) -> str:
    """A finding as a line of text."""
    cure = f" → {finding.cure}" if finding.cure else ""
    return f"{finding.level:8} {finding.topic:8} {finding.text}{cure}"

