"""The commands about other people: who is online, following, and challenges."""

import re
from typing import Final, Literal

from fourfold.clients.games.game import Wish
from fourfold.clients.terminal.controller.desk import Desk, Handlers
from fourfold.clients.terminal.parser import commands as c
from fourfold.clients.terminal.text import answers, words
from fourfold.engine.variants import player_seats
from fourfold.protocol.from_client import Clock
from fourfold.protocol.from_server import Control

LEVEL: Final = re.compile(r"bot:level([1-5]):")
"""The prefix of the service's computer players' ids."""


async def _people(desk: Desk, _: c.People) -> None:
    desk.say_all(answers.people((await desk.server.connection.people()).people, desk.venue.player))


async def _follow(desk: Desk, command: c.Follow) -> None:
    connection = desk.server.connection
    if command.name is None:
        desk.say_all(answers.following(await connection.following()))
    elif command.on:
        await connection.follow_player(command.name)
        desk.front.say(f"You follow {words.name(command.name)}; 'follow' lists the players you follow.")
    else:
        await connection.unfollow_player(command.name)
        desk.front.say(f"You no longer follow {words.name(command.name)}.")


async def _play_again(desk: Desk, _: c.PlayAgain) -> None:
    """Challenge the players of this table, each to the next seat."""
    game = desk.game
    if game is None or game.table.status != "finished" or not game.seats:
        raise c.Unclear("Nobody to play again: this challenges the players of a finished game.")
    table, mine = game.table, game.seats[0]
    names = list(table.seats)
    moved = {name: table.seats[names[(names.index(name) + 1) % len(names)]] for name in player_seats(table.variant)}
    own = next(name for name, seat in moved.items() if seat.player == table.seats[mine].player)
    others: dict[str, str | int] = {}
    for name, seat in moved.items():
        level = LEVEL.match(seat.player or "")
        if name != own and seat.player is not None:
            others[name] = seat.player if level is None else int(level[1])
    clock = None if table.clocks is None else Clock(table.clocks.base, table.clocks.increment, table.clocks.delay)
    visibility: Literal["public", "private"] = "private" if table.visibility == "private" else "public"
    wish = Wish(table.variant, seats=others, seat=own, clock=clock, visibility=visibility, rated=table.rated)
    await desk.server.challenge(wish)


async def _invite(desk: Desk, command: c.InviteBot) -> None:
    """Invite a player to a seat of this table, or list the bots that play such games."""
    table = desk.here().table
    room = table.room
    if command.name is None:
        found = await desk.server.connection.bots(room)
        clocks = table.clocks
        control = None if clocks is None else Control(clocks.base, clocks.increment, clocks.delay)
        ratings = await desk.venue.strengths([one.player for one in found], table.variant, control)
        desk.say_all(answers.bots(found, ratings))
        return
    free = (name for name, one in table.seats.items() if one.player is None and one.invited is None)
    seat = desk.seat(command.seat) or next(free, None)
    if seat is None:
        raise c.Unclear("There are no free seats here.")
    await desk.server.challenge(Wish(table.variant, seats={seat: command.name}, room=room))


async def _challenge(desk: Desk, command: c.Challenge) -> None:
    if command.wish is not None:
        await desk.server.challenge(command.wish)
        return
    found = desk.venue.challenges()
    for number, challenge in enumerate(found, start=1):
        players = [seat.player for seat in challenge.seats if seat.player is not None]
        ratings = await desk.venue.strengths(players, challenge.variant, challenge.clock)
        desk.front.say(f"{number} {answers.challenge(challenge, desk.venue.player, ratings)}")
    if not found:
        desk.front.say("There are no open challenges. 'challenge NAME' makes one, and 'players' lists who is online.")


async def _respond(desk: Desk, command: c.Respond) -> None:
    found = desk.venue.challenges()
    if command.number is None:
        mine = [one for one in found if (one.by == desk.venue.player) is (command.do == "cancel")]
        chosen = mine[-1:]
    else:
        chosen = found[command.number - 1 : command.number]
    if not chosen:
        raise c.Unclear("There is no such challenge. 'challenge' lists the open ones.")
    if command.do == "cancel":
        await desk.server.cancel(chosen[0].challenge)
        return
    desk.answering = chosen[0].challenge
    try:
        answered = await desk.server.answer(chosen[0].challenge, command.do == "yes", command.text)
    finally:
        desk.answering = None
    if answered.status == "accepted" and answered.room is not None:
        room = answered.room

        async def go() -> None:
            await desk.open(await desk.server.join(room))

        await desk.replacing(go)


HANDLERS: Final[Handlers] = {
    c.People: _people,
    c.Follow: _follow,
    c.PlayAgain: _play_again,
    c.InviteBot: _invite,
    c.Challenge: _challenge,
    c.Respond: _respond,
}
