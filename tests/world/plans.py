"""The plan of a seed in a world: the campaign's plan, at the pace of machines or of people, with an archive or without.
Also makes smaller versions of a plan.

Most worlds are small: one game, one or two faults. A small world takes a fraction of the processor time of a large one,
and most races need no more. Some races need several games or faults, so a few worlds are as large as the campaign's.
"""

import random
from collections.abc import Iterator
from dataclasses import replace

from tests.faults import plan as campaign
from tests.faults.plan import OPENINGS, Blow, Plan
from tests.world.blows import FORKS, GOES_BACK, REPLICA_WEIGHTS, WEIGHTS, lasts

LARGE = 0.04
"""The chance that a world is as large as a schedule of the campaign."""

FAULTS = (1, 1, 1, 2)
"""The number of faults in a small world."""

SLOWER = (1, 1, 3, 10)
"""Factors by which players are slower than in the campaign."""

OWN = 0.12
"""The chance that a fault is one of those that only a world has."""


REPLICATED = 0.12
"""The chance that a replica must have what nodes acknowledge."""

ON_REPLICA = 0.6
"""The chance that a fault is one of the replica then."""

WITHOUT = (0.02, 0.7), (1, 4.5)
"""Seconds for which a node may wait for the replica: it refuses a command after three."""

LATE = 0.25
"""The chance that watchers see a game that is archived only after `DELAY`."""

DELAY = 3_000
"""Milliseconds: longer than a game that is over stays in the store."""


BRISK = 0.02
"""The pace of players in a brief world: the share of a second that they wait at most."""

BLINK = 0.3
"""Seconds that a fault lasts at most in a brief world."""

SOON = 5
"""The number of acknowledged commands before the fault of a brief world, at most."""


QUICK = {
    what: weight for what, weight in campaign.WEIGHTS.items()
    if not what.startswith(("put", "let", "keep", "spoil", "take a player", "leave a game"))
}  # fmt: skip
"""The kinds of faults that are soon over, with their weights."""


def archived(seed: int) -> bool:
    """Whether games that are over are archived in the world of a seed."""
    return random.Random(f"archived {seed}").random() < 0.5


def schedule(seed: int) -> Plan:
    """The campaign's schedule of a seed, as its usual options play it."""
    return campaign.plan(seed, archived=campaign.archived(seed))


def plan(seed: int) -> Plan:
    """The schedule of a seed."""
    chance = random.Random(f"pace {seed}")
    slower = chance.choice(SLOWER)
    planned = _sized(chance, campaign.plan(seed, archived=archived(seed)))
    games = [replace(game, pace=game.pace * slower) for game in planned.games]
    if planned.archives:
        late = [chance.random() < LATE for _ in games]
        games = [replace(game, delay=DELAY, watchers=2) if one else game for game, one in zip(games, late, strict=True)]
    blows = [_own(chance, blow, planned.archives) if chance.random() < OWN else blow for blow in planned.blows]
    planned = replace(planned, games=games, blows=blows)
    return _replicated(chance, planned) if chance.random() < REPLICATED else planned


def _replicated(chance: random.Random, planned: Plan) -> Plan:
    """A plan in which a replica must have what is acknowledged: when it takes over, no decision is lost."""
    whats, weights = list(REPLICA_WEIGHTS), list(REPLICA_WEIGHTS.values())
    blows = [
        replace(blow, what=chance.choices(whats, weights)[0], seconds=chance.uniform(*chance.choice(WITHOUT)))
        if blow.what in FORKS or chance.random() < ON_REPLICA else blow
        for blow in planned.blows
    ]  # fmt: skip
    return replace(planned, blows=blows, replicas=1)


def brief(seed: int) -> Plan:
    """The briefest plan of a seed, for many seeds in little time: two nodes, one game of two that is played fast, and
    one fault, which comes early and is soon over."""
    chance = random.Random(f"brief {seed}")
    planned = plan(seed)
    position, watchers = chance.choice(OPENINGS["standard"]), chance.choice((0, 1))
    game = planned.games[0]
    game = replace(game, variant="standard", position=position, watchers=watchers, pace=BRISK, delay=0)
    what = chance.choices(list(QUICK), list(QUICK.values()))[0]
    blow = replace(planned.blows[0], what=what, seconds=chance.uniform(0.02, BLINK), after=chance.choice((0, SOON)))
    return replace(planned, nodes=2, games=[game], blows=[blow], replicas=0)


def _sized(chance: random.Random, planned: Plan) -> Plan:
    """A plan, as large as its world will be."""
    if chance.random() < LARGE:
        return planned
    nodes, faults = min(planned.nodes, chance.choice((2, 2, 3))), chance.choice(FAULTS)
    return replace(planned, nodes=nodes, games=planned.games[:1], blows=planned.blows[:faults])


def _own(chance: random.Random, blow: Blow, archived: bool) -> Blow:
    whats = [what for what in WEIGHTS if archived or what != GOES_BACK]
    what = chance.choices(whats, [WEIGHTS[one] for one in whats])[0]
    return replace(blow, what=what, seconds=lasts(what, blow.seconds))


def smaller(planned: Plan) -> Iterator[Plan]:
    """Plans that lack one thing each: a fault, a game, a watcher, a node."""
    for number in range(len(planned.blows)):
        yield replace(planned, blows=planned.blows[:number] + planned.blows[number + 1 :])
    if len(planned.games) > 1:
        for number in range(len(planned.games)):
            yield replace(planned, games=planned.games[:number] + planned.games[number + 1 :])
    for number, game in enumerate(planned.games):
        if game.watchers:
            fewer = replace(game, watchers=game.watchers - 1)
            yield replace(planned, games=[*planned.games[:number], fewer, *planned.games[number + 1 :]])
    if planned.nodes > 1:
        yield replace(planned, nodes=planned.nodes - 1)
