"""Progress bars on standard error, if it is a terminal; no output to a file or a pipe."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Final, TypeVar

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

T = TypeVar("T")
Update = Callable[..., None]
"""Called with the amount done, and with `text` to show beside the bar."""

_BARS: Final = Progress(
    TextColumn("{task.description}"),
    BarColumn(),
    TextColumn("{task.percentage:>3.0f} %"),
    TimeRemainingColumn(),
    TextColumn("{task.fields[text]}"),
    console=Console(stderr=True),
    refresh_per_second=2,  # drawing takes time of the measuring process
    transient=True,
)


@contextmanager
def bar(what: str, total: float) -> Iterator[Update]:
    """A bar for some work, until the context ends; below the bar of the enclosing work, if any."""
    if not _BARS.console.is_terminal:
        yield lambda done, text="": None
        return
    outermost = not _BARS.tasks
    if outermost:
        _BARS.start()
    task = _BARS.add_task(what, total=total, text="")
    try:
        yield lambda done, text="": _BARS.update(task, completed=done, text=text)
    finally:
        _BARS.remove_task(task)
        if outermost:
            _BARS.stop()


def track(what: str, items: Iterable[T]) -> Iterator[T]:
    """The items, with a bar that counts the finished ones."""
    known = list(items)
    with bar(what, len(known)) as update:
        for done, item in enumerate(known):
            update(done)
            yield item
