"""The maintenance commands, `fourfold-server backup` and others: their arguments and their output."""

import argparse
import asyncio
import json
import os
import sys
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Final

from fourfold.server import logs
from fourfold.server.archive.address import file_of
from fourfold.server.archive.database import LOCKED_LONG, Database
from fourfold.server.config_file import CHOSEN, BadConfig, beneath, load, template
from fourfold.server.maintenance import (
    accounts,
    backup,
    doctor,
    erasure,
    inspection,
    moderation,
    upgrade,
    verification,
)
from fourfold.server.maintenance.backups import folder_of
from fourfold.server.maintenance.form import ROOM, SETTINGS, Command, argument, declare_reason, written
from fourfold.server.maintenance.places import NotPossible, Places, in_places, open_both, open_store
from fourfold.server.maintenance.systemd import unit
from fourfold.server.settings import Settings, declare, table
from fourfold.server.storage.embedded import StoreError
from fourfold.server.storage.event_log import LogUnavailable, UnreadableEntry


async def _backup(places: Places, arguments: argparse.Namespace) -> int:
    damaged: list[str] = []

    def tell(room: str, why: str) -> None:
        damaged.append(room)
        print(f"{room} in the archive is damaged: {why}", file=sys.stderr)

    contents = await backup.write(arguments.file, *places, tell)
    size = arguments.file.stat().st_size
    print(f"{arguments.file}: {contents.keys} keys of the store, {contents.rows} rows of the archive, {size} bytes")
    return 1 if damaged else 0


async def _restore(settings: Settings, arguments: argparse.Namespace) -> None:
    contents = backup.look(arguments.file)
    async with AsyncExitStack() as stack:
        store = await open_store(settings, stack, alone=True)
        archive = await Database.open(settings.database_url, settings.data_dir, LOCKED_LONG)
        stack.push_async_callback(archive.close)
        if not arguments.force and not await backup.is_nothing_there(store, archive):
            raise NotPossible("There are already games here. Choose an empty --data DIR, or replace them with --force.")
        await backup.restore(arguments.file, store, archive)
    made = written(contents.made)
    print(f"restored: {contents.keys} keys of the store, {contents.rows} rows of the archive, as of {made}")


async def _verify(settings: Settings, arguments: argparse.Namespace) -> int:
    rooms = {False: 0, True: 0}
    decisions = damaged = 0
    async with AsyncExitStack() as stack:
        if arguments.file is not None:
            found = verification.verify_file(arguments.file)
        else:
            found = verification.verify(*await stack.enter_async_context(open_both(settings)))
        async for looked in found:
            rooms[looked.archived] += bool(looked.room)
            decisions += looked.decisions
            if looked.damage is not None:
                damaged += 1
                where = "archive" if looked.archived else "store"
                print(f"{looked.room or 'all'} in the {where}: {looked.damage}")
    print(f"{rooms[False]} rooms in the store, {rooms[True]} in the archive, {decisions} decisions: {damaged} damaged")
    return 1 if damaged else 0


async def _inspect(places: Places, arguments: argparse.Namespace) -> int:
    try:
        where, entries = await inspection.entries_of(places, arguments.room)
        print(f"{arguments.room}, in the {where}: {len(entries)} decisions")
        for line in inspection.lines(arguments.room, entries):
            print(line)
    except inspection.NoSuchRoom as error:
        raise NotPossible(f"Unknown room {arguments.room}: it is in neither the store nor the archive.") from error
    except UnreadableEntry as error:
        print(f"{arguments.room} can't be read further: {error}", file=sys.stderr)
        return 1
    return 0


def _erased(parser: argparse.ArgumentParser) -> None:
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--game", metavar="ROOM", help="the game, or the series of games, in this room")
    about = "all games of this player, including their opponents' part, and the player's account"
    what.add_argument("--player", metavar="ID", help=about)


async def _erase(places: Places, arguments: argparse.Namespace) -> int:
    if arguments.game is not None:
        erased = await erasure.erase_game(places, arguments.game, arguments.by, arguments.why)
    else:
        erased = await erasure.erase_player(places, arguments.player, arguments.by, arguments.why)
    for room, reason in erased.left.items():
        print(f"{room} is skipped: {reason}")
    print(f"{erased.rooms} rooms erased, {len(erased.left)} skipped{', and the account' if erased.account else ''}")
    return 1 if erased.left or not (erased.rooms or erased.account) else 0


async def _audit(places: Places, _: argparse.Namespace) -> None:
    for record in await places.archive.orders.records():
        until = "" if record.until is None else f", until {written(record.until)}"
        rooms = f", rooms: {record.rooms}" if record.rooms else ""
        print(f"{written(record.at)}  {record.by}  {record.action} {record.target}{rooms}{until}  {record.why}")


def _recomputed(parser: argparse.ArgumentParser) -> None:
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--check", action="store_true", help="only compare; the exit status is 1 if they differ")
    what.add_argument("--recompute", action="store_true", help="write the recomputed ratings where they differ")


async def _ratings(places: Places, arguments: argparse.Namespace) -> int:
    games, standings, different = await places.archive.ratings.recompute(write=arguments.recompute)
    done = "written anew" if arguments.recompute else "different"
    print(f"{games} rated games, {standings} ratings: {different} rows {done}")
    return 1 if different and arguments.check else 0


async def _doctor(settings: Settings, arguments: argparse.Namespace) -> int:
    setup = settings.data_dir / CHOSEN
    files = load(setup) if setup.exists() else {}
    if arguments.config is not None:
        files |= load(Path(arguments.config))
    return _print(await doctor.examine(settings, os.environ, files), arguments)


async def _upgrade_check(settings: Settings, arguments: argparse.Namespace) -> int:
    return _print(await upgrade.examine(settings, os.environ), arguments)


def _print(found: Sequence[doctor.Finding], arguments: argparse.Namespace) -> int:
    """Print findings; returns the exit status."""
    if arguments.json:
        print(json.dumps([finding._asdict() for finding in found]))
    else:
        for finding in found:
            print(doctor.line(finding))
    return 1 if any(finding.level == doctor.FAILURE for finding in found) else 0


async def _systemd(settings: Settings, arguments: argparse.Namespace) -> None:
    folders = [settings.data_dir]
    if settings.backup_every is not None and settings.data_dir not in folder_of(settings).parents:
        folders.append(folder_of(settings))
    if (file := file_of(settings.database_url, settings.data_dir)) and settings.data_dir not in file.parents:
        folders.append(file.parent)
    print(unit(settings, folders, arguments.given), end="")


async def _config(_settings: Settings, _arguments: argparse.Namespace) -> None:
    print(template(), end="")


_JSON: Final = argument("--json", action="store_true", help="print a list of objects, for programs")

COMMANDS: Final = {
    "backup": Command(
        "Write all games of the store and of the archive to one file, while servers use them. Damaged games of the "
        "archive are listed, and copied as they are; the exit status is 1 then.",
        in_places(_backup),
        (argument("file", type=Path, metavar="FILE", help="the file to write; an existing file is replaced"),),
    ),
    "restore": Command(
        "Restore a backup into an empty store and archive. No server may use them meanwhile.",
        _restore,
        (
            argument("file", type=Path, metavar="FILE", help="a file written by backup"),
            argument("--force", action="store_true", help="replace the contents of the store and the archive"),
        ),
    ),
    "verify": Command(
        "Read and replay every log, of the store and the archive or of a backup, and list the damaged ones; the exit "
        "status is 1 if there are any.",
        _verify,
        (argument("file", type=Path, nargs="?", metavar="FILE", help="check this backup instead"),),
    ),
    "inspect": Command("Print the log of a room in the store or in the archive.", in_places(_inspect), (ROOM,)),
    "erase": Command(
        "Erase a game, or all games of a player, for good, and add a row to the audit log. The exit status is 1 if "
        "some are skipped, or if there are none.",
        in_places(_erase),
        (_erased, declare_reason),
    ),
    "audit": Command("Print the audit log.", in_places(_audit)),
    "ratings": Command(
        "Recompute the ratings from all rated games, and compare them with the stored ones.",
        in_places(_ratings),
        (_recomputed,),
    ),
    "doctor": Command(
        "Check the settings, the disk, the store, the archive and the server, and suggest fixes; nothing is "
        "changed. Give it the server's own variables and flags. The exit status is 1 if a check fails.",
        _doctor,
        (_JSON,),
        tuple(table()),
    ),
    "upgrade-check": Command(
        "Before an upgrade, run by the new version: print what its first start changes in the store and the archive, "
        "and whether the old version can use them afterwards. Nothing is changed. The exit status is 1 if this version "
        "can't use the data.",
        _upgrade_check,
        (_JSON,),
        tuple(table()),
    ),
    "systemd": Command(
        "Print a systemd unit for this machine, this user and the given flags. It allows writing only where the "
        "server keeps files.",
        _systemd,
        settings=tuple(table()),
    ),
    "config": Command("Print a config file with all settings, their meanings and their defaults.", _config),
}
"""The commands by their names."""

GROUPS: Final = {
    "account": ("List, show, rename, close, erase and export player accounts.", accounts.COMMANDS),
    "moderate": ("Ban, mute and see reports, as moderators do.", moderation.COMMANDS),
}
"""Commands with several actions: their purpose, and their actions by name."""


def _form(parser: argparse.ArgumentParser, command: Command) -> None:
    for declare_argument in command.arguments:
        declare_argument(parser)
    parser.set_defaults(run=command.run)


def read(name: str, arguments: Sequence[str], environment: Mapping[str, str]) -> tuple[Settings, argparse.Namespace]:
    """The settings and the arguments of a command; its function is in `run`. Exits with 2 on a bad argument."""
    common = argparse.ArgumentParser(add_help=False)
    wanted = COMMANDS[name].settings if name in COMMANDS else SETTINGS
    declare(common, environment, wanted)
    prog = f"fourfold-server {name}"
    if name in COMMANDS:
        parser = argparse.ArgumentParser(prog=prog, description=COMMANDS[name].meaning, parents=[common])
        _form(parser, COMMANDS[name])
    else:
        meaning, actions = GROUPS[name]
        parser = argparse.ArgumentParser(prog=prog, description=meaning)
        choices = parser.add_subparsers(required=True, metavar="ACTION")
        for word, action in actions.items():
            text = action.meaning
            _form(choices.add_parser(word, parents=[common], help=text, description=text), action)
    parsed = parser.parse_args(arguments)
    parsed.given = [*arguments]
    return Settings(**{name: getattr(parsed, name) for name in wanted}), parsed


def main(name: str, arguments: Sequence[str], environment: Mapping[str, str] = os.environ) -> int:
    """Run a command; returns the exit status."""
    try:
        settings, parsed = read(name, arguments, beneath(arguments, environment))
    except BadConfig as error:
        print(f"fourfold-server {name}: {error}", file=sys.stderr)
        return 2
    quiet = "warning" if settings.log_level == "info" else settings.log_level
    logs.configure(quiet, settings.log_format)
    return carry_out(name, settings, parsed)


def carry_out(name: str, settings: Settings, parsed: argparse.Namespace) -> int:
    """Carry out a command that was read; returns the exit status."""
    try:
        return asyncio.run(parsed.run(settings, parsed)) or 0
    except (NotPossible, StoreError, LogUnavailable, OSError) as error:
        print(f"fourfold-server {name}: {error}", file=sys.stderr)
        return 2
