"""The moderators' lists, in lines: orders, reports and acts."""

from datetime import datetime
from typing import Final

from fourfold.clients.terminal.text import words
from fourfold.protocol.from_server import Act, Moderation, Order, Reported

LATEST: Final = 10
"""The number of rows of the audit log in the list."""


def overview(found: Moderation) -> list[str]:
    """The whole list. Commands name orders and reports by their numbers in it."""
    lines = [f"You are {'an admin' if found.role == 'admin' else 'a moderator'}. Reports:"]
    for number, one in enumerate(found.reports, start=1):
        lines += _reported(number, one)
    lines += ["In force:" if found.orders else "No orders are in force."]
    lines += [_order(number, one) for number, one in enumerate(found.orders, start=1)]
    if not found.reports:
        lines[0] = f"{lines[0].partition('.')[0]}. No reports are open."
    if found.acts:
        lines += ["Done lately:", *(_act(one) for one in found.acts[:LATEST])]
    return lines


def _reported(number: int, one: Reported) -> list[str]:
    lines = [
        f"{number} {words.name(one.name)} ({one.player}) in {one.room}, by {words.name(one.reporter)}, "
        f"{_moment(one.at)}: {words.shown(one.why)}"
    ]
    lines += [f"  > {words.shown(line)}" for line in one.lines]
    if one.moves:
        lines.append(f"  last moves: {' '.join(one.moves)}")
    return lines


def _order(number: int, one: Order) -> str:
    about = f" {words.shown(one.name)}" if one.name else ""
    why = f": {words.shown(one.why)}" if one.why else ""
    return f"{number} {one.kind}{about}, {_until(one.until)}, by {words.name(one.by)}{why}"


def _act(one: Act) -> str:
    about = f" {words.shown(one.name)}" if one.name else ""
    until = "" if one.until is None else f", {_until(one.until)}"
    why = f": {words.shown(one.why)}" if one.why else ""
    return f"{_moment(one.at)} {words.name(one.by)}: {one.action}{about}{until}{why}"


def _until(until: int | None) -> str:
    return "for good" if until is None else f"until {_moment(until)}"


def _moment(time: int) -> str:
    return datetime.fromtimestamp(time / 1000).strftime("%Y-%m-%d %H:%M")
