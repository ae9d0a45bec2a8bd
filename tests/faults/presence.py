"""Checks that the presence sent to clients is true."""

from collections.abc import Collection, Iterable

from fourfold.clients.table import Table
from tests.faults.guests import Guest


def mistakes(guests: Iterable[Guest]) -> list[str]:
    """Present players' wrong beliefs: whom they take to be here, and whom they miss."""
    all = list(guests)
    return [text for guest in all if guest.room and not guest.gone for text in [mistake(guest, all)] if text]


def mistake(guest: Guest, all: Collection[Guest]) -> str:
    """The wrong beliefs of one of them; empty without any."""
    if guest.table is None:
        return f"{guest.who} has seen nothing of {guest.room}"
    there = [one.connection for one in all if one.room == guest.room and not one.gone]
    players, names = {one.player for one in there}, {one.name for one in there}
    seats = guest.table.seats
    online = {name for name, seat in seats.items() if seat.player in players or seat.stand_in in names}
    told = seats.keys() - guest.away
    if told != online:
        return f"{guest.who} in {guest.room} takes {sorted(told)} to be here; {sorted(online)} are"
    watchers = sum(watches(one, guest.table) for one in all if one.room == guest.room and not one.gone)
    if guest.world.stopped and guest.watchers != watchers:  # before, watchers come and go all the time
        return f"{guest.who} in {guest.room} counts {guest.watchers} watchers; there are {watchers}"
    return ""


def watches(guest: Guest, table: Table) -> bool:
    """Whether a guest counts as a watcher of a table."""
    me = guest.connection
    return not guest.preview and all(
        seat.player != me.player and seat.stand_in != me.name for seat in table.seats.values()
    )
