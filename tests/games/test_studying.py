"""Studies in the terminal, with real servers: plain and full screen, edited by two at once, saved and printed."""

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from textual.widgets import Button, DataTable

from fourfold.clients.connection import Connection
from fourfold.clients.errors import RequestError
from fourfold.clients.games import files
from fourfold.clients.games.remote import RemoteVenue
from fourfold.clients.terminal.fullscreen.app import FourfoldApp
from fourfold.clients.terminal.fullscreen.lobby import LobbyScreen
from fourfold.clients.terminal.fullscreen.study import StudyScreen
from fourfold.clients.terminal.fullscreen.variations import VariationList
from fourfold.clients.terminal.text import tree
from fourfold.protocol.studies import AddChapters, Comment, Delete, Draw, Play, Remove, Shape, Share, Source
from tests.clients.terminal.fullscreen.driving import Driver
from tests.games.conftest import ROOT, ServerProcess
from tests.games.test_plain import environment, terminal

pytestmark = pytest.mark.slow

TWO_GAMES = """[Event "One"]
[White "Ada"]
[Black "Bo"]

1. e4 e5 (1... c5 {Sharper.}) 2. Nf3 *

[Event "Two"]
[White "Cy"]
[Black "Di"]

1. d4 d5 *
"""


@asynccontextmanager
async def program(url: str, *first: str, name: str = "Ann", size: tuple[int, int] = (110, 32)) -> AsyncIterator[Driver]:
    async with RemoteVenue(url, name) as venue:
        app = FourfoldApp(venue, first)
        async with app.run_test(size=size) as pilot:
            yield Driver(app, pilot)


def listed(at: Driver) -> list[str]:
    """The moves in the full screen's list."""
    reading = at.app.desk.study
    assert reading is not None
    return [tree.plain(line, reading.node) for line in at.screen.query_one(VariationList)._lines]


def run(folder: Path, typed: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "fourfold.clients", *arguments],
        input=typed,
        capture_output=True,
        text=True,
        timeout=240,
        cwd=ROOT,
        env=environment(folder, PYTHONIOENCODING="utf-8"),
    )


def test_a_study_is_made_of_a_file_written_and_saved(server: ServerProcess, tmp_path: Path) -> None:
    source, saved = tmp_path / "games.pgn", tmp_path / "saved.pgn"
    source.write_text(TWO_GAMES)
    typed = [
        "last", "Nc6", "arrow e4 e5", "draw c6 red", "arrow e4 e5", "mark c6 red",
        "back 2", "down", "comment Sicilian.", "glyph !?", "promote", "tree",
        "chapter", "chapter 2", "chapter 7", "uncomment", "drop", "yes", "remove", "a2a5", "who", "link",
        f"save {saved}", "title study Openings", "leave", "studies",
    ]  # fmt: skip
    where = ["--url", server.url, "--name", "Ada"]
    done = run(tmp_path, "\n".join(typed), "study", "--file", str(source), *where, "--ascii")
    assert done.returncode == 0 and done.stderr == ""
    shown = done.stdout
    assert "Study: games.pgn, yours; you and the named writers see it, its owner writes." in shown
    assert "2...Nc6, by Ada." in shown
    assert "Arrows: e4-e5.\nMarked: c6 (red).\n" in shown and "All arrows and marks here are removed." in shown
    assert "Beside it: e5 ('down' and 'up' go there)." in shown
    assert "1. e4 [c5!?]\n  Sicilian.\n  - 1... e5 2. Nf3 Nc6\n" in shown
    assert "* 1 Ada - Bo (standard, 5 moves)\n  2 Cy - Di (standard, 2 moves)" in shown
    assert "There is no chapter 7; 'chapter' lists them." in shown
    assert "Remove the chapter Cy - Di (yes or no)?" in shown and "The chapter is removed." in shown
    assert "The start can't be removed" in shown
    assert "The pawn on a2 cannot go to a5." in shown
    text = saved.read_text()
    assert "1. e4 c5 $5 {Sicilian.} ( 1... e5 2. Nf3 Nc6 ) *" in text and "Cy" not in text
    room = shown.split(f"{server.url}/s/")[1][:14]
    assert f"{room}  Openings (standard; 1 chapter; " in shown

    text = text.replace('[StudyName "games.pgn"]', '[StudyName "Openings"]')  # it has been renamed since
    assert run(tmp_path, "", "export", room, *where).stdout == text
    assert run(tmp_path, "", "export", f"{server.url}/s/{room}", "--name", "Ada").stdout == text
    other = run(tmp_path, "", "export", room, *where, "--format", "pgn4")
    assert other.returncode == 1 and "This is written as pgn" in other.stderr
    again = run(tmp_path, "tree\n", "study", f"{server.url}/s/{room}", "--name", "Ada")
    assert again.returncode == 0 and "1. e4 c5!?" in again.stdout


def test_what_is_not_there_or_private_is_said(server: ServerProcess, tmp_path: Path) -> None:
    made = run(tmp_path, "link\n", "study", "--new", "4", "--url", server.url, "--name", "Ada")
    room = made.stdout.split(f"{server.url}/s/")[1][:14]
    for arguments in (["study", room], ["study", "nosuchstudy123"], ["study", "ab12cd34"], ["export", room]):
        refused = run(tmp_path, "", *arguments, "--url", server.url, "--name", "Bo")
        assert refused.returncode == 1
        assert "There is no such study, or it is private" in refused.stderr
    own = run(tmp_path, "", "export", room, "--url", server.url, "--name", "Ada")
    assert own.returncode == 0 and '[Variant "Survivor"]' in own.stdout
    missing = run(tmp_path, "", "study", "--file", str(tmp_path / "no.pgn"), "--url", server.url)
    assert missing.returncode == 2 and "There is no file" in missing.stderr
    both = run(tmp_path, "", "study", room, "--public", "--url", server.url)
    assert both.returncode == 2
    away = run(tmp_path, "", "study", "--url", "http://127.0.0.1:1")
    assert away.returncode == 2


def test_a_study_may_have_no_chapter_for_a_while(server: ServerProcess, tmp_path: Path) -> None:
    typed = ["drop", "no", "drop", "yes", "tree", "board", "e4", "chapter", "add new 4", "h2h4", "Rr", "tree", "fen"]
    done = run(tmp_path, "\n".join(typed), "study", "--new", "--url", server.url, "--ascii")
    assert done.returncode == 0 and done.stderr == ""
    assert done.stdout.count("This study has no chapters. 'add new' makes one.") == 2
    assert "There are no chapters. 'add new' makes one." in done.stdout
    assert "Chapter 1: " in done.stdout and "1. R:h2-h4 2. [R:resigns]" in done.stdout
    assert "2. red resigns, by " in done.stdout


def test_at_a_terminal_edits_of_others_are_told_as_they_come(server: ServerProcess, tmp_path: Path) -> None:
    async def bo(room: str) -> None:
        async with Connection(server.url, name="Bo") as connection:
            await anext(aiter(connection.follow(room)))
            await connection.edit(room, Play(1, 0, "d2d4"))
            await connection.edit(room, Comment(1, 1, "Mine is better."))

    where = ["--url", server.url, "--plain", "--ascii", "--name", "Ada"]
    with terminal(tmp_path, "--new", *where, NO_COLOR="1", command="study") as (at, process):
        at.until("Study, the start, white to move: ")
        at.types("e2e4")
        at.until("Study, 1.e4, black to move: ")
        at.types("share public")
        at.until(f"{server.url}/s/")
        room = at.until("\n").strip()
        at.types("allow everybody")
        at.until("everybody who sees it can write")
        asyncio.run(bo(room))
        at.until("Bo adds d4 after the start.")
        at.until("Bo says of 1.e4: Mine is better.")
        at.types("down")
        at.until("1.d4, by Bo.")
        at.types("leave")
        at.until("Lobby: ")
        at.types("quit")
        assert process.wait(timeout=240) == 0


async def test_two_write_one_study_in_the_full_screen(server: ServerProcess) -> None:
    async with program(server.url, "study new Together", "share link", "allow everybody") as ann:
        await ann.at(StudyScreen)
        await ann.until(lambda: "everybody with the link" in ann.said and "everybody who sees it can write" in ann.said)
        assert ann.app.desk.study is not None
        room = ann.app.desk.study.study.room
        await ann.click("e2", "e4")
        await ann.until(lambda: "1. [e4]" in listed(ann))
        async with program(server.url, f"study {room}", name="Bob") as bob:
            await bob.at(StudyScreen)
            await bob.until(lambda: "1. e4 <Ann>" in listed(bob))
            await bob.type("d2d4")
            await bob.until(lambda: "  - 1. [d4] (by Bob)" in listed(bob))
            await ann.until(lambda: "Bob adds d4 after the start." in ann.said)
            await ann.until(lambda: "  - 1. d4 (by Bob) <Bob>" in listed(ann))
            await bob.pilot.press("f5")  # promote
            await ann.until(lambda: listed(ann)[1:] == ["1. d4 (by Bob) <Bob>", "  - 1. [e4]"])
            await ann.pilot.press("ctrl+down")
            await ann.until(lambda: ann.app.desk.study is not None and ann.app.desk.study.node == 2)
            await bob.type("remove")
            # Both look at the start of the removed move.
            await bob.until(lambda: listed(bob)[:1] == ["[Start] <Ann>"])
            await ann.until(lambda: listed(ann)[:1] == ["[Start] <Bob>"])
            await ann.pilot.press("right")
            await ann.until(lambda: "1. [e4]" in listed(ann))
            await ann.type("destroy")
            await ann.until(lambda: "for good" in str(ann.screen.query_one("#asked").render()))
            await ann.type("yes")
            await ann.at(LobbyScreen)
            await bob.until(lambda: "Lost this study" in bob.said)


async def test_a_long_game_of_a_file_becomes_a_chapter(server: ServerProcess, tmp_path: Path) -> None:
    game = '[White "Ada"]\n\n' + "".join(
        f"{2 * n + 1}. Nf3 {{{'Über dies. ' * 90}}} Nf6 {2 * n + 2}. Ng1 Ng8 " for n in range(40)
    )
    (tmp_path / "long.pgn").write_text(f"{game}*\n")
    (tmp_path / "endless.pgn").write_text(f"{game * 3}*\n")
    async with Connection(server.url, name="Ann") as ann:
        (source,) = files.sources(tmp_path / "long.pgn")
        room = await ann.open_study("Long", source)
        await ann.edit(room, AddChapters(source))
        text = await ann.export(room, "pgn")
        assert " ".join(text.split()).count("Über dies.") == 2 * 40 * 90
    with pytest.raises(files.FileFault, match="the limit for studies is"):
        files.sources(tmp_path / "endless.pgn")


async def test_what_is_drawn_is_said_in_words(server: ServerProcess) -> None:
    async with program(server.url, "study new Drawn", "e4") as ann:
        await ann.at(StudyScreen)
        await ann.until(lambda: "1. [e4]" in listed(ann))
        study = ann.app.desk.study
        assert study is not None
        shapes = [Shape("green", "e2", "e4"), Shape("red", "g1", "f3"), Shape("blue", "f7")]
        await study.open.edit(Draw(1, 1, shapes))
        beside = "Arrows: e2-e4, g1-f3 (red).\nMarked: f7 (blue)."
        await ann.until(lambda: beside in str(ann.screen.query_one("#words").render()))


async def test_the_lobby_of_the_full_screen_lists_studies(server: ServerProcess) -> None:
    async with (
        Connection(server.url, name="Bob") as bob,
        program(server.url, "study new Mine") as ann,
    ):
        theirs = await bob.open_study("Of all", Source(), visibility="public")
        await bob.open_study("Hidden", Source())
        await ann.at(StudyScreen)
        await ann.type("leave")
        await ann.at(LobbyScreen)
        table = ann.screen.query_one(DataTable)
        for state in ("Free seats", "Being played", "Studies"):
            await ann.pilot.press("f5")
            await ann.until(lambda state=state: str(ann.screen.query_one("#state", Button).label) == state)
        await ann.until(lambda: theirs in table.rows)
        rows = {str(cells[3]): [str(cell) for cell in cells] for cells in map(table.get_row, table.rows)}
        assert "Hidden" not in rows
        assert (rows["Mine"][4], rows["Of all"][1:3], rows["Of all"][4]) == ("you, private", ["standard", "1"], "Bob")
        table.focus()
        table.move_cursor(row=table.get_row_index(theirs))
        await ann.pilot.press("enter")
        await ann.at(StudyScreen)
        await ann.type("leave")
        await ann.at(LobbyScreen)


async def test_moves_are_chosen_from_the_list_and_four_are_shown_on_a_small_screen(server: ServerProcess) -> None:
    async with program(server.url, "study new 4", "h2h4", "b7d7", "back", "b4d4", size=(80, 24)) as at:
        await at.at(StudyScreen)
        await at.until(lambda: at.app.desk.study is not None and at.app.desk.study.node == 3)
        await at.pilot.press("f7")  # the panel, for which there is no room beside the board
        await at.until(lambda: "  - 1. [B:b4-d4]" in listed(at))
        moves = at.screen.query_one(VariationList)
        row = next(n for n, line in enumerate(moves._lines) if any(one.node == 2 for one in line))
        column = sum(len(one.text) for one in moves._lines[row]) - 2
        await at.pilot.click(VariationList, offset=(column, row))
        await at.until(lambda: at.app.desk.study is not None and at.app.desk.study.node == 2)


async def test_a_study_that_is_not_there_ends_the_full_screen(server: ServerProcess) -> None:
    async with program(server.url, "study nosuchstudy123") as at:
        await at.until(lambda: not at.app.is_running)
    assert isinstance(at.app.fault, RequestError)
    assert at.app.fault.code == "no_such_room"


async def test_a_study_goes_on_after_an_outage(tmp_path_factory: pytest.TempPathFactory) -> None:
    server = ServerProcess(tmp_path_factory.mktemp("outage"))
    server.start()
    try:
        async with Connection(server.url, name="Ada") as ada, RemoteVenue(server.url, "Bo") as venue:
            room = await ada.open_study("Kept", Source(text="1. e4 e5 *"), visibility="link", write="everybody")
            study = await venue.study(room)
            await ada.edit(room, Share("public"))
            server.kill()
            server.start()
            await ada.edit(room, Play(1, 2, "g1f3"))
            await ada.edit(room, Remove(1, 2))
            async for news in study.news():
                study.take(news)
                if study.study.seq >= 5:
                    break
            assert sorted(study.study.chapters[0].nodes) == [0, 1]
            assert (await study.position(1, 1)) is not None
            assert await study.position(1, 2) is None
            assert [one.room for one in (await venue.connection.studies("public")).studies] == [room]
            await ada.edit(room, Delete())

            async def to_the_end() -> None:
                async for news in study.news():
                    study.take(news)

            with pytest.raises(RequestError) as gone:
                await to_the_end()
            assert gone.value.code == "no_such_room"
    finally:
        server.stop()


def test_a_position_of_a_study_is_analysed(server_with_bots: ServerProcess, tmp_path: Path) -> None:
    typed = "f2f3\ne7e5\ng2g4\nanalyse\nexplore\nd8h4\nanalyse\na2a3\nmoves\n"
    done = run(tmp_path, typed, "study", "--new", "--url", server_with_bots.url, "--ascii")
    assert done.returncode == 0 and done.stderr == ""
    assert "moves ahead:" in done.stdout and "  Qh4#\n" in done.stdout
    assert "The computer thinks for 3 seconds..." in done.stdout
    assert "The game is over here; 'back' looks at an earlier position." in done.stdout
    assert "The game is over here: no more moves can follow." in done.stdout
    assert "The game has ended here: checkmate." in done.stdout
