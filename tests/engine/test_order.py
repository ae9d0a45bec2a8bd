"""The package is read from the top down, as its docstring says: no module imports a later one."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from fourfold import engine

ROOT = Path(engine.__file__).parent
MODULES = {path.name.split(".")[0] for path in ROOT.iterdir()} - {"__init__", "__main__", "__pycache__"}
ORDER = [name for name in re.findall(r"`(\w+)`", engine.__doc__ or "") if name in MODULES]


def imported(tree: ast.Module) -> Iterator[str]:
    """What is imported of the engine's own, for types alone too."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module is not None:
            whole = [node.module]
            if node.module == "fourfold.engine":
                whole = [f"{node.module}.{alias.name}" for alias in node.names]
            yield from (name.split(".")[2] for name in whole if name.startswith("fourfold.engine."))


def test_every_module_has_its_place() -> None:
    assert sorted(ORDER) == sorted(MODULES)


def test_imports_run_upwards() -> None:
    for place, name in enumerate(ORDER):
        paths = (ROOT / name).rglob("*.py") if (ROOT / name).is_dir() else [ROOT / f"{name}.py"]
        for path in paths:
            later = set(imported(ast.parse(path.read_text()))) - set(ORDER[:place]) - {name}
            assert not later, f"{path} imports {later}"
