"""The three kinds of errors: text that cannot be read (`InvalidNotation`), a position that is impossible
(`InvalidSetup`), a move that may not be made (`IllegalMove`). Each has stable codes for programs and a sentence for
people.
"""

from __future__ import annotations

from dataclasses import dataclass


class InvalidNotation(ValueError):
    """Text that cannot be read in its notation."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message

    def __reduce__(self) -> tuple[type[InvalidNotation], tuple[str, str]]:
        return type(self), (self.code, self.message)


class IllegalMove(ValueError):
    """A readable move that the position does not allow."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message

    def __reduce__(self) -> tuple[type[IllegalMove], tuple[str, str]]:
        return type(self), (self.code, self.message)


@dataclass(frozen=True, slots=True)
class Fault:
    """One reason why no game can begin from a setup."""

    code: str
    message: str


class InvalidSetup(ValueError):
    """A readable setup that no game can begin from; `faults` has every reason at once."""

    def __init__(self, faults: tuple[Fault, ...]) -> None:
        super().__init__(" ".join(fault.message for fault in faults))
        self.faults = faults

    def __reduce__(self) -> tuple[type[InvalidSetup], tuple[tuple[Fault, ...]]]:
        return type(self), (self.faults,)
