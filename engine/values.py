"""Value classes, whose instances are immutable; and compiler hints for classes.

A value starts as a *draft*, whose fields can be assigned, and is sealed when complete. A sealed value refuses
assignments through a method `__setattr__`. Drafts belong to a subclass without this method. Sealing changes their class
to the value class. This makes creation as fast as for any other object. Frozen dataclasses assign each field through a
function call, and take four times as long.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, FrozenInstanceError, dataclass, field, fields
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar, dataclass_transform

if TYPE_CHECKING:
    from mypy_extensions import mypyc_attr as mypyc_attr
else:

    def mypyc_attr(**_: object) -> Callable[[type], type]:
        """Give hints to the compiler about a class. Does nothing at run time."""
        return lambda cls: cls


_T = TypeVar("_T")


def draft_class(cls: type[_T], compiled: bool = False) -> type[_T]:
    """Make the instances of a class with slots immutable, and return the class of their drafts.

    Seal a draft by ``draft.__class__ = cls``. Instances of a compiled class cannot change their class, and the class
    cannot have subclasses. There the drafts belong to `cls` itself, and interpreted code may assign to them while their
    field `_open` is true. Compiled code assigns directly and is never refused.
    """

    def __setattr__(self: Any, name: str, value: object) -> None:
        if not compiled or not self._open:
            raise FrozenInstanceError(f"a {cls.__name__} is immutable: cannot assign to its field '{name}'")
        object.__setattr__(self, name, value)

    def __delattr__(self: Any, name: str) -> None:
        raise FrozenInstanceError(f"a {cls.__name__} is immutable: cannot delete its field '{name}'")

    sealed: Any = cls
    sealed.__setattr__, sealed.__delattr__ = __setattr__, __delattr__
    if compiled:
        return cls
    inherited = {"__slots__": (), "__setattr__": object.__setattr__, "__delattr__": object.__delattr__}
    drafts: type[_T] = type(cls.__name__, (cls,), inherited | {"__module__": cls.__module__})
    return drafts


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def value(cls: type[_T]) -> type[_T]:
    """Make a class an immutable dataclass with slots."""
    make: Callable[[type[_T]], Any] = dataclass(slots=True, unsafe_hash=True)
    made = make(cls)
    names = tuple(one.name for one in fields(made))

    def __reduce__(self: Any) -> tuple[object, ...]:
        return made, tuple(getattr(self, name) for name in names)

    made.__init__ = wraps(made.__init__)(_init(made))
    made.__reduce__ = __reduce__
    sealed: type[_T] = made
    return sealed


def _init(cls: type[Any]) -> Callable[..., None]:
    """The `__init__` of a value class: turns the instance into a draft, assigns its fields, seals it. It is generated
    as text, as in dataclasses, because a loop over the fields takes twice as long."""
    scope: dict[str, Any] = {"MISSING": MISSING, "become": object.__dict__["__class__"].__set__}
    scope |= {"Draft": draft_class(cls), "Value": cls}
    parameters, lines = ["self"], ["become(self, Draft)"]
    for one in fields(cls):
        given = one.name
        if one.default_factory is not MISSING:
            scope[f"_{given}"] = one.default_factory
            parameters.append(f"{given}=MISSING")
            lines.append(f"self.{given} = _{given}() if {given} is MISSING else {given}")
            continue
        scope[f"_{given}"] = one.default
        parameters.append(given if one.default is MISSING else f"{given}=_{given}")
        lines.append(f"self.{given} = {given}")
    lines.append("self.__class__ = Value")
    exec("\n    ".join([f"def __init__({', '.join(parameters)}):", *lines]), scope)
    written: Callable[..., None] = scope["__init__"]
    return written
