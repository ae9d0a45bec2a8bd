"""The boards of a search follow the same games as the engine's positions, and take every move back."""

import random
from collections.abc import Callable
from typing import Any

import pytest

from fourfold.clients.bots.search.board import DRAWN, GOES_ON, LOST, WON, PositionBoard, SearchBoard
from fourfold.clients.bots.search.evaluation import Evaluation
from fourfold.clients.bots.search.mailbox import Mailbox, board_of
from fourfold.engine.moves import Move
from fourfold.engine.outcome import Termination
from fourfold.engine.position import Position, Variant
from fourfold.engine.questions import taken
from fourfold.engine.variants import opening
from tests.conftest import some
from tests.engine.large_board import LARGE

VARIANTS = [
    "standard", "chess960", "threecheck", "kingofthehill", "survivor", "ffa", "teams", "kingofthehill4", "threeplayers",
    "selfpartner",
]  # fmt: skip
OWN_RULES = ["antichess", "atomic", "crazyhouse", "horde", "racingkings", "antichess4"]
"""Variants whose rules only `PositionBoard` follows."""
BOARDS = [Mailbox, PositionBoard]


KEPT = ["alive", "exposed", "given", "halfmove", "key", "pawn_key", "result", "rights", "since", "steps"]
"""The attributes that a mailbox restores when a move is taken back, beside its men and points."""


def summary(board: SearchBoard) -> tuple[Any, ...]:
    """The state of a board without its moves, which take the most time."""
    kept = [getattr(board, name) for name in KEPT] if isinstance(board, Mailbox) else []
    return board.turn, board.identity(), board.worth(), board.checked(), board.ended(), board.has_pieces(), *kept


def state(board: SearchBoard) -> tuple[Any, ...]:
    """The state of a board."""
    moves, captures = ([move.text for move in found] for found in (board.moves(), board.captures()))
    return *summary(board), sorted(moves), sorted(captures)


def legal(board: SearchBoard) -> set[Move]:
    """The legal moves: each is made and taken back."""
    found, before, short = set(), state(board), summary(board)
    for move in board.moves():
        if board.make(move):
            found.add(move)
            board.undo()
        assert summary(board) == short, move
    assert state(board) == before
    return found


def worth(position: Position, root: Position) -> int:
    """The evaluation for a team. For two players, a new board computes it, because it has no incremental sums."""
    if len(root.seats) > 2:
        return Evaluation(root).of(position)
    found = Mailbox(position).worth()
    return found if position.turn == root.turn else -found


def must_capture(position: Position) -> bool:
    """Whether the rules force the side to move to capture."""
    return position.rules.giveaway and any(taken(position, move) for move in position.legal_moves)


def follow(kind: type[SearchBoard], variant: str | Variant, seed: int, plies: int) -> tuple[Position, SearchBoard]:
    """Play a game of random moves on both boards, with half of them captures if possible."""
    root = position = Position.start(variant, seed=seed)
    board: SearchBoard = kind(root)  # type: ignore[call-arg]
    chance = random.Random(seed)
    two = len(position.seats) == 2
    while position.outcome is None and position.ply < plies:
        found = legal(board)
        if not found and board.stalemate():  # among four, positions have judged it already
            continue
        assert board.turn == position.turn
        assert found == set(position.legal_moves)
        assert board.checked() == (position.is_check() or must_capture(position))
        assert [seat for seat in range(len(position.seats)) if board.in_game(seat)] == sorted(position.alive)
        assert two or board.ended() == GOES_ON
        assert kind is PositionBoard or board.worth() == worth(position, root)
        for move in position.legal_moves:
            assert (board.gain(move) != 0) == (position.total & move.bit > 0)
        captures = [move for move in sorted(found, key=str) if board.gain(move)]
        move = chance.choice(captures if captures and chance.random() < 0.5 else sorted(found, key=str))
        checks = two and not position.rules.own_legality and board.gives_check(move)
        assert board.make(move)
        position = position.play(move)
        assert position.is_check() or not checks
    return position, board


@pytest.mark.parametrize("kind", BOARDS)
@pytest.mark.parametrize("variant", some(4, *VARIANTS))
@pytest.mark.parametrize("seed", some(1, 0, 1, 2))
def test_games_are_followed(seed: int, variant: str, kind: type[SearchBoard]) -> None:
    position, board = follow(kind, variant, seed, 160)
    if position.points is not None and isinstance(board, Mailbox):
        assert board.points == list(position.points)


@pytest.mark.parametrize("variant", OWN_RULES)
def test_games_by_other_rules_are_followed(variant: str) -> None:
    assert isinstance(board_of(opening(variant)), PositionBoard)
    follow(PositionBoard, variant, 1, 120)


def test_a_game_on_a_board_of_ones_own_is_followed() -> None:
    assert isinstance(board_of(Position.start(LARGE)), Mailbox)
    follow(Mailbox, LARGE, 0, 120)


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_variant_of_ours_has_the_fast_board(variant: str) -> None:
    assert isinstance(board_of(opening(variant)), Mailbox)


@pytest.mark.parametrize("kind", BOARDS)
@pytest.mark.parametrize(
    ("variant", "fen", "moves", "ended"),
    [
        ("kingofthehill", "4k3/8/8/8/8/4K3/8/8 w - - 0 1", "e3e4", WON),
        ("kingofthehill", "4k3/8/8/8/8/4K3/8/8 w - - 0 1", "e3e2 e8e7", GOES_ON),
        ("threecheck", "4k3/8/8/8/8/8/8/R3K3 w - - 1+3 0 1", "a1a8", WON),
        ("threecheck", "4k3/8/8/8/8/8/8/R3K3 w - - 2+3 0 1", "a1a8", GOES_ON),
        ("standard", "4k3/8/8/8/8/8/8/R3K3 w - - 99 90", "a1a2", DRAWN),
        ("standard", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "a1a2 e8e7 a2a1 e7e8", DRAWN),
        ("standard", "4k3/8/8/8/8/8/3r4/4K3 w - - 0 1", "e1d2", DRAWN),
    ],
)
def test_the_end(kind: type[SearchBoard], variant: str, fen: str, moves: str, ended: int) -> None:
    position = opening(variant, position=fen)
    board: SearchBoard = kind(position)  # type: ignore[call-arg]
    for text in moves.split():
        move = position.find(text)
        assert board.make(move)
        position = position.play(move)
    assert board.ended() == ended


@pytest.mark.parametrize("kind", BOARDS)
@pytest.mark.parametrize(
    ("points", "out", "ended"),
    [
        ((30, 40, 29, 0), "0,1,0,1", WON),  # both remaining players have ten more
        ((30, 41, 29, 0), "0,1,0,1", LOST),
        ((29, 30, 30, 0), "0,1,0,1", LOST),
        ((30, 30, 30, 0), "0,1,0,1", WON),  # the first place is shared
        ((30, 45, 30, 0), "0,0,0,1", LOST),
        ((30, 40, 30, 65), "0,1,0,0", LOST),
    ],
)
def test_a_draw_is_won_by_points(
    kind: type[SearchBoard], points: tuple[int, ...], out: str, ended: int, four: Callable[..., Position]
) -> None:
    kings = "rKh1 bKa7 yKg14 gKn8"
    pieces = " ".join(king for king, gone in zip(kings.split(), out.split(","), strict=True) if gone == "0")
    position = four("ffa", f"{pieces} rQe5", out=out)
    position = position.replace(points=points, halfmove=50 * len(position.alive) - 1)
    outcome = position.play("e5e6").outcome
    assert outcome is not None and outcome.termination is Termination.FIFTY_MOVES
    assert (0 in outcome.winners) == (ended == WON)
    board: SearchBoard = kind(position)  # type: ignore[call-arg]
    assert board.make(position.find("e5e6"))
    assert board.ended() == ended


@pytest.mark.parametrize("kind", BOARDS)
def test_a_draw_is_worth_more_where_a_king_walks(kind: type[SearchBoard], four: Callable[..., Position]) -> None:
    for gone, ended in ((49, WON), (51, LOST)):  # ten for the draw, ten for Green's king
        position = four("ffa", "rKh1 yKg14 gKn8 rQe5", out="0,1,0,0").eliminate(3, Termination.RESIGNATION)
        assert position.walking == (3,)
        position = position.replace(points=(30, gone, 0, 0), halfmove=99)
        board: SearchBoard = kind(position)  # type: ignore[call-arg]
        assert board.make(position.find("e5e6"))
        assert board.ended() == ended


@pytest.mark.parametrize("kind", BOARDS)
def test_what_stood_before_the_root_may_come_once_more(kind: type[SearchBoard]) -> None:
    position = opening("standard", position="4k3/8/8/8/8/8/8/R3K3 w - - 0 1")
    for text in ("a1a2", "e8e7", "a2a1", "e7e8", "a1a2"):
        position = position.play(text)
    board: SearchBoard = kind(position)  # type: ignore[call-arg]
    ended = []
    for text in ("e8e7", "a2a1", "e7e8", "a1a2", "e8e7"):
        assert board.make(position.find(text))
        position = position.play(text)
        ended.append(board.ended())
    # All positions occurred once before the root, the one after the last move but one twice.
    assert ended == [GOES_ON, GOES_ON, DRAWN, DRAWN, DRAWN]


@pytest.mark.parametrize("kind", BOARDS)
def test_a_pass_is_taken_back(kind: type[SearchBoard]) -> None:
    board: SearchBoard = kind(opening("standard").play("e2e4"))  # type: ignore[call-arg]
    before = state(board)
    board.pass_to(0)
    assert board.turn == 0 and state(board) != before
    board.undo()
    assert state(board) == before


def test_a_king_that_is_taken_ends_a_game_of_teams() -> None:
    fen = (
        "R-0,0,0,0-0,0,0,0-0,0,0,0-0,0,0,0-0-x,x,x,8,x,x,x/x,x,x,3,yK,4,x,x,x/x,x,x,8,x,x,x/14/14/bK,12,rR/14/14/"
        "14/12,gK,1/14/x,x,x,8,x,x,x/x,x,x,3,rK,4,x,x,x/x,x,x,8,x,x,x"
    )
    position = opening("teams", position=fen)
    for kind in (Mailbox, PositionBoard):
        board = kind(position)
        assert board.make(position.find("n9a9"))
        assert board.ended() == WON
    assert LOST == -WON


def test_a_board_begins_where_players_have_left() -> None:
    """Grey pieces block and attack nothing. A walking king attacks."""
    for seed in range(3):
        position = opening("ffa", seed=seed)
        chance = random.Random(seed)
        for ply in range(150):
            if position.outcome is not None:
                break
            if ply == 24:
                position = position.eliminate(seed, Termination.RESIGNATION)
                assert position.walking == (seed,)
            if position.walk is None:
                assert legal(Mailbox(position)) == set(position.legal_moves)
            position = position.play(position.walk or chance.choice(sorted(position.legal_moves, key=str)))
