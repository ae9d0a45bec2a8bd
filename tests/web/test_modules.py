"""The page's modules that need no page: their own tests, and their fold held against the server's."""

import itertools
import json
import shutil
import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec import to_builtins

from fourfold.engine.match import State
from fourfold.engine.match.display import sight
from fourfold.engine.match.history import PlayedStep
from fourfold.engine.notation import pgn, pgn4
from fourfold.engine.position import Position
from fourfold.engine.variants import VARIANTS, seats
from fourfold.protocol import projection
from fourfold.server.transport.static_files import generated_modules
from tests.clients.test_table import STARTS, Log, paused_without_blue, played
from tests.conftest import HANG, needs, some

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


@pytest.mark.parametrize("path", sorted(MODULES.glob("*.test.mjs")), ids=lambda path: path.stem)
def test_module(node: str, path: Path) -> None:
    done = subprocess.run([node, str(path)], capture_output=True, text=True, timeout=HANG, check=False)
    assert done.returncode == 0, done.stdout


def test_the_page_has_the_variants_of_the_engine(node: str) -> None:
    """The server's generated module equals the one in the folder, and `words` reads it."""
    static = (MODULES / "../../../clients/web/static").resolve()
    for name, module in generated_modules().items():
        assert (static / name).read_bytes() == module, f"write {name} anew, as it says"
    words = static / "text/words.js"
    rows = "Object.keys(VARIANTS).map((name) => [name, isPair(name), seatsOf(name)])"
    script = f"import {{ VARIANTS, isPair, seatsOf }} from '{words.as_uri()}'; console.log(JSON.stringify({rows}))"
    done = subprocess.run([node, "--input-type=module", "-e", script], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == [[name, len(seats(name)) == 2, list(seats(name))] for name in VARIANTS]


@pytest.mark.parametrize("games", some(1, 6, 60))
def test_the_fold_holds_what_the_server_holds_after_every_event(node: str, games: int) -> None:
    """Random games of all variants with undo, redo, departures and rematches: the position, and every step of the line
    as a replay shows it."""
    starts = itertools.islice(itertools.cycle(STARTS), games)
    logs = [
        played(variant, position, seed=seed, length=60) for seed, (variant, position) in enumerate(starts, start=18)
    ]
    logs.append(paused_without_blue())
    kinds = Counter(event.__struct_config__.tag for log in logs for update in log.updates for event in update.events)
    assert min(kinds[kind] for kind in ("undone", "redone")) >= games // 6, kinds
    fold = [node, str(MODULES / "fold.mjs")]
    lines = "\n".join(json.dumps(to_builtins(_told(log))) for log in logs)
    done = subprocess.run(fold, input=lines, capture_output=True, text=True, timeout=HANG, check=True)
    assert [fault for line in done.stdout.splitlines() for fault in json.loads(line)] == []


def _told(log: Log) -> dict[str, Any]:
    """A game's updates, with the server's snapshot and line after each of them."""
    replay = Replay()
    return {
        "updates": log.updates,
        "snapshots": [projection.snapshot("room", state, projection.Attendance(), log.now) for state in log.states],
        "lines": [replay.line(state) for state in log.states],
    }


class Replay:
    """Plays the lines of a match, each step of them once."""

    def __init__(self) -> None:
        self._known: dict[tuple[PlayedStep, ...], tuple[Position, dict[str, Any]]] = {}

    def line(self, state: State) -> list[dict[str, Any]]:
        """The moves of a state's line, each as the board and the seats are before the next move."""
        line: list[dict[str, Any]] = []
        position, steps = state.start, tuple(state.line)
        for count, step in enumerate(steps, start=1):
            if steps[:count] not in self._known:
                self._known[steps[:count]] = self._play(position, step)
            position, shown = self._known[steps[:count]]
            if step.move is not None:
                line.append(shown)
            elif line:  # a departure belongs to the move before it
                line[-1] = shown | {name: line[-1][name] for name in ("seat", "move", "text")}
        return line

    def _play(self, before: Position, step: PlayedStep) -> tuple[Position, dict[str, Any]]:
        after, names = step.play(before), before.seats
        out = {name: "set_up" for seat, name in enumerate(names) if seat not in after.alive}
        out |= {names[gone.seat]: gone.reason.value for gone in after.out}
        return after, {
            "seat": names[step.seat],
            "move": step.move,
            "text": "" if step.move is None else sight(before, after, before.find(step.move)).text,
            "position": after.fen(),
            "check": [names[seat] for seat in after.checked()],
            "points": None if after.points is None else dict(zip(names, after.points, strict=True)),
            "out": out,
        }


def _recorded(share: int) -> Iterator[dict[str, Any]]:
    """Positions of recorded games: their FEN, legal moves, and the next move's notation. The number of games of each
    file is a multiple of `share`."""
    for reader, name, times in ((pgn, "sample.pgn", 4), (pgn4, "ffa.pgn4", 1), (pgn4, "solo-classic-2018.pgn4", 1)):
        for game in itertools.islice(reader.read((GAMES / name).read_text()), share * times):
            for step in game.line.steps:
                if step.move is not None:
                    yield {
                        "fen": step.before.fen(),
                        "variant": step.before.variant,
                        "legal": step.before.legal_texts(),
                        "text": sight(step.before, step.after, step.move).text,
                        "move": step.move.text,
                    }


@pytest.mark.parametrize("share", some(1, 1, 3))
def test_moves_are_hinted_at_and_understood(node: str, share: int) -> None:
    """Every legal move of recorded games is among those that can be chosen ahead; how it is written is understood."""
    positions = list(_recorded(share))
    read = [node, str(MODULES / "moves.mjs")]
    lines = "\n".join(map(json.dumps, positions))
    done = subprocess.run(read, input=lines, capture_output=True, text=True, timeout=HANG, check=True)
    for position, line in zip(positions, done.stdout.splitlines(), strict=True):
        assert json.loads(line) == {"beyond": [], "meant": position["move"]}, position


@pytest.fixture
def tsc() -> str:
    """TypeScript's compiler, 5 or later."""
    found = shutil.which("tsc")
    told = subprocess.run([found, "--version"], capture_output=True, text=True, check=True).stdout if found else ""
    recent = found and int(told.split()[1].split(".")[0]) >= 5
    return needs(found if recent else None, "TypeScript 5 is not installed (npm install -g typescript)")


@pytest.mark.slow
def test_types(tsc: str) -> None:
    """The types in comments hold, for the page's modules and for the tests' fold."""
    files = map(str, sorted((Path(__file__).parents[2] / "clients/web/static").rglob("*.js")))
    done = subprocess.run([tsc, *CHECKED, *files], capture_output=True, text=True, timeout=HANG, check=False)
    assert done.returncode == 0, done.stdout
