"""The stored form of each event of a study, which never changes."""

from typing import Any, get_args

import msgpack

from fourfold.engine.study import events as e
from fourfold.engine.study.shapes import Shape
from fourfold.server.storage.records import pack, unpack
from fourfold.server.storage.study_records import FORMS

SHAPES = (Shape("green", "e4"), Shape("red", "e2", "e4"))
ROWS = [["green", "e4"], ["red", "e2", "e4"]]
START = e.Node(0, 0, "", "", 0)
PLAIN = e.Node(1, 0, "e2e4", "e4", 0)
FULL = e.Node(2, 1, "e7e5", "e5", 1, "Or:", "Fine.", (1, 14), SHAPES, 0, "p", "[%eval 0.3]")
DRAFT = e.Draft("ffa", "a/b", "PromoteTo=Q", (("Event", "Evening"),), (START, PLAIN, FULL))

STORED: list[tuple[Any, list[Any]]] = [
    (e.Created("One", "link", "named", "p"), ["study.created", "One", "link", "named", "p"]),
    (e.Named("p", "Pat"), ["study.named", "p", "Pat"]),
    (e.Titled("Two"), ["study.titled", "Two"]),
    (e.Shared("public"), ["study.shared", "public"]),
    (e.Allowed("named", (("p", "Pat"),)), ["study.allowed", "named", [["p", "Pat"]]]),
    (e.Deleted(), ["study.deleted"]),
    (
        e.ChapterAdded(3, "Three", DRAFT),
        [
            "study.chapter", 3, "Three", "ffa", "a/b", "PromoteTo=Q", [["Event", "Evening"]],
            [
                [0, 0, "", "", 0],
                [1, 0, "e2e4", "e4", 0],
                [2, 1, "e7e5", "e5", 1, "Or:", "Fine.", [1, 14], ROWS, 0, "p", "[%eval 0.3]"],
            ],
        ],
    ),
    (e.ChapterTitled(3, "Four"), ["study.chapter_titled", 3, "Four"]),
    (e.ChapterOrdered(3, 0), ["study.chapter_ordered", 3, 0]),
    (e.ChapterRemoved(3), ["study.chapter_removed", 3]),
    (e.Added(1, 2, 0, "e2e4", "e4", 0), ["study.added", 1, 2, 0, "e2e4", "e4", 0]),
    (e.Removed(1, 2), ["study.removed", 1, 2]),
    (e.Promoted(1, 2), ["study.promoted", 1, 2]),
    (e.Commented(1, 2, "Fine."), ["study.commented", 1, 2, "Fine."]),
    (e.Annotated(1, 2, (1, 14)), ["study.annotated", 1, 2, [1, 14]]),
    (e.Drawn(1, 2, SHAPES), ["study.drawn", 1, 2, ROWS]),
]  # fmt: skip
"""Events, each with its stored form."""


def test_each_event_has_one_stored_form() -> None:
    wrong = []
    for event, stored in STORED:
        (written,) = msgpack.unpackb(pack("by", "key", (event,)))[2]
        (again,) = unpack(1, 0, msgpack.packb(["by", "key", [stored]])).events
        if written != stored or again != event or hash(again) != hash(event):
            wrong.append((event, written, again))
    assert wrong == []
    assert {type(event) for event, _ in STORED} == set(get_args(e.Event)) == {kind for kind, _ in FORMS.values()}


def test_fields_of_a_move_that_a_newer_server_has_added_are_skipped() -> None:
    node = [1, 0, "e2e4", "e4", 0, "", "", [], [], None, "", "", "more"]
    stored = ["study.chapter", 1, "One", "standard", None, None, [], [[0, 0, "", "", 0], node]]
    (event,) = unpack(1, 0, msgpack.packb(["by", "key", [stored]])).events
    assert event == e.ChapterAdded(1, "One", e.Draft("standard", None, None, (), (START, PLAIN)))
