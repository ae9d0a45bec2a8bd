"""The directions of imports are the architecture. They are checked in the source itself, not in the loaded modules."""

import ast
import graphlib
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.each import each

ROOT = Path(__file__).resolve().parent.parent
MAY_IMPORT = {
    "engine": {"engine"},
    "protocol": {"protocol"},
    "server": {"server", "engine", "protocol"},
    "clients": {"clients", "engine", "protocol"},
}
# The translators from the match and from a study to the wire.
KNOW_THE_ENGINE = {Path("protocol/projection.py"), Path("protocol/study_projection.py")}
LAYERS = {
    "engine": "study match notation editor perft variants fourplayer twoplayer castling questions symmetry pickling "
    "position coordinates setup movegen drawing board tables attacks moves rules decisions values zobrist outcome "
    "errors pieces squares geometry",
    "engine/match": "decide votes time_rules progress export evolve state commands events history terms display "
    "absence clock",
    "engine/study": "record decide evolve steps state tree commands events shapes",
    "server": "process health composition maintenance config_file checks workers transport sessions studies openings "
    "lobby bots rooms limits players settings archive ratings replication storage console vitals metrics logs "
    "supervision yielding_lock clock",
    "clients": "examples environments first_steps study_command invite play demo gateway webhooks terminal games bots "
    "connection transcript session websocket following web table study_state long_text streams signals errors",
    "clients/bots": "hosting ratinglist arena uci analysis bot agreement thinking levels openings search profile",
    "clients/terminal": "fullscreen plain controller text parser tokens",
}
"""The folders and modules of a folder, from the top down: each imports only those after it."""

SIBLINGS = (("engine.match", "engine.study"), ("server.rooms", "server.studies"))
"""Folders that know nothing of each other: what both need is in a folder below them."""

IMPURE = {"asyncio", "time", "random", "logging", "socket", "threading", "subprocess", "os", "io", "secrets"}
# The command line is the engine's only contact with the world.
COMMAND_LINES = {Path("engine/__main__.py")}


def modules() -> list[Path]:
    return sorted(path.relative_to(ROOT) for package in MAY_IMPORT for path in (ROOT / package).rglob("*.py"))


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse((ROOT / path).read_text())


@cache
def import_statements(path: Path) -> list[ast.Import | ast.ImportFrom]:
    """A module's imports, wherever they are."""
    return [node for node in statements(parsed(path)) if isinstance(node, ast.Import | ast.ImportFrom)]


def statements(block: ast.AST) -> Iterator[ast.AST]:
    """The statements of a block, and those inside them. Expressions, which have no imports, are passed over."""
    for name in ("body", "handlers", "cases", "orelse", "finalbody"):
        for node in getattr(block, name, ()):
            yield node
            yield from statements(node)


def imported(path: Path) -> Iterator[str]:
    """The imports of a module, ours without the package's own name."""
    for node in import_statements(path):
        if isinstance(node, ast.Import):
            yield from (alias.name.removeprefix("fourfold.") for alias in node.names)
        else:
            assert node.level == 0, f"{path}: imports are written in full"
            assert node.module is not None
            yield node.module.removeprefix("fourfold.")


@cache
def arrows() -> dict[str, set[str]]:
    """For each of our modules, the ones of ours that it imports, including imports for types alone. Importing a
    package's modules by name does not count as importing the package."""
    paths = {".".join(path.with_suffix("").parts).removesuffix(".__init__"): path for path in modules()}
    found: dict[str, set[str]] = {}
    for module, path in paths.items():
        found[module] = set()
        for node in import_statements(path):
            if isinstance(node, ast.ImportFrom) and node.module is not None:
                package = node.module.removeprefix("fourfold.")
                names = (f"{package}.{alias.name}" for alias in node.names)
                found[module] |= {name if name in paths else package for name in names} & paths.keys()
    return found


@each("folder", LAYERS)
def test_no_arrow_runs_back_up(folder: str) -> None:
    order = LAYERS[folder].split()
    prefix, folders = folder.replace("/", ".") + ".", {path.parent for path in (ROOT / folder).glob("*/*.py")}
    children = [*(ROOT / folder).glob("*.py"), *folders]
    assert sorted(order) == sorted({path.stem for path in children if not path.name.startswith("__")})
    for module, targets in arrows().items():
        for target in targets:
            if module.startswith(prefix) and target.startswith(prefix):
                above, below = (name.removeprefix(prefix).split(".")[0] for name in (module, target))
                assert above in (below, "__main__") or order.index(above) < order.index(below), f"{module} -> {target}"


@each(("first", "second"), SIBLINGS)
def test_siblings_know_nothing_of_each_other(first: str, second: str) -> None:
    between = [
        (module, target)
        for module, targets in arrows().items()
        for target in targets
        for one, other in ((first, second), (second, first))
        if f"{module}.".startswith(f"{one}.") and f"{target}.".startswith(f"{other}.")
    ]
    assert any(f"{module}.".startswith(f"{first}.") for module in arrows()), f"{first} is there"
    assert not between


def test_there_is_no_circle() -> None:
    graphlib.TopologicalSorter(arrows()).prepare()  # raises CycleError, which names the circle


@each("path", modules(), ids=str)
def test_imports_run_one_way(path: Path) -> None:
    ours = {name.split(".")[0] for name in imported(path)} & MAY_IMPORT.keys()
    assert ours <= MAY_IMPORT[path.parts[0]] | ({"engine"} if path in KNOW_THE_ENGINE else set())


def test_the_client_library_does_not_load_the_engine() -> None:
    library = "import sys, fourfold.clients.connection as _; sys.exit('fourfold.engine' in sys.modules)"
    subprocess.run([sys.executable, "-c", library], check=True)


@each("path", [path for path in modules() if path.parts[0] == "engine"], ids=str)
def test_the_engine_is_pure(path: Path) -> None:
    tops = {name.split(".")[0] for name in imported(path)}
    assert tops <= sys.stdlib_module_names | {"engine", "mypy_extensions"}  # the one for type checkers alone
    if path not in COMMAND_LINES:
        assert not tops & IMPURE


def test_only_the_gateway_and_its_lines_know_sockets() -> None:
    users = {path for path in modules() if path.parts[0] == "server" and "websockets" in _tops(path)}
    names = ("connection", "frames", "gateway", "http", "turning_away")
    assert users == {Path("server/transport") / f"{name}.py" for name in names}


def test_only_the_log_and_its_notifications_know_redis() -> None:
    users = {path for path in modules() if "redis" in _tops(path)}
    names = ("cluster", "keys", "pipeline", "pubsub", "redis_log", "redis_node", "reminders", "safety", "survey")
    assert users == {Path("server/storage") / f"{name}.py" for name in names}


def test_no_gpl_at_run_time() -> None:
    assert not [path for path in modules() if "chess" in _tops(path)]


def test_every_module_says_what_it_is() -> None:
    silent = [path for path in modules() if not ast.get_docstring(parsed(path))]
    assert not silent


def test_no_module_has_two_names(tmp_path: Path) -> None:
    """The folders of a checkout are parts of one package, and nothing imports them as separate packages."""
    assert not MAY_IMPORT.keys() & sys.modules.keys()
    for top in MAY_IMPORT:
        found = subprocess.run([sys.executable, "-c", f"import {top}"], cwd=tmp_path, capture_output=True, check=False)
        assert b"ModuleNotFoundError" in found.stderr


def test_types_are_told_to_others() -> None:
    assert (ROOT / ".src" / "fourfold" / "py.typed").exists()


def _tops(path: Path) -> set[str]:
    return {name.split(".")[0] for name in imported(path)}
