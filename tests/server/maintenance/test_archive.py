"""`fourfold archive`, as an operator runs it, and the imported games on a server."""

import asyncio
import io
import json
import re
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import chess
import chess.pgn
import pytest
from redis import Redis
from sqlalchemy import select, update

from fourfold.engine.match.commands import Create, Resign
from fourfold.engine.variants import opening
from fourfold.server.archive.database import Database
from fourfold.server.archive.paths import PLIES, key
from fourfold.server.archive.tables import TEXTS
from fourfold.server.maintenance import archive
from fourfold.server.maintenance.importing import Bad, Importer
from fourfold.server.rooms.imported import room_of, texts
from fourfold.server.storage.event_log import DamagedEntry
from tests.server.archive.played import Game, archived, of_four
from tests.server.conftest import Dial, node
from tests.server.maintenance.conftest import DATA

FILES = [DATA / name for name in ("sample.pgn", "ffa.pgn4", "teams.pgn4", "solo-classic-2018.pgn4")]


async def imported(database: Database, path: Path, bad: list[Bad] | None = None) -> Importer:
    importer = Importer(database, lambda: 0, ([] if bad is None else bad).append)
    with path.open("rb") as file:
        async for _ in importer.take(str(path), file):
            pass
    return importer


def games_in(text: str) -> list[str]:
    return sorted(game.strip("\n") for _, game in texts(iter(text.encode().splitlines(keepends=True))))


def run(*arguments: object) -> tuple[int, str, str]:
    command = [sys.executable, "-m", "fourfold.clients", "archive", *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


async def run_here(*arguments: object) -> int:
    """The exit code of the command in this process, in a thread: it has its own event loop."""
    return await asyncio.to_thread(archive.main, [*map(str, arguments)])


@pytest.mark.slow
def test_games_come_back_word_for_word(tmp_path: Path) -> None:
    assert run("import", "--data", tmp_path, *FILES) == (0, "185 imported, 0 there already, 0 skipped\n", "")
    for format in ("pgn", "pgn4"):
        code, text, _ = run("export", "--data", tmp_path, "--format", format)
        expected = [game for path in FILES if path.suffix == f".{format}" for game in games_in(path.read_text())]
        assert (code, games_in(text)) == (0, sorted(expected))
    assert run("import", "--data", tmp_path, FILES[1])[1] == "0 imported, 4 there already, 0 skipped\n"


async def test_a_bad_game_is_named_and_the_rest_is_kept(
    database: Database, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, bad = tmp_path / "games.pgn", list[Bad]()
    good = '[White "{}"]\n[Result "1-0"]\n\n1. e4 1-0\n\n'
    path.write_text(good.format("A") + '[White "B"]\n\n1. e4 e5\n2. Ke3 *\n\n' + good.format("C"))
    importer = await imported(database, path, bad)
    assert (importer.new, importer.known, importer.bad) == (2, 0, 1)
    ((file, number, line, why),) = bad
    assert (file, number, line) == (str(path), 2, 6) and why.startswith("move 3, Ke3: ")
    code = await run_here("import", "--data", tmp_path, path)
    out, err = capsys.readouterr()
    assert (code, out) == (1, "0 imported, 2 there already, 1 skipped\n")
    assert err == f"{path}, game 2 (line 6): {why}\n"


def test_the_help_describes_each_option_of_export(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    with pytest.raises(SystemExit):
        archive.main(["export", "--help"])
    text = capsys.readouterr().out
    said = dict(re.findall(r"^ +--([\w-]+)(?: [A-Z]\S*)?\s+(only .*|games .*)$", text, re.MULTILINE))
    assert said == {
        "player": "only games of this player", "with": "only games that this player also played",
        "name": "only games of players with this name", "with-name": "only games that such a player also played",
        "variant": "only games of this variant", "private": "games of private rooms too",
        "since": "only games that ended on this day (UTC) or later",
        "until": "only games that ended on this day or before",
    }  # fmt: skip


@pytest.mark.slow
def test_files_and_archives_that_are_not_there(tmp_path: Path) -> None:
    code, _, err = run("import", "--data", tmp_path, tmp_path / "none.pgn")
    assert code == 1 and "none.pgn" in err
    code, _, err = run("export", "--database", "postgresql://nobody@/nothing?host=/nowhere")
    assert code == 1 and err.startswith("fourfold archive: ")
    assert run("export", "--since", "yesterday")[0] == 2


@pytest.mark.slow
async def test_the_explorer_counts_as_python_chess_does(database: Database) -> None:
    await imported(database, FILES[0])
    expected: dict[int, Counter[tuple[str, str]]] = defaultdict(Counter)
    text = io.StringIO(FILES[0].read_text())
    while (game := chess.pgn.read_game(text)) is not None:
        board, seen = game.board(), set[tuple[int, str]]()
        for move in list(game.mainline_moves())[:PLIES]:
            seen.add((key(opening("standard", position=board.fen(en_passant="legal"))), move.uci()))
            board.push(move)
        for position, uci in seen:
            expected[position][uci, game.headers["Result"]] += 1
    assert len(expected) > 2000
    for position, counts in expected.items():
        found = {}
        for played in await database.explore(position, 2):
            found |= {(played.move, "1-0"): played.won[0], (played.move, "0-1"): played.won[1]}
            found[played.move, "1/2-1/2"] = played.drawn
            assert sum(played.won) + played.drawn == played.games
        assert {place: count for place, count in found.items() if count} == counts


@pytest.mark.slow
async def test_games_that_were_played_here_are_exported_too(database: Database, tmp_path: Path) -> None:
    await archived(database, "four", of_four())
    for number, terms in enumerate(({}, {"visibility": "private"})):
        game = Game(Create("standard", **terms), ["ann", "bob"])  # type: ignore[arg-type]
        game.move("e2e4")
        game.do(Resign(), "ann")
        await archived(database, f"two{number}", game)
    await imported(database, FILES[2])

    def rows(*options: str) -> list[dict[str, Any]]:
        code, out, _ = run("export", "--data", tmp_path, "--format", "ndjson", *options)
        assert code == 0
        return [json.loads(line) for line in out.splitlines()]

    assert [row["room"] for row in rows("--player", "ann")] == ["four", "two0"]
    assert {row["room"] for row in rows("--private")} > {"four", "two0", "two1"}
    assert [row["imported"] for row in rows("--variant", "teams")] == [True]
    (row,) = rows("--variant", "standard")
    assert (row["moves"], row["winners"], row["reason"]) == (["e2e4"], ["black"], "resignation")
    assert rows("--since", "2030-01-01") == []
    assert run("export", "--data", tmp_path)[1].startswith('[Event "Fourfold game"]\n[Site "two0"]\n')


@pytest.fixture
async def address(embedded_url: str, tmp_path: Path) -> AsyncIterator[str]:
    with Redis.from_url(embedded_url) as store:
        store.flushall()
    async with node(embedded_url, tmp_path, archive_after=1, database_url=None) as address:
        yield address


async def test_an_imported_game_has_an_address(dial: Dial, tmp_path: Path) -> None:
    wire = await dial()
    assert (await wire.asks("games"))["games"] == []
    assert await run_here("import", "--data", tmp_path, FILES[2]) == 0
    (found,) = (await wire.asks("games", variant="teams"))["games"]
    assert found["imported"] and found["seats"][0]["player"].startswith("imported:")
    room = await wire.asks("watch", room=found["room"])
    assert (room["status"], room["archived"], room["imported"]) == ("finished", True, True)
    assert len(room["moves"]) == found["ply"]
    exported = (await wire.asks("export", room=found["room"], format="pgn4"))["text"]
    assert [exported.strip("\n")] == games_in(FILES[2].read_text())
    assert '[Variant "teams"]' in (await wire.asks("export", room=found["room"], format="smith"))["text"]


async def flip_a_bit(database: Database) -> str:
    """Damage the text of one imported game; returns its room."""
    async with database.transaction(write=True) as connection:
        rows = (await connection.execute(select(TEXTS).order_by(TEXTS.c.room))).all()
        room, text = rows[1].room, bytearray(rows[1].text)
        text[len(text) // 2] ^= 1
        await connection.execute(update(TEXTS).where(TEXTS.c.room == room).values(text=bytes(text)))
    return str(room)


@pytest.mark.slow
async def test_a_damaged_text_is_named_and_the_other_games_are_exported(database: Database, tmp_path: Path) -> None:
    await imported(database, FILES[1])
    room = await flip_a_bit(database)
    code, out, err = await asyncio.to_thread(run, "export", "--data", tmp_path, "--format", "pgn4")
    intact = {text for text in games_in(FILES[1].read_text()) if room_of(text + "\n") != room}
    assert (code, set(games_in(out))) == (1, intact) and len(intact) == 3
    assert err.startswith(f"{room}: ") and "can't be unpacked" in err and err.count("\n") == 1
    with pytest.raises(DamagedEntry):
        await database.text(room)
