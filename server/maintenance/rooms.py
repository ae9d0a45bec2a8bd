"""`fourfold-server moderate kick` and `close`: free a seat, or close a room, before its game has begun.

The command does not write to a room's log. It notifies the running servers, and waits until one has carried it out.
"""

import argparse
import asyncio
import secrets
from typing import Final

from fourfold.engine.decisions import Rejection
from fourfold.engine.match import State, decide
from fourfold.engine.match.decide import NOBODY
from fourfold.server.archive.facts import fold
from fourfold.server.clock import monotonic, today
from fourfold.server.maintenance import erasure, inspection
from fourfold.server.maintenance.form import ROOM, Command, argument, declare_reason
from fourfold.server.maintenance.places import NotPossible, Places, in_places
from fourfold.server.rooms.interventions import Intervention, publish
from fourfold.server.storage.event_log import UnreadableEntry
from fourfold.server.storage.records import read

PATIENCE: Final = 10.0
"""Seconds for which the command waits until a server has carried it out."""

LOOK: Final = 0.05
"""Seconds between checks of the room's log."""

_NO_SERVER: Final = "No server runs on this store: nothing was done."
_NOT_DONE: Final = f"No server has done this within {PATIENCE:.0f} s. Check the room, and try again."


async def state_of(places: Places, room: str) -> State:
    """The current state of a room. Raises `NotPossible` and `LogUnavailable`."""
    return (await _looked_at(places, room))[0]


async def _looked_at(places: Places, room: str) -> tuple[State, set[str]]:
    """The current state of a room, and the command keys of its decisions without a player."""
    try:
        _, entries = await inspection.entries_of(places, room)
        decisions = read(entries)
        state, _ = await fold(room, decisions)
    except inspection.NoSuchRoom as error:
        raise NotPossible(f"Unknown room {room}. Give the room's id, the last part of its address.") from error
    except UnreadableEntry as error:
        raise NotPossible(f"The log of room {room} can't be read: {error}") from error
    return state, {decision.key for decision in decisions if decision.by == NOBODY}


def _seat(state: State, who: str) -> str:
    """The seat with this name, or the first seat of the only player with this id or name. Raises `NotPossible`."""
    names = state.position.seats
    if who in names:
        return who
    firsts = [(names[seat], state.seats[seat]) for seat in state.position.rules.players]
    found = [name for name, seat in firsts if who in (seat.player, seat.name)]
    if len(found) != 1:
        what = f"{' and '.join(found)} are both called {who}" if found else f"No player called {who} sits there"
        raise NotPossible(f"{what}. Name the seat, one of {', '.join(names)}.")
    return found[0]


async def _carry_out(places: Places, room: str, seat: str | None, by: str, why: str) -> None:
    """Make servers free a seat, or close the room (None), and wait until one has. Raises `NotPossible`."""
    intervention = Intervention(room, f"command.{secrets.token_hex(12)}", seat)
    command, start = intervention.command(), monotonic()
    state, _ = await _looked_at(places, room)
    _check(state, intervention)
    action = command.__class__.__name__.lower() + ("" if seat is None else f" {seat}")
    await erasure.note(places, by, action, room, why)
    if not await publish(places.store, intervention):
        raise NotPossible(_NO_SERVER)
    while monotonic() - start < PATIENCE:
        state, keys = await _looked_at(places, room)
        if intervention.key in keys:
            return
        _check(state, intervention)
        await asyncio.sleep(LOOK)
    raise NotPossible(_NOT_DONE)


def _check(state: State, intervention: Intervention) -> None:
    """Raises `NotPossible` if the rules of the match do not allow it now."""
    verdict = decide(state, intervention.command(), NOBODY, today())
    if isinstance(verdict, Rejection):
        raise NotPossible(verdict.message)


async def _kick(places: Places, arguments: argparse.Namespace) -> None:
    seat = _seat(await state_of(places, arguments.room), arguments.who)
    await _carry_out(places, arguments.room, seat, arguments.by, arguments.why)
    print(f"{seat} is free")


async def _close(places: Places, arguments: argparse.Namespace) -> None:
    await _carry_out(places, arguments.room, None, arguments.by, arguments.why)
    print(f"{arguments.room} is closed")


KICK: Final = Command(
    "Free a seat before the game has begun. Its player can't come back.",
    in_places(_kick),
    (ROOM, argument("who", metavar="WHO", help="the seat, or the name or id of its player"), declare_reason),
)
CLOSE: Final = Command("Close a room before its game has begun.", in_places(_close), (ROOM, declare_reason))
