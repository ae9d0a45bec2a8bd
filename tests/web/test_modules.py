"""The page's modules that need no page: their own tests, and their fold held against the server's."""

import itertools
import json
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec import to_builtins

from fourfold.engine.match.display import sight
from fourfold.engine.notation import pgn, pgn4
from fourfold.engine.variants import VARIANTS, seats
from fourfold.protocol import projection
from fourfold.server.transport.static_files import variants_module
from tests.clients.test_table import STARTS, played
from tests.conftest import needs

pytestmark = pytest.mark.by_default

MODULES = Path(__file__).parent / "modules"
GAMES = Path(__file__).parents[1] / "engine" / "notation" / "data"
CHECKED = [
    "--noEmit",
    "--checkJs",
    "--allowJs",
    "--strict",
    "--noUnusedLocals",
    "--noUnusedParameters",
    "--noImplicitReturns",
    "--noFallthroughCasesInSwitch",
    "--target",
    "es2022",
    "--module",
    "es2022",
    "--lib",
    "es2022,dom,dom.iterable",
]


@pytest.fixture
def node() -> str:
    return needs(shutil.which("node"), "Node is not installed (Debian: apt install nodejs)")


@pytest.mark.parametrize("path", sorted(MODULES.glob("*.test.mjs")), ids=lambda path: path.stem)
def test_module(node: str, path: Path) -> None:
    done = subprocess.run([node, "--test", str(path)], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stdout


def test_the_page_has_the_variants_of_the_engine(node: str) -> None:
    """The module that the server writes, which is that of the folder, read by the one that all the others use."""
    words = (MODULES / "../../../clients/web/static/words.js").resolve()
    assert (words.parent / "variants.js").read_bytes() == variants_module(), "write variants.js anew, as it says"
    rows = "Object.keys(VARIANTS).map((name) => [name, isPair(name) ? 2 : 4, seatsOf(name)])"
    script = f"import {{ VARIANTS, isPair, seatsOf }} from '{words.as_uri()}'; console.log(JSON.stringify({rows}))"
    done = subprocess.run([node, "--input-type=module", "-e", script], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == [[name, len(seats(name)), list(seats(name))] for name in VARIANTS]


def test_who_folds_all_updates_holds_what_a_snapshot_says(node: str) -> None:
    """Random games of all variants, with votes, undos, resignations and rematches."""
    records = []
    for number, (variant, position) in enumerate(STARTS * 5):
        log = played(variant, position, seed=number, length=60)
        snapshot = projection.snapshot("room", log.states[-1], projection.Attendance(), log.now)
        records.append(json.dumps(to_builtins({"room": snapshot, "updates": log.updates})))
    fold = [node, str(MODULES / "fold.mjs")]
    done = subprocess.run(fold, input="\n".join(records), capture_output=True, text=True, timeout=60, check=True)
    for record, line in zip(records, done.stdout.splitlines(), strict=True):
        told = json.loads(line)
        folded, snapshot = told["folded"], told["snapshot"]
        if json.loads(record)["updates"][-1]["events"][-1]["type"] in ("undone", "redone"):
            folded.pop("check"), snapshot.pop("check")
        assert folded == snapshot


def _recorded() -> Iterator[dict[str, Any]]:
    """Positions of recorded games: how they are written, what is legal, and how the move that was made is."""
    for reader, name, games in ((pgn, "sample.pgn", 12), (pgn4, "ffa.pgn4", 4), (pgn4, "solo-classic-2018.pgn4", 3)):
        for game in itertools.islice(reader.read((GAMES / name).read_text()), games):
            for step in game.line.steps:
                if step.move is not None:
                    yield {
                        "fen": step.before.fen(),
                        "variant": step.before.variant,
                        "legal": step.before.legal_texts(),
                        "text": sight(step.before, step.after, step.move).text,
                        "move": step.move.text,
                    }


def test_moves_are_hinted_at_and_understood(node: str) -> None:
    """Every legal move of recorded games is among those that can be chosen ahead; how it is written is understood."""
    positions = list(_recorded())
    read = [node, str(MODULES / "moves.mjs")]
    lines = "\n".join(map(json.dumps, positions))
    done = subprocess.run(read, input=lines, capture_output=True, text=True, timeout=60, check=True)
    for position, line in zip(positions, done.stdout.splitlines(), strict=True):
        assert json.loads(line) == {"beyond": [], "meant": position["move"]}, position


@pytest.fixture
def tsc() -> str:
    """TypeScript's compiler, 5 or later."""
    found = shutil.which("tsc")
    told = subprocess.run([found, "--version"], capture_output=True, text=True, check=True).stdout if found else ""
    recent = found and int(told.split()[1].split(".")[0]) >= 5
    return needs(found if recent else None, "TypeScript 5 is not installed (npm install -g typescript)")


def test_types(tsc: str) -> None:
    """What the comments say of types holds, of the page's modules and of their tests' fold."""
    files = map(str, sorted((Path(__file__).parents[2] / "clients/web/static").glob("*.js")))
    done = subprocess.run([tsc, *CHECKED, *files], capture_output=True, text=True, timeout=100, check=False)
    assert done.returncode == 0, done.stdout
