"""Values: instances that nobody can change once they are made; and what the compiler is told of classes.

A value is made as a *draft*, whose fields are assigned as usual, and sealed when it is whole. A sealed value refuses
assignments, by a method `__setattr__`. Drafts are of a subclass without this method, and are sealed by becoming
instances of the class itself. So to make a value takes no longer than to make any other object; frozen dataclasses
assign through a function, field by field, and take four times as long.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import FrozenInstanceError, dataclass, field
from types import FunctionType
from typing import TYPE_CHECKING, Any, TypeVar, dataclass_transform

if TYPE_CHECKING:
    from mypy_extensions import mypyc_attr as mypyc_attr
else:

    def mypyc_attr(**_: object) -> Callable[[type], type]:
        """A decorator that tells the compiler how to compile a class; it does nothing at run time."""
        return lambda cls: cls


_T = TypeVar("_T")


def draft_class(cls: type[_T]) -> type[_T]:
    """Seal the instances of a class with slots, and return the class of their drafts.

    A draft is sealed by ``draft.__class__ = cls``. Instances of a compiled class cannot change their class, and nothing
    can inherit from it: there its drafts are of the class itself, and it has a field `_open`, which is true while code
    that is not compiled may assign to the others. Compiled code assigns directly, and is not refused.
    """
    compiled = not any(isinstance(member, FunctionType) for member in vars(cls).values())

    def __setattr__(self: Any, name: str, value: object) -> None:
        if not compiled or not self._open:
            raise FrozenInstanceError(f"a {cls.__name__} never changes: its field '{name}' cannot be assigned")
        object.__setattr__(self, name, value)

    def __delattr__(self: Any, name: str) -> None:
        raise FrozenInstanceError(f"a {cls.__name__} never changes: its field '{name}' cannot be deleted")

    made: Any = cls
    made.__setattr__, made.__delattr__ = __setattr__, __delattr__
    if compiled:
        return cls
    inherited = {"__slots__": (), "__setattr__": object.__setattr__, "__delattr__": object.__delattr__}
    drafts: type[_T] = type(cls.__name__, (cls,), inherited | {"__module__": cls.__module__})
    return drafts


checked = False
"""Whether instances refuse at run time to be changed. The tests set this before they import the match."""


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def value(cls: type[_T]) -> type[_T]:
    """A dataclass with slots that nobody assigns to. The type checker sees to that, and in tests the instance itself
    (`checked`); elsewhere not, since a frozen instance takes four times as long to make, and games make many."""
    make: Callable[[type[_T]], Any] = dataclass(slots=True, unsafe_hash=True, frozen=checked)
    made: type[_T] = make(cls)
    return made
