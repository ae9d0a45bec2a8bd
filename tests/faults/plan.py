"""The plan of a seed: its games, and the faults of the servers, the store and the links meanwhile.

Pure: the same seed gives the same plan.
"""

import random
from dataclasses import dataclass, replace

from fourfold.protocol import from_client as ask

OPENINGS: dict[str, tuple[str | None, ...]] = {
    "standard": (
        None,
        None,
        "r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R w KQkq - 4 8",
        "8/PPP4k/8/8/8/8/4Kppp/8 w - - 0 1",
        "7k/5Q2/8/8/8/8/R7/K7 w - - 0 1",
        "4k3/8/8/8/8/8/8/4K2R w K - 90 60",
    ),
    "survivor": (None, "classic"),
    "ffa": (None, "classic"),
    "teams": (None,),
}
"""The positions that games begin from."""

CLOCKS = (
    None,
    None,
    ask.Clock(60_000, 1_000),
    ask.Clock(20_000, 0, 2_000),
    ask.Clock(1_500, 100),
    ask.Clock(900, 0, 50),
)

WEIGHTS = {
    "kill a node": 12,
    "freeze a node": 7,
    "drain a node": 6,
    "kill the store": 8,
    "freeze the store": 5,
    "put the store back": 4,
    "let a lagging replica take over": 3,
    "run the store out of memory": 5,
    "fill the store's disk": 4,
    "turn the store read-only": 5,
    "keep everybody from the store": 7,
    "kill a node and the store": 3,
    "kill every node": 3,
    "cut a node from the store": 6,
    "keep a node from the store": 4,
    "break a node from the store": 4,
    "hold a node from the store": 4,
    "hold the store's answers": 5,
    "hold a node's commands": 4,
    "lose a node's commands": 4,
    "lose the store's answers": 6,
    "slow a node's link": 4,
    "take a player along with a node": 8,
    "leave a game to a dead node": 6,
    "spoil a game": 5,
    "break guests' lines": 4,
    "cut guests off": 5,
    "hold guests' lines": 3,
    "lose answers to guests": 5,
    "lose messages of guests": 3,
    "slow guests' lines": 4,
}
"""The kinds of faults, with their weights."""

ARCHIVE_WEIGHTS = {
    "lock the archive": 3,
    "kill a node at a hand-over": 5,
    "kill every node at a hand-over": 2,
    "kill the store at a hand-over": 3,
}
"""The kinds of faults that hit games on their way to the archive, with their weights."""

SERVED_WEIGHTS = {
    "kill the archive": 5,
    "kill the archive at a hand-over": 5,
    "cut the archive off": 3,
    "cut the archive off at a hand-over": 3,
    "hold the archive's answers": 3,
    "lose the archive's answers": 3,
    "lose data to the archive": 3,
}
"""The kinds of faults of an archive that is a server, with their weights."""

IN_ARCHIVE = 0.4
"""The chance that a fault is one of those, where games are archived."""

OUTAGE = 2.2
"""Seconds without the store until every server must notice; the blow's length is added."""

FROZEN = 0.4
"""The chance that the store freezes when everybody is to be kept from it."""

CUT_OFF = 4.5
"""Seconds after which no client is left at a node that can't reach the store."""

STRETCHES = {name for name in WEIGHTS if name.startswith(("freeze", "hold", "slow", "keep"))}
"""Faults after which an answer may have been on its way for long."""

SEVERED = {name for name in WEIGHTS if "guests" not in name and name.startswith(("freeze", "hold", "slow", "break"))}
SEVERED |= {name for name in WEIGHTS if "store" in name or "replica" in name or "a node's commands" in name}
"""The blows that keep a node or the store from speaking or hearing for a while."""

SET_BACK: set[str] = set()
"""Faults that set the store's clock back, by half of their length."""

SET_FORWARD: set[str] = set()
"""Faults that set the store's clock forward, by half of their length."""

RECOVERY = 1.0
"""Seconds that a store may take to start again."""

ERA = 10
"""How many seeds in a row are played on one cluster. The next cluster has the other kind of store."""


@dataclass(frozen=True)
class Game:
    """A room to open."""

    variant: str
    position: str | None
    clock: ask.Clock | None
    delay: int
    watchers: int
    pace: float
    again: float = 0.3
    """The chance that a player with a choice proposes a rematch."""


@dataclass(frozen=True)
class Blow:
    """A fault: its kind, its node (or guest), its duration, and the number of acknowledged commands before it.

    `wait`: whether the next one comes only when this is over.
    """

    what: str
    node: int
    seconds: float
    after: int
    wait: bool
    detail: float

    @property
    def refuses(self) -> bool:
        """Whether no client waits for an answer meanwhile, because no node can answer."""
        return self.what == "keep everybody from the store" and self.detail >= FROZEN

    @property
    def lasts(self) -> float:
        """Seconds for which it cuts a process off from others' messages."""
        longer = {"keep everybody from the store": OUTAGE + self.seconds, "keep a node from the store": CUT_OFF}
        return longer.get(self.what, self.seconds)


@dataclass(frozen=True)
class Plan:
    """The plan of a seed. `early`: the faults begin before the rooms are opened."""

    seed: int
    nodes: int
    early: bool
    games: list[Game]
    blows: list[Blow]
    archives: bool = False
    """Whether games that are over are archived."""
    replicas: int = 0
    """How many replicas of the store must have what nodes acknowledge."""

    @property
    def late(self) -> float:
        """The longest delay of a frame to a guest, in milliseconds."""
        held = [blow.lasts for blow in self.blows if blow.what in STRETCHES and "guests" in blow.what]
        return 500 + 1000 * max(held, default=0)

    @property
    def behind(self) -> float:
        """The longest delay until a node knows of arrivals at another one, in milliseconds: messages go through the
        store."""
        severed = [blow for blow in self.blows if blow.what in SEVERED]
        apart = [blow.lasts + RECOVERY * blow.what.startswith(("kill", "fill", "put", "let")) for blow in severed]
        return 100 + 1000 * max(apart, default=0)

    @property
    def loses_answers(self) -> bool:
        """Whether nodes may wait for answers of the store that never come."""
        return any(blow.what in ("lose a node's commands", "lose the store's answers") for blow in self.blows)

    @property
    def back(self) -> float:
        """The most milliseconds by which the store's clock is behind."""
        return 500 * sum(blow.seconds for blow in self.blows if blow.what in SET_BACK)

    @property
    def slack(self) -> float:
        """The largest error of nodes' clocks, in milliseconds: half of the longest delay of an answer, and the sum of
        all changes of the store's clock, since a node may not ask for its time in between."""
        held = [blow.lasts for blow in self.blows if blow.what in STRETCHES and not blow.refuses]
        changes = [blow.seconds for blow in self.blows if blow.what in SET_BACK | SET_FORWARD]
        return 100 + 500 * (max(held, default=0) + sum(changes))


def plan(seed: int, *, archived: bool = False, served: bool = False) -> Plan:
    """The schedule of a seed. With `archived` some faults hit the archive, and players often stop after one game, so
    that it is archived. With `served` the archive is a server, and has faults too."""
    planned = _plan(seed)
    if not archived:
        return planned
    chance = random.Random(f"archived {seed}")
    kinds = ARCHIVE_WEIGHTS | SERVED_WEIGHTS if served else ARCHIVE_WEIGHTS
    games = [replace(game, again=chance.choice([0.3, 0.01, 0])) for game in planned.games]
    whats, weights = list(kinds), list(kinds.values())
    blows = [
        replace(blow, what=chance.choices(whats, weights)[0]) if chance.random() < IN_ARCHIVE else blow
        for blow in planned.blows
    ]
    return replace(planned, games=games, blows=blows, archives=True)


def archived(seed: int) -> bool:
    """Whether finished games are archived in the usual schedule of a seed: half of them do, with either store."""
    return bool(seed // ERA // 2 % 2)


def _plan(seed: int) -> Plan:
    chance = random.Random(seed)
    nodes = chance.choice([2, 3, 3])
    games = []
    for _ in range(chance.choice([3, 4, 4, 5])):
        variant = chance.choice(["standard", "standard", "survivor", "ffa", "teams"])
        games.append(
            Game(
                variant, chance.choice(OPENINGS[variant]), chance.choice(CLOCKS), chance.choice([0, 0, 0, 200]),
                chance.choice([0, 1, 2]), chance.choice([0.01, 0.03, 0.06]),
            )
        )  # fmt: skip
    blows = []
    for _ in range(chance.choice([2, 3, 4, 5])):
        what = chance.choices(list(WEIGHTS), list(WEIGHTS.values()))[0]
        long = chance.random()
        seconds = chance.uniform(0.02, 0.7)
        if long < 0.06:
            seconds = chance.uniform(2.1, 3.2)  # an outage, if nobody else reaches the store
        elif long < 0.08:
            seconds = chance.uniform(5.2, 6.5)  # longer than a node waits for an answer of the store
        elif long < 0.085:
            seconds = chance.uniform(10.5, 12)  # longer than an append is retried
        blows.append(
            Blow(
                what, chance.randrange(nodes), seconds, chance.choice([0, 5, 20, 60]), chance.random() < 0.6,
                chance.random(),
            )
        )  # fmt: skip
    return Plan(seed, nodes, chance.random() < 0.3, games, blows)
