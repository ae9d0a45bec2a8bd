"""Silence costs nobody a game: who is absent, who proposes what, and the result.

The cases are one table. A case has a game, the seconds for which players have been away, and steps. The outcome of the
last step counts. The clock decides when players count as absent, as on a server.
"""

from collections.abc import Callable
from typing import Any, Final, NamedTuple

import pytest

from fourfold.engine.match import Decision, Rejection, decide, evolve
from fourfold.engine.match.absence import absence
from fourfold.engine.match.clock import Control
from fourfold.engine.match.commands import Abort, Claim, Command, Move, Propose, Resign, Return, Sit, Vote
from fourfold.engine.match.events import Closed, Closure, Event, Finished, ProposalKind, Proposed, StoodIn, Undone
from fourfold.engine.match.terms import Terms
from fourfold.engine.match.votes import VOTE_MS
from fourfold.engine.outcome import Termination

Make = Callable[..., "Table"]  # type: ignore[name-defined]  # noqa: F821

MINUTE: Final = 60_000
DAY: Final = 24 * 60 * MINUTE
CASUAL: Final = Terms(rated=False)
FOR_GOOD: Final = 100 * DAY // 1000
"""Seconds."""

GAMES: Final[dict[str, tuple[str, Control | None, Terms]]] = {
    "two": ("standard", None, Terms()),
    "casual": ("standard", None, CASUAL),
    "two fast": ("standard", Control(10 * MINUTE, 5_000), Terms()),
    "two fast casual": ("standard", Control(10 * MINUTE), CASUAL),
    "two slower": ("standard", Control(60 * MINUTE), Terms()),
    "two slow": ("standard", Control(7 * DAY), Terms()),
    "two slow casual": ("standard", Control(61 * MINUTE), CASUAL),
    "two by the move": ("standard", Control(0, 0, DAY), Terms()),
    "four": ("survivor", None, Terms()),
    "four fast": ("survivor", Control(3 * MINUTE), Terms()),
    "four slow": ("survivor", Control(2 * DAY), Terms()),
    "four in teams": ("teams", None, Terms()),
}

SAT: Final = "white stand_in black, level4 sits"
"""The first steps with a stand-in."""

BLACK: Final = {"black": 300}
BOTH: Final = {"blue": 300, "green": 300}
"""Seconds after which players count as absent, without a clock."""


class Case(NamedTuple):
    """The steps in a game with players away, each for some seconds, and the outcome of the last step."""

    game: str
    away: dict[str, int]
    steps: str
    outcome: str


CASES: Final = [
    # The electorate of an undo, redo and draw is everybody.
    Case("two fast", {"black": FOR_GOOD}, "white draw", "asks white black"),
    Case("two fast", {"black": FOR_GOOD}, "white draw, silence", "closed expired"),
    Case("two slow", {"black": FOR_GOOD}, "white draw, silence", "closed expired"),
    Case("two", {"black": FOR_GOOD}, "white e2e4, black e7e5, white undo 2", "asks white black"),
    Case("two", {"black": FOR_GOOD}, "white e2e4, white undo, silence", "closed expired"),
    Case("two", {"black": FOR_GOOD}, "white e2e4, white undo, black yes, white redo", "asks white black"),
    Case("four", {"blue": FOR_GOOD, "green": FOR_GOOD}, "red draw, yellow yes", "voted"),
    Case("four", {"blue": FOR_GOOD, "green": FOR_GOOD}, "red draw, yellow yes, silence", "closed expired"),
    Case("four", {"blue": FOR_GOOD}, "red h2h4, red undo", "asks red blue yellow green"),
    Case("four in teams", {"blue": FOR_GOOD, "green": FOR_GOOD}, "red draw", "asks red blue yellow green"),
    # An undo also needs the players whom it brings back, absent or not.
    Case("four", {"blue": 0}, "red h2h4, blue resign, yellow g13g12, red undo 2", "asks red blue yellow green"),
    Case("four", {"blue": 0}, "red h2h4, blue resign, yellow g13g12, red undo 1", "asks red yellow green"),
    # A removal needs the present players. The clock decides how long a player must be away.
    Case("two fast", {"black": 59}, "white remove black", "not_absent in 1 s"),
    Case("two fast", {"black": 60}, "white remove black", "proposed closed removed finished"),
    Case("two slower", {"black": 60}, "white remove black", "not_absent in 60 s"),
    Case("two slower", {"black": 120}, "white remove black", "proposed closed removed finished"),
    Case("two", {"black": 120}, "white remove black", "not_absent in 180 s"),
    Case("two", BLACK, "white remove black", "proposed closed removed finished"),
    Case("two slow", {"black": FOR_GOOD}, "white remove black", "not_absent"),
    Case("two by the move", {"black": FOR_GOOD}, "white remove black", "not_absent"),
    Case("four slow", {"blue": FOR_GOOD}, "red remove blue", "not_absent"),
    Case("four fast", {"blue": 60, "green": 60}, "red remove blue", "asks red yellow"),
    Case("four fast", {"blue": 60, "green": 59}, "red remove blue", "asks red yellow green"),
    Case("four fast", {"blue": 60, "green": 59}, "red remove blue, yellow yes, silence", "closed expired"),
    Case("four fast", {"blue": 60}, "red remove blue, yellow yes, green no", "voted closed refused"),
    Case("four fast", {"blue": 60}, "red remove blue, blue returns", "closed superseded"),
    Case("four fast", {"red": 60}, "red remove red", "not_absent in 60 s"),
    # A stand-in is one of the server's own bots, of the chosen level. Rated games for two have none.
    Case("two fast", {"black": 60}, "white stand_in black", "rated_game"),
    Case("two slow casual", {"black": FOR_GOOD}, "white stand_in black", "not_absent"),
    Case("two fast casual", {"black": 60}, "white stand_in black", "proposed closed invited"),
    Case("casual", BLACK, "white stand_in black, foreign sits", "not_invited"),
    Case("casual", BLACK, "white stand_in black, level3 sits", "not_invited"),
    Case("casual", BLACK, "white stand_in black, level4 sits", "stoodin"),
    Case("casual", BLACK, f"{SAT}, black returns", "returned"),
    Case("four slow", {"blue": FOR_GOOD}, "red stand_in blue", "not_absent"),
    # It plays for the player, and ends nothing.
    Case("casual", BLACK, f"{SAT}, level4 resign", "only_stands_in"),
    Case("casual", BLACK, f"{SAT}, level4 claim", "only_stands_in"),
    Case("casual", BLACK, f"{SAT}, level4 abort", "only_stands_in"),
    Case("casual", BLACK, f"{SAT}, level4 draw", "only_stands_in"),
    Case("casual", BLACK, f"{SAT}, white draw, level4 yes", "only_stands_in"),
    Case("casual", BLACK, f"{SAT}, white draw, level4 no", "voted closed refused"),
    Case("casual", BLACK, f"{SAT}, white e2e4, level4 e7e5, white undo, level4 yes", "voted closed carried undone"),
    Case("casual", BLACK, f"{SAT}, white e2e4, white undo, level4 yes, white redo, level4 yes", "only_stands_in"),
    Case("casual", BLACK, f"{SAT}, white resign, white rematch, level4 yes", "only_stands_in"),
    Case("casual", BLACK, f"{SAT}, white resign, white rematch, black yes", "voted closed carried rematched started"),
    Case("four", BOTH, "red stand_in blue, yellow yes, level4 sits, red remove green", "asks red yellow"),
    Case("four", BOTH, "red stand_in blue, yellow yes, level4 sits, red draw", "asks red blue yellow green"),
    # A game can be aborted only while somebody has never moved.
    Case("two", {"black": 0}, "white e2e4, white abort", "finished"),
    Case("two", {"black": 0}, "white e2e4, black e7e5, white abort", "too_late"),
    Case("two", {"black": 0}, "white e2e4, black e7e5, white undo 2, black yes, white abort", "too_late"),
    Case("two", {"black": 0}, "white e2e4, black e7e5, white undo 2, black yes, white d2d4, black abort", "too_late"),
    Case("two", {"black": 0}, "white e2e4, white undo, black yes, white abort", "finished"),
]

ACTS: Final[dict[str, Callable[[str], Command]]] = {
    "resign": lambda _: Resign(),
    "claim": lambda _: Claim(),
    "abort": lambda _: Abort(),
    "returns": lambda _: Return(),
    "sits": lambda who: Sit(who, bot=True, level=int(who[5:]) if who.startswith("level") else None),
}


def command(t: Any, away: dict[str, int], who: str, what: str, *more: str) -> Command:
    """The command of a step: `red remove blue`, `white undo 2`, `black yes`, `white e2e4`."""
    if what in ACTS:
        return ACTS[what](who)
    if what in ("yes", "no"):
        return Vote(t.state.proposals, what == "yes")
    if what not in set(ProposalKind):
        return Move(what, t.state.seq)
    control = None if t.state.clocks is None else t.state.clocks.control
    limit, names = absence(control, MINUTE), t.state.position.seats
    absent = {} if limit is None else {names.index(seat): t.now - 1000 * away[seat] + limit for seat in away}
    plies = int(more[0]) if more and what in ("undo", "redo") else None
    seat = more[0] if more and plies is None else None
    return Propose(ProposalKind(what), t.state.seq, plies, seat, 4 if what == "stand_in" else None, absent, limit)


def told(t: Any, verdict: tuple[Event, ...] | Rejection) -> str:
    """An outcome in a few words."""
    if isinstance(verdict, Rejection):
        return verdict.code if verdict.retry is None else f"{verdict.code} in {verdict.retry // 1000} s"
    if len(verdict) == 1 and isinstance(verdict[0], Proposed):
        return " ".join(["asks", *(t.state.seat_name(seat) for seat in verdict[0].electorate)])
    names = [type(event).__name__.lower() for event in verdict]
    closed = next((event.closure.value for event in verdict if isinstance(event, Closed)), None)
    if closed is not None and "proposed" not in names:
        names.insert(names.index("closed") + 1, closed)
    return " ".join(names)


def outcome(t: Any, case: Case) -> str:
    """The outcome of the last step of a case."""
    last = ""
    for step in case.steps.split(", "):
        if step == "silence":
            last = told(t, t.wait(VOTE_MS))
            continue
        who, *rest = step.split()
        by = f"bot:{who}:x" if who.startswith("level") else who
        asked = command(t, case.away, who, *rest)
        verdict = decide(t.state, asked, by, t.now)
        last = told(t, verdict)
        if not isinstance(verdict, Rejection):
            t.says(by, asked)
    return last


def test_silence_costs_nobody_a_game(table: Make) -> None:
    wrong = {}
    for case in CASES:
        variant, control, terms = GAMES[case.game]
        found = outcome(table(variant, control=control, terms=terms), case)
        if found != case.outcome:
            wrong[f"{case.game}, {case.away}: {case.steps}"] = f"{found}, not {case.outcome}"
    assert not wrong


def test_logs_from_before_these_rules_are_read(table: Make) -> None:
    t = table()
    t.play("e2e4", "e7e5")
    drawn = t.state.position.end_in_draw(Termination.AGREEMENT).outcome
    old: tuple[tuple[Event, ...], ...] = (
        (
            Proposed(1, ProposalKind.UNDO, 0, 2, 0, t.state.start.fen(), (0,), t.now + VOTE_MS),
            Closed(1, Closure.CARRIED),
            Undone(2, 0, t.state.start.fen(), (), None),
        ),
        (StoodIn(1, "bot:own", "Own"),),
        (Proposed(2, ProposalKind.DRAW, 0, None, None, None, (0,), t.now + VOTE_MS), Closed(2, Closure.CARRIED)),
        (Finished(drawn, (1, 1)),),
    )
    for events in old:
        seq = len(t.log) + 1
        t.log.append(Decision(seq, t.now, "white", f"k{seq}", events))
        t.state = evolve(t.state, t.log[-1])
        if isinstance(events[0], StoodIn):
            assert t.refused("bot:own", Resign()) == "only_stands_in", "nothing more of it"
            assert t.refused("white", Abort()) == "too_late"
    assert t.state.outcome == drawn


@pytest.mark.parametrize(
    ("control", "limit"),
    [
        (Control(0, 0, 5_000), 60_000),
        (Control(600_000, 30_000), 60_000),
        (Control(600_001), 120_000),
        (Control(3_600_000), 120_000),
        (None, 300_000),
        (Control(3_600_001), None),
        (Control(0, 0, 86_400_000), None),
        (Control(60_000, 86_400_000), None),
    ],
)
def test_absence_grows_with_the_clock(control: Control | None, limit: int | None) -> None:
    assert absence(control, 60_000) == limit
