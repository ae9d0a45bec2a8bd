"""Fair play: players get no help from this service with the games that they play.

One rule. A request that shows what is good in a position is refused if that position, or one within eight plies of it,
is on a board where the player, or somebody of their address, plays now. So is a request by which a computer would play
there.

* A board is near a position if one may come about from the other within eight plies: the position is one of the last
  eight of that game, or one of the next. `may_follow` decides this without a search. It misses no such position, and
  counts some that nobody can reach.
* A copy with a few pieces moved or removed is near too (`EDITED`).
* Mirrored boards, swapped colours and turned boards are the same board (`symmetry`).
* The first two moves of each player are free. So are later positions of openings that have a name, except the very
  board of a game: a school could analyse nothing else while anybody plays.

The boards are those of the rooms, looked up when a request asks: all games that `player_rooms` and `neighbours` name,
on whichever server they are played.
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
from fourfold.server.limits.prices import COMPARED
from fourfold.server.limits.refused import RequestRefused
from fourfold.server.openings.names import named
from fourfold.server.ratings.levels import level_of
from fourfold.server.rooms.holding import NoSuchRoom
from fourfold.server.rooms.room import Room
from fourfold.server.sessions.session import Session
from fourfold.server.storage.event_log import UnreadableEntry

PLIES: Final = 8
"""Two positions are near if at most so many plies lie between them."""

EDITED: Final = 12
"""Two boards are near if at most so many pieces stand on one of them alone; a piece that has moved counts twice. Among
few pieces it is at most a fifth of those on both boards: endgames are alike, and not the same."""

KNOWN: Final = 2
"""Moves of each player, from an array that games begin from, that are free: so are all boards that differ as little."""

AT_ONCE: Final = 50
"""Boards that are compared in one turn of the event loop: three milliseconds' work."""

RECENT: Final = 10_000
"""Milliseconds for which the games of an address need no new look-up at moves against computers."""


class Board(NamedTuple):
    """The board of a game that is played now. `own` tells whether the player of the session plays there."""

    room: str
    own: bool
    position: Position


async def require_no_help(session: Session, positions: Iterable[Position]) -> None:
    """Raises `RequestRefused` (`fair_play`) if what is good in one of these positions helps in a game.

    Raises `LogUnavailable` if the games can't be looked up.
    """
    await _require_apart(session, await _boards(session), positions)


async def require_no_double(session: Session, room: Room) -> None:
    """Raises the same if a computer that plays in a room shows there what is good in another game."""
    assert room.state is not None  # found or opened
    await _require_apart(session, await _contested(session, room), [room.state.position])


async def require_no_copy(session: Session, room: Room, move: str) -> None:
    """Raises the same if a move in a game with a computer leads to the very board of another game, past known openings.

    Boards that are only near don't count here. Otherwise somebody could block the moves of a neighbour's game by
    playing a copy of it.
    """
    boards = await _contested(session, room, RECENT)
    if not boards or room.state is None:
        return
    async with session.services.long_work:
        position = room.state.position
        try:
            after = position.play(position.find(move))
        except (IllegalMove, InvalidNotation):
            return  # the match refuses it, and says why
        empty, key = after.sides.count(0), symmetry.key(after)
        for board in boards:
            same = board.position.sides.count(0) == empty and symmetry.key(board.position) == key
            if same and not _is_known(after):
                raise _refusal(board)


def _is_computer(player: str | None) -> bool:
    return player is not None and level_of(player) is not None


def line_of(state: State) -> Iterable[Position]:
    """The positions of a game, from its start on."""
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
    """The boards on which a computer that plays in a room would harm somebody: another person, or a rating."""
    boards = await _boards(session, age, _is_contested)
    return [board for board in boards if board.room != room.id]


def _refusal(board: Board) -> RequestRefused:
    who = f"You play a game (room {board.room})" if board.own else "Somebody at your address plays a game"
    return RequestRefused(
        "fair_play",
        f"{who} that has this position, or may be within {PLIES} plies of it. Ask again when that game is over.",
    )


async def _boards(
    session: Session, age: int = 0, wanted: Callable[[Session, State], bool] = lambda _, state: True
) -> list[Board]:
    """The boards of all games that the player, or somebody of their address, plays now; the player's own first."""
    services, player = session.services, session.player_id
    if _is_computer(player):
        return []  # its host's address is no player's
    own = await services.player_rooms.of(player)
    around = await services.neighbours.rooms(session.address, age)
    found = []
    for id in dict.fromkeys(own + around):
        try:
            state = (await services.rooms.find(id)).state
        except (NoSuchRoom, UnreadableEntry, ArchiveUnavailable):
            continue  # nobody can play there: a game in the archive is over
        if state is None or state.status is not Status.PLAYING or not wanted(session, state):
            continue
        seated = state.seat_of(player) is not None
        if seated or id in around:  # else the player was removed
            found.append(Board(id, seated, state.position))
    return sorted(found, key=lambda board: not board.own)


def _is_contested(session: Session, state: State) -> bool:
    has_account = session.services.accounts.identities.roll.has
    people = [seat.player for seat in state.seats if seat.player is not None and not _is_computer(seat.player)]
    rated = state.terms.rated and any(map(has_account, people)) and _is_early(state.start)
    return len(people) > 1 or rated


def _is_near(board: Board, now: Placement, position: Position, images: tuple[Placement, ...]) -> bool:
    """Whether a position, or one of its images, is near a board, whose pieces stand as `now` tells."""
    played = board.position
    if played.seats != position.seats:
        return False
    most = min(EDITED, (len(now) + len(images[0])) // 5)
    # A seat moves once a round, and rounds become shorter when seats are out: so the later position has the bound.
    before, after = (-(-PLIES // max(len(later.alive), 1)) for later in (played, position))
    return any(
        len(image ^ now) <= most
        or symmetry.may_follow(played, image, now, before)
        or symmetry.may_follow(played, now, image, after)
        for image in images
    )


def _is_free(now: Placement, position: Position, images: tuple[Placement, ...]) -> bool:
    """Whether everybody may know all about a position that is near a board."""
    return _is_early(position) or (_is_known(position) and now not in images)


def _is_known(position: Position) -> bool:
    return _is_early(position) or named(position) is not None


def _is_early(position: Position) -> bool:
    stands, most = symmetry.placed(position), 2 * KNOWN * len(position.seats)  # 2: where a piece was, and where it is
    return any(len(stands ^ array) <= most for array in _arrays(position.variant))


@cache
def _arrays(variant: str) -> tuple[Placement, ...]:
    """What stands where at the beginning of games of a variant."""
    rules = rules_of(variant)
    return tuple(symmetry.placement(rules.notation.read(text, rules).pieces) for _, text in rules.starts)
