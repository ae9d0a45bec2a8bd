"""The commands for reports and for moderators."""

from typing import Final, get_args

from fourfold.clients.terminal.controller.desk import Desk, Handlers
from fourfold.clients.terminal.parser import commands as c
from fourfold.clients.terminal.text import moderation
from fourfold.protocol.from_client import Moderate, ModeratorsAct, Settle

ACTS: Final[tuple[ModeratorsAct, ...]] = get_args(ModeratorsAct)


async def _report(desk: Desk, command: c.Report) -> None:
    game, seat = desk.here(), desk.seat(command.seat)
    assert seat is not None  # the parser requires it
    await game.report(seat, command.why)
    desk.front.say("The moderators have your report, with the last lines and moves.")


async def _moderation(desk: Desk, _: c.Moderation) -> None:
    desk.say_all(moderation.overview(await desk.server.connection.moderation()))


async def _moderate(desk: Desk, command: c.Moderate) -> None:
    target = command.target
    if command.act in ("lift", "settle") and target.isdecimal() and len(target) <= 3:
        target = await _numbered(desk, command.act, int(target))
    if command.act == "settle":
        await desk.server.connection.request(Settle(report=target, outcome=command.why))
    else:
        act = next(act for act in ACTS if act == command.act)
        await desk.server.connection.request(
            Moderate(act=act, target=target, text=command.text, why=command.why, seconds=command.seconds)
        )
    desk.front.say("Done; 'moderate' shows what is in force.")


async def _numbered(desk: Desk, act: str, number: int) -> str:
    """The id of the order or report with a number in the list. Raises `Unclear` for an unknown number."""
    found = await desk.server.connection.moderation()
    ids = [one.order for one in found.orders] if act == "lift" else [one.report for one in found.reports]
    if not 1 <= number <= len(ids):
        raise c.Unclear(f"There is no number {number} there; 'moderate' lists orders and reports.")
    return ids[number - 1]


HANDLERS: Final[Handlers] = {c.Report: _report, c.Moderation: _moderation, c.Moderate: _moderate}
