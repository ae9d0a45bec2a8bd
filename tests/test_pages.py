"""The pages' links lead somewhere, and the files and folders they name exist."""

import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
FOLDERS = r"(?:engine|protocol|server|clients|tests|\.ci|\.github)"
PAGES = sorted(
    [ROOT / "README.md"]
    + [
        page
        for folder in ("engine", "protocol", "server", "clients", "tests", ".github")
        for page in (ROOT / folder).rglob("*.md")
        if "node_modules" not in page.parts
    ]
)
CHANGELOG = ROOT / ".github" / "CHANGELOG.md"  # names files of the past


def test_links_lead_somewhere() -> None:
    assert not [f"{page.relative_to(ROOT)}: {target}" for page in PAGES for target in broken(page)]


def test_files_that_are_named_exist() -> None:
    named = {
        f"{page.relative_to(ROOT)}: {path}"
        for page in PAGES
        if page != CHANGELOG
        for path in re.findall(rf"`({FOLDERS}/[\w./-]*)`", page.read_text())
        if not ((ROOT / path).exists() or (page.parent / path).exists())
    }
    assert not named


def test_every_row_of_a_table_has_the_cells_of_its_header() -> None:
    """Otherwise GitHub shows no table, or the cells below another title."""
    wrong = [f"{page.relative_to(ROOT)}: {row}" for page in PAGES for table in tables(page.read_text())
             for row in table if cells(row) != cells(table[1])]  # fmt: skip
    assert not wrong, "\n".join(wrong)


def test_the_map_of_the_tests_names_every_folder() -> None:
    text = (ROOT / "tests" / "README.md").read_text()
    folders = {path.name for path in (ROOT / "tests").iterdir() if path.is_dir() and path.name != "__pycache__"}
    assert folders == set(re.findall(r"^\| `(\w+)/` ", text, re.MULTILINE))


def test_every_module_of_the_campaign_is_named() -> None:
    text = (ROOT / "tests" / "README.md").read_text()
    for path in (ROOT / "tests" / "faults").glob("[a-z]*.py"):
        assert f"`{path.name}`" in text or path.stem.startswith("test_"), path.name


def tables(text: str) -> Iterator[list[str]]:
    """The rows of each table: its header, the line below, and the others."""
    prose = re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE)
    for lines in re.findall(r"(?:^\|.*\n)+", prose, re.MULTILINE):
        yield lines.splitlines()


def cells(row: str) -> int:
    """The number of cells in a row. A bar that begins no cell has a backslash before it, even in code."""
    return row.replace("\\|", "").count("|") - 1


def broken(page: Path) -> Iterator[str]:
    """The broken relative links of a page, including pictures: those that name a missing file or title."""
    prose = re.sub(r"^```.*?^```", "", page.read_text(), flags=re.DOTALL | re.MULTILINE)
    for target in re.findall(r"\]\((?!https?:)(.*?)\)", prose):
        file, _, anchor = target.partition("#")
        path = page.parent / file if file else page
        if not path.exists() or (anchor and anchor not in anchors(path.read_text())):
            yield target


def anchors(text: str) -> set[str]:
    """The link forms of a page's titles."""
    titles = re.findall(r"^#+ (.*)", text, re.MULTILINE)
    return {re.sub(r"[^\w -]", "", title).lower().replace(" ", "-") for title in titles}
