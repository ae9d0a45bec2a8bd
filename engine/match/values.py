"""Classes whose instances never change: what the match is made of."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar, dataclass_transform

_T = TypeVar("_T")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def value(cls: type[_T]) -> type[_T]:
    """A frozen dataclass with slots. That nobody assigns to its fields is left to the type checker: to have each
    instance watch over itself makes it four times as expensive to make, and games are made of little else."""
    make: Callable[[type[_T]], Any] = dataclass(slots=True, unsafe_hash=True)
    made: type[_T] = make(cls)
    return made
