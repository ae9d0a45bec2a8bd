"""Erases a game, all games of a player, or an account for good. The audit log says who asked.

A study is erased with its owner, including the moves of others in it. If a player was only one of the writers, only the
name is removed. Running games are skipped, and so are games that a server is archiving at this moment. A log is removed
from the store, or changed there, only if it has not grown since it was read.
"""

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import NamedTuple

from fourfold.engine.match import State, Status
from fourfold.engine.study import Study
from fourfold.server.archive.acts import record
from fourfold.server.archive.facts import fold
from fourfold.server.archive.people import AccountFacts
from fourfold.server.archive.snapshot import kept_rooms
from fourfold.server.clock import today
from fourfold.server.maintenance import anonymity, studies
from fourfold.server.maintenance.places import Places
from fourfold.server.players import members
from fourfold.server.players.identity import life_of
from fourfold.server.players.members import Change, Member, tombstone
from fourfold.server.players.orders import forget as forget_orders
from fourfold.server.players.orders import publish
from fourfold.server.rooms import node_messages
from fourfold.server.storage.event_log import UnreadableEntry
from fourfold.server.storage.records import Entry, read
from fourfold.server.storage.redis_log import chat_of, room_of, stream

AT_ONCE = 20
"""How many rooms one transaction removes from the archive."""

_PLAYED = "it is still being played; erase it when it is over"
_EDITED = "it is being edited; try again"
_LEAVING = "it is being archived; try again in a minute"
_UNREADABLE = "its log can't be read; erase it with erase --game"


class Erased(NamedTuple):
    """The number of rooms erased (or changed, for an account), the skipped rooms with reasons, and whether there was an
    account."""

    rooms: int
    left: dict[str, str]
    account: bool = False


async def erase_game(places: Places, room: str, by: str, why: str) -> Erased:
    """Erase a room with all games of its series. Raises `LogUnavailable`."""
    there = await places.store.entries(room) or await places.archive.log(room) is not None
    return await _erase(places, "game", room, [room] if there else [], by, why)


async def erase_player(places: Places, player: str, by: str, why: str) -> Erased:
    """Erase all rooms in which a player has a seat, with everybody's games in them, and the player's account. Other
    players' ratings stay. Raises `LogUnavailable`."""
    account = await places.archive.accounts.find(player)
    rooms = {*await places.archive.rooms_of(player), *await rooms_in_store(places, player)}
    erased = await _erase(places, "player", player, sorted(rooms), by, why, noted=account is not None)
    if account is None:
        await places.archive.ratings.erase(player)
    else:
        await _forget_players(places, await shut(places, account, erased=True), erased.left)
    return erased._replace(account=account is not None)


async def rooms_in_store(places: Places, player: str) -> list[str]:
    """The rooms of the store in which a player has a seat, and the player's own studies. Raises `LogUnavailable`."""
    found: set[str] = set()
    async for names in places.store.keys.names(stream("*")):
        found |= {room for room in map(room_of, names) if await _sits(places, room, player)}
    return sorted(found)


async def erase_account(places: Places, player: str, by: str, why: str) -> Erased:
    """Erase an account with its devices, tokens and bots. The games stay, without ids and names. Raises
    `LogUnavailable`.

    A second call handles the rooms that the first one skipped.
    """
    account = await places.archive.accounts.find(player)
    players = [player, *(bot.player for bot in await places.archive.accounts.bots(player))]
    rooms = await _mentioning(places, players)
    if not rooms and account is None:
        return Erased(0, {})
    await note(places, by, "erase account", player, why, len(rooms))
    if account is not None:
        await shut(places, account, erased=True)
    left = {}
    for room in rooms:
        reason = await _forget(places, room, players)
        if reason is not None:
            left[room] = reason
    await _forget_players(places, players, left)
    return Erased(len(rooms) - len(left), left, account is not None)


async def _forget_players(places: Places, players: Sequence[str], left: Collection[str]) -> None:
    """Erase the data of players outside their games. In the rooms `left`, they stay."""
    for one in players:
        await places.archive.ratings.erase(one)
    ordered = await places.archive.orders.about(players)
    names = {player: tombstone(player) for player in players}
    await places.archive.orders.forget(names)
    await forget_orders(places.store, [order.id for order in ordered if order.target in names])
    for order in ordered:
        if order.target not in names:
            await publish(places.store, replace(order, by=names[order.by], changed=order.changed + 1))
    await places.archive.accounts.erase(players)
    await places.store.keys.remove_mentions(players, left)
    await places.archive.scrub()


async def shut(places: Places, account: AccountFacts, *, erased: bool = False) -> list[str]:
    """Close an account and its bots on all servers: their connections end, and their tokens become void. If it is to be
    `erased`, even its creation time is dropped. Returns the players. Raises `LogUnavailable`."""
    now = today()
    bots = await places.archive.accounts.bots(account.player)
    players = {one.player: Member(one.created, "") for one in (account, *bots)}
    void = {one.session: now + life_of(one.session) for one in account.sessions}
    if erased:
        await members.erase(places.store, players, void)
    else:
        void |= {player: now + life_of(player) for player in players}
        await members.publish(places.store, Change(players, void))
    return list(players)


async def note(places: Places, by: str, action: str, target: str, why: str, rooms: int = 0) -> None:
    """Add a row to the audit log. Raises `LogUnavailable`."""
    await places.archive.orders.note(record(by, action, target, why, today(), rooms=rooms))


async def _mentioning(places: Places, players: Collection[str]) -> list[str]:
    """The rooms, in the store or in the archive, whose log mentions some players."""
    ids = [player.encode() for player in players]
    found = set()
    async for names in places.store.keys.names(stream("*")):
        for room in map(room_of, names):
            if _mentions(await places.store.entries(room), ids):
                found.add(room)
    async for rooms in kept_rooms(places.archive):
        for room in rooms:
            try:
                entries = await places.archive.log(room)
            except UnreadableEntry:
                entries = []
            if _mentions(entries or [], ids):
                found.add(room)
    return sorted(found)


def _mentions(entries: list[Entry], ids: list[bytes]) -> bool:
    return any(id in entry.packed for entry in entries for id in ids)


async def _forget(places: Places, room: str, players: Collection[str]) -> str | None:
    """Remove some players from a room's log; returns the reason if it is skipped."""
    try:
        entries = await places.store.entries(room)
        state = await _state(room, entries)
        archived = await places.archive.log(room)  # of a room in the store it may have a part
    except UnreadableEntry:
        return _UNREADABLE
    if state is None and archived is None:
        return _UNREADABLE
    if isinstance(state, Study):
        if state.owner in players:
            return None if await studies.erase(places, room, state) else _EDITED
    elif state is not None and state.status is Status.PLAYING:
        return _PLAYED
    elif state is not None and state.archived:
        return _LEAVING
    log = entries if state is not None else archived or entries
    others = {}
    for player in players:
        if not _mentions(log, [player.encode()]):
            continue
        others[player] = anonymity.new_id()
        log = anonymity.without(log, player, others[player])
    if entries and not await places.store.keys.replace_log(stream(room), log[-len(entries) :]):
        return _PLAYED
    for player, other in others.items():
        if archived is not None:
            await places.archive.rename(room, log[: len(archived)], player, other, anonymity.NAME)
    await _tell(places, room)
    return None


async def _erase(
    places: Places, kind: str, target: str, rooms: list[str], by: str, why: str, *, noted: bool = False
) -> Erased:
    """Erase rooms. `noted` says whether to add a row to the audit log if there are none."""
    if rooms or noted:
        await note(places, by, f"erase {kind}", target, why, len(rooms))
    left: dict[str, str] = {}
    free = []
    for room in rooms:
        reason = await _leave_store(places, room)
        if reason is None:
            free.append(room)
        else:
            left[room] = reason
    for start in range(0, len(free), AT_ONCE):
        await places.archive.erase(free[start : start + AT_ONCE])
    await places.store.keys.remove(map(chat_of, free))
    for room in free:
        await _tell(places, room)
    return Erased(len(free), left)


async def _tell(places: Places, room: str) -> None:
    """Notify servers that a room they hold no longer exists."""
    await places.store.tell(room, node_messages.write(node_messages.Rewritten()))


async def _leave_store(places: Places, room: str) -> str | None:
    """Remove a room's data from the store; returns the reason if it is skipped."""
    try:
        entries = await places.store.entries(room)
        state = await _state(room, entries)
    except UnreadableEntry:
        await places.store.keys.remove([stream(room)])  # nobody can play it any more
        return None
    if isinstance(state, Study):
        return None if await studies.erase(places, room, state) else _EDITED
    if state is not None and state.status is Status.PLAYING:
        return _PLAYED
    if state is not None and state.archived:
        return _LEAVING
    if entries and not await places.store.keys.remove_log(stream(room), entries[-1].seq):
        return _PLAYED
    return None


async def _sits(places: Places, room: str, player: str) -> bool:
    try:
        entries = await places.store.entries(room)
        if not any(player.encode() in entry.packed for entry in entries):
            return False
        state = await _state(room, entries)
    except UnreadableEntry:
        return False
    if isinstance(state, Study):
        return state.owner == player
    return state is not None and state.seat_of(player) is not None


async def _state(room: str, entries: list[Entry]) -> State | Study | None:
    """The state after a log of the store; None if it has left the store or does not exist. Raises `UnreadableEntry`."""
    if not entries or entries[0].seq > 1:
        return None
    decisions = read(entries)
    if studies.is_study(decisions):
        return await studies.fold(decisions)
    return (await fold(room, decisions))[0]
