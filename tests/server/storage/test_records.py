"""Decisions as bytes: each event has one stored form, which never changes. Damaged entries, newer entries and entries
of other logs are told apart."""

from dataclasses import replace
from typing import Any, get_args

import msgpack
import pytest

from fourfold.engine.decisions import Decision
from fourfold.engine.match import events as e
from fourfold.engine.match.clock import Control, Tick
from fourfold.engine.match.display import Sight
from fourfold.engine.match.terms import Terms
from fourfold.engine.outcome import Outcome, Termination
from fourfold.server.storage.event_log import DamagedEntry, NewerEntry, OtherLineage, UnreadableEntry
from fourfold.server.storage.records import BEGINNING, SCHEMA, SIZE, Entry, descend, pack, read, seal, unpack, unseal

SIGHT = Sight("e4", (("e2", ""), ("e4", "wP")), (1,), (3, 0))
SEEN = ["e4", ["e2", "", "e4", "wP"], [1], [3, 0]]
WON = Outcome(Termination.POINTS, (0,), (1, 2), (30, 20))
DRAWN = Outcome(Termination.AGREEMENT, (), (1, 1))
PLAIN_TERMS = [True, None, False, 0]

STORED: list[tuple[Any, list[Any]]] = [
    (e.Created("ffa", None, "public", "h"), ["created", "ffa", None, "public", "h", None, PLAIN_TERMS, 0]),
    (
        e.Created("standard", "a/b", "private", "h", Control(1, 2, 3), Terms(False, "x", True, 5), 7, "o"),
        ["created", "standard", "a/b", "private", "h", [1, 2, 3], [False, "x", True, 5], 7, "o"],
    ),
    (
        e.Created("ffa", None, "public", "h", terms=Terms(imported=True)),
        ["created", "ffa", None, "public", "h", None, [*PLAIN_TERMS, True], 0],
    ),
    (
        e.Created("ffa", None, "public", "h", terms=Terms(rated=False)),
        ["created", "ffa", None, "public", "h", None, [*PLAIN_TERMS, False, False], 0],
    ),
    (
        e.Created("ffa", None, "public", "h", terms=Terms(pool="p")),
        ["created", "ffa", None, "public", "h", None, [*PLAIN_TERMS, False, True, "p"], 0],
    ),
    (
        e.Created("ffa", None, "public", "h", terms=Terms(same_address=True)),
        ["created", "ffa", None, "public", "h", None, [*PLAIN_TERMS, False, True, "", True], 0],
    ),
    (e.Seated(1, "p", "Pat", "mark"), ["seated", 1, "p", "Pat", "mark"]),
    (e.Renamed(1, "p", "Ann"), ["renamed", 1, "p", "Ann"]),
    (e.Unseated(1), ["unseated", 1]),
    (e.Unseated(1, kicked=True), ["unseated", 1, True]),
    (e.Invited(0, 3), ["invited", 0, 3]),
    (e.StoodIn(0, "b", "Bot"), ["stood_in", 0, "b", "Bot"]),
    (e.Returned(0), ["returned", 0]),
    (e.Started(), ["started"]),
    (e.Moved(0, "e2e4", 1), ["moved", 0, "e2e4", 1]),
    (e.Moved(0, "e2e4", 1, Tick(1, 2, 3, 4)), ["moved", 0, "e2e4", 1, 1, 2, 3, 4]),
    (e.Moved(0, "e2e4", 1, sight=SIGHT), ["moved", 0, "e2e4", 1, SEEN]),
    (e.Moved(0, "e2e4", 1, Tick(1, 2, 3, 4), sight=SIGHT), ["moved", 0, "e2e4", 1, 1, 2, 3, 4, SEEN]),
    (e.Moved(0, "P@e4", 1, sight=replace(SIGHT, hands=("qp", ""))), ["moved", 0, "P@e4", 1, [*SEEN, ["qp", ""]]]),
    (e.Resigned(2), ["resigned", 2]),
    (e.Resigned(2, replace(SIGHT, points=None)), ["resigned", 2, [*SEEN[:3], None]]),
    (e.Flagged(2, SIGHT), ["flagged", 2, SEEN]),
    (e.Removed(2, SIGHT), ["removed", 2, SEEN]),
    (e.Credited(0, 500, 9), ["credited", 0, 500, 9]),
    (e.Adjourned(1000), ["adjourned", 1000]),
    (e.Paused(600_000, (5, 6)), ["paused", 600_000, [5, 6]]),
    (e.Resumed(), ["resumed"]),
    (e.Gave(0, 1, 15_000), ["gave", 0, 1, 15_000]),
    (e.Berserked(1, 30_000), ["berserked", 1, 30_000]),
    (e.Eliminated(1, Termination.TIME, None), ["eliminated", 1, "time", None]),
    (
        e.Proposed(1, e.ProposalKind.STAND_IN, 0, 2, 3, "fen", (0, 1), 9, 1, 4),
        ["proposed", 1, "stand_in", 0, 2, 3, "fen", [0, 1], 9, 1, 4],
    ),
    (e.Voted(1, 0, True), ["voted", 1, 0, True]),
    (e.Closed(1, e.Closure.CARRIED), ["closed", 1, "carried"]),
    (e.Undone(2, 3, "fen", ((1, "time"),), (5, 6)), ["undone", 2, 3, "fen", [[1, "time"]], [5, 6]]),
    (e.Undone(2, 3, "fen"), ["undone", 2, 3, "fen", [], None]),
    (e.Redone(1, 4, ("e2e4",), "fen", (), (5, 6)), ["redone", 1, 4, ["e2e4"], "fen", [], [5, 6]]),
    (e.Finished(WON, (2, 0)), ["finished", "points", [0], [1, 2], [30, 20], [2, 0]]),
    (e.Finished(DRAWN, (1, 1)), ["finished", "agreement", [], [1, 1], None, [1, 1]]),
    (e.Finished(DRAWN, (1, 1), "too_short"), ["finished", "agreement", [], [1, 1], None, [1, 1], "too_short"]),
    (e.Archived(), ["archived"]),
    (e.Rematched(2, (("p", "Pat", 1),)), ["rematched", 2, [["p", "Pat", 1]]]),
]
"""Events, each with its stored form since that event was introduced."""

OLDER: list[tuple[list[Any], Any]] = [
    (["created", "ffa", None, "public", "h", None, PLAIN_TERMS], e.Created("ffa", None, "public", "h")),
    (["seated", 1, "p", "Pat"], e.Seated(1, "p", "Pat")),
    (["proposed", 1, "draw", 0, None, None, None, [0], 9], e.Proposed(1, e.ProposalKind.DRAW, 0, *[None] * 3, (0,), 9)),
    (["undone", 2, 3, "fen"], e.Undone(2, 3, "fen")),
]
"""Entries of older servers, without later fields."""


def same(one: Any, other: Any) -> bool:
    """Whether two events are equal, including fields that are normally not compared."""
    return bool(one == other and getattr(one, "sight", None) == getattr(other, "sight", None))


def test_each_event_has_one_stored_form() -> None:
    wrong = []
    for event, stored in STORED:
        (written,) = msgpack.unpackb(pack("by", "key", (event,)))[2]
        (again,) = unpack(1, 0, msgpack.packb(["by", "key", [stored]])).events
        if written != stored or not same(again, event) or hash(again) != hash(event):
            wrong.append((event, written, again))
    assert wrong == []
    assert {type(event) for event, _ in STORED} == set(get_args(e.Event)), "each kind of event is in the table"


def test_what_older_servers_have_written_is_read() -> None:
    found = [unpack(1, 0, msgpack.packb(["", "", [stored]])).events for stored, _ in OLDER]
    assert found == [(event,) for _, event in OLDER]


def entries(count: int, *, sealed: bool = True, key: str = "k") -> list[Entry]:
    """A log of `count` entries."""
    lineage, found = BEGINNING, []
    for seq in range(1, count + 1):
        packed = pack("p", f"{key}{seq}", (e.Voted(seq, 0, True),))
        lineage = descend(lineage, packed)
        found.append(Entry(seq, 10 * seq, packed, seal(lineage, packed) if sealed else None))
    return found


def lineages(log: list[Entry]) -> list[bytes]:
    return [one.lineage for one in read(log)]


def test_a_log_is_read_with_its_times_keys_and_lineages() -> None:
    log = entries(3)
    decisions = read(log)
    assert decisions == [Decision(seq, 10 * seq, "p", f"k{seq}", (e.Voted(seq, 0, True),)) for seq in (1, 2, 3)]
    assert [one.lineage for one in decisions] == [(one.sealed or b"")[-8:] for one in log]
    assert len(log[0].sealed or b"") == SIZE


def test_a_reader_gets_what_follows_what_it_holds() -> None:
    log = entries(4)
    held = lineages(log)
    assert read(log[2:], 2) == read(log)[2:], "without a lineage the entries begin after the version held"
    assert read(log[1:], 2, held[1]) == read(log)[2:], "with one they begin with the last version held"
    assert read(log[3:], 4, held[3]) == []
    assert read([]) == []
    behind = read([log[2]._replace(sealed=None), log[3]], 2)
    assert [one.lineage for one in behind] == [b"", held[3]], "an entry after one without a seal is accepted as it is"


def test_a_log_that_is_not_the_one_held_is_another() -> None:
    log, other = entries(3), entries(3, key="other")
    held = lineages(log)
    for found, after in ((other[1:], 2), ([], 3), ([], 1)):
        with pytest.raises(OtherLineage):
            read(found, after, held[after - 1])
    with pytest.raises(OtherLineage):  # the entry held is there, but the next follows another
        read([log[1], other[2]], 2, held[1])
    assert read(entries(3, sealed=False)[1:], 2, held[1])[0].seq == 3, "an entry without a seal may follow any"


def test_an_entry_that_is_not_as_written_is_damaged() -> None:
    log, other = entries(3), entries(3, key="other")
    second = log[1]
    assert second.sealed is not None
    damages = {
        "missing": [log[0], log[2]],
        "another content": [log[0], second._replace(packed=other[1].packed)],
        "one bit of the content": [log[0], second._replace(packed=second.packed[:-1] + b"\x00")],
        "a short seal": [log[0], second._replace(sealed=second.sealed[1:])],
        "another checksum": [log[0], second._replace(sealed=b"\x01\0\0\0\0" + second.sealed[5:])],
        "not of this log": [log[0], other[1]],
        "no words, no seal": [log[0], Entry(2, 20, b"\xc1", None)],
        "unknown words, no seal": [log[0], Entry(2, 20, msgpack.packb(["", "", [["flown"]]]), None)],
    }
    found = {}
    for name, damaged in damages.items():
        with pytest.raises(UnreadableEntry) as error:
            read(damaged)
        found[name] = type(error.value), error.value.seq
    assert found == dict.fromkeys(damages, (DamagedEntry, 2))


def test_what_a_newer_server_wrote_is_told_from_damage() -> None:
    packed = pack("p", "k", (e.Started(),))
    unknown: bytes = msgpack.packb(["p", "k", [["flown", 1]]])
    more: bytes = msgpack.packb(["p", "k", [["started", "early"]]])
    for content, schema in ((packed, SCHEMA + 1), (unknown, SCHEMA), (more, SCHEMA)):
        sealed = seal(descend(BEGINNING, content), content, schema)
        with pytest.raises(NewerEntry):
            unpack(1, 0, content, sealed, BEGINNING)
    with pytest.raises(DamagedEntry):  # the checksum of another schema does not count
        unseal(1, bytes([SCHEMA + 1]) + seal(BEGINNING + bytes(8), packed)[1:], packed)
