"""A study: chapters, each a position and a tree of moves from it, with comments, glyphs, arrows and marks.

A study is a fold, as a match is. `decide(study, command, by, now)` answers a command with events or a `Rejection`;
`evolve(study, decision)` gives the next state. Both are pure. Whoever keeps the log says who gave a command; events
that concern a person carry the player's id, and `Named` their name.

The modules in the order to read them: `shapes`, `events`, `commands`, `state`, `steps`, `evolve`, `decide`, `record`.
"""

from fourfold.engine.study.decide import decide
from fourfold.engine.study.evolve import evolve, replay
from fourfold.engine.study.state import Chapter, Study

__all__ = ["Chapter", "Study", "decide", "evolve", "replay"]
