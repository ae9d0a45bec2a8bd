"""The engine's errors: unreadable text (`InvalidNotation`), an impossible position (`InvalidSetup`), an illegal move
(`IllegalMove`). Each has a stable code for programs and a sentence for people.

>>> from fourfold.engine import EngineError, Position
>>> try:
...     Position.start().play("e2e5")
... except EngineError as error:
...     print(error.code, error)
cannot_move_there The pawn on e2 cannot go to e5.
"""

from __future__ import annotations

from dataclasses import dataclass


class EngineError(ValueError):
    """The base class of the engine's errors."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(code, message)
        self.code = code
        """A stable identifier, such as ``cannot_move_there``."""
        self.message = message
        """A sentence for people. `str` gives the same."""

    def __str__(self) -> str:
        return self.message


class InvalidNotation(EngineError):
    """The text does not follow its notation, or names an unknown variant, setup or square."""


class IllegalMove(EngineError):
    """The move is readable, but not legal in this position."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One reason why no game can start from a setup."""

    code: str
    """A stable identifier, such as ``missing_king``."""
    message: str
    """A sentence for people."""


class InvalidSetup(EngineError):
    """The position is readable, but no game can start from it. `code` is that of the first fault."""

    def __init__(self, faults: tuple[Fault, ...]) -> None:
        super().__init__(faults[0].code, " ".join(fault.message for fault in faults))
        self.args = (faults,)  # unpickling calls the class with these
        self.faults = faults
        """Every reason, at least one."""
