"""The commands about other people: who is online, and challenges."""

from typing import Final

from fourfold.clients.terminal.controller.desk import Desk, Handlers
from fourfold.clients.terminal.parser import commands as c
from fourfold.clients.terminal.text import answers


async def _people(desk: Desk, _: c.People) -> None:
    for line in answers.people(await desk.venue.people(), desk.venue.player):
        desk.front.say(line)


async def _challenge(desk: Desk, command: c.Challenge) -> None:
    if command.wish is not None:
        await desk.venue.challenge(command.wish)
        return
    found = desk.venue.challenges()
    for number, challenge in enumerate(found, start=1):
        players = [seat.player for seat in challenge.seats if seat.player is not None]
        ratings = await desk.venue.strengths(players, challenge.variant, challenge.clock)
        desk.front.say(f"{number} {answers.challenge(challenge, desk.venue.player, ratings)}")
    if not found:
        desk.front.say("No challenge is open; 'challenge NAME' makes one, and 'players' says who is online.")


async def _respond(desk: Desk, command: c.Respond) -> None:
    venue = desk.venue
    found = venue.challenges()
    if command.number is None:
        mine = [one for one in found if (one.by == venue.player) is (command.do == "cancel")]
        chosen = mine[-1:]
    else:
        chosen = found[command.number - 1 : command.number]
    if not chosen:
        raise c.Unclear("There is no such challenge; 'challenge' lists those that are open.")
    if command.do == "cancel":
        await venue.cancel(chosen[0].challenge)
        return
    desk.answering = chosen[0].challenge
    try:
        answered = await venue.answer(chosen[0].challenge, command.do == "yes", command.text)
    finally:
        desk.answering = None
    if answered.room is not None:
        room = answered.room

        async def go() -> None:
            await desk.open(await venue.join(room))

        await desk.replacing(go)


HANDLERS: Final[Handlers] = {c.People: _people, c.Challenge: _challenge, c.Respond: _respond}
