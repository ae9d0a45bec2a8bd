"""Fair play: the server gives players no help with their running games.

The rule: a request for help with a position is refused if that position is on the board of a running game of the
player, or of another player at their address. Positions within eight plies of such a board count too. So do requests
that would make a computer play there.

* A board is near a position if one can arise from the other within eight plies: the position is one of the last eight
  of that game, or one of the next. `may_follow` decides this without a search. It never misses such a position, and
  includes some that no game can reach.
* A copy with a few pieces moved or removed is near too (`EDITED`).
* Mirrored boards, swapped colours and turned boards are the same board (`symmetry`).
* The first two moves of each player are free. Later positions of named openings are free too, except the exact board of
  a running game. Otherwise a school could analyse nothing while anyone plays.

The boards are looked up in the rooms when a request arrives: all games that `player_rooms` and `neighbours` name, on
any server.
"""

from collections.abc import Callable, Iterable
from functools import cache
from typing import Final, NamedTuple

from fourfold.engine import symmetry
from fourfold.engine.errors import IllegalMove, InvalidNotation
from fourfold.engine.match import State, Status
from fourfold.engine.match.history import Steps
from fourfold.engine.position import Position
from fourfold.engine.symmetry import Placement
from fourfold.engine.variants import rules_of
from fourfold.server.archive.errors import ArchiveUnavailable
from fourfold.server.limits.prices import COMPARED, LOOKED_UP
from fourfold.server.limits.refused import RequestRefused
from fourfold.server.openings.names import named
from fourfold.server.ratings.levels import level_of
from fourfold.server.replication.holding import NoSuchRoom
from fourfold.server.rooms.room import Room
from fourfold.server.sessions.session import Session
from fourfold.server.storage.event_log import UnreadableEntry

PLIES: Final = 8
"""Two positions are near if at most this many plies lie between them."""

EDITED: Final = 12
"""Two boards are near if at most this many pieces stand on only one of them. A piece that has moved counts twice. With
few pieces the limit is a fifth of the pieces on both boards, because different endgames look alike."""

KNOWN: Final = 2
"""Moves of each player, from a start position, that are always free. Boards that differ as little are free too."""

AT_ONCE: Final = 50
"""Boards compared in one turn of the event loop: three milliseconds of work."""

RECENT: Final = 10_000
"""Milliseconds for which moves against computers reuse the last look-up of an address's games."""


class Board(NamedTuple):
    """The board of a running game. `own` says whether the player of the session plays there."""

    room: str
    own: bool
    position: Position


async def require_no_help(session: Session, positions: Iterable[Position]) -> None:
    """Raises `RequestRefused` (`fair_play`) if help with one of these positions would help in a running game.

    Raises `LogUnavailable` if the games can't be looked up.
    """
    await _require_apart(session, await _boards(session), positions)


async def require_no_double(session: Session, room: Room) -> None:
    """Raises the same if a computer in this room would reveal good moves of another running game."""
    assert room.state is not None  # the room was found or opened
    await _require_apart(session, await _contested(session, room), [room.state.position])


async def require_no_copy(session: Session, room: Room, move: str) -> None:
    """Raises the same if a move against a computer reaches the exact board of another game, outside known openings.

    Near boards don't count here. Otherwise somebody could block a neighbour's moves by playing a copy of their game.
    """
    boards = await _contested(session, room, RECENT)
    if not boards or room.state is None:
        return
    async with session.services.long_work:
        position = room.state.position
        try:
            after = position.play(position.find(move))
        except (IllegalMove, InvalidNotation):
            return  # the match rejects it and says why
        empty, key = after.sides.count(0), symmetry.key(after)
        for board in boards:
            same = board.position.sides.count(0) == empty and symmetry.key(board.position) == key
            if same and not _is_known(after):
                raise _refusal(board)


def _is_computer(player: str | None) -> bool:
    return player is not None and level_of(player) is not None


def line_of(state: State) -> Iterable[Position]:
    """The positions of a game, from its start."""
    return _played(state.start, state.line)


def _played(position: Position, line: Steps) -> Iterable[Position]:
    yield position
    for step in line:
        position = step.play(position)
        yield position


async def _require_apart(session: Session, boards: list[Board], positions: Iterable[Position]) -> None:
    if not boards:
        return
    long_work, left, compared = session.services.long_work, iter(positions), 0
    placements = [symmetry.placed(board.position) for board in boards]
    try:
        while True:
            async with long_work:
                position = next(left, None)
            if position is None:
                return
            images = symmetry.images(position)
            for first in range(0, len(boards), AT_ONCE):
                async with long_work:
                    for board, now in zip(boards[first : first + AT_ONCE], placements[first:], strict=False):
                        compared += 1
                        if _is_near(board, now, position, images) and not _is_free(now, position, images):
                            raise _refusal(board)
    finally:
        session.due += COMPARED * compared


async def _contested(session: Session, room: Room, age: int = 0) -> list[Board]:
    """The boards where a computer in this room would harm another person or a rating."""
    boards = await _boards(session, age, _is_contested)
    return [board for board in boards if board.room != room.id]


def _refusal(board: Board) -> RequestRefused:
    who = f"your game in room {board.room}" if board.own else "a running game at your address"
    return RequestRefused(
        "fair_play",
        f"This position is within {PLIES} plies of {who}. Ask again when that game is over.",
    )


async def _boards(
    session: Session, age: int = 0, wanted: Callable[[Session, State], bool] = lambda _, state: True
) -> list[Board]:
    """The boards of all running games of the player and of others at their address; the player's own first."""
    services, player = session.services, session.player_id
    if _is_computer(player):
        return []  # its host's address belongs to no player
    own = await services.player_rooms.of(player)
    around = await services.neighbours.rooms(session.address, age)
    found, rooms = [], dict.fromkeys(own + around)
    session.due += LOOKED_UP * len(rooms)
    for id in rooms:
        try:
            state = (await services.rooms.find(id)).state
        except (NoSuchRoom, UnreadableEntry, ArchiveUnavailable):
            continue  # an archived game is over: nobody can play there
        if state is None or state.status is not Status.PLAYING or not wanted(session, state):
            continue
        seated = state.seat_of(player) is not None
        if seated or id in around:  # else the player was removed
            found.append(Board(id, seated, state.position))
    return sorted(found, key=lambda board: not board.own)


def _is_contested(session: Session, state: State) -> bool:
    has_account = session.services.accounts.identities.roll.has
    people = {seat.player for seat in state.seats if seat.player is not None and not _is_computer(seat.player)}
    rated = state.terms.rated and any(map(has_account, people)) and _is_early(state.start)
    return len(people) > 1 or rated


def _is_near(board: Board, now: Placement, position: Position, images: tuple[Placement, ...]) -> bool:
    """Whether a position, or one of its images, is near a board. `now` is the placement of that board's pieces."""
    played = board.position
    if played.seats != position.seats:
        return False
    most = min(EDITED, (len(now) + len(images[0])) // 5)
    # A seat moves once per round, and rounds shrink as seats drop out. So the later position sets the bound.
    before, after = (-(-PLIES // max(len(later.alive), 1)) for later in (played, position))
    return any(
        len(image ^ now) <= most
        or symmetry.may_follow(played, image, now, before)
        or symmetry.may_follow(played, now, image, after)
        for image in images
    )


def _is_free(now: Placement, position: Position, images: tuple[Placement, ...]) -> bool:
    """Whether help with a position near a board is always free."""
    return _is_early(position) or (_is_known(position) and now not in images)


def _is_known(position: Position) -> bool:
    return _is_early(position) or named(position) is not None


def _is_early(position: Position) -> bool:
    # 2: the square it left, and the square it reached
    stands, most = symmetry.placed(position), 2 * KNOWN * len(position.seats)
    return any(len(stands ^ array) <= most for array in _arrays(position.variant))


@cache
def _arrays(variant: str) -> tuple[Placement, ...]:
    """The start placements of a variant's games."""
    rules = rules_of(variant)
    return tuple(symmetry.placement(rules.notation.read(text, rules).pieces) for _, text in rules.starts)
