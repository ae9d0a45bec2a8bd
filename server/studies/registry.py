"""The studies of this node: loaded from the log on demand, dropped when nobody follows them."""

from collections.abc import Callable

from fourfold.engine.decisions import Rejection
from fourfold.engine.study.commands import Edit
from fourfold.server.clock import Clock
from fourfold.server.metrics import Metrics
from fourfold.server.replication.holding import Holding, NotOpened
from fourfold.server.replication.ids import STUDY, id_of_length, is_study, number_of, random_number
from fourfold.server.replication.rejections import GONE
from fourfold.server.storage.event_log import EventLog
from fourfold.server.studies.room import StudyRoom
from fourfold.server.studies.writer import Kept


class StudyRegistry(Holding[StudyRoom]):
    """Finds studies, opens new ones, and drops idle ones."""

    def __init__(
        self,
        log: EventLog,
        clock: Clock,
        secret: bytes,
        metrics: Metrics,
        changed: Callable[[StudyRoom], None],
        kept: Kept,
        *,
        watchers_only: bool = False,
    ) -> None:
        """`changed` is called with a study when this node has changed it, or loaded it from the log. The ids of studies
        that are opened under a key are derived from the `secret`, which all nodes share. `kept` returns how long a
        player's studies are kept."""

        def make(id: str) -> StudyRoom:
            return StudyRoom(id, log, clock, self._scheduler, metrics, changed, kept, watchers_only=watchers_only)

        super().__init__(log, make, is_study)
        self._secret = secret
        self._changed = changed

    def name(self, player: str, key: str | None) -> str:
        """An id for a new study. With a `key`, every node returns the same id for this player and key."""
        number = random_number() if key is None else number_of(player, key, self._secret, b"study")
        return id_of_length(number, STUDY)

    async def open(self, id: str, command: Edit, player: str, key: str | None) -> StudyRoom | Rejection:
        """Open a study under an id. Returns the study, or the reason why it can't be opened. Raises
        `LogUnavailable`."""
        return await self._opened(id, lambda: self._open(id, command, player, key))

    async def _open(self, id: str, command: Edit, player: str, key: str | None) -> StudyRoom:
        room = await self._follow(id)
        answer = await room.judge(command, player, key or "")
        if room.state is None or room.gone:
            await self._drop(room)
            raise NotOpened(answer if isinstance(answer, Rejection) else GONE)
        self._hold(room)
        room.cursors.ask()
        return room

    async def _loaded(self, room: StudyRoom) -> None:
        self._hold(room)
        room.cursors.ask()
        self._changed(room)
