"""Export of a match's game as a `Game` record, and as PGN (two players), PGN4 (four), Smith notation or FEN.

PGN and PGN4 keep undone moves as variations. For a series, the export has the current or last game.
"""

from collections.abc import Iterable
from datetime import UTC, datetime

from fourfold.engine.decisions import Decision
from fourfold.engine.match import events as e
from fourfold.engine.match.history import place
from fourfold.engine.match.state import State
from fourfold.engine.notation.formats import WRITERS
from fourfold.engine.notation.game import Game, Line, Step, result
from fourfold.engine.outcome import Termination

_DEPARTED = {
    e.Resigned: Termination.RESIGNATION,
    e.Flagged: Termination.TIME,
    e.Removed: Termination.ABANDONMENT,
}


class NoSuchFormat(ValueError):
    """The variant has no such format. The message lists its formats."""


def formats(state: State) -> tuple[str, ...]:
    """The export formats of a match."""
    return (state.position.rules.records, "smith", "fen")


def export(site: str, decisions: Iterable[Decision], state: State, format: str) -> str:
    """The text of a match, in one of its `formats`.

    `site` is the value of the tag `Site`. `decisions` is the whole log, and `state` the state after it. Raises
    `NoSuchFormat`.
    """
    known = formats(state)
    if format not in known:
        raise NoSuchFormat(f"Unknown format {format!r}. Formats of {state.variant}: {', '.join(known)}.")
    if format == "fen":
        return state.position.fen()
    game = record(site, decisions, state)
    if format == state.position.rules.records:
        game.tags["Result"] = result(game.position)
    return WRITERS[format](game)


def record(site: str, decisions: Iterable[Decision], state: State) -> Game:
    """The current game as a record: tags, and a tree of steps."""
    steps: list[Step] = []
    undone: list[Step] = []  # in the order of a redo

    def here() -> Step | None:
        return steps[-1] if steps else None

    def play(step: Step) -> None:
        if undone:
            step.variations.append(Line(list(undone)))
            undone.clear()
        steps.append(step)

    for decision in decisions:
        for event in decision.events:
            last = here()
            position = (state.start if last is None else last.after).past_draw()
            match event:
                case e.Moved():
                    step = Step.of_move(position, position.find(event.move))
                    step.clock = None if event.tick is None else event.tick.left
                    play(step)
                case e.Resigned() | e.Flagged() | e.Removed():
                    play(Step.of_departure(position, event.seat, _DEPARTED[type(event)]))
                case e.Undone():
                    cut = place(steps, event.ply)
                    undone[:0] = steps[cut:]
                    del steps[cut:]
                case e.Redone():
                    cut = place(undone, event.plies)
                    steps += undone[:cut]
                    del undone[:cut]
                case e.Finished():
                    termination = event.outcome.termination
                    if position.outcome is not None or termination is Termination.ABORTED:
                        continue  # the board shows the end, or there is none to show
                    if termination is Termination.POINTS:
                        leader = next(seat for seat in position.alive if position.may_claim(seat) is termination)
                        play(Step.of_claim(position, leader))
                    else:
                        play(Step.of_draw(position, termination))
                case e.Rematched():
                    steps.clear()
                    undone.clear()
    start = state.start.replace(seed=0)  # hide the seed: it would reveal the moves of walking kings
    game = Game(start, _tags(site, state), Line(steps))
    if undone:
        game.line.comment = f"Undone: {' '.join(step.move.text for step in undone if step.move is not None)}"
    return game


def _tags(site: str, state: State) -> dict[str, str]:
    date = datetime.fromtimestamp(state.at / 1000, UTC)
    tags = {
        "Event": "Fourfold game" if state.game == 1 else f"Fourfold series, game {state.game}",
        "Site": site,
        "Date": f"{date:%Y.%m.%d}",
        "Round": str(state.game),
        "TimeControl": _time_control(state),
    }
    for name, seat in zip(state.position.seats, state.seats, strict=True):
        tags[name.capitalize()] = seat.name or "?"
    if state.outcome is not None:
        tags["Termination"] = state.outcome.termination.value.replace("_", " ")
    return tags


def _time_control(state: State) -> str:
    """The tag `TimeControl`: seconds, then a plus and the increment, or the delay with a D (``60+5``, ``60+5D``)."""
    if state.clocks is None:
        return "-"
    control = state.clocks.control
    bonus = f"+{control.delay / 1000:g}D" if control.delay else f"+{control.increment / 1000:g}"
    return f"{control.base / 1000:g}{bonus}"
