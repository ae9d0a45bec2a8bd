"""The feed of a study: the same as for a match, with writers in the role of players."""

from fourfold.engine.decisions import Decision
from fourfold.engine.study import Study
from fourfold.protocol import from_server as wire
from fourfold.protocol import study_projection
from fourfold.server.replication.feed import Feed


class StudyFeed(Feed):
    """The followers of one study on this node."""

    __slots__ = ()

    def update(self, state: Study, decision: Decision) -> wire.Update:
        """A decision as a frame."""
        return study_projection.update(self._room, state, decision)
