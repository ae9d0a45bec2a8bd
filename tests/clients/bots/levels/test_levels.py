"""Levels 1 to 4 against their written specification.

The test quotes each clause of the specification. Each clause has positions for two and for four players in which it
alone explains the choice. A position for two is a FEN, one for four a variant with pieces. A position of the opening is
the moves that lead to it.
"""

import random
from collections.abc import Callable, Iterator

import pytest

from fourfold.clients.bots.levels import LEVELS, RULES, chooser, level4
from fourfold.clients.bots.levels.lookahead import Lookahead
from fourfold.engine.position import Position
from fourfold.engine.variants import VARIANTS, opening, rules_of
from tests.conftest import some

CLAUSES = {
    "1": "level 1 is random legal moves",
    "2 mate": "Top priority is checkmate",
    "2 both": "Prioritizes moves that take pieces + check (takes the highest value piece that allows this)",
    "2 either": "Prioritizes piece takes and checks equally (always takes highest value piece possible)",
    "2 else": "If no move can be found for this level, move down to the next level's chooseMove function",
    "3 mate": "Top priority is checkmate",
    "3 order": "Tries to save pieces in danger, starting with its highest value piece (saves best possible piece)",
    "3 take safely": "If only 1 piece is targeting the current piece [...] by taking it (if it is either "
    "safe to do so,",
    "3 take more": "you are taking a higher value piece from your enemy than the piece you are putting in danger,",
    "3 sacrifice": "or you are sacrificing a lower value piece to save a higher value piece when the high value piece "
    "has no other way of escaping)",
    "3 escape": "Tries to move the piece to a safe square that is not in range of the enemy, while maximizing the "
    "value of the piece it takes/ checking the enemy in the process",
    "3 others": "If no piece that is in danger is savable, it tries to make a safe move with a piece that is not in "
    "danger",
    "3 else": "If no safe move is possible, use Computer player level 2 logic",
    "3 moving": "will never make a move that puts a piece in unnecessary danger (moving a piece to a position where it "
    "is capturable,",
    "3 exposing": "exposing a valuable piece while moving another one), unless it is to sacrifice a piece in order to "
    "save a better piece,",
    "3 trade": "or to make a positive trade on an enemy piece",
    "4 reactive": "make different, predefined moves depending on different opponent moves",
    "4 setup": "Setup moves are the same no matter what the opponent does",
    "4 attacked": "it checks to see if any of its pieces are under attack, [...] it uses the algorithm [of] level 3",
    "4 capture": "if it can capture any enemy pieces, [...] level 3",
    "4 check": "or if it can put any enemies in check or checkmate, [...] level 3",
    "4 prevent": "calculate all of its opponents' moves one move ahead to see if any enemy moves can cause a check, "
    "then will make the move that best prevents this",
    "4 control": "check which move will allow the most squares on the board to be controlled by its friendly pieces",
}
"""The specification, in parts of sentences, with the number of the level."""

TWO = [
    # the clause, the aspect that this position shows, the position, the equally good moves
    ("1", "in check, only what meets it", "4k3/4r3/8/8/8/8/3P4/4K2R w - - 0 1", "e1d1 e1f1 e1f2"),
    ("2 mate", "before the most valuable capture", "6k1/5ppp/8/8/7r/6B1/8/R5K1 w - - 0 1", "a1a8"),
    ("2 both", "before taking more", "4k3/2p5/8/3N4/8/8/8/r2QK3 w - - 0 1", "d5c7"),
    ("2 both", "the most taken", "4k3/2p3n1/8/3N1Q2/8/8/8/4K3 w - - 0 1", "d5c7"),
    ("2 either", "taking more before a mere check", "4k3/8/8/8/8/2r5/1P6/R3K3 w - - 0 1", "b2c3"),
    ("2 either", "the most taken", "4k3/8/8/1r1p4/2P5/8/8/4K3 w - - 0 1", "c4b5"),
    ("2 either", "a check is as good as a pawn, and whatever takes it",
     "4k3/8/8/8/3p4/4P3/8/3QK3 w - - 0 1", "d1a4 d1d4 d1h5 e3d4"),
    ("2 either", "a check where nothing can be taken", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "a1a8"),
    ("2 else", "anything", "4k3/7p/8/8/8/8/8/K7 w - - 0 1", "a1a2 a1b1 a1b2"),
    ("3 mate", "before saving the queen", "6k1/5ppp/8/8/8/8/2n5/R3Q1K1 w - - 0 1", "a1a8 e1e8"),
    ("3 order", "the most valuable first", "4k3/8/8/2p1p3/1N1Q4/8/8/4K3 w - - 0 1", "d4e5"),
    ("3 order", "the next where the most valuable cannot be saved",
     "2r1k3/8/8/6p1/7B/8/PPn5/QN4K1 w - - 0 1", "h4g5"),
    ("3 take safely", "by another", "4k3/8/8/r2N4/8/2B5/8/4K3 w - - 0 1", "c3a5"),
    ("3 take safely", "no matter what else", "4k3/8/2p5/1P1N4/8/8/8/4K3 w - - 0 1", "b5c6"),
    ("3 take safely", "of two attackers none", "4k3/8/2p1p3/1P1N4/8/8/8/4K3 w - - 0 1", "d5c7 d5f6"),
    ("3 take more", "a queen for a knight", "3rk3/8/8/3q4/8/2N5/8/3RK3 w - - 0 1", "c3d5"),
    ("3 sacrifice", "a rook for the queen", "2r1k3/8/8/8/8/8/PPn5/QNR3K1 w - - 0 1", "c1c2"),
    ("3 sacrifice", "not where the queen can escape", "2r1k3/8/8/8/8/8/1Pn5/QNR3K1 w - - 0 1", "a1a4"),
    ("3 escape", "taking the most", "4k3/8/8/4p3/p2R4/8/1b6/4K3 w - - 0 1", "d4a4"),
    ("3 escape", "checking", "4k3/8/8/3N4/2b1b3/8/8/4K3 w - - 0 1", "d5c7 d5f6"),
    ("3 others", "any that is safe", "2r1k3/8/8/8/8/8/PPn5/QN4K1 w - - 0 1",
     "a2a4 b1d2 b2b3 g1f1 g1f2 g1g2 g1h1 g1h2"),
    ("3 others", "no trade of what cannot be saved", "N2r2k1/2p5/1r6/4b3/4b3/8/P7/6K1 w - - 0 1",
     "a2a3 a2a4 g1f1 g1f2"),
    ("3 others", "what takes the most", "4k3/8/8/8/8/3n4/8/R2QK3 w - - 0 1", "d1d3"),
    ("3 else", "a capture that loses", "7k/8/3p3P/3p4/4P3/1q6/8/K7 w - - 0 1", "e4d5"),
    ("3 moving", "no square where it can be taken", "4k3/8/3p4/8/8/5N2/8/K7 w - - 0 1",
     "a1a2 a1b1 a1b2 f3d2 f3d4 f3e1 f3g1 f3g5 f3h2 f3h4"),
    ("3 moving", "nor where it can be taken in passing", "4k3/8/8/8/4p3/8/1P1P4/7K w - - 0 1",
     "b2b3 b2b4 h1g1 h1g2 h1h2"),
    ("3 exposing", "a better one", "3rk3/8/8/8/3N4/8/3Q4/4K3 w - - 0 1", "d2e2 d2e3"),
    ("3 exposing", "a lesser one: the queen goes on guarding the knight on c6 from the king, and a free pawn waits",
     "2q3n1/P3k3/2n5/3K4/8/8/8/8 b - - 0 1", "c6a7"),
    ("3 exposing", "a lesser one: nothing leaves the knight on c6",
     "2q3nr/4k2p/1pnp4/3K4/7P/2P5/1p4B1/1N4N1 b - - 2 28", "g8f6"),
    ("3 exposing", "one that can be taken back is not lost", "3rk3/8/8/8/3N4/8/8/2KR4 w - - 0 1",
     "d4b3 d4b5 d4c2 d4c6 d4e2 d4e6 d4f3 d4f5"),
    ("3 trade", "a rook for a knight", "4k3/8/3p4/4r3/8/5N2/8/K7 w - - 0 1", "f3e5"),
    ("4 reactive", "against 1...e5", "e2e4 e7e5 g1f3 b8c6", "b1c3 c2c3 c2c4 d2d4 f1b5 f1c4 f1e2 g2g3"),
    ("4 reactive", "against 1...c5", "e2e4 c7c5 g1f3 b8c6", "b1c3 d2d4 f1b5"),
    ("4 setup", "off all lines", "d2d4 h7h5 g1f3 h8h6", "c1f4 e2e3"),
    ("4 setup", "off all lines in another way", "d2d4 a7a6 g1f3 a8a7", "c1f4 e2e3"),
    ("4 setup", "of several moves those that put nothing in danger", "g1f3 b7b5", "b2b3 g2g3"),
    ("4 setup", "even where it is met", "c2c4 g7g5 g2g3 g5g4", "g1f3"),
    ("4 setup", "but not while a piece is attacked", "c2c4 b7b5", "c4b5"),
    ("4 attacked", "taken by another", "4k3/8/8/r2N4/8/2B5/8/4K3 w - - 0 1", "c3a5"),
    ("4 attacked", "moved away, though nothing can be taken safely",
     "6k1/5ppp/8/2p5/3N4/8/5PPP/6K1 w - - 0 1", "d4c6"),
    ("4 capture", "a pawn", "4k3/8/8/8/8/p7/8/1N2K3 w - - 0 1", "b1a3"),
    ("4 check", "by a rook", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "a1a8"),
    ("4 prevent", "a check on the back rank", "r5k1/5ppp/8/8/8/8/2N2PPP/6K1 w - - 0 1", "c2e1"),
    ("4 prevent", "checks by what a knight uncovers", "8/8/2P5/6q1/6n1/6K1/3k4/8 w - - 0 1", "g3h3"),
    ("4 prevent", "also where level 3 holds several moves equal", "r5k1/5ppp/8/8/8/1p6/2N2PPP/6K1 w - - 0 1", "c2e1"),
    ("4 control", "", "4k3/p7/8/8/8/8/8/1N2K3 w - - 0 1", "b1c3 e1f2"),
]  # fmt: skip

KINGS = "rKh1 bKa7 yKg14 gKn8 gPm10"
"""The kings, and a distant pawn, which keeps the game going."""

FOUR = [
    # the clause, the aspect that this position shows, the variant, the position, the equally good moves
    ("1", "", "survivor", KINGS, "h1g1 h1g2 h1h2 h1i1 h1i2"),
    ("2 mate", "of anybody, before the most valuable capture", "survivor",
     "rKh1 bKa11 yKg14 gKn8 rRb5 rRd6 gRd9", "d6a6"),
    ("2 both", "before taking more", "survivor", f"{KINGS} rQg5 yPg13 gRl5", "g5g13"),
    ("2 both", "the most taken of whomever", "survivor", f"{KINGS} rQg5 yPg13 gNn5 gRd2", "g5n5"),
    ("2 either", "a check of anybody", "survivor", f"{KINGS} rRd4", "d4a4 d4d14 d4d7 d4d8 d4g4 d4n4"),
    ("2 either", "a check is as good as a pawn", "survivor", f"{KINGS} rRd4 gPd6", "d4a4 d4d6 d4g4 d4n4"),
    ("2 either", "the most taken of whomever", "survivor", f"{KINGS} rNf5 bRd6 gQe7 yBg7", "f5e7"),
    ("2 either", "pieces of a partner are not taken", "teams", f"{KINGS} rNf5 yQe7 bPd6", "f5d6"),
    ("2 else", "anything", "survivor", KINGS, "h1g1 h1g2 h1h2 h1i1 h1i2"),
    ("3 mate", "before saving the queen", "survivor",
     "rKh1 bKa11 yKg14 gKn8 rRb5 rRd6 rQg3 gBk7", "d6a6 g3g14"),
    ("3 order", "the most valuable first", "survivor", f"{KINGS} rQf5 rNj4 gPk5 yBd3", "f5d3"),
    ("3 take safely", "by itself or another", "survivor", f"{KINGS} rQf5 rBb5 yBd3", "b5d3 f5d3"),
    ("3 take more", "a rook for a knight", "survivor", f"{KINGS} rQf9 rNk8 gRm9 gRm4", "k8m9"),
    ("3 sacrifice", "a rook for the queen", "survivor",
     "rKk1 bKa7 yKg14 gKn8 rQd1 rNe1 rRf1 rPd2 rPe2 gNf2 gRf11", "f1f2"),
    ("3 escape", "from two players", "survivor", f"{KINGS} rNf5 bRb5 gRm5",
     "f5d4 f5d6 f5e3 f5e7 f5g3 f5g7 f5h4 f5h6"),
    ("3 escape", "taking the most", "survivor", "rKk1 bKa7 yKg14 gKn8 rRd5 bBb7 gBh9 yNd3 bPb5", "d5d3"),
    ("3 others", "any that is safe", "survivor",
     "rKk1 bKa7 yKg14 gKn8 rQd1 rNe1 rPd2 rPe2 gNf2 gRf11", "d2d4 e1g2 e2e3 k1j1 k1j2 k1k2"),
    ("3 others", "a partner attacks nothing", "teams", f"{KINGS} rNf5 yRf13 gPe10",
     "f5d4 f5d6 f5e3 f5e7 f5g3 f5g7 f5h4 f5h6 h1g1 h1g2 h1h2 h1i1 h1i2"),
    ("3 else", "a capture that loses", "survivor", f"{KINGS} gQg3 yRi10 rPe4 yPd5 bRa5 bPd6", "e4d5"),
    ("3 moving", "not to e7, where yellow's pawn takes", "survivor", f"{KINGS} rNf5 yPd8",
     "f5d4 f5d6 f5e3 f5g3 f5g7 f5h4 f5h6 h1g1 h1g2 h1h2 h1i1 h1i2"),
    ("3 moving", "nor where blue's pawn takes in passing", "survivor", "rKk1 bKa7 yKg14 gKn8 rPg2 bPf2",
     "k1j1 k1j2 k1k2"),
    ("3 exposing", "a lesser one: the rook goes on guarding the knight from yellow's king", "survivor",
     "rKh1 bKa7 yKg10 gKn8 rNf9 rRf3 gPk3 bPf2", "f3f2"),
    ("3 exposing", "what a partner guards is not exposed", "teams",
     "rKh1 bKe10 yKg14 gKn8 rNf9 rRf3 gPk3 yRd9", "f3k3"),
    ("3 trade", "a rook for a knight", "survivor", f"{KINGS} rNf5 bRd6 bRd11", "f5d6"),
    ("4 reactive", "blue against the King's Pawn Opening: the Sicilian or the Scandinavian", "teams classic",
     "h2h3", "b6d6 b7c7"),
    ("4 reactive", "blue against the Queen's Pawn Opening", "teams classic", "g2g3", "b8c8"),
    ("4 reactive", "what usually answers the neighbour on the left", "survivor", "g2g4 b6d6 h13h11 m8k8", "f2f4"),
    ("4 setup", "the others' knights go out", "survivor", "j1i3 a10c9 e14f12 n10l9", "e1f3 f2f4 j2j3 k2k3 k2k4"),
    ("4 setup", "the others' pawns go on", "survivor", "j1i3 b4c4 d13d12 m11l11", "e1f3 f2f4 j2j3 k2k3 k2k4"),
    ("4 setup", "even where it is met", "survivor",
     "k2k4 a5c6 f13f12 n10l11 j1i3 b7d7 k13k12 m10k10", "d2d4"),
    ("4 attacked", "moved away, to where it controls the most", "survivor", f"{KINGS} rNf5 bBc8",
     "f5d6 f5e7 f5g7 f5h6"),
    ("4 capture", "of anybody", "survivor", f"{KINGS} rNf5 gPd4", "f5d4"),
    ("4 check", "of anybody", "survivor", f"{KINGS} rRe5", "e5e7 e5e8"),
    ("4 prevent", "checks by any of the three", "survivor", f"{KINGS} rNi3 yRd12", "h1i2"),
    ("4 control", "", "survivor", "rKd1 bKa7 yKg14 gKn8 gPm10 rNd2", "d1e2"),
]  # fmt: skip


def texts(level: int, position: Position) -> str:
    """The best moves of a level, in order."""
    return " ".join(sorted({move.text for move in RULES[level](Lookahead(position))}))


def after(moves: str, variant: str, setup: str | None = None) -> Position:
    """The position after moves from the start."""
    position = opening(variant, setup=setup)
    for text in moves.split():
        position = position.play(position.find(text))
    return position


@pytest.mark.parametrize(("clause", "detail", "place", "moves"), TWO, ids=[f"{row[0]}: {row[1]}" for row in TWO])
def test_clauses_for_two(clause: str, detail: str, place: str, moves: str) -> None:
    position = opening("standard", position=place) if "/" in place else after(place, "standard")
    assert texts(int(clause[0]), position) == moves


@pytest.mark.parametrize(
    ("clause", "detail", "variant", "place", "moves"), FOUR, ids=[f"{row[0]}: {row[1]}" for row in FOUR]
)
def test_clauses_for_four(
    clause: str, detail: str, variant: str, place: str, moves: str, four: Callable[..., Position]
) -> None:
    position = four(variant, place) if "K" in place else after(place, *variant.split())
    assert texts(int(clause[0]), position) == moves


def test_every_clause_has_positions_on_both_boards() -> None:
    assert {row[0] for row in TWO} == {row[0] for row in FOUR} == set(CLAUSES)


@pytest.mark.parametrize(
    ("fen", "lost"),
    [
        ("6k1/8/n7/8/1N2R3/8/8/4K3 w - - 0 1", False),  # the rook recaptures
        ("4r1k1/8/n7/8/1N2R3/8/8/4K3 w - - 0 1", True),  # the rook is pinned
        ("6k1/8/n1p5/3r4/1R6/8/8/4K3 w - - 0 1", True),  # a lesser piece captures, guarded or not
        ("6k1/8/n7/8/1N6/2K5/8/8 w - - 0 1", False),  # the king recaptures
        ("6k1/3b4/n7/8/1N6/2K2b2/8/1r6 w - - 0 1", True),  # the king cannot, since the rook guards
    ],
)
def test_a_man_is_lost_if_it_cannot_be_taken_back(fen: str, lost: bool) -> None:
    ahead = Lookahead(opening("standard", position=fen))
    square = ahead.position.geometry.index["b4"]
    assert (square in ahead.losses) is lost


@pytest.mark.parametrize(
    "pieces",
    ["rKh1 bKa7 yKg14 gKn8 bRd1", "rKh1 bKa7 yKg14 gKn8 gQh10 rPd2"],
)
def test_a_king_in_check_is_a_piece_under_attack(pieces: str, four: Callable[..., Position]) -> None:
    ahead = Lookahead(four("survivor", pieces))
    assert not ahead.attackers
    assert level4.attacked(ahead) and level4.contact(ahead)


def test_no_setup_goes_on_in_check() -> None:
    position = after("d2d4 g8f6 c1f4 e7e6 e2e3 f8b4", "standard")
    ahead = Lookahead(position)
    assert position.checked() and not ahead.attackers
    assert level4.prepared(ahead) == []


@pytest.mark.parametrize("variant", some(2, "standard", "survivor", "ffa", "teams"))
def test_whole_games_by_legal_moves(variant: str) -> None:
    """One seat for each level. The same seed gives the same game: its first sixty plies are played again."""
    games: list[list[str]] = []
    for most in (200, 60):
        position = opening(variant, seed=7)
        players = [chooser(level, f"whole {level}") for level in (4, 3, 2, 1)[: len(position.seats)]]
        games.append([])
        for _ in range(most):
            if position.outcome is not None:
                break
            text = players[position.turn](position, 0)
            position = position.play(position.walk or position.find(text))
            games[-1].append(position.fen())
    assert games[0][:60] == games[1]


def places(variant: str) -> Iterator[Position]:
    """Three starting arrays of a variant, and twenty positions of random games."""
    arrays = [array for array, _ in rules_of(variant).starts]
    for array in (arrays[0], arrays[len(arrays) // 2], arrays[-1]):
        yield opening(variant, setup=array)
    chance, position, count = random.Random(variant), opening(variant), 0
    while count < 20:
        for _ in range(chance.randrange(1, 12)):
            if position.outcome is not None:
                position = opening(variant, seed=chance.randrange(960))
            position = position.play(position.walk or chance.choice(position.legal_moves))
        if position.outcome is None and not position.walk:
            count += 1
            yield position


@pytest.mark.slow
def test_every_level_plays_every_variant() -> None:
    failed = []
    for variant in VARIANTS:
        for position in places(variant):
            for level in LEVELS:
                try:
                    assert chooser(level, 1)(position, 0) in position.legal_texts()
                except Exception as error:  # noqa: BLE001 - told below, with all others
                    failed.append((variant, level, position.fen(), repr(error)))
    assert not failed


def test_chance_decides_between_moves_that_are_as_good(four: Callable[..., Position]) -> None:
    position = four("survivor", KINGS)
    assert {chooser(1, seed)(position, 0) for seed in range(60)} == set(position.legal_texts())


def test_no_such_level() -> None:
    with pytest.raises(ValueError, match="Levels are 1 to 5, not 9"):
        chooser(9)
