"""The pages name what is there: their links lead somewhere, and so do the files and folders they speak of."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FOLDERS = r"(?:engine|protocol|server|clients|tests|\.ci|\.github)"
PAGES = ["README.md", "protocol/README.md", "tests/README.md", ".github/CONTRIBUTING.md", ".github/SECURITY.md"]


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page: str) -> None:
    text = (ROOT / page).read_text()
    for target in re.findall(r"\]\((?!https?:)(.*?)\)", text):
        file, _, anchor = target.partition("#")
        path = (ROOT / page).parent / file if file else ROOT / page
        assert path.exists(), target
        assert not anchor or anchor in anchors(path.read_text()), target


@pytest.mark.parametrize("page", PAGES)
def test_files_that_are_named_exist(page: str) -> None:
    text = (ROOT / page).read_text()
    named = re.findall(rf"`({FOLDERS}/[\w./-]*)`", text)
    assert not [path for path in named if not (ROOT / path).exists()]


def test_the_map_of_the_tests_names_every_folder() -> None:
    text = (ROOT / "tests" / "README.md").read_text()
    folders = {path.name for path in (ROOT / "tests").iterdir() if path.is_dir() and path.name != "__pycache__"}
    assert folders == set(re.findall(r"^\| `(\w+)/` ", text, re.MULTILINE))


def test_every_module_of_the_campaign_is_named() -> None:
    text = (ROOT / "tests" / "README.md").read_text()
    for path in (ROOT / "tests" / "faults").glob("[a-z]*.py"):
        assert f"`{path.name}`" in text or path.stem.startswith("test_"), path.name


def anchors(text: str) -> set[str]:
    """What a page's titles are called in links."""
    titles = re.findall(r"^#+ (.*)", text, re.MULTILINE)
    return {re.sub(r"[^\w -]", "", title).lower().replace(" ", "-") for title in titles}
