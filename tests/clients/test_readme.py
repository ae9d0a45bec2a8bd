"""The clients' page names every module, and no others."""

import re
from pathlib import Path

CLIENTS = Path(__file__).parents[2] / "clients"
STATIC = CLIENTS / "web" / "static"
NAMED = set(re.findall(r"`([\w/]+(?:\.js)?)`", (CLIENTS / "README.md").read_text()))


def python() -> set[str]:
    paths = (path.relative_to(CLIENTS).with_suffix("") for path in CLIENTS.rglob("*.py") if path.stem != "__init__")
    return {path.as_posix() for path in paths if path.parts[0] != "examples"}


def javascript() -> set[str]:
    return {path.relative_to(STATIC).as_posix() for path in STATIC.rglob("*.js")}


def test_every_module_is_named() -> None:
    assert not (python() | javascript()) - NAMED


def test_every_name_is_there() -> None:
    assert not {name for name in NAMED if name.endswith(".js")} - javascript()
    modules = {name for name in NAMED if "/" in name and not name.endswith(".js")}
    ours = {name for name in modules if (CLIENTS / name.split("/")[0]).is_dir()}
    assert not {name for name in ours if not (CLIENTS / name).is_dir()} - python()
