"""The command about your account: create, sign in, sign out."""

from typing import Final

from fourfold.clients.games.remote import RemoteVenue
from fourfold.clients.terminal.controller.desk import Desk, Handlers
from fourfold.clients.terminal.parser import commands as c
from fourfold.clients.terminal.text import answers
from fourfold.protocol.from_server import Account


async def _account(desk: Desk, command: c.Account) -> None:
    server, text = desk.server, command.text
    match command.do:
        case "show":
            _say(desk, await server.connection.account())
        case "new":
            _say(desk, await server.register(text))
        case "rename":
            _say(desk, await server.rename(text))
        case "code":
            _say(desk, await server.connection.new_code())
        case "login":
            if desk.game is not None:
                raise c.Unclear("Signing in makes you another player: 'leave' the game first.")
            _say(desk, await server.login(text))
        case "out":
            await server.sign_out(await _device(server, text))
            desk.front.say("Signed out." if text else "Signed out on this device. Next time you are a guest.")


async def _device(server: RemoteVenue, number: str) -> str:
    """The session of a device: this one, or that of a number in the list. Raises `Unclear` for an unknown number."""
    sessions = (await server.connection.account()).sessions
    if not number:
        return next(session.session for session in sessions if session.here)
    if not number.isdecimal() or not 1 <= int(number[:4]) <= len(sessions):
        raise c.Unclear(f"There is no device {number}; 'account' lists them.")
    return sessions[int(number) - 1].session


def _say(desk: Desk, account: Account) -> None:
    desk.say_all(answers.account(account))


HANDLERS: Final[Handlers] = {c.Account: _account}
