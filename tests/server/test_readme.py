"""The server's page names every module in its folder's map, and nothing else."""

import re
from pathlib import Path

SERVER = Path(__file__).parents[2] / "server"
PAGE = (SERVER / "README.md").read_text()
MAPS = dict(re.findall(r"^### (`[^\n]+)\n\n\| module \|[^\n]*\n\|---\|---\|\n(.*?)(?:\n\n|\Z)", PAGE, re.S | re.M))
FIRST = re.compile(r"^\| (`[^|]+`) \|", re.M)


def named(rows: str) -> set[str]:
    """The modules in the first column of a map."""
    return {name for cell in FIRST.findall(rows) for name in re.findall(r"`(\w+)`", cell)}


def modules(folder: Path) -> set[str]:
    return {path.stem for path in folder.glob("*.py") if path.stem != "__init__"}


def test_every_module_is_in_the_map_of_its_folder() -> None:
    mapped = set()
    for title, rows in MAPS.items():
        folders = re.findall(r"`(\w+)/`", title)
        mapped |= set(folders)
        assert named(rows) == set().union(*(modules(SERVER / folder) for folder in folders)), title
    assert mapped == {path.name for path in SERVER.iterdir() if (path / "__init__.py").exists()}


def test_every_module_at_the_top_is_named() -> None:
    top = PAGE.split("## The trace of a move")[0]
    assert not modules(SERVER) - set(re.findall(r"`(\w+)`", top))


def test_what_the_log_says_is_what_it_says() -> None:
    """Each log line on the page is one that the server logs."""
    source = "".join(path.read_text() for path in SERVER.rglob("*.py"))
    section = PAGE.split("## Failure modes")[1].split("## The modules")[0]
    last = re.findall(r"\|([^|]*)\|$", section, re.M)[2:]
    assert len(last) > 10
    for said in re.findall(r"`([^`]+)`", "".join(last)):
        assert said in source, said
