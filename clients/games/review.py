"""A game position by position, with its moves in SAN or long algebraic notation. Pure."""

from collections.abc import Collection

from fourfold.engine.notation.game import Game as Record
from fourfold.engine.notation.game import Step
from fourfold.engine.position import Position


class Review:
    """A record to step through. `plies` is its number of moves."""

    def __init__(self, record: Record) -> None:
        self._steps = record.line.steps
        self._positions = [record.start]
        self._lasts: list[str | None] = [None]
        self._moves = ["the start"]
        round, turn = 0, len(record.start.seats)
        for step in self._steps:
            if step.move is not None:
                round, turn = round + (step.seat <= turn or not round), step.seat
                self._moves.append(_numbered(step, round))
            if step.move is None:
                self._positions[-1] = step.after  # a departure changes the ply that it came after
            else:
                self._positions.append(step.after)
                self._lasts.append(step.move.text)

    @property
    def plies(self) -> int:
        """The number of moves in the game."""
        return len(self._positions) - 1

    def since(self, seats: Collection[str]) -> int | None:
        """The number of moves back to the last turn of these seats: their last move and everything after it. None if
        they have not moved."""
        names = self._positions[0].seats
        moved = [names[step.seat] in seats for step in self._steps if step.move is not None]
        return moved[::-1].index(True) + 1 if True in moved else None

    def position(self, ply: int) -> Position:
        """The position after `ply` moves."""
        return self._positions[ply]

    def last(self, ply: int) -> str | None:
        """The move before that position (coordinate notation); None at the beginning."""
        return self._lasts[ply]

    def move(self, ply: int) -> str:
        """The move before that position, with its number: "3. Bc4", "3... Nf6", "2. blue b7-d7"."""
        return self._moves[ply]

    def lines(self) -> list[str]:
        """The moves with their numbers, one line for each round: `1 e4 2 e5`."""
        rounds: list[list[str]] = []
        ply, last = 0, -1
        for step in self._steps:
            turn = step.before.turn
            if turn <= last or not rounds:
                rounds.append([])
            ply += step.move is not None
            last = turn if step.move is not None else last
            rounds[-1].append(f"{ply:>4} {written(step)}" if step.move is not None else f"     {written(step)}")
        width = max((len(cell) for line in rounds for cell in line), default=0)
        return ["  ".join(cell.ljust(width) for cell in line).rstrip() for line in rounds]


def _numbered(step: Step, round: int) -> str:
    """A move with the number of its round; for two players, with the number of the position."""
    seats = step.before.seats
    if len(seats) > 2:
        return f"{round}. {seats[step.seat]} {written(step)}"
    return f"{step.before.ply // 2 + 1}.{'..' * step.seat} {written(step)}"


def written(step: Step) -> str:
    """A step in SAN or long algebraic notation, a departure with its reason, or a null move."""
    if step.move is None:
        if step.reason is None:
            return "--"  # a null move
        seat = step.before.seats[step.seat]
        reason = step.reason.value.replace("_", " ")
        return f"({seat}: {reason})" if step.reason.value in ("resignation", "time", "abandonment") else f"({reason})"
    return step.before.san(step.move, step.after)
