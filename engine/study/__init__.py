"""A study: chapters, each a position and a tree of moves from it, with comments, glyphs, arrows and marks.

As for a match, the state of a study follows from its log. `decide(study, command, by, now)` answers a command with
events or a `Rejection`. `evolve(study, decision)` gives the next state. Both functions are pure. Events about a person
contain the player's id; the event `Named` has the name.

Read the modules in this order: `shapes`, `events`, `commands`, `tree`, `state`, `steps`, `evolve`, `decide`, `record`.
"""

from fourfold.engine.study.decide import decide
from fourfold.engine.study.evolve import evolve, replay
from fourfold.engine.study.state import Chapter, Study

__all__ = ["Chapter", "Study", "decide", "evolve", "replay"]
