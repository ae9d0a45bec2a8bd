"""Trees of any shape survive writing and reading in every format, and no text crashes a parser."""

import io
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from fourfold.engine.notation import comments, movetext, pgn, pgn4, smith
from fourfold.engine.notation.game import Game, Line, Step
from fourfold.engine.position import Position
from fourfold.engine.variants import opening
from tests.conftest import some

WORDS = st.text("abc ,.()[]$%;!?12\n", max_size=12).map(comments.lines)


def line(data: st.DataObject, position: Position, longest: int, depth: int) -> Line:
    """A line of random moves, with annotations and nested variations."""
    made = Line(comment=data.draw(WORDS))
    for _ in range(data.draw(st.integers(1, longest))):
        moves = sorted(position.legal_moves, key=lambda move: move.text)
        if not moves:
            break
        step = Step.of_move(position, data.draw(st.sampled_from(moves)))
        step.comment = data.draw(WORDS)
        step.nags = tuple(data.draw(st.lists(st.integers(0, 255), max_size=2, unique=True)))
        step.clock = data.draw(st.none() | st.integers(0, 10**8))
        if depth and data.draw(st.integers(0, 4)) == 0:
            step.variations.append(line(data, position, 3, depth - 1))
        made.steps.append(step)
        position = step.after
    return made


@settings(max_examples=30)
@given(st.data(), st.sampled_from(["standard", "survivor", "ffa", "teams"]))
def test_any_tree_is_read_as_it_was_written(data: st.DataObject, variant: str) -> None:
    start = opening(variant)
    game = Game(start, line=line(data, start, 8, depth=2))
    notation = pgn if variant == "standard" else pgn4
    (again,) = notation.read(notation.write(game))
    assert again.failure is None
    assert again.line == game.line
    assert smith.read(smith.write(game)).position == game.position


LONG = st.text("ab{ é%[", min_size=1, max_size=100) | st.sampled_from(["[%eval 0.3]", "word " * 12, ""])


@settings(max_examples=100)
@given(st.lists(LONG, max_size=8), st.sampled_from(["\n", " ", "\r\n", "\u2028"]), st.sampled_from(["e2e4", "g1f3"]))
def test_a_comment_of_any_lines_is_read_as_it_was_written(parts: list[str], between: str, move: str) -> None:
    start = opening("standard")
    step = Step.of_move(start, start.find(move))
    step.comment = comments.lines(between.join(parts))
    for notation in (pgn, pgn4):
        begin = start if notation is pgn else opening("ffa")
        if notation is pgn4:
            step = Step.of_move(begin, begin.find("h2h3"))
            step.comment = comments.lines(between.join(parts))
        text = notation.write(Game(begin, line=Line([step])))
        (again,) = notation.read(text)
        assert again.line.steps[0].comment == step.comment, text


def test_lines_that_a_program_filled_are_one_and_others_are_kept() -> None:
    filled = (
        "1. e4 {This is a remark that goes on for so long that a program, which fills\n"
        "lines of eighty characters, had to break it; and once more, because it is so\nlong.} e5 *"
    )
    (game,) = pgn.read(filled)
    assert "fills lines of" in game.line.steps[0].comment and "\n" not in game.line.steps[0].comment
    (game,) = pgn.read("1. e4 {First.\nSecond.\n\nThird.} e5 ; rest {of} line\n*")
    assert [step.comment for step in game.line.steps] == ["First.\nSecond.\n\nThird.", "rest {of} line"]


def smith_games(text: str) -> Iterator[Game]:
    yield smith.read(text)


TAGS = st.sampled_from(['[Event "x"]\n', '[FEN "8"]\n', '[Variant "Teams"]\n'])
MOVES = st.sampled_from(["1. e4", "e5", "e2e4", "h2-h3 ..", "b8-c8", "Kh1-h2R", "{[%clk 9:99:99.9999]}", "1-0"])
NOISE = st.text('12.eNRTSx#()[]{}$;*%!?"\\\n \0é', max_size=5)


@pytest.mark.parametrize("read", [pgn.read, pgn4.read, smith_games])
@given(text=st.lists(TAGS | MOVES | NOISE | st.text(max_size=4)).map(" ".join))
def test_no_text_makes_a_reader_fail(read: Callable[[str], Iterator[Game]], text: str) -> None:
    for game in read(text):
        assert game.failure is None or game.failure.reason


def test_a_byte_order_mark_is_no_move() -> None:
    (game,) = pgn.read("\ufeff1. e4 *")
    assert game.failure is None and game.plies == 1


def test_parentheses_without_end_are_followed_for_a_while_only() -> None:
    (game,) = pgn.read("1. e4 " + "( 1. d4 " * 3000 + ")" * 3000 + " e5 *")
    assert game.failure is None and game.plies == 2
    depth, steps = 0, game.line.steps
    while steps[0].variations:
        depth, steps = depth + 1, steps[0].variations[0].steps
    assert depth == 50
    (again,) = pgn.read(pgn.write(game))
    assert again.plies == 2


WORDS_OF_FILES = st.lists(
    st.sampled_from(
        ['[Event "a"]', '[White "x\ny"]', "[Site", '"]', "[", "Site", '"', "]", "<", ">", "{a comment", "}", "1.", "e4",
         "e5", "Nf3", "1-0", "*", "(", ")", "; rest", "%", "\n", "\n\n", "$1", "!", "½-½", "\ufeff", "bad"]
    ),
    max_size=60,
)  # fmt: skip


@settings(max_examples=150)
@example(words=["[Site", '"]', "[Site", '"]'], between="\n", part=1)
@given(WORDS_OF_FILES, st.sampled_from([" ", "\n"]), st.integers(1, 80))
def test_an_open_file_is_read_like_its_text(words: list[str], between: str, part: int) -> None:
    text = between.join(words)
    whole = list(pgn.read(text))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(movetext, "_PART", part)
        assert list(pgn.read(io.StringIO(text))) == whole


@pytest.mark.parametrize("name", some(2, "sample.pgn", "teams.pgn4", "ffa.pgn4", "solo-classic-2018.pgn4"))
def test_real_files_are_read_game_by_game(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(movetext, "_PART", 500)
    path = Path(__file__).with_name("data") / name
    reader = pgn.read if name.endswith(".pgn") else pgn4.read
    with path.open(encoding="utf-8") as file:
        assert list(reader(file)) == list(reader(path.read_text(encoding="utf-8")))


def test_a_large_file_is_read_as_it_is_needed() -> None:
    taken = 0

    def lines() -> Iterator[str]:
        nonlocal taken
        while True:
            taken += 1
            yield f'[Event "{taken}"]\n\n1. e4 e5 2. Nf3 Nc6 1-0\n\n'

    games = pgn.read(lines())
    for number in range(1, 5_000):
        assert next(games).tags["Event"] == str(number)
        assert taken < number + 2 * movetext._PART // 30
    one = [*["1. e4 e5 {"], *["comment\n"] * 40_000, "} *"]  # one game of many parts
    (game,) = pgn.read(iter(one))
    assert game.plies == 2 and len(game.line.steps[1].comment) == 8 * 40_000 - 1
