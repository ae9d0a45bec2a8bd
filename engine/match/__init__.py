"""A match: seats, moves, votes and the outcome of a game, and of the games of a series.

The state of a match follows from its log. `decide(state, command, by, now)` answers a command with events or a
`Rejection`. The owner of the log gives the events a number and a time, which makes a `Decision`.
`evolve(state, decision)` gives the next state. Both functions are pure: `now` is an argument, decisions carry their
time, and replaying a log gives the same state on any machine.

Read the modules in this order: `clock`, `display`, `terms`, `history`, `events`, `commands`, `state`, `evolve`,
`progress`, `time_rules`, `votes`, `decide`, `export`. Presence, chat, watchers and the storage of the log are not part
of a match.
"""

from fourfold.engine.decisions import Decision, Rejection
from fourfold.engine.match.decide import decide, rehearse
from fourfold.engine.match.evolve import evolve, replay
from fourfold.engine.match.state import State, Status

__all__ = ["Decision", "Rejection", "State", "Status", "decide", "evolve", "rehearse", "replay"]
