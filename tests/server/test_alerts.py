"""The alert rules, evaluated by Prometheus's own tool: each fires when it should, with a summary of the fault, and not
before."""

import subprocess
from pathlib import Path
from typing import Any, NamedTuple

import yaml

RULES_FILE = Path(__file__).parents[2] / "server" / "alerts.yml"
RULES: dict[str, dict[str, Any]] = {
    rule["alert"]: rule
    for group in yaml.safe_load(RULES_FILE.read_text())["groups"]
    for rule in group["rules"]
}


class Case(NamedTuple):
    """Series of a server, a value every half minute from the start; a time at which all is well, and a time at which
    the alert fires; its summary then, and its labels besides the server's."""

    series: dict[str, str]
    well: str
    fires: str
    summary: str
    labels: dict[str, str] | None = None


LATE = {
    'fourfold_{name}_bucket{{instance="one", le="0.1"}}': "0+0x40",
    'fourfold_{name}_bucket{{instance="one", le="1"}}': "0x4 0+100x36",
    'fourfold_{name}_bucket{{instance="one", le="+Inf"}}': "0x4 0+100x36",
}


def late(name: str) -> dict[str, str]:
    """A histogram of durations up to a second, from the third minute on."""
    return {series.format(name=name): values for series, values in LATE.items()}


CASES = {
    "FourfoldServerDown": Case(
        {'up{job="fourfold", instance="one"}': "1x4 0x40"}, "2m", "5m", "one does not answer", {"job": "fourfold"}
    ),
    "FourfoldStoreDown": Case(
        {'fourfold_store_up{instance="one"}': "1x4 0x40"}, "2m", "4m", "one has no store that takes writes"
    ),
    "FourfoldStoreNearlyFull": Case(
        {'fourfold_store_fullness{instance="one"}': "0.5x4 0.85x40"}, "6m", "9m", "The store uses 85% of its memory"
    ),
    "FourfoldDiskNearlyFull": Case(
        {
            'fourfold_disk_free_bytes{instance="one"}': "4294967296x4 1610612736x60",
            'fourfold_disk_low_bytes{instance="one"}': "1073741824x64",
        },
        "6m",
        "15m",
        "The disk of the store has 1.5GiB left",
    ),
    "FourfoldDiskFull": Case(
        {
            'fourfold_disk_free_bytes{instance="one"}': "4294967296x4 536870912x60",
            'fourfold_disk_low_bytes{instance="one"}': "1073741824x64",
        },
        "2m30s",
        "5m",
        "The disk of the store has 512MiB left: no new rooms",
    ),
    "FourfoldStoreLost": Case(
        {'fourfold_store_losses_total{instance="one"}': "0x4 1x40"},
        "2m",
        "4m",
        "The store has lost acknowledged writes",
    ),
    "FourfoldBackupOld": Case(
        {
            'fourfold_backup_age_seconds{instance="one"}': "3600x4 9000x60",
            'fourfold_backup_every_seconds{instance="one"}': "3600x64",
        },
        "2m",
        "15m",
        "The last good backup is 2h 30m 0s old",
    ),
    "FourfoldOutages": Case(
        {'fourfold_outages_total{instance="one"}': "0x4 1 2 3 4x40"},
        "3m",
        "6m",
        "The store was away 4 times in an hour, as one saw it",
    ),
    "FourfoldRoomsQuarantined": Case(
        {'fourfold_quarantined_total{instance="one"}': "0x4 1x40"}, "2m", "4m", "The log of a room can't be read"
    ),
    "FourfoldTakeoverStopped": Case(
        {'fourfold_takeover_seconds{instance="one"}': "2x4 90x40"},
        "3m",
        "5m",
        "one has not looked for games of dead servers for 1m 30s",
    ),
    "FourfoldLoopLag": Case(late("loop_lag_seconds"), "6m", "12m", "one is late by 991ms"),
    "FourfoldSlowDecisions": Case(
        late("decision_seconds"), "6m", "12m", "One move in a hundred takes 991ms at one"
    ),
    "FourfoldTaskDied": Case(
        {'fourfold_task_deaths_total{instance="one", task="lobby"}': "_x4 1x40"},
        "1m30s",
        "4m",
        "The task lobby of one died and was restarted",
        {"task": "lobby"},
    ),
    "FourfoldArchiveDown": Case(
        {'fourfold_archive_up{instance="one"}': "1x4 0x40"}, "11m", "14m", "one does not reach the archive"
    ),
    "FourfoldArchiveBehind": Case(
        {'fourfold_archive_waiting{instance="one"}': "0x4 7x200"}, "1h", "1h10m", "7 games wait at one to be archived"
    ),
    "FourfoldArchiveFailures": Case(
        {'fourfold_archive_failures_total{instance="one"}': "0x4 1x40"},
        "2m",
        "4m",
        "A game can't be archived although the archive answers",
    ),
}


def run(*command: str | Path) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_each_alert_has_a_case() -> None:
    assert CASES.keys() == RULES.keys()


def test_the_rules_are_rules(promtool: str) -> None:
    run(promtool, "check", "rules", RULES_FILE)


def test_each_alert_fires_when_it_should(promtool: str, tmp_path: Path) -> None:
    tests = []
    for name, case in CASES.items():
        rule = RULES[name]
        alert = {
            "exp_labels": {"instance": "one", **rule["labels"], **(case.labels or {})},
            "exp_annotations": rule["annotations"] | {"summary": case.summary},
        }
        tests.append(
            {
                "name": name,
                "interval": "30s",
                "input_series": [{"series": series, "values": values} for series, values in case.series.items()],
                "alert_rule_test": [
                    {"eval_time": case.well, "alertname": name},
                    {"eval_time": case.fires, "alertname": name, "exp_alerts": [alert]},
                ],
            }
        )
    file = tmp_path / "alerts.test.yml"
    file.write_text(yaml.safe_dump({"rule_files": [str(RULES_FILE)], "evaluation_interval": "30s", "tests": tests}))
    run(promtool, "test", "rules", file)
