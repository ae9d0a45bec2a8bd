"""The folders of the browser client are its architecture, as `test_imports.py` has it for Python. Imports in type
comments count too."""

import graphlib
import posixpath
import re
from functools import cache
from pathlib import Path

from fourfold.server.transport.static_files import load

STATIC = Path(__file__).parents[1] / "clients" / "web" / "static"
LAYERS = (
    "lobby game study puzzles learn preferences tv engines admin",
    "archive account",
    "people analysis live",
    "board",
    "ui",
    "text",
    "model",
    "net",
)
"""The folders from the top down. A module imports from its own folder and from lower lines: two pages share nothing but
what is below both."""

COLUMNS = 120  # as .editorconfig has it
GENERATED = {"learn/lessons.js", "model/summaries.js", "model/variants.js"}
_DRAWING = re.compile(r'\s*"M[^"]*",')  # the outline of a piece

_PATH = re.compile(r'(?:\bfrom |\bimport ?\(|\bimport )"([^"]+)"')


def modules() -> list[str]:
    return sorted(path.relative_to(STATIC).as_posix() for path in STATIC.rglob("*.js"))


@cache
def arrows() -> dict[str, set[str]]:
    """For each module, those that it imports: at once, late, or for their types."""
    found: dict[str, set[str]] = {}
    for module in modules():
        named = _PATH.findall((STATIC / module).read_text())
        paths = [posixpath.normpath(posixpath.join(posixpath.dirname(module), path)) for path in named]
        found[module] = {path for path in paths if not path.endswith(".d.ts")}
    return found


def test_every_import_is_there() -> None:
    assert not {f"{module} -> {path}" for module, paths in arrows().items() for path in paths - arrows().keys()}


def test_no_arrow_runs_back_up() -> None:
    level = {folder: number for number, line in enumerate(LAYERS) for folder in line.split()}
    assert level.keys() == {path.name for path in STATIC.iterdir() if path.is_dir()}
    for module, targets in arrows().items():
        for target in targets:
            above, below = posixpath.dirname(module), posixpath.dirname(target)
            assert above == below or level[above] < level[below], f"{module} -> {target}"


def test_there_is_no_circle() -> None:
    graphlib.TopologicalSorter(arrows()).prepare()  # raises CycleError, which names the circle


def test_every_module_belongs_to_a_page() -> None:
    """Each can be reached from the script of a page."""
    scripts = re.compile(r'<script type="module" src="/static/([\w./-]+)">')
    todo = [script for page in STATIC.rglob("*.html") for script in scripts.findall(page.read_text())]
    found: set[str] = set()
    while todo:
        module = todo.pop()
        if module not in found:
            found.add(module)
            todo += arrows()[module]
    assert found == set(modules())


def test_no_module_passes_others_on() -> None:
    """A module that only exports others is a bucket: what wants one of them loads all."""
    passes = re.compile(r"^export \* ", re.MULTILINE)
    assert not [module for module in modules() if passes.search((STATIC / module).read_text())]


def test_every_file_of_every_folder_is_served() -> None:
    served = load()
    for path in STATIC.rglob("*"):
        name = path.relative_to(STATIC).as_posix()
        if path.is_file() and path.suffix != ".html":
            file = served.find(f"/static/{name}")
            assert file is not None and served.find(f"/static/{served.build}/{name}") is not None, name


def test_no_line_is_longer_than_120_columns() -> None:
    found = [
        f"{name}:{number}"
        for name in (path.relative_to(STATIC).as_posix() for path in STATIC.rglob("*.*") if path.suffix != ".svg")
        if name not in GENERATED
        for number, line in enumerate((STATIC / name).read_text().splitlines(), start=1)
        if len(line) > COLUMNS and _DRAWING.fullmatch(line) is None
    ]
    assert not found


def test_no_text_goes_over_several_lines() -> None:
    """Modules are served without indentation, which would change such a text."""
    comment = re.compile(r"^[ \t]*(?://[^\n]*|/\*(?:(?!\*/).)*\*/)[ \t]*\n", re.MULTILINE | re.DOTALL)
    for module in modules():
        lines = comment.sub("", (STATIC / module).read_text()).splitlines()
        assert not [line for line in lines if line.count("`") % 2], module
