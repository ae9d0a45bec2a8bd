"""Requests about other people: online players, followed players, and challenges."""

from functools import partial
from typing import Final

from msgspec.structs import replace

from fourfold.engine.match import State
from fourfold.engine.variants import player_seats, rules_of
from fourfold.protocol import from_client as ask
from fourfold.protocol import from_server as wire
from fourfold.server.limits.admission import BOT, CHALLENGE
from fourfold.server.limits.refused import RequestRefused
from fourfold.server.lobby.challenge import Challenge, Side, against, kind_of_game
from fourfold.server.lobby.challenges import LIFE
from fourfold.server.lobby.online import names
from fourfold.server.players.identity import Player, is_bot
from fourfold.server.ratings.levels import level_name, rated_level
from fourfold.server.replication.fanout import Encoded
from fourfold.server.sessions import fair_play
from fourfold.server.sessions.chat import clean
from fourfold.server.sessions.refusals import accepted, refusing, rejecting
from fourfold.server.sessions.session import Session

ORGANIZE: Final = ("", "moderate", "organize")
"""Token scopes that let moderators arrange games between others. The empty scope is that of a signed-in session."""

FOLLOWED: Final = 500
"""How many players an account may follow. `following` lists them all at once."""


def greet(session: Session, player: Player, plays: ask.Plays | None) -> None:
    """Announce a player who has connected, and the games that a bot plays. Send the player their open challenges."""
    told = None if plays is None else wire.Played(list(plays.variants), list(plays.speeds), plays.rated, plays.games)
    session.services.online.come(session, player, told)
    for challenge in session.services.challenges.of(player.id):
        session.send(Encoded(challenge.frame()))


async def list_people(session: Session, request: ask.People) -> None:
    """List online players, and follow the list if asked to; or list the bots for a table."""
    if request.room is not None:
        await _list_bots(session, request)
        return
    online, page = session.services.online, (request.after or "", request.limit)
    if request.follow is False:
        online.unfollow(session)
    people, count, after = online.follow(session, page) if request.follow else online.page(page)
    session.reply(wire.People(people, count, after), request.id)


async def _list_bots(session: Session, request: ask.People) -> None:
    """List the bots that play the kind of game of a room."""
    table = (await session.room(request)).state
    assert table is not None  # a room that was found has one
    game = kind_of_game(table)
    bots = [one for one in session.services.online.bots() if one.plays is None or against(one.plays, *game) is None]
    session.reply(wire.People(bots, len(bots)), request.id)


async def follow(session: Session, request: ask.Follow) -> None:
    """Follow a player who has an account."""
    services, me = session.services, _member(session)
    followed = _account(session, request.player)
    if followed == me:
        raise RequestRefused("no_such_player", "You cannot follow yourself.")
    now = services.clock()
    if not await services.archive.people(lambda tables: tables.follow(me, followed, now, FOLLOWED)):
        raise RequestRefused("too_many_followed", f"You can follow {FOLLOWED} players; unfollow somebody first.")
    session.reply(wire.Ok(), request.id)


async def unfollow(session: Session, request: ask.Unfollow) -> None:
    """Stop following a player."""
    me, followed = _member(session), _account(session, request.player)
    await session.services.archive.people(lambda tables: tables.unfollow(me, followed))
    session.reply(wire.Ok(), request.id)


async def list_followed(session: Session, request: ask.Following) -> None:
    """List the players that a player follows, online ones first."""
    me = _member(session)
    found = await session.services.archive.people(lambda tables: tables.followed(me))
    people = []
    for player, name in found:
        person = session.services.online.get(player)
        if person is None:
            people.append(wire.Followed(player, name, False, is_bot(player)))
        else:
            people.append(wire.Followed(player, name, True, is_bot(player), person.room, person.status))
    people.sort(key=lambda one: not one.online)
    session.reply(wire.Following(people), request.id)


def _member(session: Session) -> str:
    """The id of the player. Refuses players without an account."""
    player = session.player_id
    if not session.services.accounts.identities.roll.has(player):
        raise RequestRefused("no_account", "You need an account to follow players.")
    return player


def _account(session: Session, who: str) -> str:
    """The id of an account, given by id or name."""
    roll = session.services.accounts.identities.roll
    player = who if roll.has(who) else roll.named(who)
    if player is None:
        raise RequestRefused("no_such_player", f"Unknown account {who}. Guests can't be followed.")
    return player


async def challenge(session: Session, request: ask.Challenge) -> None:
    """Challenge players to a game, or invite one to a seat of an open table."""
    services, player = session.services, session.greeted
    services.admission.do(CHALLENGE, session.peer.address)
    id = services.rooms.name("private", f"challenge {player.id}", request.key)
    found = None if request.key is None else await services.challenges.kept(id)
    if found is None:
        made = await _made(session, request, id)
        found = await services.challenges.make(_declined(session, made))
    if found.status == "open" and found.agreed:  # by computer players
        found = await _accept(session, found.id)
    session.reply(found.frame(), request.id)


async def _made(session: Session, request: ask.Challenge, id: str) -> Challenge:
    """The requested challenge, under an id. Raises `RequestRejected` if it can't be made."""
    services, player = session.services, session.greeted
    room = None if request.room is None else await session.room(request)
    table = None if room is None else room.state
    with rejecting():
        sides = _sides(session, request) if table is None else _at_table(session, request, table)
        rated = request.rated and not rules_of(request.variant).one_player_a_team
    if table is None and all(side.player != player.id for side in sides):
        with refusing():
            await services.moderation.require(player, scopes=ORGANIZE)
    for _ in filter(lambda side: side.level is not None, sides):
        services.admission.do(BOT, session.peer.address)
    if room is not None and any(side.level is not None for side in sides):
        await fair_play.require_no_double(session, room)
    now, clock = services.clock(), request.clock
    made = Challenge(
        id=id,
        by=player.id,
        origin=services.seating.digest(session.origin),
        variant=request.variant,
        clock=None if clock is None else (clock.base, clock.increment, clock.delay),
        visibility=request.visibility,
        sides=sides,
        made=now,
        until=now + LIFE,
        rated=rated,
    )
    if table is None:
        return made
    made = made.to(request.room, table)
    return accepted(made.hindrance(table) or made)


def _declined(session: Session, challenge: Challenge) -> Challenge:
    """A new challenge. It starts declined if it challenges a bot that doesn't play this kind of game."""
    for side in challenge.sides:
        person = None if side.player is None else session.services.online.get(side.player)
        if person is not None and person.plays is not None and not side.answer:
            reason = against(person.plays, challenge.variant, challenge.clock, challenge.rated)
            if reason is not None:
                return challenge.declined(person.player, reason, "", challenge.made)
    return challenge


async def _accept(session: Session, challenge: str) -> Challenge:
    services = session.services
    may_open = partial(services.room_limits.claim, session.peer.address)
    here = lambda other: services.online.get(other) is not None  # noqa: E731 - it is one question
    origin = services.seating.digest(session.origin)
    return await services.challenges.accept(challenge, session.player_id, here, may_open, origin)


async def answer(session: Session, request: ask.Answer) -> None:
    """Accept or decline a challenge."""
    services, player = session.services, session.player_id
    if request.accept:
        found = await _accept(session, request.challenge)
    else:
        text = clean(request.text)
        if text:
            with refusing():
                services.moderation.hear(session.greeted, text, session.address)
        found = await services.challenges.decline(request.challenge, player, request.reason, text)
    session.reply(found.frame(), request.id)


async def cancel(session: Session, request: ask.Cancel) -> None:
    """Withdraw a challenge."""
    found = await session.services.challenges.cancel(request.challenge, session.player_id)
    session.reply(found.frame(), request.id)


def _sides(session: Session, request: ask.Challenge) -> tuple[Side, ...]:
    """The sides of the game. The challenge names all but the challenger's, or all if only others play."""
    there, player = player_seats(request.variant), session.greeted
    named = dict(request.seats)
    if request.player is not None:
        if len(there) != 2 or named:
            raise _bad("`player` is for two-player games. For more players, `seats` names the player of each seat.")
        named = {seat: request.player for seat in there if seat != request.seat}
    drawn = request.player is not None and request.seat is None
    free = [seat for seat in there if seat not in named]
    mine = _own(session, None)
    if drawn:
        sides = [mine, _other(session, None, named[there[0]])]
    elif not free and len(named) == len(there) and request.seat is None:
        sides = [_other(session, seat, named[seat]) for seat in there]
        if any(side.player == player.id for side in sides):
            raise _bad("Leave your own seat out of `seats`.")
    elif len(named) != len(there) - 1 or len(free) != 1 or request.seat not in (None, free[0]):
        raise _bad(f"Name a player for each seat but yours; the seats are {', '.join(there)}.")
    else:
        mine = replace(mine, seat=free[0])
        sides = [mine if seat == free[0] else _other(session, seat, named[seat]) for seat in there]
    others = [side.player for side in sides if side.player is not None]
    if len(set(others)) != len(others):
        raise _bad("Each player can have only one seat. If you play, one of the seats is yours.")
    return tuple(sides)


def _at_table(session: Session, request: ask.Challenge, table: State) -> tuple[Side, ...]:
    """The invited side at an open table, and the side of the inviting player if they have a seat there."""
    if len(request.seats) != 1 or request.player is not None or request.seat is not None:
        raise _bad("At an open table, `seats` names exactly one seat and its player.")
    other = _other(session, *next(iter(request.seats.items())))
    if other.player == session.player_id:
        raise _bad("You can't invite yourself; `join` takes a seat.")
    seat = table.seat_of(session.player_id)
    return (other,) if seat is None else (_own(session, table.seat_name(seat)), other)


def _own(session: Session, seat: str | None) -> Side:
    """The side of the challenger."""
    player = session.greeted
    return Side(seat, player.id, player.name, answer=True, origin=session.services.seating.digest(session.origin))


def _other(session: Session, seat: str | None, who: str | int) -> Side:
    """The side of a player, given by id or name, or of a computer player, given by level."""
    if isinstance(who, int):
        return Side(seat, None, f"Level {who}", level=who)
    online, roll = session.services.online, session.services.accounts.identities.roll
    id = who if online.get(who) is not None or roll.has(who) else roll.named(who)
    if id is None:
        found = online.named(who)
        if len(found) > 1:
            raise RequestRefused("ambiguous_player", f"Several players are called {who}: {names(found[:5])}.")
        if not found:
            raise RequestRefused("no_such_player", f"No player called {who} is online, and no account has this name.")
        id = found[0].player
    level = rated_level(id)
    if level is not None:
        return Side(seat, None, level_name(level), level=level)
    person = online.get(id)
    return Side(seat, id, (person.name if person is not None else roll.name(id)) or who)


def _bad(message: str) -> RequestRefused:
    return RequestRefused("bad_challenge", message)
