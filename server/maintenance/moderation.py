"""`fourfold-server moderate`: moderators' actions, on the operator's command line.

Servers may run meanwhile: they are notified at once. Every change adds a row to the audit log.
"""

import argparse
from collections.abc import Callable, Coroutine
from typing import Any, Final

from fourfold.server.archive.acts import Order, new_order, record
from fourfold.server.clock import today
from fourfold.server.maintenance.form import Command, declare_nothing, declare_reason, written
from fourfold.server.maintenance.places import NotPossible, Places, open_both
from fourfold.server.maintenance.rooms import CLOSE, KICK, state_of
from fourfold.server.players.identity import is_id
from fourfold.server.players.moderation import UNKNOWN, ended
from fourfold.server.players.names import skeleton
from fourfold.server.players.orders import TOO_WIDE, announce, is_everybody, network_of, publish
from fourfold.server.players.words import plain
from fourfold.server.settings import Settings

_UNITS: Final = {"m": 60, "h": 3600, "d": 86_400}


def _seconds(text: str) -> int:
    number, unit = text[:-1], text[-1:]
    if not number.isdecimal() or unit not in _UNITS or not int(number):
        raise argparse.ArgumentTypeError(f"write a time as 30m, 12h or 7d, not {text!r}")
    return int(number) * _UNITS[unit]


async def _person(places: Places, who: str) -> tuple[str, ...]:
    """The ids of an account and its bots, or of a guest. Raises `NotPossible`."""
    tables = places.archive.accounts
    account = await tables.find_either(who, skeleton(who))
    if account is not None:
        return await tables.players(account)
    if not is_id(who):
        raise NotPossible(UNKNOWN.format(who))
    return (who,)


async def _person_or_network(places: Places, who: str) -> tuple[str, ...]:
    network = network_of(who)
    if network is None:
        return await _person(places, who)
    if is_everybody(network):
        raise NotPossible(TOO_WIDE)
    return (str(network),)


async def _room(places: Places, room: str) -> tuple[str, ...]:
    await state_of(places, room)
    return (room,)


async def _word(_: Places, word: str) -> tuple[str, ...]:
    if not plain(word):
        raise NotPossible(f"{word!r} needs at least one letter or digit.")
    return (word,)


async def _nothing(_: Places, __: str) -> tuple[str, ...]:
    return ("",)


_Whom = Callable[[Places, str], Coroutine[Any, Any, tuple[str, ...]]]


def _ordering(kind: str, meaning: str, target: str | None, whom: _Whom) -> Command:
    """The command that gives an order about a `target` (None: without a target)."""

    def declare(parser: argparse.ArgumentParser) -> None:
        if target is not None:
            parser.add_argument("target", metavar=target.upper(), help=_TARGETS[target])
        about = "duration: 30m, 12h, 7d; unset, for good"
        parser.add_argument("--for", dest="seconds", type=_seconds, metavar="TIME", help=about)
        declare_reason(parser)

    async def run(settings: Settings, arguments: argparse.Namespace) -> int:
        async with open_both(settings) as places:
            first, *others = await whom(places, getattr(arguments, "target", ""))
            by, why = arguments.by, arguments.why
            order = new_order(kind, first, tuple(others), by, why, today(), arguments.seconds)
            await _keep(places, order, kind, by, why)
        print(_line(order))
        return 0

    return Command(meaning, declare, run)


_TARGETS: Final = {
    "who": "an account's name, a player's id, an address, or a network such as 203.0.113.0/24",
    "player": "an account's name or a player's id; put -- before an id that begins with -",
    "room": "the room's id, the last part of its address",
    "word": "the word",
}


async def _keep(places: Places, order: Order, action: str, by: str, why: str) -> None:
    row = record(by, action, order.target, why, order.changed, order.until if action == order.kind else None)
    await places.archive.orders.put(order, row)
    await publish(places.store, order)


def _line(order: Order) -> str:
    until = "for good" if order.until is None else f"until {written(order.until)}"
    return "  ".join([order.id, order.kind, order.target, until, f"by {order.by}", order.why]).rstrip()


def _declare_lift(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", metavar="ID", help="the order's id, as moderate list shows it")
    declare_reason(parser)


async def _lift(settings: Settings, arguments: argparse.Namespace) -> int:
    async with open_both(settings) as places:
        now = today()
        found = [one for one in await places.archive.orders.in_force(now) if one.id == arguments.id]
        if not found:
            raise NotPossible(f"No order {arguments.id} is in force; moderate list shows the orders.")
        order = ended(found[0], now)
        await _keep(places, order, f"lift {order.kind}", arguments.by, arguments.why)
    print(f"lifted: {_line(found[0])}")
    return 0


async def _list(settings: Settings, _: argparse.Namespace) -> int:
    async with open_both(settings) as places:
        for order in await places.archive.orders.in_force(today()):
            print(_line(order))
    return 0


async def _reports(settings: Settings, _: argparse.Namespace) -> int:
    async with open_both(settings) as places:
        for report in await places.archive.orders.reports():
            print(f"{report.id}  {written(report.at)}  {report.name} ({report.player}) in {report.room}: {report.why}")
            print(f"  by {report.by}; last moves: {' '.join(report.moves) or 'none'}")
            for line in report.lines:
                print(f"  > {line}")
    return 0


def _declare_settle(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", metavar="ID", help="the report's id, as moderate reports shows it")
    declare_reason(parser)


async def _settle(settings: Settings, arguments: argparse.Namespace) -> int:
    async with open_both(settings) as places:
        row = record(arguments.by, "settle", arguments.id, arguments.why, today())
        if not await places.archive.orders.settle(arguments.id, arguments.why, row):
            raise NotPossible(f"No report {arguments.id} is open; moderate reports shows the open ones.")
    return 0


def _declare_announce(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("text", metavar="TEXT", help="the text for all connected players")
    declare_reason(parser)


async def _announce(settings: Settings, arguments: argparse.Namespace) -> int:
    async with open_both(settings) as places:
        row = record(arguments.by, "announce", arguments.text, arguments.why, today())
        await places.archive.orders.note(row)
        await announce(places.store, arguments.text)
    return 0


COMMANDS: Final = {
    "ban": _ordering("ban", "Ban a player, an address or a network: its connections are closed.", "who",
                     _person_or_network),
    "mute": _ordering("mute", "Forbid a player to chat.", "player", _person),
    "lock": _ordering("lock", "Let nobody join a room.", "room", _room),
    "word": _ordering("word", "Ban a word from chat and names.", "word", _word),
    "silence": _ordering("silence", "Turn chat off on all servers.", None, _nothing),
    "kick": KICK,
    "close": CLOSE,
    "lift": Command("End an order.", _declare_lift, _lift),
    "list": Command("List the orders in force.", declare_nothing, _list),
    "reports": Command("List the open reports.", declare_nothing, _reports),
    "settle": Command("Settle a report.", _declare_settle, _settle),
    "announce": Command("Send all connected players an announcement.", _declare_announce, _announce),
}  # fmt: skip
"""The actions by their names."""
