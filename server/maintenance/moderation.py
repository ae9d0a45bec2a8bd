"""`fourfold-server moderate`: moderators' actions, on the operator's command line.

Servers may run meanwhile: they are notified at once. Every change adds a row to the audit log.
"""

import argparse
from functools import partial
from typing import Final

from fourfold.server.archive.acts import Order
from fourfold.server.archive.people import ADMIN
from fourfold.server.clock import today
from fourfold.server.maintenance.form import ROOM_ID, Argument, Command, argument, declare_reason, written
from fourfold.server.maintenance.places import NotPossible, Places, in_places
from fourfold.server.maintenance.rooms import CLOSE, KICK, state_of
from fourfold.server.players.actions import Actions
from fourfold.server.players.orders import publish

_UNITS: Final = {"m": 60, "h": 3600, "d": 86_400}


def _seconds(text: str) -> int:
    number, unit = text[:-1], text[-1:]
    if not number.isdecimal() or unit not in _UNITS or not int(number):
        raise argparse.ArgumentTypeError(f"write a time as 30m, 12h or 7d, not {text!r}")
    return int(number) * _UNITS[unit]


def actions(places: Places) -> Actions:
    """The actions of an operator, while servers may run."""
    return Actions(places, places.store, today, partial(publish, places.store))


def _ordering(kind: str, meaning: str, *target: Argument) -> Command:
    """The command that gives an order about a `target` (empty: without a target)."""

    async def run(places: Places, arguments: argparse.Namespace) -> None:
        whom = getattr(arguments, "target", "")
        if kind == "lock":
            await state_of(places, whom)
        order = await actions(places).order(arguments.by, ADMIN, kind, whom, arguments.why, arguments.seconds)
        print(_line(order))

    return Command(meaning, in_places(run), (*target, _FOR, declare_reason))


_FOR: Final = argument(
    "--for", dest="seconds", type=_seconds, metavar="TIME", help="duration: 30m, 12h, 7d; unset, for good"
)


def _target(name: str, meaning: str) -> Argument:
    return argument("target", metavar=name, help=meaning)


def _line(order: Order) -> str:
    until = "for good" if order.until is None else f"until {written(order.until)}"
    return "  ".join([order.id, order.kind, order.target, until, f"by {order.by}", order.why]).rstrip()


async def _lift(places: Places, arguments: argparse.Namespace) -> None:
    found = [one for one in await places.archive.orders.in_force(today()) if one.id == arguments.id]
    if not found:
        raise NotPossible(f"No order {arguments.id} is in force; moderate list shows the orders.")
    await actions(places).end(arguments.by, found[0], arguments.why)
    print(f"lifted: {_line(found[0])}")


async def _list(places: Places, _: argparse.Namespace) -> None:
    for order in await places.archive.orders.in_force(today()):
        print(_line(order))


async def _reports(places: Places, _: argparse.Namespace) -> None:
    for report in await actions(places).reports():
        print(f"{report.id}  {written(report.at)}  {report.name} ({report.player}) in {report.room}: {report.why}")
        print(f"  by {report.by}; last moves: {' '.join(report.moves) or 'none'}")
        for line in report.lines:
            print(f"  > {line}")


async def _settle(places: Places, arguments: argparse.Namespace) -> None:
    if not await actions(places).settle(arguments.by, arguments.id, arguments.why):
        raise NotPossible(f"No report {arguments.id} is open; moderate reports shows the open ones.")


async def _announce(places: Places, arguments: argparse.Namespace) -> None:
    await actions(places).announce(arguments.by, arguments.text, arguments.why)


COMMANDS: Final = {
    "ban": _ordering(
        "ban",
        "Ban a player, an address or a network: its connections are closed.",
        _target("WHO", "an account's name, a player's id, an address, or a network such as 203.0.113.0/24"),
    ),
    "mute": _ordering(
        "mute",
        "Forbid a player to chat.",
        _target("PLAYER", "an account's name or a player's id; put -- before an id that begins with -"),
    ),
    "lock": _ordering("lock", "Let nobody join a room.", _target("ROOM", ROOM_ID)),
    "word": _ordering("word", "Ban a word from chat and names.", _target("WORD", "the word")),
    "silence": _ordering("silence", "Turn chat off on all servers."),
    "kick": KICK,
    "close": CLOSE,
    "lift": Command(
        "End an order.",
        in_places(_lift),
        (argument("id", metavar="ID", help="the order's id, as moderate list shows it"), declare_reason),
    ),
    "list": Command("List the orders in force.", in_places(_list)),
    "reports": Command("List the open reports.", in_places(_reports)),
    "settle": Command(
        "Settle a report.",
        in_places(_settle),
        (argument("id", metavar="ID", help="the report's id, as moderate reports shows it"), declare_reason),
    ),
    "announce": Command(
        "Send all connected players an announcement.",
        in_places(_announce),
        (argument("text", metavar="TEXT", help="the text for all connected players"), declare_reason),
    ),
}
"""The actions by their names."""
