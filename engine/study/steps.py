"""The moves of a study as steps of a game, with their positions.

The log stores each step as text. A move is in coordinate notation, and ``--`` is a null move. A departure is its letter
with that of its seat (``Rb``: blue resigned). ``=`` with a reason is an end that the board does not show.
"""

from collections.abc import Iterator
from typing import Final

from fourfold.engine.notation import departure, options
from fourfold.engine.notation.game import NULL_MOVES, Step
from fourfold.engine.outcome import Termination
from fourfold.engine.position import Position
from fourfold.engine.study.state import Chapter, Study
from fourfold.engine.variants import opening_of, rules_of

HELD: Final = 64
"""The number of cached positions of a study: enough for those around the writers' current moves."""

END: Final = "="
"""The first character of a game's end."""


def text_of(step: Step) -> str:
    """The text of a step for the log."""
    if step.move is not None:
        return step.move.text
    if step.reason is None:
        return NULL_MOVES[0]
    if step.reason in departure.REASONS.values():
        return departure.LETTERS[step.reason] + step.before.rules.seats[step.seat].letter
    return END + step.reason.value


def step_of(position: Position, text: str) -> Step:
    """Parse the text of a step from a position. Raises `IllegalMove` and `InvalidNotation`."""
    position = position.past_draw()
    if text.startswith(END):
        reason = Termination(text[1:])
        if reason is Termination.POINTS:
            return Step.of_claim(position, next(seat for seat in position.alive if position.may_claim(seat) is reason))
        return Step.of_draw(position, reason)
    if position.rules.records == "pgn4":
        step = departure.read(position, text)
    else:
        step = Step.of_null_move(position) if text in NULL_MOVES else None
    return step or Step.of_move(position, position.find(text))


def written(step: Step) -> str:
    """A step in SAN or long algebraic notation."""
    if step.move is not None:
        return step.before.san(step.move, step.after)
    if step.reason is None:
        return NULL_MOVES[0]
    return departure.write(step) if step.reason in departure.LETTERS else step.reason.value.replace("_", " ")


def start(chapter: Chapter) -> Position:
    """The starting position of a chapter."""
    rules = rules_of(chapter.variant)
    if chapter.options is not None:
        rules = options.read(chapter.options, rules)
    return opening_of(rules, position=chapter.position)


def position_at(study: Study, chapter: Chapter, number: int) -> Position:
    """The position after a move of a chapter; for move 0, the starting position."""
    for _ in approach(study, chapter, number):
        pass
    return study.positions.held[chapter.number, number]


def approach(study: Study, chapter: Chapter, number: int) -> Iterator[None]:
    """Play the moves up to a position, so that `position_at` finds it in the cache. Yields after each move, so that the
    caller can let other tasks run."""
    held = study.positions.held
    todo = []
    at = number
    while at and (chapter.number, at) not in held:
        todo.append(at)
        at = chapter.nodes[at].parent
    position = held.get((chapter.number, at)) or start(chapter)
    for one in reversed(todo):
        position = step_of(position, chapter.nodes[one].move).after
        yield
    held.pop((chapter.number, number), None)  # the oldest comes first
    held[chapter.number, number] = position
    while len(held) > HELD:
        del held[next(iter(held))]
