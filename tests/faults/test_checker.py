"""The checker finds every fault, and none in a correct history.

`good.json` is a game that was played on a real server. Each case of `bad.json` turns it into a bad one, in words and as
edits, and names the checker's report: the kind of fault, and a part of its message.
"""

import copy
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.faults.checker import check
from tests.faults.history import Entry, Fork, History, Record

VECTORS = Path(__file__).parent / "vectors"
GOOD = (VECTORS / "good.json").read_text()
BAD = json.loads((VECTORS / "bad.json").read_text())
OK = {"type": "ok", "id": 99}


def put(thing: Any, changes: dict[str, Any]) -> None:
    """Set parts of it, each by its path: `events.0.move`."""
    for path, value in changes.items():
        *steps, last = path.split(".")
        there = thing
        for step in steps:
            there = there[int(step) if isinstance(there, list) else step]
        there[last] = value


def matches(record: list[Any], wanted: dict[str, Any]) -> bool:
    _, who, way, frame = record
    named = {"who": who, "way": way, "type": frame.get("type"), **frame}
    return all(named.get(name) == value for name, value in wanted.items())


def edit(history: dict[str, Any], change: dict[str, Any]) -> None:
    log = history["rooms"]["game"]
    match change:
        case {"entry": seq, "drop": True}:
            log[:] = [entry for entry in log if entry["seq"] != seq]
        case {"entry": seq, "like": other}:
            log[seq - 1] = copy.deepcopy(log[other - 1]) | {"seq": seq, "at": log[seq - 1]["at"]}
        case {"entry": seq, "drop_event": number}:
            del log[seq - 1]["events"][number]
        case {"entry": seq, "add_event": event}:
            log[seq - 1]["events"].append(event)
        case {"entry": seq, "set": changes}:
            put(log[seq - 1], changes)
        case {"record": wanted, **how}:
            found = [record for record in history["records"] if matches(record, wanted)]
            assert found, f"nothing to edit: {wanted}"
            for record in found:
                if "drop" in how:
                    history["records"].remove(record)
                else:
                    changes = dict(how["set"])
                    record[0] = changes.pop("at", record[0])
                    put(record[3], changes)
        case {"add": record}:
            history["records"].append(record)
        case {"room": name, "like": other}:
            history["rooms"][name] = copy.deepcopy(history["rooms"][other])
        case _:
            history.update(change)


def test_a_game_as_it_should_be_has_no_faults() -> None:
    report = check(History.read(GOOD))
    assert report.faults == []
    assert (report.commands, report.acknowledged) == (16, 15)


@pytest.mark.parametrize("case", BAD, ids=[case["name"] for case in BAD])
def test_a_bad_history_is_found(case: dict[str, Any]) -> None:
    history = json.loads(GOOD)
    for change in case["edits"]:
        edit(history, change)
    faults = check(History.read(json.dumps(history))).faults
    found = [fault for fault in faults if fault.kind == case["finds"] and case["says"] in fault.message]
    assert found, [fault._asdict() for fault in faults]
    assert found[0].room in ("game", "other", "")


def forked(kept: int, *, until: float) -> History:
    """The good history, of which the store has lost all but some decisions after everything was over."""
    history = History.read(GOOD)
    end = max(record.at for record in history.records)
    records = [record for record in history.records if record.way != "holds"]
    rooms = {"game": history.rooms["game"][:kept]}
    fork = Fork(end, until, history.rooms, history.outages)
    return replace(history, rooms=rooms, records=records, fork=fork)


def test_what_a_store_lost_that_went_back_is_held_against_nobody() -> None:
    report = check(forked(12, until=10_000))
    assert report.faults == []
    assert report.acknowledged == 15


@pytest.mark.parametrize("at", [5_000, 20_000], ids=["before all nodes know it", "afterwards"])
def test_what_is_told_after_a_store_went_back_is_what_it_has_or_had(at: float) -> None:
    history = forked(12, until=10_000)
    told = next(r.frame for r in history.records if r.frame["type"] == "update" and r.frame["seq"] == 14)
    assert check(replace(history, records=[*history.records, Record(5_000, "watcher", "in", told)])).faults == []
    other = {**told, "events": [{**told["events"][0], "kind": "undo"}]} if at < 10_000 else told
    faults = check(replace(history, records=[*history.records, Record(at, "watcher", "in", other)])).faults
    assert [fault.kind for fault in faults] == ["divergent"]


def test_what_is_acknowledged_after_a_store_went_back_is_kept() -> None:
    history = forked(12, until=10_000)
    asked = {"type": "resign", "room": "game", "key": "white.99", "id": 99}
    again = [Record(20_000, "white", "out", asked), Record(20_001, "white", "in", {**OK, "room": "game", "seq": 13})]
    faults = check(replace(history, records=[*history.records, *again])).faults
    assert [(fault.kind, fault.seq) for fault in faults] == [("lost", 13)]


def test_a_history_is_the_same_after_writing_and_reading(tmp_path: Path) -> None:
    history = forked(12, until=10_000)
    history.write(tmp_path / "history.json")
    assert History.read((tmp_path / "history.json").read_text()) == history


def test_a_decision_that_comes_late_is_found_once_there_are_no_faults() -> None:
    history = History.read(GOOD)
    last = [record for record in history.records if record.way == "in" and record.frame["type"] == "update"][-1]
    late = [record._replace(at=record.at + 1_000) if record is last else record for record in history.records]
    history = replace(history, records=late, prompt=900)
    assert check(history).faults == []
    found = [fault for fault in check(replace(history, calm=0)).faults if "after it was decided" in fault.message]
    assert [(fault.kind, fault.seq) for fault in found] == [("stuck", last.frame["seq"])]


@pytest.mark.parametrize(("delay", "finds"), [(3_000, True), (1_000, False)])
def test_a_game_is_archived_only_when_its_watchers_have_seen_its_end(delay: int, finds: bool) -> None:
    history = History.read(GOOD)
    log = history.rooms["game"]
    created = [{**log[0].events[0], "delay": delay}, *log[0].events[1:]]
    archived = Entry(log[-1].seq + 1, log[-1].at + 2_000, "", "archive", [{"type": "archived"}])
    history.rooms["game"] = [log[0]._replace(events=created), *log[1:], archived]
    found = [fault for fault in check(history).faults if "watchers may have seen its end" in fault.message]
    assert bool(found) is finds
