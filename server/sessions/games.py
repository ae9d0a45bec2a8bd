"""Requests about running and finished games: search, download the player's own games, sum up a player's results."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import Final

from fourfold.engine.match import Decision, State, Status
from fourfold.engine.match.clock import Control
from fourfold.protocol import from_client as ask
from fourfold.protocol import from_server as wire
from fourfold.server.archive.facts import (
    Cursor,
    GameFacts,
    Record,
    Search,
    SeatFacts,
    Tally,
    Win,
    fold,
    folded,
    is_public,
    seats_of,
)
from fourfold.server.archive.texts import is_written, joined
from fourfold.server.archive.texts import write as as_text
from fourfold.server.limits.prices import WRITTEN
from fourfold.server.lobby.index import ListingFilter
from fourfold.server.players.identity import is_bot
from fourfold.server.ratings.standing import UNIT
from fourfold.server.replication.holding import NoSuchRoom
from fourfold.server.rooms.room import Room
from fourfold.server.sessions.ratings import change
from fourfold.server.sessions.session import Session
from fourfold.server.storage.event_log import UnreadableEntry
from fourfold.server.storage.records import read

RUNNING: Final = 10
"""Most running or unarchived games at the head of a page. The server reads these from their logs."""

SEARCHED: Final = 1000
"""How many running games a search covers, newest first."""

PART: Final = 10
"""Archived games examined for one part of a download."""

LARGE: Final = 256 * 1024
"""A part of a download ends after this many characters."""


async def search(session: Session, request: ask.Games) -> None:
    """List games: first those still in the store, then those in the archive."""
    private = request.player == session.player_id
    if request.room is not None:
        await session.room(request)  # players who may see the room may see its games
        private = True
    wanted = replace(
        _wanted(request, request.player, private=private),
        name=request.name,
        room=request.room,
        limit=request.limit + 1,
    )
    # The store first: a game that moves to the archive meanwhile appears twice instead of never.
    there = [] if request.after is not None else await _here(session, wanted)
    games = [_of_state(room.id, state) for room, state in there]
    games.sort(key=lambda game: (game.ended or 2**53, game.started), reverse=True)
    found = await session.services.archive.ask(lambda database: database.search(wanted))
    more, found = len(found) > request.limit, found[: request.limit]
    archived = {(facts.room, facts.number) for facts in found}
    games = [game for game in games if (game.room, game.number) not in archived]
    games += map(_game, found)
    session.reply(wire.Games(games, str(Cursor.behind(found[-1])) if more else None), request.id)


async def download(session: Session, request: ask.Download) -> None:
    """Write some of the player's own finished games: first those still in the store."""
    services, format = session.services, request.format
    wanted = replace(_wanted(request, session.player_id, private=True), limit=PART + 1)
    games = [] if request.after is not None else await _over(session, wanted)
    here = {(facts.room, facts.number) for facts, _ in games}
    found = await services.archive.ask(lambda database: database.search(wanted))
    texts: list[str] = []
    damaged: list[str] = []
    after: Cursor | None = None

    async def write(facts: GameFacts, decisions: list[Decision] | None = None) -> None:
        """Write a game. `decisions` is the log of its room; without it, the log is read from the archive."""
        if not is_written(facts.variant, format):
            return
        try:
            if decisions is None:
                entries = await services.archive.log(facts.room)
                if entries is None:  # it has been erased meanwhile
                    return
                log: Callable[[], list[Decision]] = partial(read, entries)
            else:
                log = decisions.copy
            texts.append(await services.converter.apart(lambda: as_text(facts, log(), format)))
            session.due += WRITTEN
        except UnreadableEntry:
            damaged.append(facts.room)

    for facts, decisions in games:
        await write(facts, decisions)
    for facts in found[:PART]:
        if (facts.room, facts.number) not in here:
            await write(facts)
        after = Cursor.behind(facts)
        if sum(map(len, texts)) > LARGE:
            break
    more = after is not None and after != Cursor.behind(found[-1])
    next = str(after) if more else None
    session.reply(wire.Downloaded(format, joined(texts, format), len(texts), next, damaged), request.id)


def _wanted(request: ask.Games | ask.Download, player: str | None, *, private: bool) -> Search:
    return Search(
        player=player,
        other=request.with_,
        other_name=request.with_name,
        variant=request.variant,
        players=request.players,
        result=request.result,
        since=request.since,
        until=request.until,
        after=None if request.after is None else Cursor.read(request.after),
        private=private,
    )


async def _over(session: Session, wanted: Search) -> list[tuple[GameFacts, list[Decision]]]:
    """A player's finished games that are not archived yet, latest first, with the logs of their rooms."""
    found = []
    for room, state in await _here(session, wanted):
        if state.status is Status.FINISHED:
            decisions = await room.decisions()
            _, games = await fold(room.id, decisions)
            found += [(facts, decisions) for facts in games if facts.number == state.game]
    return sorted(found, key=lambda game: game[0].ended, reverse=True)


def _may_be_wanted(listing: wire.Listing, wanted: Search) -> bool:
    if listing.locked or wanted.players not in (None, len(listing.seats)):
        return False
    names = [folded(seat.name) for seat in listing.seats if seat.name is not None]
    asked = [folded(name) for name in (wanted.name, wanted.other_name) if name is not None]
    return all(names.count(name) >= asked.count(name) for name in asked)


async def _here(session: Session, wanted: Search) -> list[tuple[Room, State]]:
    """The running games, and the finished games that are not archived yet."""
    services, player = session.services, wanted.player
    if wanted.room is not None:
        rooms = [wanted.room]
    elif player is not None:
        rooms = await services.player_rooms.of(player, RUNNING)
    else:
        part = ListingFilter(wanted.variant, "playing", SEARCHED)
        found = (listing for listing in services.lobby.listed(part) if _may_be_wanted(listing, wanted))
        rooms = [listing.room for listing in islice(found, RUNNING)]
    games = []
    for id in rooms:
        try:
            room = await services.rooms.find(id)
        except (NoSuchRoom, UnreadableEntry):
            room = None
        state = None if room is None else room.feed.shown_to(session.player_id)
        left = room is None or room.has_left
        if player is not None and (left or state is None or state.seat_of(player) is None):
            await services.player_rooms.forget(player, id)
        if room is not None and state is not None and _is_wanted(state, wanted):
            games.append((room, state))
    return games


def _is_wanted(state: State, wanted: Search) -> bool:
    """Whether a search matches the game of a state."""
    if state.status is Status.OPEN or not (wanted.private or is_public(state)):
        return False
    seats = seats_of(state)
    ended = state.at if state.status is Status.FINISHED else None
    return (
        any(_plays(seats, index, wanted) for index in range(len(seats)))
        and wanted.variant in (None, state.variant)
        and wanted.players in (None, len(seats))
        and (wanted.since is None or ended is None or ended >= wanted.since)
        and (wanted.until is None or (ended is not None and ended <= wanted.until))
    )


def _plays(seats: Sequence[SeatFacts], index: int, wanted: Search) -> bool:
    """Whether the searched player holds this seat and the required opponent, if any, holds another."""
    seat = seats[index]
    others = [*seats[:index], *seats[index + 1 :]]
    return (
        wanted.player in (None, seat.player)
        and (wanted.name is None or folded(wanted.name) == folded(seat.name))
        and wanted.result in (None, seat.result)
        and (wanted.other is None or wanted.other in [other.player for other in others])
        and (wanted.other_name is None or folded(wanted.other_name) in [folded(other.name) for other in others])
    )


def _of_state(room: str, state: State) -> wire.Game:
    names, outcome = state.position.seats, state.outcome
    over = state.status is Status.FINISHED
    return wire.Game(
        room=room,
        number=state.game,
        variant=state.variant,
        clock=_clock(None if state.clocks is None else state.clocks.control),
        status="finished" if over else "playing",
        seats=_seats(seats_of(state)),
        position=state.position.fen(),
        ply=state.ply,
        started=state.created,
        ended=state.at if over else None,
        reason=None if outcome is None else outcome.termination.value,
        winners=[] if outcome is None else [names[seat] for seat in outcome.winners],
        public=is_public(state),
        unrated=(state.casual or state.unrated or None) if state.terms.rated else "casual",
    )


def _game(facts: GameFacts) -> wire.Game:
    return wire.Game(
        room=facts.room,
        number=facts.number,
        variant=facts.variant,
        clock=_clock(facts.control),
        status="finished",
        seats=_seats(facts.seats),
        position=facts.position,
        ply=facts.plies,
        started=facts.started,
        ended=facts.ended,
        reason=facts.reason,
        winners=list(facts.winners),
        public=facts.public,
        imported=facts.imported,
        unrated=facts.unrated,
    )


def _clock(control: Control | None) -> wire.Control | None:
    return None if control is None else wire.Control(control.base, control.increment, control.delay)


def _seats(seats: Iterable[SeatFacts]) -> list[wire.PlayedSeat]:
    return [
        wire.PlayedSeat(
            one.seat, one.player, one.name, is_bot(one.player), one.result, one.place, one.points, change(one.change)
        )
        for one in seats
    ]


async def results(session: Session, request: ask.Results) -> None:
    """Sum up the outcomes of a player's archived games."""
    private = request.player == session.player_id
    record = await session.services.archive.ask(lambda database: database.record(request.player, private=private))
    session.reply(
        wire.Results(
            request.player,
            record.name,
            record.since,
            [wire.ByVariant(*_counts(one), one.kind[0], _places(record, one.kind[0])) for one in record.variants],
            [wire.BySeat(*_counts(one), *one.kind) for one in record.seats],
            [wire.Against(*_counts(one), *one.kind) for one in record.against],
            [wire.ByLevel(*_counts(one), int(one.kind[0])) for one in record.computers],
            [_win(one) for one in record.best],
        ),
        request.id,
    )


def _win(win: Win) -> wire.Win:
    rating = round(win.rating / UNIT)
    return wire.Win(win.room, win.number, win.variant, win.ended, win.player, win.name, rating)


def _counts(tally: Tally) -> tuple[int, int, int]:
    return tally.won, tally.drawn, tally.lost


def _places(record: Record, variant: str) -> list[int]:
    last = max(place for kind, place in record.places if kind == variant)
    return [record.places.get((variant, place), 0) for place in range(1, last + 1)]
