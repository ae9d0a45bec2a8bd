"""Values: instances that nobody can change once they are made; and what the compiler is told of classes.

A value is made as a *draft*, whose fields are assigned as usual, and sealed when it is whole. A sealed value refuses
assignments, by a method `__setattr__`. Drafts are of a subclass without this method, and are sealed by becoming
instances of the class itself. So to make a value takes no longer than to make any other object; frozen dataclasses
assign through a function, field by field, and take four times as long.
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
        """A decorator that tells the compiler how to compile a class; it does nothing at run time."""
        return lambda cls: cls


_T = TypeVar("_T")


def draft_class(cls: type[_T], compiled: bool = False) -> type[_T]:
    """Seal the instances of a class with slots, and return the class of their drafts.

    A draft is sealed by ``draft.__class__ = cls``. Instances of a compiled class cannot change their class, and nothing
    can inherit from it. Its drafts are of the class itself, and their field `_open` is true while code that is not
    compiled may assign to the others. Compiled code assigns directly, and is not refused.
    """

    def __setattr__(self: Any, name: str, value: object) -> None:
        if not compiled or not self._open:
            raise FrozenInstanceError(f"a {cls.__name__} never changes: its field '{name}' cannot be assigned")
        object.__setattr__(self, name, value)

    def __delattr__(self: Any, name: str) -> None:
        raise FrozenInstanceError(f"a {cls.__name__} never changes: its field '{name}' cannot be deleted")

    sealed: Any = cls
    sealed.__setattr__, sealed.__delattr__ = __setattr__, __delattr__
    if compiled:
        return cls
    inherited = {"__slots__": (), "__setattr__": object.__setattr__, "__delattr__": object.__delattr__}
    drafts: type[_T] = type(cls.__name__, (cls,), inherited | {"__module__": cls.__module__})
    return drafts


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def value(cls: type[_T]) -> type[_T]:
    """A dataclass with slots whose instances refuse to be changed."""
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
    """The `__init__` of a value: its instance becomes a draft, has its fields assigned, and is sealed. It is written as
    text, as those of dataclasses are, since a loop over the fields takes twice as long."""
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
