"""Requests about games that are played or were: search for them, and add up a player's results."""

from collections.abc import Iterable
from typing import Final

from fourfold.engine.match import State, Status
from fourfold.engine.match.clock import Control
from fourfold.protocol import from_client as ask
from fourfold.protocol import from_server as wire
from fourfold.server.archive.facts import Cursor, GameFacts, Record, Search, SeatFacts, Tally, is_public, seats_of
from fourfold.server.lobby.index import ListingFilter
from fourfold.server.players.identity import is_bot
from fourfold.server.rooms.registry import NoSuchRoom
from fourfold.server.sessions.ratings import change
from fourfold.server.sessions.session import Session
from fourfold.server.storage.event_log import UnreadableEntry

RUNNING: Final = 10
"""How many games of the store, which are read from their logs, a page begins with at most."""


async def search(session: Session, request: ask.Games) -> None:
    """List games: first those that have not left the store, then those of the archive."""
    private = request.player == session.player_id
    if request.room is not None:
        await session.room(request)  # whoever may see the room may see its games
        private = True
    wanted = Search(
        player=request.player,
        other=request.with_,
        variant=request.variant,
        result=request.result,
        since=request.since,
        until=request.until,
        after=None if request.after is None else Cursor.read(request.after),
        limit=request.limit + 1,
        private=private,
        room=request.room,
    )
    # The store first: what leaves it meanwhile is found twice, and not missed.
    games = [] if request.after is not None else await _in_store(session, wanted)
    found = await session.services.archive.search(wanted)
    more, found = len(found) > request.limit, found[: request.limit]
    archived = {(facts.room, facts.number) for facts in found}
    games = [game for game in games if (game.room, game.number) not in archived]
    games += map(_game, found)
    last = str(Cursor(found[-1].ended, found[-1].room, found[-1].number)) if more else None
    session.reply(wire.Games(games, last), request.id)


async def _in_store(session: Session, wanted: Search) -> list[wire.Game]:
    """The games that are played, and those that are over but not archived yet."""
    services, player = session.services, wanted.player
    if wanted.room is not None:
        rooms = [wanted.room]
    elif player is not None:
        rooms = await services.player_rooms.of(player, RUNNING)
    else:
        part = ListingFilter(wanted.variant, "playing", RUNNING)
        rooms = [listing.room for listing in services.lobby.find(part)[0] if not listing.locked]
    games = []
    for id in rooms:
        try:
            room = await services.rooms.find(id)
        except (NoSuchRoom, UnreadableEntry):
            room = None
        state = None if room is None else room.shown_to(session.player_id)
        left = room is None or room.has_left
        if player is not None and (left or state is None or state.seat_of(player) is None):
            await services.player_rooms.forget(player, id)
        if state is not None and _is_wanted(state, wanted):
            games.append(_of_state(id, state))
    return sorted(games, key=lambda game: (game.ended or 2**53, game.started), reverse=True)


def _is_wanted(state: State, wanted: Search) -> bool:
    """Whether a search finds the game that a state is of."""
    if state.status is Status.OPEN or not (wanted.private or is_public(state)):
        return False
    seats = seats_of(state)
    players = [seat.player for seat in seats]
    results = {seat.result for seat in seats if wanted.player in (None, seat.player)}
    ended = state.at if state.status is Status.FINISHED else None
    return (
        (wanted.player is None or wanted.player in players)
        and (wanted.other is None or wanted.other in players)
        and wanted.variant in (None, state.variant)
        and (wanted.result is None or wanted.result in results)
        and (wanted.since is None or ended is None or ended >= wanted.since)
        and (wanted.until is None or (ended is not None and ended <= wanted.until))
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
    """Add up how a player's archived games have ended."""
    private = request.player == session.player_id
    record = await session.services.archive.record(request.player, private=private)
    session.reply(
        wire.Results(
            request.player,
            record.name,
            record.since,
            [wire.ByVariant(*_counts(one), one.kind[0], _places(record, one.kind[0])) for one in record.variants],
            [wire.BySeat(*_counts(one), *one.kind) for one in record.seats],
            [wire.Against(*_counts(one), *one.kind) for one in record.against],
        ),
        request.id,
    )


def _counts(tally: Tally) -> tuple[int, int, int]:
    return tally.won, tally.drawn, tally.lost


def _places(record: Record, variant: str) -> list[int]:
    last = max(place for kind, place in record.places if kind == variant)
    return [record.places.get((variant, place), 0) for place in range(1, last + 1)]
