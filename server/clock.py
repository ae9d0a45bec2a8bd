"""The time as an argument: whoever needs it is given a `Clock`, so that tests can bring their own."""

from collections.abc import Callable

Clock = Callable[[], int]
"""Gives the time in milliseconds since 1970."""
