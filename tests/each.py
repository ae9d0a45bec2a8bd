"""One test for all cases of a rule: it names every failing case, and the report has one line per rule."""

import functools
import inspect
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest


def each(
    names: str | tuple[str, ...], cases: Iterable[Any], ids: Callable[[Any], str] = repr
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Call a test once with each case as its argument or arguments. Its other arguments are fixtures and parameters.
    It may be a coroutine function, or a method.

    `ids` returns a case's name in the report. The test must not change its fixtures: all cases share them.
    """
    own = (names,) if isinstance(names, str) else names
    found = [(ids(case), dict(zip(own, (case,) if isinstance(names, str) else case, strict=True))) for case in cases]
    assert found, "a test without cases can't fail"

    def wrap(test: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(test)
        def run(*instance: Any, **others: Any) -> None:
            with _reported(len(found)) as failed:
                for name, case in found:
                    with _noted(name, failed):
                        test(*instance, **case, **others)

        @functools.wraps(test)
        async def run_async(*instance: Any, **others: Any) -> None:
            with _reported(len(found)) as failed:
                for name, case in found:
                    with _noted(name, failed):
                        await test(*instance, **case, **others)

        wrapped = run_async if inspect.iscoroutinefunction(test) else run
        signature = inspect.signature(test)
        others = [parameter for name, parameter in signature.parameters.items() if name not in own]
        wrapped.__signature__ = signature.replace(parameters=others)  # type: ignore[attr-defined]  # pytest reads it
        return wrapped

    return wrap


@contextmanager
def _noted(name: str, failed: list[str]) -> Iterator[None]:
    """Goes on after a case that fails, and notes it."""
    try:
        yield
    except (Exception, pytest.fail.Exception) as error:  # noqa: BLE001  # told below, with all others
        failed.append(f"{name}: {type(error).__name__}: {error}")


@contextmanager
def _reported(count: int) -> Iterator[list[str]]:
    """Fails in the end, with all cases that were noted."""
    failed: list[str] = []
    yield failed
    if failed:
        pytest.fail(f"{len(failed)} of {count} cases fail:\n" + "\n".join(failed), pytrace=False)
