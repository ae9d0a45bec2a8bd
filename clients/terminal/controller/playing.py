"""The commands of those who play: moves, votes, talk, and who sits where."""

from typing import Final

from fourfold.clients.terminal.controller.desk import Desk, Handlers
from fourfold.clients.terminal.parser import commands as c
from fourfold.clients.terminal.parser import typed


async def _move(desk: Desk, command: c.Move) -> None:
    game = desk.here()
    table = game.table
    if desk.look.ply is not None:
        raise c.Unclear(f"You are looking at move {desk.look.ply}; 'last' brings you back to the game.")
    if table.status == "open":
        raise typed.bad("not_started", "The game has not begun: seats are still free.")
    if table.status == "finished":
        raise typed.bad("game_over", "The game is over: no more moves can be made.")
    if not game.seats:
        raise c.Unclear("You are looking on: only those who sit at the board can move.")
    if game.mover is None:
        raise typed.bad("not_your_turn", f"It is {table.turn}'s.")
    if desk.sending is not None:
        raise c.Unclear(f"Your move {desk.sending} has not reached the server yet.")
    move = typed.read(table.position, command.text)
    desk.sending = move.text
    try:
        await desk.caught_up(await game.move(move.text))
    finally:
        desk.sending = None


async def _propose(desk: Desk, command: c.Propose) -> None:
    game, seat = desk.here(), desk.seat(command.seat)
    if command.kind == "draw" and game.claimant is not None:
        await desk.caught_up(await game.claim())  # a draw that the rules grant needs no vote
    else:
        await desk.caught_up(await game.propose(command.kind, command.plies, seat))


async def _withdraw(desk: Desk, _: c.Withdraw) -> None:
    await desk.caught_up(await desk.here().withdraw())


async def _claim(desk: Desk, _: c.Claim) -> None:
    await desk.caught_up(await desk.here().claim())


async def _kick(desk: Desk, command: c.Kick) -> None:
    game, seat = desk.here(), desk.seat(command.seat)
    assert seat is not None  # the parser requires it
    begun = game.table.status == "playing" and game.address is not None
    await desk.caught_up(await (game.propose("remove", seat=seat) if begun else game.kick(seat)))


async def _close(desk: Desk, _: c.Close) -> None:
    await desk.caught_up(await desk.here().close())


async def _answer(desk: Desk, command: c.Answer) -> None:
    await desk.caught_up(await desk.here().vote(command.accept))


async def _resign(desk: Desk, command: c.Resign) -> None:
    seat = desk.seat(command.seat)
    await desk.caught_up(await desk.here().resign(seat))


async def _abort(desk: Desk, _: c.Abort) -> None:
    await desk.caught_up(await desk.here().abort())


async def _say(desk: Desk, command: c.Say) -> None:
    await desk.here().say(command.text, command.to)


async def _bot(desk: Desk, command: c.Bot) -> None:
    seat = desk.seat(command.seat)
    await desk.caught_up(await desk.here().bot(seat, command.level))


async def _sit(desk: Desk, command: c.Sit) -> None:
    seat = desk.seat(command.seat)
    await desk.caught_up(await desk.here().sit(seat))


HANDLERS: Final[Handlers] = {
    c.Move: _move,
    c.Propose: _propose,
    c.Answer: _answer,
    c.Withdraw: _withdraw,
    c.Claim: _claim,
    c.Kick: _kick,
    c.Close: _close,
    c.Resign: _resign,
    c.Abort: _abort,
    c.Say: _say,
    c.Bot: _bot,
    c.Sit: _sit,
}
