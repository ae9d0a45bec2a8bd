"""A match: who sits where, what has been played, what is being voted on, and how it ended.

A match is a fold. `decide(state, command, by, now)` answers a command with events or a `Rejection`;
a `Decision` (those events, numbered and timed by whoever keeps the log) goes through
`evolve(state, decision)` to the next state. Both are pure: `now` is an argument, decisions carry
their time, and replaying a log gives the same state on any machine.

Read in this order: `values`, `terms`, `clock`, `events`, `commands`, `line`, `state`, `evolve`, `progress`, `votes`,
`decide`, `record`. Presence, chat and watchers are not a match's business, and neither is how the log is kept.
"""

from fourfold.engine.match.decide import decide, rehearse
from fourfold.engine.match.events import Decision, Rejection
from fourfold.engine.match.evolve import evolve, replay
from fourfold.engine.match.state import State, Status

__all__ = ["Decision", "Rejection", "State", "Status", "decide", "evolve", "rehearse", "replay"]
