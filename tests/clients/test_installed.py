"""The installed package, for a program of somebody else's: its types hold under `mypy --strict`."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

PROGRAM = """
import asyncio, sys
from fourfold.clients.bots.bot import Bot
from fourfold.clients.bots.thinking import in_thread
from fourfold.clients.connection import Connection
from fourfold.engine.position import Position

class First:
    def choose(self, position: Position, budget: float) -> str:
        return next(move.text for move in position.legal_moves() if position.play(move).fen())

async def play(url: str, room: str) -> None:
    async with Connection(url, name="First") as connection:
        table = await Bot(connection, room, None, in_thread(First())).play()
        print(None if table is None else (table.moves, table.result, table.position.outcome))

asyncio.run(play(*sys.argv[1:]))
"""


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_a_foreign_program_is_typed(tmp_path: Path) -> None:
    def run(*command: str | Path) -> None:
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr

    (tmp_path / "program.py").write_text(PROGRAM)
    run(sys.executable, "-m", "venv", "venv")
    run("venv/bin/pip", "install", "-q", ROOT, "mypy")
    run("venv/bin/mypy", "--strict", "--disallow-any-expr", "program.py")
