"""The three kinds of errors: text that cannot be read (`InvalidNotation`), a position that is impossible
(`InvalidSetup`), a move that may not be made (`IllegalMove`). Each has stable codes for programs and a sentence for
people.
"""

from __future__ import annotations

from dataclasses import dataclass


class EngineError(ValueError):
    """What all of them have: a `code` and a `message`."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(code, message)
        self.code = code
        self.message = message

    def __str__(self) -> str:
        return self.message


class InvalidNotation(EngineError):
    """Text that cannot be read in its notation."""


class IllegalMove(EngineError):
    """A readable move that the position does not allow."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One reason why no game can begin from a setup."""

    code: str
    message: str


class InvalidSetup(EngineError):
    """A readable setup that no game can begin from; `faults` has every reason at once, `code` is that of the first."""

    def __init__(self, faults: tuple[Fault, ...]) -> None:
        super().__init__(faults[0].code, " ".join(fault.message for fault in faults))
        self.args = (faults,)  # what it is made of again when it has been pickled
        self.faults = faults
