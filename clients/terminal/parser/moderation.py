"""The text form of moderators' commands: `moderate ban Bob 7d; spam`, `moderate settle 1; warned`."""

import re
from collections.abc import Callable
from typing import Final

from fourfold.clients.terminal.parser import commands as c
from fourfold.clients.terminal.parser.commands import Command, Unclear

USAGE: Final = (
    "ban WHO [TIME]", "mute WHO [TIME]", "lock ROOM [TIME]", "word WORD [TIME]", "silence [TIME]", "lift N", "settle N",
    "kick ROOM SEAT", "close ROOM", "rename WHO = NAME", "announce TEXT", "appoint WHO moderator|admin|none",
)  # fmt: skip
"""The acts after `moderate`. Each may end in `; WHY`."""

_TIME: Final = re.compile(r"([1-9]\d{0,3})([mhd])")
_UNITS: Final = {"m": 60, "h": 3600, "d": 86_400}


def moderate(rest: str) -> Command:
    """Parse an act of a moderator. Without one, ask for orders, reports and acts."""
    if not rest:
        return c.Moderation()
    act, _, more = rest.partition(" ")
    read = _ACTS.get(act.lower())
    if read is None:
        raise Unclear(f"Moderators write 'moderate' and one of: {', '.join(USAGE)}; add '; WHY' for a reason.")
    about, _, why = more.partition(";")
    command = read(act.lower(), about.strip())
    command.why = why.strip()[:200]
    return command


def _usage(act: str) -> Unclear:
    usage = next(usage for usage in USAGE if usage.startswith(act))
    return Unclear(f"Write 'moderate {usage}', and add '; WHY' for a reason.")


def _ordered(act: str, about: str) -> c.Moderate:
    """Parse an order: its target and its duration. Without a duration, it is for good."""
    target, _, last = about.rpartition(" ")
    time = _TIME.fullmatch(last.lower())
    if time is None:
        target = about
    if bool(target) is (act == "silence"):
        raise _usage(act)
    return c.Moderate(act, target, seconds=None if time is None else int(time[1]) * _UNITS[time[2]])


def _about(act: str, about: str) -> c.Moderate:
    if not about:
        raise _usage(act)
    return c.Moderate(act, about)


def _split(separator: str) -> Callable[[str, str], c.Moderate]:
    """A parser for an act with a target and a text."""

    def read(act: str, about: str) -> c.Moderate:
        target, _, text = (part.strip() for part in about.rpartition(separator))
        if not target or not text:
            raise _usage(act)
        return c.Moderate(act, target, "" if (act, text) == ("appoint", "none") else text)

    return read


def _announced(act: str, about: str) -> c.Moderate:
    return c.Moderate(act, text=_about(act, about).target)


_ACTS: Final[dict[str, Callable[[str, str], c.Moderate]]] = {
    **dict.fromkeys(("ban", "mute", "lock", "word", "silence"), _ordered),
    **dict.fromkeys(("lift", "settle", "close"), _about),
    **dict.fromkeys(("kick", "appoint"), _split(" ")),
    "rename": _split("="),
    "announce": _announced,
}


def report(rest: str) -> Command:
    """Parse a report: its player and its reason."""
    seat, _, why = rest.partition(" ")
    if not why.strip():
        raise Unclear("Report whom, and why? Name the seat: 'report black insults in chat'.")
    return c.Report(seat.lower(), why.strip()[:200])
