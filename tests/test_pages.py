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


def test_the_map_of_the_tests_names_every_folder() -> None:
    text = (ROOT / "tests" / "README.md").read_text()
    folders = {path.name for path in (ROOT / "tests").iterdir() if path.is_dir() and path.name != "__pycache__"}
    assert folders == set(re.findall(r"^\| `(\w+)/` ", text, re.MULTILINE))


def test_every_module_of_the_campaign_is_named() -> None:
    text = (ROOT / "tests" / "README.md").read_text()
    for path in (ROOT / "tests" / "faults").glob("[a-z]*.py"):
        assert f"`{path.name}`" in text or path.stem.startswith("test_"), path.name


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
