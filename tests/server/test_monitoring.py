"""The alert rules and the dashboard name metrics of a running server, and have a valid format."""

import asyncio
import json
import re
import subprocess
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from prometheus_client.parser import text_string_to_metric_families
from redis import Redis

from fourfold.server.maintenance.backups import MADE
from tests.server.conftest import node
from tests.server.test_metrics import get

SERVER = Path(__file__).parents[2] / "server"
RULES: list[dict[str, Any]] = [
    rule for group in yaml.safe_load((SERVER / "alerts.yml").read_text())["groups"] for rule in group["rules"]
]
BOARD: dict[str, Any] = json.loads((SERVER / "grafana.json").read_text())
NAMES = re.compile(r"\b(?:fourfold|process)_\w+")
SUFFIXES = ("", "_total", "_bucket", "_sum", "_count")


def expressions() -> Iterator[tuple[str, str]]:
    """Each expression, with its place."""
    for rule in RULES:
        yield rule["alert"], rule["expr"]
    for panel in BOARD["panels"]:
        for target in panel["targets"]:
            yield panel["title"], target["expr"]


async def test_every_metric_is_one_of_a_server(
    start: Callable[..., Awaitable[str]], store: Redis, tmp_path: Path
) -> None:
    store.set(MADE, str(2**42))  # a backup that is not due again while the test runs
    address = await start(backup_every=3600)
    page = ""
    async with asyncio.timeout(240):
        while "fourfold_backup_age_seconds" not in page:
            _, _, page = await get(f"{address}/metrics")
    store.delete(MADE)
    families = list(text_string_to_metric_families(page))
    async with node(None, tmp_path / "embedded") as address:  # only this one has the disk of its store
        families += text_string_to_metric_families((await get(f"{address}/metrics"))[2])
    known = {family.name + suffix for family in families for suffix in SUFFIXES}
    labels = {label for family in families for sample in family.samples for label in sample.labels}
    # also metrics of events that have not happened yet
    labels |= {"instance", "job", "code", "task", "reason", "state", "variant"}
    for place, expression in expressions():
        assert "up{" in expression or NAMES.search(expression), place
        for name in NAMES.findall(expression):
            assert name in known, (place, name)
            family = next(one for one in families if name.startswith(one.name) and name[len(one.name) :] in SUFFIXES)
            assert name.endswith("_total") == (family.type == "counter"), (place, name)
            assert name.endswith("_bucket") == (family.type == "histogram"), (place, name)
        for grouped in re.findall(r"by \(([^)]*)\)", expression):
            assert set(grouped.split(", ")) <= labels, (place, grouped)


def test_every_expression_is_closed_and_no_counter_is_shown_as_it_is() -> None:
    for place, expression in expressions():
        for opening, closing in ("()", "{}", "[]"):
            assert expression.count(opening) == expression.count(closing), place
        new = r"\b(\w+) unless \1 offset \w+"  # a series that was not there before
        for counter in re.findall(r"(\S*)\b\w+_(?:total|bucket)\b", re.sub(new, "", expression)):
            assert counter.endswith(("rate(", "increase(")), place


def test_promtool_accepts_each_expression_of_the_dashboard(promtool: str, tmp_path: Path) -> None:
    expressions = [target["expr"] for panel in BOARD["panels"] for target in panel["targets"]]
    rules = [{"record": f"panel:{number}", "expr": expression} for number, expression in enumerate(expressions)]
    file = tmp_path / "rules.yml"
    file.write_text(yaml.safe_dump({"groups": [{"name": "dashboard", "rules": rules}]}))
    done = subprocess.run([promtool, "check", "rules", str(file)], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{len(expressions)} rules found" in done.stdout


def test_an_alert_says_what_is_wrong_and_what_to_do() -> None:
    assert len({rule["alert"] for rule in RULES}) == len(RULES)
    for rule in RULES:
        assert rule.keys() <= {"alert", "expr", "for", "labels", "annotations"}
        assert rule["labels"]["severity"] in ("critical", "warning")
        assert rule["annotations"].keys() == {"summary", "description"}
        assert re.fullmatch(r"\d+[smh]", rule.get("for", "1s"))
    source = "".join(path.read_text() for path in SERVER.rglob("*.py"))
    said = [said for rule in RULES for said in re.findall(r"\(([a-z ]+)\)", rule["annotations"]["description"])]
    assert len(said) >= 4
    assert not [words for words in said if words not in source]


@pytest.mark.parametrize("panel", BOARD["panels"], ids=lambda panel: panel["title"])
def test_a_panel_has_its_own_place(panel: dict[str, Any]) -> None:
    x, y, width, height = (panel["gridPos"][name] for name in "xywh")
    assert x + width <= 24
    for other in BOARD["panels"]:
        if other is not panel:
            left, top, wide, high = (other["gridPos"][name] for name in "xywh")
            assert other["id"] != panel["id"]
            assert left >= x + width or x >= left + wide or top >= y + height or y >= top + high
