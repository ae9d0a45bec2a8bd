"""The commands of players: moves, votes, chat and seats."""

from collections.abc import Awaitable, Callable
from typing import Any, Final

from fourfold.clients.games.review import Review
from fourfold.clients.terminal.controller.desk import Desk, Handler, Handlers
from fourfold.clients.terminal.parser import commands as c
from fourfold.clients.terminal.parser import typed


async def _move(desk: Desk, command: c.Move) -> None:
    game = desk.here()
    table = game.table
    if desk.look.ply is not None:
        raise c.Unclear(f"You are looking at move {desk.look.ply}; 'last' brings you back to the game.")
    if table.status == "open":
        raise typed.bad("not_started", "The game has not started: seats are still free.")
    if table.status == "finished":
        raise typed.bad("game_over", "The game is over: no more moves can be made.")
    if not game.seats:
        raise c.Unclear("You are watching: only seated players can move.")
    if table.paused is not None:
        raise typed.bad("paused", "The game is paused; 'resume' proposes to go on.")
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


async def _propose(desk: Desk, command: c.Propose) -> int:
    game, seat = desk.here(), desk.seat(command.seat)
    if command.kind == "draw" and game.claimant is not None:
        return await game.claim()  # a claim needs no vote
    plies = command.plies
    if command.kind == "undo" and plies is None and game.seats and game.table.moves:
        plies = Review(await game.record()).since(game.seats)
        if plies is None:
            raise c.Unclear("You have not moved yet. 'undo 1' proposes to take back the last move of others.")
    return await game.propose(command.kind, plies, seat)


async def _act(desk: Desk, command: c.Act) -> int:
    game = desk.here()
    acts = {
        "withdraw": game.withdraw, "claim": game.claim, "close": game.close, "abort": game.abort,
        "berserk": game.berserk,
    }  # fmt: skip
    return await acts[command.do]()


async def _kick(desk: Desk, command: c.Kick) -> int:
    game, seat = desk.here(), desk.seat(command.seat)
    assert seat is not None  # the parser requires it
    begun = game.table.status == "playing" and game.address is not None
    return await (game.propose("remove", seat=seat) if begun else game.kick(seat))


async def _give(desk: Desk, command: c.Give) -> int:
    game, seat = desk.here(), desk.seat(command.seat)
    if seat is None:
        others = [name for name in game.table.seats if name not in game.seats]
        if len(others) != 1:
            raise c.Unclear("Give whom time? Name the seat: 'give blue'.")
        (seat,) = others
    return await game.give(seat)


async def _say(desk: Desk, command: c.Say) -> None:
    await desk.here().say(command.text, command.to)


async def _react(desk: Desk, command: c.React) -> None:
    await desk.here().react(command.reaction)


def _done(ask: Callable[[Desk, Any], Awaitable[int]]) -> Handler:
    """A handler that sends a request, and waits for its news."""

    async def handle(desk: Desk, command: c.Command) -> None:
        await desk.caught_up(await ask(desk, command))

    return handle


HANDLERS: Final[Handlers] = {
    c.Move: _move,
    c.Propose: _done(_propose),
    c.Answer: _done(lambda desk, command: desk.here().vote(command.accept)),
    c.Act: _done(_act),
    c.Kick: _done(_kick),
    c.Resign: _done(lambda desk, command: desk.here().resign(desk.seat(command.seat))),
    c.Give: _done(_give),
    c.Say: _say,
    c.React: _react,
    c.Bot: _done(lambda desk, command: desk.here().bot(desk.seat(command.seat), command.level)),
    c.Sit: _done(lambda desk, command: desk.here().sit(desk.seat(command.seat))),
}
