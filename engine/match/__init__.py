"""A match: who sits where, what has been played, what is being voted on, and how it ended.

A match is a fold. `decide(state, command, by, now)` answers a command with events or a `Rejection`;
a `Decision` (those events, numbered and timed by whoever keeps the log) goes through
`evolve(state, decision)` to the next state. Both are pure: `now` is an argument, decisions carry
their time, and replaying a log gives the same state on any machine.

The modules in the order to read them: `clock`, `display`, `terms`, `history`, `events`, `commands`, `state`, `evolve`,
`progress`, `votes`, `decide`, `export`. Presence, chat, watchers and the storage of the log lie outside.
"""

from fourfold.engine.match.decide import decide, rehearse
from fourfold.engine.match.events import Decision, Rejection
from fourfold.engine.match.evolve import evolve, replay
from fourfold.engine.match.state import State, Status

__all__ = ["Decision", "Rejection", "State", "Status", "decide", "evolve", "rehearse", "replay"]
