"""The rules of pauses, of time that players give, and of time that they give up. All are about games with clocks.

A pause is a vote of all players still in the game; see `votes`. While it lasts, all clocks stand and nobody can move.
It ends by another such vote, or after `PAUSE_MS`. The turn's delay then begins anew.

A player can give an opponent `GIFT_MS` more, `GIFTS` times in a game. An undo takes back gifts made after the ply that
it leads to. In a rated game for more than two, gifts would be help for one of several opponents, so there are none.

Before the first move, a player can give up half of the time, and all increments of the game. An undo gives neither
back.
"""

from typing import Final

from fourfold.engine.decisions import Rejection, refused
from fourfold.engine.match.clock import Clocks
from fourfold.engine.match.commands import Berserk, Give
from fourfold.engine.match.events import Berserked, Closed, Closure, Event, Gave, Paused, ProposalKind, Resumed
from fourfold.engine.match.state import State
from fourfold.engine.variants import rules_of

PAUSE_MS: Final = 10 * 60_000
"""The longest pause, in milliseconds."""

GIFT_MS: Final = 15_000
"""The time that a player gives at once, in milliseconds."""

GIFTS: Final = 20
"""How often a player can give time in one game."""

NO_CLOCK: Final = refused("no_clock", "This game has no clocks with time for the whole game.")
OUT: Final = refused("out_of_game", "You are out of this game.")


def give(state: State, command: Give, seat: int, _now: int) -> tuple[Event, ...] | Rejection:
    """Give an opponent time."""
    names, alive = state.position.seats, state.position.alive
    if command.seat not in names:
        return refused("no_such_seat", f"There is no seat {command.seat!r}. Seats: {', '.join(names)}.")
    to = names.index(command.seat)
    if not _has_time(state.clocks):
        return NO_CLOCK
    if seat not in alive:
        return OUT
    if to not in alive:
        return refused("out_of_game", f"{command.seat} is out of this game.")
    teams = rules_of(state.variant).teams
    if teams[to] == teams[seat]:
        return refused("not_opponent", "You can give time only to opponents.")
    if state.terms.rated and len(names) > 2:
        return refused("rated_game", "In rated games for more than two players, nobody can give time.")
    if state.seats[seat].gifts >= GIFTS:
        return refused("too_many_gifts", f"You have given time {GIFTS} times in this game.")
    return (Gave(seat, to, GIFT_MS),)


def berserk(state: State, _command: Berserk, seat: int, now: int) -> tuple[Event, ...] | Rejection:
    """Give up half of the time, and the increment."""
    clocks = state.clocks
    if clocks is None or not _has_time(clocks):
        return NO_CLOCK
    if seat not in state.position.alive:
        return OUT
    if clocks.is_berserk(seat):
        return refused("already_berserk", "You have given up half of your time already.")
    own = state.together(seat)
    if not state.moved.isdisjoint(own):
        return refused("too_late", "You can give up time only before your first move.")
    left = {one: clocks.left[one] - (clocks.spent(now) if one == state.position.turn else 0) for one in own}
    if min(left.values()) < 2:
        return refused("flag_fallen", "Your time is over.")
    return tuple([Berserked(one, clocks.left[one] - rest // 2) for one, rest in left.items()])


def why_no_pause(state: State, kind: ProposalKind) -> Rejection | None:
    """Why nobody can propose a pause, its end, or anything else that a pause does not allow; None if they can."""
    if kind is ProposalKind.PAUSE and state.clocks is None:
        return refused("no_clock", "A game without clocks needs no pause.")
    if kind is ProposalKind.RESUME and state.paused is None:
        return refused("not_paused", "The game is not paused.")
    if kind in _NOT_IN_PAUSES and state.paused is not None:
        return refused("paused", "The game is paused.")
    return None


_NOT_IN_PAUSES: Final = (ProposalKind.PAUSE, ProposalKind.STAND_IN, ProposalKind.REMOVE)


def pause(state: State, now: int) -> Paused:
    """The pause that all players have agreed to. The turn has cost its time so far, and leaves the player a moment."""
    clocks, turn = state.clocks, state.position.turn
    assert clocks is not None  # else nobody could propose a pause
    left = max(1, clocks.left[turn] - clocks.spent(now))
    return Paused(now + PAUSE_MS, (*clocks.left[:turn], left, *clocks.left[turn + 1 :]))


def paused(state: State, now: int) -> Rejection | None:
    """The rejection of a move while the game is paused, or None."""
    if state.paused is None:
        return None
    return refused("paused", "The game is paused. Propose to go on, or wait.", max(0, state.paused - now))


def expire(state: State, closed: tuple[Event, ...], now: int) -> tuple[Event, ...]:
    """End the pause if its time is over. `closed` are the events that have closed the open vote."""
    if state.paused is None or now < state.paused:
        return ()
    vote = state.proposal
    open_vote = vote is not None and vote.kind is ProposalKind.RESUME and not closed
    superseded = (Closed(vote.number, Closure.SUPERSEDED),) if vote is not None and open_vote else ()
    return *superseded, Resumed()


def _has_time(clocks: Clocks | None) -> bool:
    return clocks is not None and clocks.control.base > 0
