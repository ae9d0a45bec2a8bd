"""Each rule of a refusal knows a version of a real game that justifies it, and one that does not."""

from pathlib import Path
from typing import Any

import pytest

from tests.faults.checker import check
from tests.faults.fold import apply
from tests.faults.game import Game
from tests.faults.history import History, Record
from tests.faults.refusals import Asked, justifies

GOOD = (Path(__file__).parent / "vectors" / "good.json").read_text()

PROPOSE = {"type": "propose", "plies": None, "seat": None, "level": None}
UNDO = {**PROPOSE, "kind": "undo", "seq": 7}
DRAW = {**PROPOSE, "kind": "draw", "seq": 7}
VOTE = {"type": "vote", "proposal": 1, "accept": True}
MOVE = {"type": "move", "move": "e2e4", "seq": 3}
GIVE = {"type": "give", "seat": "black"}

# The code, the player, the command, and two versions of the game: one that justifies the refusal, and one that does
# not. White and black sit from 3 on; 7 and 9 open votes of black, 12 one of white, 14 one of black that a move refuses;
# 11, 15 and 16 are moves, and 17 ends the game.
CASES: list[tuple[str, str, dict[str, Any], int, int]] = [
    ("not_seated", "watcher", VOTE, 7, 0),
    ("not_seated", "black", VOTE, 2, 7),
    ("not_started", "white", MOVE, 2, 3),
    ("game_over", "white", MOVE, 17, 16),
    ("not_finished", "white", {**PROPOSE, "kind": "rematch", "seq": 7}, 7, 17),
    ("ahead", "white", {**MOVE, "seq": 6}, 5, 6),
    ("stale", "white", MOVE, 4, 3),
    ("stale", "black", {**UNDO, "seq": 5}, 6, 5),
    ("stale", "white", {**DRAW, "seq": 16}, 17, 16),
    ("not_your_turn", "white", MOVE, 4, 3),
    ("no_piece", "white", MOVE, 5, 3),
    ("flag_fallen", "white", MOVE, 3, 4),
    ("too_late", "white", {"type": "abort"}, 5, 4),
    ("too_late", "white", {"type": "berserk"}, 4, 3),
    ("nothing_to_claim", "white", {"type": "claim"}, 16, 0),
    ("not_paused", "white", {**PROPOSE, "kind": "resume", "seq": 7}, 7, 0),
    ("proposal_open", "white", DRAW, 7, 6),
    ("no_such_proposal", "white", VOTE, 6, 7),
    ("not_yours", "white", {"type": "withdraw", "proposal": 1}, 7, 12),
    ("already_voted", "black", VOTE, 7, 12),
    ("too_soon", "white", DRAW, 13, 11),
    ("bad_plies", "white", {**UNDO, "plies": 4}, 6, 16),
    ("bad_plies", "white", {**DRAW, "plies": 1}, 6, 0),
    ("bad_plies", "white", {**PROPOSE, "kind": "redo", "seq": 8}, 6, 8),
    ("bad_seat", "white", {**DRAW, "seat": "black"}, 6, 0),
    ("bad_level", "white", {**DRAW, "level": 1}, 6, 0),
    ("bad_level", "white", {**PROPOSE, "kind": "stand_in", "seq": 6}, 6, 0),
    ("no_such_seat", "white", {**GIVE, "seat": "red"}, 6, 0),
    ("not_opponent", "white", {**GIVE, "seat": "white"}, 6, 0),
    ("rated_game", "white", {**PROPOSE, "kind": "stand_in", "seq": 6}, 6, 0),
    ("not_host", "black", {"type": "kick", "seat": "white"}, 2, 0),
    ("seat_taken", "black", {"type": "join", "seat": "white"}, 2, 1),
    ("seat_free", "white", {"type": "kick", "seat": "black"}, 2, 3),
    ("already_seated", "white", {"type": "join", "seat": "black"}, 2, 1),
    ("already_started", "watcher", {"type": "join"}, 3, 2),
    ("already_started", "white", {"type": "leave"}, 3, 2),
    ("not_invited", "watcher", {"type": "join"}, 3, 2),
]  # fmt: skip

WRONG = [
    ("bad_plies", "white", UNDO, 6),
    ("bad_seat", "white", DRAW, 6),
    ("bad_level", "white", DRAW, 6),
    ("no_such_seat", "white", GIVE, 6),
    ("not_opponent", "white", GIVE, 6),
    ("rated_game", "white", GIVE, 6),
    ("no_clock", "white", GIVE, 6),
    ("no_clock", "white", {**PROPOSE, "kind": "pause", "seq": 6}, 6),
    ("too_many_gifts", "white", GIVE, 6),
    ("already_berserk", "white", {"type": "berserk"}, 3),
    ("out_of_game", "black", {"type": "resign"}, 16),
    ("only_stands_in", "white", {"type": "resign"}, 6),
    ("no_vote", "white", VOTE, 7),
    ("paused", "white", MOVE, 3),
    ("archived", "white", {**PROPOSE, "kind": "rematch", "seq": 17}, 17),
    ("too_late", "white", VOTE, 7),
    ("not_host", "white", {"type": "kick", "seat": "black"}, 2),
    ("kicked", "black", {"type": "join"}, 2),
    ("seats_reserved", "black", {"type": "join"}, 2),
    ("a code without a rule", "white", MOVE, 3),
]


def judged(code: str, by: str, frame: dict[str, Any], version: int, after: float = 0.0) -> bool:
    game = Game()
    for entry in History.read(GOOD).rooms["game"][:version]:
        apply(game, entry)
    board = frame["type"] == "move" and code == "no_piece"
    answer = {"type": "error", "kind": "illegal" if board else "refused", "code": code}
    return justifies(game, Asked(by, frame, answer, game.at, game.at + after))


@pytest.mark.parametrize(("code", "by", "frame", "right", "wrong"), CASES)
def test_a_refusal_is_right_at_some_versions_only(
    code: str, by: str, frame: dict[str, Any], right: int, wrong: int
) -> None:
    assert judged(code, by, frame, right, 61_000.0 * (code == "flag_fallen"))
    assert wrong == 0 or not judged(code, by, frame, wrong)


@pytest.mark.parametrize(("code", "by", "frame", "version"), WRONG)
def test_a_wrong_refusal_is_seen(code: str, by: str, frame: dict[str, Any], version: int) -> None:
    assert not judged(code, by, frame, version)


def test_a_refusal_is_judged_by_the_versions_of_its_time() -> None:
    for sent, wrong in ((362.0, 1), (372.0, 0)):
        history = History.read(GOOD)
        move = {**MOVE, "seq": 10, "room": "game", "key": "k", "id": 77}
        error = {"type": "error", "kind": "refused", "code": "stale", "room": "game", "id": 77}
        history.records += (Record(sent, "white", "out", move), Record(sent + 3, "white", "in", error))
        faults = check(history).faults
        assert len(faults) == wrong
        assert all("was wrong all the time" in fault.message for fault in faults)
