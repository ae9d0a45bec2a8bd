"""One test for all cases of a rule: it names every failing case, and the report has one line per rule."""

import functools
import inspect
from collections.abc import Callable, Iterable
from typing import Any

import pytest


def each(
    names: str | tuple[str, ...], cases: Iterable[Any], ids: Callable[[Any], str] = repr
) -> Callable[[Callable[..., None]], Any]:
    """Call a test once with each case as its argument or arguments. Its other arguments are fixtures and parameters.

    `ids` returns a case's name in the report. The test must not change its fixtures: all cases share them.
    """
    found = list(cases)
    assert found, "a test without cases can't fail"

    def wrap(test: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(test)
        def run(**others: Any) -> None:
            failed: list[str] = []
            for case in found:
                given = {names: case} if isinstance(names, str) else dict(zip(names, case, strict=True))
                try:
                    test(**given, **others)
                except (Exception, pytest.fail.Exception) as error:  # noqa: BLE001  # told below, with all others
                    failed.append(f"{ids(case)}: {type(error).__name__}: {error}")
            if failed:
                pytest.fail(f"{len(failed)} of {len(found)} cases fail:\n" + "\n".join(failed), pytrace=False)

        signature = inspect.signature(test)
        own = (names,) if isinstance(names, str) else names
        others = [parameter for name, parameter in signature.parameters.items() if name not in own]
        run.__signature__ = signature.replace(parameters=others)  # type: ignore[attr-defined]  # pytest reads it
        return run

    return wrap
