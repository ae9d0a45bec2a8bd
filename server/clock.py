"""The time as an argument: code that needs it gets a `Clock`, so that tests can supply their own."""

from collections.abc import Callable

Clock = Callable[[], int]
"""Returns the time in milliseconds since 1970."""
