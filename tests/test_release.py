"""All parts of a release have the same version, and its build files name existing paths."""

import re
import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from fourfold import __version__, extras
from tests.conftest import some
from tests.each import each

ROOT = Path(__file__).parents[1]
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
CHANGELOG = (ROOT / ".github" / "CHANGELOG.md").read_text()
WORKFLOW: dict[str, Any] = yaml.safe_load((ROOT / ".github" / "workflows" / "release.yml").read_text())
ARCHED = ("compiled", "image")
"""The jobs that run once for each architecture."""

MOST = 4
"""Packages that the bare installation may bring."""


def brought(extra: str) -> set[str]:
    """The packages that an extra asks for by name, with those of the extras of ours that it includes."""
    found: set[str] = set()
    for text in PROJECT["optional-dependencies"][extra]:
        requirement = Requirement(text)
        if requirement.name == "fourfold":
            found |= set().union(*map(brought, requirement.extras))
        else:
            found.add(canonicalize_name(requirement.name))
    return found


@pytest.mark.parametrize("module", ["fourfold.clients", "fourfold.server"])
def test_a_program_tells_its_version(module: str) -> None:
    command = [sys.executable, "-X", "importtime", "-m", module, "--version"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout == f"fourfold {__version__}\n"
    assert "sqlalchemy" not in done.stderr, "what only a server needs was loaded"


def test_the_newest_release_of_the_changelog_is_this_version_and_dated() -> None:
    titles = re.findall(r"^## (.*)", CHANGELOG, re.MULTILINE)
    releases = [title.split(", ") for title in titles if title != "Unreleased"]
    assert releases[0][0] == __version__
    assert all(re.fullmatch(r"\d{4}-\d\d-\d\d", date) for _, date in releases)
    assert all(newer > older for newer, older in pairwise(date for _, date in releases))


def test_the_changes_of_a_release_stand_under_four_titles() -> None:
    for release in re.split(r"^## ", CHANGELOG, flags=re.MULTILINE)[1:]:
        titles = re.findall(r"^### (.*)", release, re.MULTILINE)
        assert titles == [title for title in ("Added", "Changed", "Fixed", "Security") if title in titles]


def test_the_bare_package_is_small() -> None:
    assert len(PROJECT["dependencies"]) <= MOST
    assert {Requirement(text).name for text in PROJECT["dependencies"]} >= {"websockets", "msgpack"}


def test_the_server_brings_the_terminal_and_the_tests_bring_the_server() -> None:
    assert brought("terminal") < brought("server") < brought("test")


@each("extra", extras.NEEDED)
def test_an_extra_is_known_by_modules_that_only_it_brings(extra: str) -> None:
    distributions = packages_distributions()
    names = {canonicalize_name(name) for module in extras.NEEDED[extra] for name in distributions[module]}
    assert names <= brought(extra)
    assert not names & {canonicalize_name(Requirement(text).name) for text in PROJECT["dependencies"]}
    assert extras.installed(extra)


@pytest.mark.parametrize(
    ("missing", "arguments", "extra"),
    some(
        1,
        ("structlog", ["fourfold.server"], "server"),
        ("structlog", ["fourfold.clients", "archive", "export"], "server"),
        ("aiohttp", ["fourfold.clients", "gateway"], "gateway"),
        ("aiohttp", ["fourfold.clients", "webhook", "http://127.0.0.1:9"], "gateway"),
    ),
)
def test_a_command_names_the_extra_that_it_lacks_in_one_sentence(
    missing: str, arguments: list[str], extra: str
) -> None:
    """In a process for which the modules of one package are not there."""
    script = (
        "import importlib.util as util, runpy, sys; found = util.find_spec;"
        f"util.find_spec = lambda name, package=None: None if name == {missing!r} else found(name, package);"
        "module, *sys.argv[1:] = sys.argv[1:]; runpy.run_module(module, run_name='__main__', alter_sys=True)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, *arguments], capture_output=True, text=True, check=False, timeout=240
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1
    assert f"needs the extra '{extra}'" in done.stderr
    assert f"pip install '.[{extra}]'" in done.stderr


def test_the_workflow_builds_all_parts_and_publishes_by_hand_alone() -> None:
    triggers = WORKFLOW[True]  # YAML 1.1 reads the key `on` as this
    assert triggers["workflow_dispatch"]["inputs"]["publish"] == {
        "description": "Publish the packages and the image of this tag", "type": "boolean", "default": False,
    }  # fmt: skip
    jobs = WORKFLOW["jobs"]
    assert jobs["publish"]["if"].split(" && ")[:2] == ["github.event_name == 'workflow_dispatch'", "inputs.publish"]
    for name, job in jobs.items():
        text = yaml.dump(job["steps"])
        assert (name == "publish") == any(word in text for word in ("docker push", "pypi-publish", "--draft=false"))
        assert {*job.get("needs", ())} <= jobs.keys()
    assert {*jobs["attach"]["needs"]} == jobs.keys() - {"attach", "publish"}
    architectures = {name: [one["arch"] for one in jobs[name]["strategy"]["matrix"]["include"]] for name in ARCHED}
    assert architectures == {"compiled": ["x86_64", "aarch64"], "image": ["amd64", "arm64"]}
    assert jobs["compiled"]["steps"][3]["env"]["CIBW_ENVIRONMENT"] == "FOURFOLD_COMPILE=1"


def test_the_files_that_workflows_name_are_there() -> None:
    for path in (ROOT / ".github" / "workflows").glob("*.yml"):
        named = set(re.findall(r"(?<![\w/])(?:\.ci|\.src|\.github|server)/[\w./-]+", path.read_text()))
        assert named
        assert not [name for name in named if not (ROOT / name).exists()], path.name


@pytest.mark.parametrize("path", [*(ROOT / ".github" / "workflows").glob("*.yml")], ids=lambda path: path.name)
def test_the_scripts_of_a_workflow_are_shell(path: Path) -> None:
    for job in yaml.safe_load(path.read_text())["jobs"].values():
        for step in job["steps"]:
            assert ("run" in step) != ("uses" in step), step
            script = re.sub(r"\$\{\{.*?\}\}", "VALUE", step.get("run", ""))
            checked = subprocess.run(["bash", "-n"], input=script, capture_output=True, text=True, check=False)
            assert not checked.stderr, (step, checked.stderr)


def test_each_extra_is_tried_by_itself() -> None:
    """The tests' own is tried by every run of the tests."""
    tried = re.findall(r"^with (\w+)$", (ROOT / ".ci" / "extras").read_text(), re.MULTILINE)
    assert sorted([*tried, "test"]) == sorted(PROJECT["optional-dependencies"])
    assert '.ci/extras "$' in (ROOT / ".ci" / "run").read_text()


def test_the_page_explains_every_extra() -> None:
    table = (ROOT / "server" / "HOSTING.md").read_text().partition("## Extras")[2].partition("## ")[0]
    named = {name for row in re.findall(r"^\| (`.*?) \|", table, re.MULTILINE) for name in re.findall(r"`(\w+)`", row)}
    assert named == PROJECT["optional-dependencies"].keys()
