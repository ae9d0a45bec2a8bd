"""The moves of a game: built from its news, equal to its record; and the list that shows them."""

import random

import pytest
from textual.app import App, ComposeResult

from fourfold.clients.terminal.fullscreen.chronicle import Chronicle
from fourfold.clients.terminal.fullscreen.moves import MoveList
from fourfold.engine.notation.game import Game as Record
from fourfold.engine.notation.game import Step
from fourfold.engine.outcome import Termination
from fourfold.engine.variants import opening
from fourfold.protocol.events import Moved, Redone, Rematched, Undone
from fourfold.protocol.from_server import Update


def record(variant: str, plies: int, seed: int = 1) -> Record:
    """A game of random moves."""
    game = Record(opening(variant))
    chance = random.Random(seed)
    for _ in range(plies):
        moves = sorted(game.position.legal_moves, key=lambda move: move.text)
        game.line.steps.append(Step.of_move(game.position, chance.choice(moves)))
    return game


def moved(step: Step, ply: int) -> Update:
    assert step.move is not None
    return Update("r", ply, 0, [Moved(step.before.seats[step.seat], step.move.text, ply)])


@pytest.mark.parametrize("variant", ["standard", "survivor"])
def test_news_and_record_tell_the_same(variant: str) -> None:
    game = record(variant, 40)
    chronicle = Chronicle()
    for ply, step in enumerate(game.line.steps, 1):
        after = chronicle.after(step.before, moved(step, ply))
        assert after is not None
        chronicle = after
    assert chronicle.entries == Chronicle.of(game).entries
    assert chronicle.position(40) is None
    assert chronicle.position(7) == game.line.steps[7].before


def test_undo_shortens_redo_and_gaps_want_the_record() -> None:
    game = record("standard", 6)
    chronicle = Chronicle.of(game)
    undone = chronicle.after(game.position, Update("r", 9, 0, [Undone(2, 4, "", {}, {})]))
    assert undone is not None
    assert [entry.ply for entry in undone.entries] == [1, 2, 3, 4]
    assert undone.after(game.position, Update("r", 10, 0, [Redone(2, 6, [], "", {}, {})])) is None
    assert undone.after(game.line.steps[5].before, moved(game.line.steps[5], 6)) is None
    fresh = chronicle.after(game.position, Update("r", 9, 0, [Rematched(2, [])]))
    assert fresh is not None
    assert len(fresh) == 0


def test_a_record_that_came_late_is_carried_on() -> None:
    game = record("survivor", 12)
    moves = [step.move.text for step in game.line.steps if step.move is not None]
    early = Record(game.start)
    early.line.steps = game.line.steps[:8]
    reached = Chronicle.of(early).reaching(early.position, moves)
    assert reached is not None
    assert reached.entries == Chronicle.of(game).entries
    ahead = Chronicle.of(game).reaching(game.position, moves[:8])
    assert ahead is not None
    assert ahead.entries == Chronicle.of(early).entries
    gone = early.position.eliminate(early.position.turn, Termination.RESIGNATION)
    following = sorted(gone.legal_texts())[0]
    assert Chronicle.of(early).reaching(early.position, [*moves[:8], following]) is None


def test_what_was_taken_is_counted_up_to_a_ply() -> None:
    game = record("standard", 60, seed=5)
    chronicle = Chronicle.of(game)
    for ply in (0, 30, 60):
        position = chronicle.position(ply) or game.position
        taken = sum(map(len, chronicle.taken(ply).values()))
        assert taken == 32 - len(position.pieces())


class Listing(App[None]):
    """A list alone."""

    CSS = "MoveList { width: 33; height: 8; border-top: solid white; }"

    def __init__(self) -> None:
        super().__init__()
        self.chosen: list[int] = []

    def compose(self) -> ComposeResult:
        yield MoveList()

    def on_move_list_chosen(self, event: MoveList.Chosen) -> None:
        self.chosen.append(event.ply)


async def test_the_move_that_is_looked_at_is_in_sight() -> None:
    game = record("survivor", 60)
    chronicle = Chronicle.of(game)
    app = Listing()
    async with app.run_test(size=(80, 24)) as pilot:
        shown = app.query_one(MoveList)

        async def text(ply: int) -> str:
            shown.show(chronicle, game.start.seats, 0, ply)
            await pilot.pause()
            return "\n".join(shown.render_line(y).text for y in range(7))

        assert chronicle.entries[-1].text in await text(60)
        assert chronicle.entries[0].text in await text(1)
        assert chronicle.entries[29].text in await text(30)
        await text(0)
        await pilot.click(MoveList, offset=(6, 1))
        await pilot.click(MoveList, offset=(20, 2))
        assert app.chosen == [1, 4]


async def test_the_marks_of_a_review_stand_behind_the_moves() -> None:
    game = record("standard", 4)
    chronicle = Chronicle.of(game)
    app = Listing()
    async with app.run_test(size=(80, 24)) as pilot:
        shown = app.query_one(MoveList)
        shown.show(chronicle, game.start.seats, 0, 4, {2: "??", 3: "?!"})
        await pilot.pause()
        text = "\n".join(shown.render_line(y).text for y in range(2))
        first, second, third, fourth = (entry.text for entry in chronicle.entries)
        assert text.split() == ["1", first, f"{second}??", "2", f"{third}?!", fourth]
