"""The commands that lead to a game: those of the lobby and of setup mode."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final

from msgspec.structs import astuple, replace

from fourfold.clients.errors import RequestError
from fourfold.clients.games.game import Opening, Venue
from fourfold.clients.terminal.controller.desk import Desk, Handler, Handlers
from fourfold.clients.terminal.controller.questions import NO
from fourfold.clients.terminal.parser import commands as c
from fourfold.clients.terminal.parser.phrases import variant
from fourfold.clients.terminal.text import answers
from fourfold.engine.editor import BoardEditor
from fourfold.engine.variants import opening_of, rules_of
from fourfold.protocol.from_server import Listing

PATIENCE: Final = 30.0
"""Seconds of seeking after which computer players are offered."""

GIVEN_UP: Final = frozenset({*NO, "cancel", "leave"})
"""Answers that cancel a question."""


async def _rooms(desk: Desk, command: c.Rooms) -> None:
    found = await desk.venue.rooms(command.variant)
    desk.say_all(answers.rooms(await rated(desk.venue, found), desk.venue.now()))


async def rated(venue: Venue, rooms: Sequence[Listing]) -> list[Listing]:
    """Listings with ratings beside the names. It asks once for all rooms of a variant and clock, and for all of these
    in parallel."""
    kinds: dict[Any, list[Listing]] = {}
    for room in rooms:
        kinds.setdefault((room.variant, room.clock and astuple(room.clock)), []).append(room)

    async def ask(some: list[Listing]) -> dict[str, str]:
        players = [seat.player for room in some for seat in room.seats if seat.player is not None]
        return await venue.strengths(players, some[0].variant, some[0].clock)

    answered = await asyncio.gather(*map(ask, kinds.values()))
    known = {room.room: found for some, found in zip(kinds.values(), answered, strict=True) for room in some}
    return [_named(room, known[room.room]) for room in rooms]


def _named(room: Listing, ratings: Mapping[str, str]) -> Listing:
    """A listing with ratings, by player, after the names."""
    seats = [
        replace(seat, name=seat.name and f"{seat.name} {ratings.get(seat.player or '', '')}".rstrip())
        for seat in room.seats
    ]
    return replace(room, seats=seats)


async def _games(desk: Desk, command: c.Games) -> None:
    desk.say_all(answers.games(await desk.venue.games(command.variant, mine=command.mine, name=command.name)))


async def _rating(desk: Desk, command: c.Rating) -> None:
    desk.say_all(answers.ratings(await desk.server.connection.ratings(name=command.name)))


async def _leaderboard(desk: Desk, command: c.Leaderboard) -> None:
    found = await desk.server.connection.leaderboard(command.variant, command.speed, bots=command.bots)
    desk.say_all(answers.leaderboard(found, bots=command.bots))


async def _create(desk: Desk, command: c.Create) -> None:
    await desk.replacing(lambda: desk.begin(command.opening))


async def _begin(desk: Desk, _: c.Begin) -> None:
    """Ask for the number of players and the position. Enter takes the default."""

    async def players(line: str) -> None:
        asked = partial(mode, variant(line or "2"))
        _ask(desk, "Game or setup (Enter: game)?", ("g", "game", "s", "setup"), asked)

    async def mode(name: str, line: str) -> None:
        if "game".startswith(line):
            await _create(desk, c.Create(Opening(name)))
        elif "setup".startswith(line):
            await _edit(desk, c.Edit(name))
        else:
            raise c.Unclear("Type 'game' for the usual start, or 'setup' to build a position.")

    _ask(desk, "Two players or four (2 or 4; Enter: 2)?", ("2", "4", "two", "four"), players)


def _ask(desk: Desk, text: str, answers: tuple[str, ...], then: Callable[[str], Awaitable[None]]) -> None:
    """Ask a question until `then` understands the answer, in lower case. A command, or a word that cancels, drops the
    question."""

    async def answered(line: str) -> None:
        if line.lower() in GIVEN_UP:
            desk.front.say("Cancelled.")
            return
        try:
            await then(line.lower())
        except c.Unclear:
            _ask(desk, text, answers, then)
            raise

    taken = {"", "cancel", *NO, *answers}
    desk.questions.offer(text, lambda line: line.lower() in taken or not _is_command(desk, line), answered)


def _is_command(desk: Desk, line: str) -> bool:
    try:
        desk.language.read(line)
    except c.Unclear:
        return False
    return True


async def _join(desk: Desk, command: c.Join) -> None:
    try:
        await desk.open(await desk.server.join(command.room, command.seat, command.password))
    except RequestError as error:
        if error.code != "already_started":
            raise
        await desk.open(await desk.server.watch(command.room, command.password))
        desk.front.say("The game has started: you are watching.")


async def _watch(desk: Desk, command: c.Watch) -> None:
    await desk.open(await desk.server.watch(command.room, command.password))


async def _seek(desk: Desk, command: c.Seek) -> None:
    await desk.open(await desk.server.seek(command.wish))
    game = desk.game
    assert game is not None  # the room was just opened

    def offer() -> None:
        if desk.game is game and game.table.status == "open":
            desk.front.say(f"Seats are still free. 'create {game.table.variant} bots=3' plays against computers.")

    asyncio.get_running_loop().call_later(PATIENCE, offer)


async def _leave(desk: Desk, _: c.Leave) -> None:
    await desk.replacing(desk.put_away)


async def _edit(desk: Desk, command: c.Edit) -> None:
    variant = desk.usual.variant if desk.game is None else desk.game.table.variant
    desk.editor = BoardEditor.empty(rules_of(command.variant or variant))
    desk.look.bottom = None
    desk.front.say(
        f"An empty board for {desk.editor.rules.name}. '+ wK e1' adds a piece, '- e1' removes one, "
        "'= black' sets the side to move, 'fen start' the usual start; 'done' starts the game, 'cancel' goes back."
    )
    desk.front.moved()
    desk.front.show()


def _changed(change: Callable[[BoardEditor, Any], BoardEditor]) -> Handler:
    """A handler that changes the position of setup mode."""

    async def handle(desk: Desk, command: c.Command) -> None:
        assert desk.editor is not None  # setup mode's language is active only there
        desk.editor = change(desk.editor, command)
        desk.front.show()

    return handle


def _castling(editor: BoardEditor, command: c.Castling) -> BoardEditor:
    return editor.castling(editor.possible_castling() if command.rights is None else command.rights)


def _lay(editor: BoardEditor, command: c.Lay) -> BoardEditor:
    match command.position:
        case None:
            return BoardEditor.empty(editor.rules)
        case position if "/" in position:
            return BoardEditor.of(opening_of(editor.rules, position=position))
        case array:
            return BoardEditor.of(opening_of(editor.rules, setup=None if array == "start" else array))


async def _done(desk: Desk, _: c.Done) -> None:
    assert desk.editor is not None  # setup mode's language is active only there
    faults = desk.editor.faults()
    desk.say_all(fault.message for fault in faults)
    if faults:
        desk.front.say("No game can begin from this position yet.")
        return
    start = desk.as_usual(Opening(desk.editor.rules.name, desk.editor.position().fen()))
    await desk.replacing(lambda: desk.begin(start))


async def _cancel(desk: Desk, _: c.Cancel) -> None:
    desk.editor = None
    desk.front.say("Setup cancelled.")
    desk.front.moved()
    if desk.game is not None:
        desk.front.show()


HANDLERS: Final[Handlers] = {
    c.Rooms: _rooms,
    c.Games: _games,
    c.Rating: _rating,
    c.Leaderboard: _leaderboard,
    c.Create: _create,
    c.Begin: _begin,
    c.Join: _join,
    c.Watch: _watch,
    c.Seek: _seek,
    c.Leave: _leave,
    c.Edit: _edit,
    c.Put: _changed(lambda editor, put: editor.put(put.square, put.seat, put.piece)),
    c.Take: _changed(lambda editor, take: editor.remove(take.square)),
    c.Turn: _changed(lambda editor, turn: editor.turn(turn.seat)),
    c.Castling: _changed(_castling),
    c.Lay: _changed(_lay),
    c.Done: _done,
    c.Cancel: _cancel,
}
