"""Classes whose instances never change, of which the match is made; and what the compiler is told of classes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar, dataclass_transform

if TYPE_CHECKING:
    from mypy_extensions import mypyc_attr as mypyc_attr
else:

    def mypyc_attr(**_: object) -> Callable[[type], type]:
        """A decorator that tells the compiler how to compile a class; it does nothing at run time."""
        return lambda cls: cls


_T = TypeVar("_T")

checked = False
"""Whether instances refuse at run time to be changed. The tests set this before they import the match."""


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def value(cls: type[_T]) -> type[_T]:
    """A dataclass with slots that nobody assigns to. The type checker sees to that, and in tests the instance itself
    (`checked`); elsewhere not, since a frozen instance takes four times as long to make, and games make many."""
    make: Callable[[type[_T]], Any] = dataclass(slots=True, unsafe_hash=True, frozen=checked)
    made: type[_T] = make(cls)
    return made
