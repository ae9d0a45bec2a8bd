"""`fourfold archive`: imports games from files into the archive, and exports them. The server may run meanwhile."""

import argparse
import asyncio
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from itertools import accumulate
from pathlib import Path
from typing import Any, Final

from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

from fourfold.server import settings
from fourfold.server.archive.database import LOCKED_LONG, Database
from fourfold.server.archive.errors import ArchiveUnavailable
from fourfold.server.archive.facts import Search
from fourfold.server.archive.texts import FORMATS
from fourfold.server.clock import today
from fourfold.server.maintenance import exporting
from fourfold.server.maintenance.importing import Bad, Importer
from fourfold.server.storage.event_log import UnreadableEntry

FAILED: Final = 1
"""The exit code if the archive is away, a file can't be read, or a game was skipped."""

_RESULTS: Final = ("won", "drawn", "lost", "aborted")


def parser(environment: Mapping[str, str]) -> argparse.ArgumentParser:
    """The command line of `fourfold archive`."""
    top = argparse.ArgumentParser(
        prog="fourfold archive", description="Import games into the archive of finished games, and export them."
    )
    archive = argparse.ArgumentParser(add_help=False)
    settings.declare(archive, environment, ("data_dir", "database_url"))
    commands = top.add_subparsers(required=True, metavar="COMMAND")
    about = "Import games from PGN and PGN4 files. Games that exist already, and bad games, are skipped."
    importing = commands.add_parser("import", parents=[archive], help="import games from files", description=about)
    importing.add_argument("files", nargs="+", metavar="FILE", help="a .pgn or .pgn4 file with any number of games")
    importing.set_defaults(run=_import)
    about = "Print games, newest first. Imported games keep their original text. Damaged games are listed and skipped."
    out = commands.add_parser("export", parents=[archive], help="print games", description=about)
    out.add_argument("--format", choices=FORMATS, default="pgn", help="default pgn; pgn4 for four-player games")
    out.add_argument("--output", metavar="FILE", help="the file to write; default standard output")
    out.add_argument("--player", metavar="ID", help="only games of this player")
    out.add_argument("--with", dest="other", metavar="ID", help="only games that this player also played")
    out.add_argument("--name", help="only games of players with this name")
    out.add_argument("--with-name", dest="other_name", metavar="NAME", help="only games that such a player also played")
    out.add_argument("--variant", help="only games of this variant")
    out.add_argument("--result", choices=_RESULTS, help="only games that the player won, ...")
    out.add_argument("--since", type=_day(0), metavar="DATE", help="only games that ended on this day (UTC) or later")
    out.add_argument("--until", type=_day(1), metavar="DATE", help="only games that ended on this day or before")
    out.add_argument("--private", action="store_true", help="games of private rooms too")
    out.set_defaults(run=_export)
    return top


def _day(after: int) -> Callable[[str], int]:
    """Parses a date as the moment it begins (or, with `after` 1, ends), in milliseconds since 1970."""

    def read(text: str) -> int:
        try:
            day = datetime.strptime(text, "%Y-%m-%d").replace(tzinfo=UTC) + timedelta(days=after)
        except ValueError as error:
            raise argparse.ArgumentTypeError(f"write a date as 2026-07-31, not {text!r}") from error
        return int(day.timestamp() * 1000) - after

    return read


async def _import(values: argparse.Namespace, database: Database) -> int:
    console = Console(stderr=True, highlight=False)
    columns = (TextColumn("{task.fields[file]}"), BarColumn(), DownloadColumn(), TimeRemainingColumn())
    sizes = [os.stat(name).st_size for name in values.files]
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:

        def tell(bad: Bad) -> None:
            told = f"{bad.file}, game {bad.number} (line {bad.line}): {bad.why}"
            console.print(told, markup=False, soft_wrap=True)

        importer = Importer(database, today, tell)
        task = bar.add_task("", total=sum(sizes), file="")
        for name, before in zip(values.files, accumulate(sizes, initial=0), strict=False):
            bar.update(task, file=Path(name).name)
            with Path(name).open("rb") as file:  # noqa: ASYNC230 - nothing else happens meanwhile
                async for place in importer.take(name, file):
                    bar.update(task, completed=before + place)
    print(f"{importer.new} imported, {importer.known} there already, {importer.bad} skipped")
    return FAILED if importer.bad else 0


async def _export(values: argparse.Namespace, database: Database) -> int:
    fields = ("player", "other", "name", "other_name", "variant", "result", "since", "until", "private")
    search = Search(**{name: getattr(values, name) for name in fields})
    skipped = 0

    def tell(room: str, why: str) -> None:
        nonlocal skipped
        skipped += 1
        print(f"{room}: {why}", file=sys.stderr)

    out = sys.stdout if values.output is None else Path(values.output).open("w", encoding="utf-8")  # noqa: SIM115, ASYNC230
    try:
        first = True
        async for text in exporting.exported(database, search, values.format, tell):
            out.write(text if first or values.format == "ndjson" else "\n" + text)
            first = False
        out.flush()
    finally:
        if values.output is not None:
            out.close()
    return FAILED if skipped else 0


async def _run(values: argparse.Namespace) -> int:
    values.data_dir.mkdir(parents=True, exist_ok=True)
    database = await Database.open(values.database_url, values.data_dir, LOCKED_LONG)
    try:
        code: int = await values.run(values, database)
    finally:
        await database.close()
    return code


def main(arguments: Sequence[str] | None = None, environment: Mapping[str, str] = os.environ) -> int:
    """Returns the exit code."""
    values: Any = parser(environment).parse_args(arguments)
    try:
        return asyncio.run(_run(values))
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # otherwise Python would complain at exit
        return FAILED
    except (OSError, ArchiveUnavailable, UnreadableEntry) as error:
        print(f"fourfold archive: {error}", file=sys.stderr)
        return FAILED


if __name__ == "__main__":
    sys.exit(main())
