"""A study on the client: a snapshot of any version, with all later updates, equals a later snapshot."""

from random import Random
from typing import Any

import pytest

from fourfold.clients.study_state import Chapter, Study
from fourfold.engine.study import replay
from fourfold.protocol import study_projection as wire
from fourfold.protocol.codec import MSGPACK
from fourfold.protocol.from_server import Cursors
from fourfold.protocol.studies import Cursor
from tests.study.conftest import Desk, read
from tests.study.test_anything import Writers


def told(study: Study) -> Any:
    """The whole content of a study, for comparison."""

    def below(tree: Chapter, number: int) -> Any:
        return tree.nodes[number], [below(tree, one) for one in tree.follows(number)]

    rights = study.title, study.visibility, study.write, study.writers
    chapters = [(tree.number, tree.title, tree.by, below(tree, 0)) for tree in study.chapters]
    return rights, study.names, study.seq, study.deleted, chapters


@pytest.mark.parametrize("variant", ["standard", "survivor"])
@pytest.mark.parametrize("seed", range(4))
def test_updates_lead_to_what_a_snapshot_has(variant: str, seed: int) -> None:
    writers = Writers(variant, seed)
    for _ in range(120):
        writers.step()
    log = writers.desk.log
    joined = Random(seed).randrange(1, len(log))
    study = Study(wire.snapshot("s", replay(log[:joined]), "p", [], 0, 0))
    for number in range(joined, len(log)):
        update = wire.update("s", replay(log[: number + 1]), log[number])
        study.take(MSGPACK.read_frame(MSGPACK.encode(update)))  # type: ignore[arg-type]
    assert told(study) == told(Study(wire.snapshot("s", writers.desk.study, "p", [], 0, 0)))


def test_the_tree_is_walked() -> None:
    desk = Desk(read("1. e4 e5 (1... c5 2. Nf3 d6) (1... e6) 2. Nf3 Nc6 *"))
    tree = Study(wire.snapshot("s", desk.study, "p", [], 0, 0)).chapters[0]
    named = {node.text: number for number, node in tree.nodes.items()}
    main = tree.line(0)
    assert [tree.nodes[number].text for number in main] == ["e4", "e5", "Nf3", "Nc6"]
    assert [tree.nodes[number].text for number in tree.siblings(named["c5"])] == ["e5", "c5", "e6"]
    assert tree.siblings(0) == (0,)
    assert tree.path(named["d6"])[:2] == [named["e4"], named["c5"]]
    rounds = tree.rounds()
    assert [rounds[number] for number in main] == [1, 1, 2, 2]
    assert rounds[named["d6"]] == 2


def test_a_start_in_the_middle_of_a_round_keeps_its_number() -> None:
    fen = "4k3/8/8/8/8/8/4p3/K7 b - - 0 40"
    desk = Desk(read(f'[SetUp "1"]\n[FEN "{fen}"]\n\n40... e1=Q+ 41. Ka2 *'))
    tree = Study(wire.snapshot("s", desk.study, "p", [], 0, 0)).chapters[0]
    assert [tree.rounds()[number] for number in tree.line(0)] == [40, 41]


def test_who_may_write_and_who_is_here() -> None:
    desk = Desk()
    study = Study(wire.snapshot("s", desk.study, "p", [], 0, 0))
    assert study.may_write(study.owner) and not study.may_write("p-bo")
    study.take(Cursors("s", [Cursor("p-bo", "Bo", 1, 0, False)], 1))
    assert [cursor.name for cursor in study.cursors] == ["Bo"]
    assert study.name("p-nobody") == "somebody"
