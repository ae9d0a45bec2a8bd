"""`fourfold-server moderate`: moderators' actions, on the operator's command line.

Servers may run meanwhile: they are notified at once. Every change adds a row to the audit log.
"""

import argparse
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from fourfold.server.archive.acts import Order
from fourfold.server.archive.people import ADMIN
from fourfold.server.clock import today
from fourfold.server.maintenance.form import Command, declare_nothing, declare_reason, written
from fourfold.server.maintenance.places import NotPossible, Places, open_both
from fourfold.server.maintenance.rooms import CLOSE, KICK, state_of
from fourfold.server.players.accounts import AccountRefused
from fourfold.server.players.actions import Actions
from fourfold.server.players.orders import publish
from fourfold.server.settings import Settings

_UNITS: Final = {"m": 60, "h": 3600, "d": 86_400}


def _seconds(text: str) -> int:
    number, unit = text[:-1], text[-1:]
    if not number.isdecimal() or unit not in _UNITS or not int(number):
        raise argparse.ArgumentTypeError(f"write a time as 30m, 12h or 7d, not {text!r}")
    return int(number) * _UNITS[unit]


class _Actions(Actions):
    """The actions of an operator, while servers may run."""

    async def put(self, order: Order) -> None:
        """Store an order, and notify all servers."""
        await publish(self._store, order)


@asynccontextmanager
async def _open(settings: Settings) -> AsyncIterator[tuple[Places, Actions]]:
    """As `open_both`. Raises `NotPossible` where a moderator would be refused."""
    async with open_both(settings) as places:
        try:
            yield places, _Actions(places, places.store, today)
        except AccountRefused as error:
            raise NotPossible(error.message) from error


def _ordering(kind: str, meaning: str, target: str | None) -> Command:
    """The command that gives an order about a `target` (None: without a target)."""

    def declare(parser: argparse.ArgumentParser) -> None:
        if target is not None:
            parser.add_argument("target", metavar=target.upper(), help=_TARGETS[target])
        about = "duration: 30m, 12h, 7d; unset, for good"
        parser.add_argument("--for", dest="seconds", type=_seconds, metavar="TIME", help=about)
        declare_reason(parser)

    async def run(settings: Settings, arguments: argparse.Namespace) -> int:
        whom = getattr(arguments, "target", "")
        async with _open(settings) as (places, actions):
            if kind == "lock":
                await state_of(places, whom)
            order = await actions.order(arguments.by, ADMIN, kind, whom, arguments.why, arguments.seconds)
        print(_line(order))
        return 0

    return Command(meaning, declare, run)


_TARGETS: Final = {
    "who": "an account's name, a player's id, an address, or a network such as 203.0.113.0/24",
    "player": "an account's name or a player's id; put -- before an id that begins with -",
    "room": "the room's id, the last part of its address",
    "word": "the word",
}


def _line(order: Order) -> str:
    until = "for good" if order.until is None else f"until {written(order.until)}"
    return "  ".join([order.id, order.kind, order.target, until, f"by {order.by}", order.why]).rstrip()


def _declare_lift(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", metavar="ID", help="the order's id, as moderate list shows it")
    declare_reason(parser)


async def _lift(settings: Settings, arguments: argparse.Namespace) -> int:
    async with _open(settings) as (places, actions):
        found = [one for one in await places.archive.orders.in_force(today()) if one.id == arguments.id]
        if not found:
            raise NotPossible(f"No order {arguments.id} is in force; moderate list shows the orders.")
        await actions.end(arguments.by, found[0], arguments.why)
    print(f"lifted: {_line(found[0])}")
    return 0


async def _list(settings: Settings, _: argparse.Namespace) -> int:
    async with open_both(settings) as places:
        for order in await places.archive.orders.in_force(today()):
            print(_line(order))
    return 0


async def _reports(settings: Settings, __: argparse.Namespace) -> int:
    async with _open(settings) as (_, actions):
        for report in await actions.reports():
            print(f"{report.id}  {written(report.at)}  {report.name} ({report.player}) in {report.room}: {report.why}")
            print(f"  by {report.by}; last moves: {' '.join(report.moves) or 'none'}")
            for line in report.lines:
                print(f"  > {line}")
    return 0


def _declare_settle(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", metavar="ID", help="the report's id, as moderate reports shows it")
    declare_reason(parser)


async def _settle(settings: Settings, arguments: argparse.Namespace) -> int:
    async with _open(settings) as (_, actions):
        if not await actions.settle(arguments.by, arguments.id, arguments.why):
            raise NotPossible(f"No report {arguments.id} is open; moderate reports shows the open ones.")
    return 0


def _declare_announce(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("text", metavar="TEXT", help="the text for all connected players")
    declare_reason(parser)


async def _announce(settings: Settings, arguments: argparse.Namespace) -> int:
    async with _open(settings) as (_, actions):
        await actions.announce(arguments.by, arguments.text, arguments.why)
    return 0


COMMANDS: Final = {
    "ban": _ordering("ban", "Ban a player, an address or a network: its connections are closed.", "who"),
    "mute": _ordering("mute", "Forbid a player to chat.", "player"),
    "lock": _ordering("lock", "Let nobody join a room.", "room"),
    "word": _ordering("word", "Ban a word from chat and names.", "word"),
    "silence": _ordering("silence", "Turn chat off on all servers.", None),
    "kick": KICK,
    "close": CLOSE,
    "lift": Command("End an order.", _declare_lift, _lift),
    "list": Command("List the orders in force.", declare_nothing, _list),
    "reports": Command("List the open reports.", declare_nothing, _reports),
    "settle": Command("Settle a report.", _declare_settle, _settle),
    "announce": Command("Send all connected players an announcement.", _declare_announce, _announce),
}
"""The actions by their names."""
