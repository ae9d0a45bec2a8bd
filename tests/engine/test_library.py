"""The library from the view of a program that imports `fourfold.engine`."""

from __future__ import annotations

import copy
import pickle
import random
import subprocess
import sys
from dataclasses import fields, replace

import pytest

import fourfold.engine
from fourfold.engine import (
    VARIANTS,
    EngineError,
    Game,
    IllegalMove,
    InvalidNotation,
    PieceKind,
    Position,
    Termination,
)
from fourfold.engine.fourplayer.referee import FourPlayerReferee
from fourfold.engine.notation import options
from fourfold.engine.notation.formats import READERS, WRITERS
from fourfold.engine.tables import Man


def played(variant: str, seed: int, plies: int, leaving: int | None = None) -> list[Position]:
    chance = random.Random(seed)
    positions = [Position.start(variant, seed=seed)]
    while positions[-1].outcome is None and len(positions) <= plies:
        position = positions[-1]
        if len(positions) == leaving:
            positions.append(position.eliminate(position.turn, Termination.RESIGNATION))
        else:
            positions.append(position.play(position.walk or chance.choice(sorted(position.legal_texts()))))
    return positions


def test_the_package_exports_its_names() -> None:
    assert all(hasattr(fourfold.engine, name) for name in fourfold.engine.__all__)
    loaded = "import sys, fourfold.engine; print('fourfold.engine.match' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", loaded], capture_output=True, check=True).stdout == b"False\n"


def test_a_move_in_any_spelling() -> None:
    start = Position.start()
    knight = start.find("g1f3")
    for text in ("Nf3", "g1f3", "G1F3", "g1-f3", "g1 f3", "Ng1f3"):
        assert start.read_move(text) is knight and start.play(text) == start.play(knight), text
        assert start.san(text) == "Nf3"
    four = Position.start("teams")
    for text in ("Ne1-f3", "e1f3", "E1-F3", "e1 f3"):
        assert four.san(text) == "Ne1-f3"


@pytest.mark.parametrize(
    ("move", "error", "message"),
    [
        ("Ke2", IllegalMove, "own_piece|Your own piece"),
        ("", InvalidNotation, "is not a move"),
        (5, TypeError, "Give a move as text such as 'e2e4', or as one of .*, not 5|object expected; got int"),
        (None, TypeError, "not None|object expected; got None"),
    ],
)
def test_what_is_no_move(move: object, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        Position.start().play(move)  # type: ignore[arg-type]


def test_a_move_of_another_position() -> None:
    reply = Position.start().play("e4").find("e7e5")
    with pytest.raises(IllegalMove, match="not legal here: White has no piece there"):
        Position.start().play(reply)


def test_a_move_without_a_position() -> None:
    standard, ffa = VARIANTS["standard"], VARIANTS["ffa"]
    start = Position.start()
    for text in ("e2e4", "E2-E4", "e2 e4"):
        assert standard.move(text) is start.find("e2e4")
    assert standard.move("e7e8=Q").promotion is PieceKind.QUEEN and standard.move("e7e8").promotion is None
    assert ffa.move("h7h8q") is ffa.move("h7h8d") and ffa.move("h7h8q").promotion is PieceKind.PROMOTED_QUEEN
    for rules in VARIANTS.values():
        for move in Position.start(rules).legal_moves:
            assert rules.move(move.text) is move
    for text, code in (
        ("a1b4", "cannot_move_there"), ("e2e4q", "cannot_move_there"), ("e2e9", "bad_destination"), ("", "bad_source"),
        ("e7e8k", "unknown_promotion"),
    ):  # fmt: skip
        with pytest.raises(EngineError) as raised:
            standard.move(text)
        assert raised.value.code == code, text


def test_a_null_move() -> None:
    position = Position.start().play("e4").play("a6").play("e5").play("d5")
    after = position.null_move()
    assert after.turn == 1 and after.fen() == "rnbqkbnr/1pp1pppp/p7/3pP3/8/8/PPPP1PPP/RNBQKBNR b KQkq - 1 3"
    assert after == Position.from_fen(after.fen()) and after.null_move().steps == ()
    for bad, code in (
        (Position.from_fen("4k3/8/8/8/8/8/8/4RK2 b - - 0 1"), "king_in_check"),
        (Position.start().eliminate(0, Termination.RESIGNATION), "game_over"),
    ):
        with pytest.raises(IllegalMove) as raised:
            bad.null_move()
        assert raised.value.code == code
    with pytest.raises(ValueError, match="Only games for two players"):
        Position.start("ffa").null_move()


def test_half_a_move_among_four() -> None:
    with pytest.raises(InvalidNotation, match="'h4' is one square; a move names two, such as h2h4") as raised:
        Position.start("ffa").play("h4")
    assert raised.value.code == "bad_destination"


def test_check_and_attackers() -> None:
    assert not Position.start().is_check()
    mated = Position.start().play("f3").play("e5").play("g4").play("Qh4")
    assert mated.is_check() and list(mated.attackers("e1", 1)) == ["h4"] and mated.legal_moves == ()
    assert list(mated.attackers("f2")) == ["e1", "h4"]


def test_from_fen() -> None:
    position = Position.start("survivor").play("h2h4")
    assert Position.from_fen(position.fen(), "survivor").fen() == position.fen()
    record = replace(VARIANTS["survivor"], title="Another")
    assert Position.from_fen(position.fen(), record).rules is record
    with pytest.raises(InvalidNotation, match=r"it is a FEN4, for four players; name its variant"):
        Position.from_fen(position.fen())
    with pytest.raises(InvalidNotation, match="it is a FEN, for two players; name its variant"):
        Position.from_fen(Position.start().fen(), "ffa")


# ---- Positions as values ----------------------------------------------------------------------------

FIELDS = {field.name for field in fields(Position)} - {"_open", "_memo"}


def test_nobody_changes_a_position() -> None:
    """Neither its fields nor their contents can change, so the shared starting position is safe."""
    for variant in VARIANTS:
        before = [Position.start(variant).fen(), *map(repr, played(variant, 1, 60, leaving=20))]
        line = [Position.start(variant), *played(variant, 1, 60, leaving=20)]
        line += [line[2].replace(halfmove=3), pickle.loads(pickle.dumps(line[5])), copy.copy(line[6])]
        for position in line:
            for name in FIELDS:
                with pytest.raises(AttributeError, match="a Position is immutable"):
                    setattr(position, name, getattr(position, name))
                with pytest.raises(AttributeError, match="a Position is immutable"):
                    delattr(position, name)
            for held in (*position.armies, position.changed, position.men(0).mapping):
                with pytest.raises(TypeError):
                    held[0] = None  # type: ignore[index]
            assert isinstance(position.forces, tuple)
        assert [Position.start(variant).fen(), *map(repr, played(variant, 1, 60, leaving=20))] == before


def test_a_position_is_what_its_fen_says() -> None:
    for variant in VARIANTS:
        leaving = 40 if variant in ("ffa", "survivor") else None
        for position in played(variant, 3, 90, leaving):
            again = Position.start(variant, fen=position.fen(), seed=position.seed)
            assert again == position and hash(again) == hash(position), position
            assert position.seed or again == Position.from_fen(position.fen(), variant)
    passed = Position.start().play("e4")
    assert passed.steps and passed == Position.from_fen("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1")
    may, may_not = (Position.from_fen(f"4k3/8/8/3pP3/8/8/8/4K3 w - {skipped} 0 2") for skipped in ("d6", "-"))
    assert may != may_not


class Restless(FourPlayerReferee):
    """Assigns to the positions that it completes, as referees do, and keeps them."""

    def __init__(self) -> None:
        self.seen: list[Position] = []

    def settle(self, position: Position, arrived: Man, taken: tuple[Man, ...]) -> None:
        super().settle(position, arrived, taken)
        position.halfmove = 7
        self.seen.append(position)


def test_referees_finish_drafts() -> None:
    referee = Restless()
    after = Position.start(replace(VARIANTS["survivor"], name="restless", referee=referee)).play("h2h4")
    assert after.halfmove == 7 and referee.seen[0] is after and type(after) is Position
    with pytest.raises(AttributeError, match="cannot assign to its field 'halfmove'"):
        referee.seen[0].halfmove = 8
    draft = after.draft()
    assert all(getattr(draft, name) == getattr(after, name) for name in FIELDS - {"_before"})
    draft.halfmove = 9
    assert draft.seal() is draft and (draft.halfmove, after.halfmove, type(draft)) == (9, 7, Position)
    with pytest.raises(AttributeError, match="is immutable"):
        draft.halfmove = 10
    with pytest.raises(TypeError, match="a Position has no field 'colour'"):
        after.replace(colour="red")


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_position_survives_a_pickle(variant: str) -> None:
    for position in played(variant, 3, 150, leaving=40)[::15]:
        data = pickle.dumps(position)
        again = pickle.loads(data)
        assert len(data) < 4_000
        assert again == position and hash(again) == hash(position) and again.fen() == position.fen()
        assert again.rules == position.rules and again.outcome == position.outcome
        assert (again.changed, again.eliminated, again.history) == (
            position.changed, position.eliminated, position.history,
        )  # fmt: skip
        assert set(again.legal_moves) == set(position.legal_moves) and again.checked() == position.checked()
        assert copy.deepcopy(position) == position
    assert len(pickle.dumps(Position.start(variant))) < 1_500


def test_other_rules_are_pickled_as_what_differs() -> None:
    rules = options.read("EnPassant PromoteTo=N", VARIANTS["ffa"])
    position = Position.start(rules).play("h2h4")
    again = pickle.loads(pickle.dumps(position))
    assert again == position and again.rules == rules != VARIANTS["ffa"]
    with pytest.raises(InvalidNotation, match="no variant 'mine'"):
        pickle.dumps(Position.start(replace(rules, name="mine")))


def test_a_move_is_not_pickled() -> None:
    with pytest.raises(TypeError, match="Send its text, 'e2e4'"):
        pickle.dumps(Position.start().find("e2e4"))


def test_no_seed_is_hidden() -> None:
    for variant, rules in VARIANTS.items():
        one, other = (Position.start(variant, rules.starts[0][0], seed=seed) for seed in (0, 7))
        assert (one == other) is not rules.dead_kings_walk
        assert ("seed=7" in repr(other)) is rules.dead_kings_walk and "seed" not in repr(one)


# ---- Games ------------------------------------------------------------------------------------------


def test_a_game_is_played_and_taken_back() -> None:
    game = Game(Position.start()).play("e4").play("e7e5").play(Position.start().find("g1f3"))
    assert [move.text for move in game.moves] == ["e2e4", "e7e5", "g1f3"]
    assert str(game).endswith("1. e4 e5 2. Nf3 *")
    kept = game.position
    assert game.undo(2).position == Position.start().play("e4") and kept.ply == 3
    with pytest.raises(ValueError, match="The line has 1 steps to take back, not 2"):
        game.undo(2)
    with pytest.raises(IllegalMove):
        game.play("e4")
    assert game.plies == 1
    assert game.leave(1).result() == "1-0" and game.undo().position.outcome is None


def test_variations_are_added() -> None:
    game = Game.from_pgn("1. e4 e5 2. Nf3 Nc6 *")
    line = game.line.steps[2].add_variation("f4", game.start.play("e4").play("e5").play("f4").find("e5f4"))
    line.play("Nf3").play("--")
    line.steps[1].add_variation("d5").comment = "Falkbeer"
    read = Game.from_pgn(str(game))
    assert str(read) == str(game) and read.moves == game.moves
    assert str(game).endswith("1. e4 e5 2. Nf3 ( 2. f4 exf4 ( {Falkbeer} 2... d5 ) 3. Nf3 -- ) 2... Nc6 *")
    with pytest.raises(IllegalMove):
        game.line.steps[0].add_variation("d4", "d4")
    assert game.line.steps[0].variations == []
    with pytest.raises(ValueError, match="An empty line has no position"):
        game.line.steps[0].add_variation().play("d4")
    four = Game(Position.start("teams")).play("h2h3")
    four.line.steps[0].add_variation("d2d4", "b7c7")
    assert Game.from_pgn4(str(four)).line.steps[0].variations[0].steps[1].move == four.start.rules.move("b7c7")


def test_the_result_follows_the_file() -> None:
    for text, expected in (
        ("1. e4 e5 1-0", "1-0"),
        ('[Result "*"]\n\n1. e4 e5 1-0', "1-0"),
        ('[Result "?"]\n\n1. e4 e5 1/2-1/2', "1/2-1/2"),
        ('[Result "0-1"]\n\n1. e4 e5 *', "0-1"),
        ('[Result "0-1"]\n\n1. e4 e5 1-0', "0-1"),
        ("1. f3 e5 2. g4 Qh4# *", "0-1"),
        ("1. f3 e5 2. g4 Qh4# 1-0", "0-1"),
        ("1. f3 e5 2. g4 Qh4# 3. a3 1-0", "1-0"),  # the file goes on after the mate
    ):
        game = next(READERS["pgn"](text))
        assert game.result() == expected, text


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_game_is_read_from_its_text(variant: str) -> None:
    game, chance = Game(Position.start(variant)), random.Random(5)
    while game.position.outcome is None and game.plies < 60:
        game.play(game.position.walk or chance.choice(sorted(game.position.legal_texts())))
    read = (Game.from_pgn if VARIANTS[variant].records == "pgn" else Game.from_pgn4)(str(game))
    assert read.position == game.position and read.moves == game.moves


def test_a_seed_and_a_result_are_kept_in_a_record() -> None:
    """Walking kings make the same moves, and a resignation that the board does not show has its winner."""
    chance = random.Random(5)
    for seed in (7, -3, 2**48):
        game = Game(Position.start("ffa", seed=seed)).leave(0)
        while game.plies < 12:
            game.play(game.position.walk or chance.choice(sorted(game.position.legal_texts())))
        for read in (Game.from_pgn4(str(game)), next(READERS["smith"](WRITERS["smith"](game)))):
            assert (read.start, read.position) == (game.start, game.position) and read.position.seed == seed
            assert play_on(read.position, 12) == play_on(game.position, 12)
    assert "[Seed" not in str(Game(Position.start("teams", seed=7)))
    assert Game.from_pgn4('[Seed "none"]\n\n1. h2-h3 *').start == Position.start("ffa")

    resigned = Game.from_pgn('[White "A"]\n\n1. e4 e5 2. Nf3 1-0')
    assert resigned.position.outcome is None and resigned.result() == "1-0" and str(resigned).endswith("2. Nf3 1-0")
    assert Game.from_pgn("1. f3 e5 2. g4 Qh4# 1-0").result() == "0-1"  # the board shows who has won
    assert Game.from_pgn("1. e4 *").result() == Game(Position.start(), {"Result": "?"}).result() == "*"
    told = "Red: 40 - Blue: 12 - Yellow: 3 - Green: 0"
    four = Game.from_pgn4(f'[Result "{told}"]\n\n1. h2-h3')
    assert four.result() == told and f'[Result "{told}"]' in str(four)


def play_on(position: Position, plies: int) -> list[Position]:
    line = []
    for _ in range(plies):
        position = position.play(position.walk or min(position.legal_texts()))
        line.append(position)
    return line


def test_a_text_that_is_no_game() -> None:
    with pytest.raises(InvalidNotation, match="A PGN4 has tags and moves"):
        Game.from_pgn4("")
    with pytest.raises(InvalidNotation, match=r"line 3, move 3 \(Qh8\): The queen on d1 cannot go to h8") as raised:
        Game.from_pgn('[White "Ann"]\n\n1. e4 e5 2. Qh8 *')
    assert raised.value.code
