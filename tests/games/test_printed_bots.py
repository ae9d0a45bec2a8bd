"""The bots printed on the pages, including those of `clients/examples`, play against a real server to the end of a
game."""

import asyncio
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest

from fourfold.clients.connection import Connection
from fourfold.protocol.events import Finished
from fourfold.protocol.from_server import Room, Update
from tests.conftest import find_node, some

pytestmark = pytest.mark.by_default

Server = Any  # see conftest

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "clients" / "examples"
PAGES = {
    "readme": ROOT / "README.md",
    "clients": ROOT / "clients" / "README.md",
    "protocol": ROOT / "protocol" / "README.md",
}
BOTS = {
    f"{page}-{language}": (language, program)
    for page, path in PAGES.items()
    for language, program in re.findall(r"^```(python|js)\n(.*?)^```", path.read_text(), re.DOTALL | re.MULTILINE)
}


def interpreter(language: str) -> list[str]:
    """The command that runs a program. Skips the test if this machine can't run it."""
    return [sys.executable if language == "python" else find_node()]


@contextmanager
def running(name: str, url: str, room: str, folder: Path) -> Iterator[None]:
    """One bot, until the context ends. It must still run then."""
    language, program = BOTS[name]
    folder.mkdir()
    path = folder / ("bot.py" if language == "python" else "bot.mjs")
    path.write_text(program)
    bot = subprocess.Popen(
        [*interpreter(language), str(path), url, room],
        cwd=folder,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        yield
    finally:
        over = bot.poll()
        bot.kill()
        _, complaints = bot.communicate()
    assert over is None, complaints


async def play(server: Server, folder: Path, names: list[str], variant: str) -> Finished:
    async with asyncio.timeout(240), Connection(server.url, name="Host") as host:
        room = await host.create(variant)
        frames = host.follow(room)
        assert isinstance(await anext(frames), Room)
        with ExitStack() as bots:
            for number, name in enumerate(names):
                bots.enter_context(running(name, server.url, room, folder / str(number)))
            async for frame in frames:
                if isinstance(frame, Update) and isinstance(frame.events[-1], Finished):
                    return frame.events[-1]
    raise AssertionError("the frames end with the connection")


def test_the_pages_print_the_examples() -> None:
    """Except for the comment line at the top of each."""
    for name, file in {"clients-js": "bot.mjs", "readme-python": "bot.py"}.items():
        _, program = BOTS[name]
        assert (EXAMPLES / file).read_text().partition("\n\n")[2] == program


def test_there_are_three_and_none_is_long() -> None:
    assert sorted(BOTS) == ["clients-js", "protocol-python", "readme-python"]
    for name, (_, program) in BOTS.items():
        assert len([line for line in program.splitlines() if line]) <= 10, name


@pytest.mark.parametrize("name", some(1, *BOTS))
async def test_a_bot_plays_itself(server: Server, tmp_path: Path, name: str) -> None:
    finished = await play(server, tmp_path, [name, name], "standard")
    assert finished.result.reason == "fivefold"


async def test_four_play_each_other(server: Server, tmp_path: Path) -> None:
    four = ["protocol-python", "clients-js", "readme-python", "clients-js"]
    finished = await play(server, tmp_path, four, "survivor")
    assert finished.result.standings.keys() == {"red", "blue", "yellow", "green"}
