"""The store of a cluster: a real Redis or Valkey server that can be killed, starved, filled up, and made read-only.

The checker reads it directly, not through a server.
"""

import asyncio
import resource
import shutil
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal, Self, TypeAlias

from redis.asyncio import Redis
from redis.exceptions import ResponseError

from fourfold.engine.decisions import Decision
from fourfold.engine.match import replay
from fourfold.engine.match.events import Moved
from fourfold.server.replication.ids import is_study
from fourfold.server.storage import records
from fourfold.server.storage.embedded import ARGUMENTS, SOCKET
from fourfold.server.storage.records import BEGINNING, SCHEMA, pack, seal, unpack
from tests.faults.archive import Archive
from tests.faults.history import Entry, entry
from tests.faults.process import READY, Process, mortal, until
from tests.ports import free_port

Spoiled: TypeAlias = Literal["garbage", "checksum", "newer", "illegal"]
"""The kinds of bad entries: no entry at all, damaged, of a newer server, or impossible."""


_SPOILED = "spoiled"
"""The key of the bad entries."""


class Store(Process):
    """A Redis or Valkey server, as durable as in production, in its own folder and on its own unix socket."""

    def __init__(self, binary: str, folder: Path, archive: Archive) -> None:
        """Finished games may leave it for the archive."""
        self.archive = archive
        self._binary = binary
        self._folder = folder
        self.address = str(folder / SOCKET)
        self.client = Redis(unix_socket_path=self.address)

    # -- processes --

    async def start(self) -> None:
        """Start; returns when it serves."""
        await self._launch(None)
        await until(self._answers, READY, pause=0.01)

    async def _launch(self, space: int | None) -> None:
        """Start the process. Its files may grow to `space` bytes each; None for no limit."""

        def begin() -> None:
            mortal()
            if space is not None:
                resource.setrlimit(resource.RLIMIT_FSIZE, (space, resource.RLIM_INFINITY))

        with (self._folder / "store.log").open("ab") as output:
            self._process = await asyncio.create_subprocess_exec(
                self._binary, *ARGUMENTS, cwd=self._folder, stdout=output, stderr=output, start_new_session=True,
                preexec_fn=begin, restore_signals=False,  # so that a full disk is a write error, not a signal
            )  # fmt: skip

    async def _answers(self) -> bool:
        try:
            reader, writer = await asyncio.open_unix_connection(self.address)
        except OSError:
            return False
        try:
            writer.write(b"PING\r\n")
            return (await reader.readline()).startswith(b"+PONG")
        except OSError:
            return False
        finally:
            writer.close()

    # -- refusals --

    async def starve(self) -> None:
        """Out of memory, until `feed`: writes fail, reads work."""
        await self.client.config_set("maxmemory", 1)

    async def feed(self) -> None:
        """End the lack of memory."""
        await self.client.config_set("maxmemory", 0)

    async def seal(self, *, as_replica: bool) -> None:
        """Read-only, until `unseal`: as a replica of a server that is away, or for lack of its own replicas."""
        if as_replica:
            await self.client.execute_command("REPLICAOF", "127.0.0.1", 1)  # type: ignore[no-untyped-call]
        else:
            await self.client.config_set("min-replicas-to-write", 1)

    async def unseal(self) -> None:
        """It takes writes again."""
        await self.client.execute_command("REPLICAOF", "NO", "ONE")  # type: ignore[no-untyped-call]
        await self.client.config_set("min-replicas-to-write", 0)

    async def fill(self, left: int, seconds: float) -> None:
        """Leave only this many bytes on its disk, for `seconds`: it ends when they are used up, even after restarts.

        Then its disk is as large as before.
        """
        assert self._process is not None
        space = left + max(path.stat().st_size for path in self._files.iterdir())
        resource.prlimit(self._process.pid, resource.RLIMIT_FSIZE, (space, resource.RLIM_INFINITY))
        over = asyncio.get_running_loop().time() + seconds
        while await self._ends(over):
            await self._launch(space)
        await self.kill()
        await self.start()

    async def _ends(self, time: float) -> bool:
        """Whether the process ends before a time of the event loop."""
        assert self._process is not None
        with suppress(TimeoutError):
            async with asyncio.timeout_at(time):
                await self._process.wait()
                return True
        return False

    # -- damage to its data --

    async def spoil(self, room: str, how: Spoiled) -> int:
        """Add an entry to a room that no server can read; returns its version."""
        packed = pack("", _SPOILED, (Moved(0, "a1h8", 99),))
        fields: dict[str, Any] = {"t": int(time.time() * 1000), "d": packed}
        match how:
            case "garbage":
                fields["d"] = b"\xc1" + packed
            case "checksum":
                fields["s"] = seal(b"12345678", packed + b"?")
            case "newer":
                fields["s"] = seal(b"12345678", packed, schema=SCHEMA + 1)
        while True:
            seq = await self.length(room) + 1
            try:
                await self.client.xadd(_stream(room), fields, id=f"{seq}-0")
            except ResponseError as error:
                if "equal or smaller" not in str(error):  # otherwise a server has added one since
                    raise
            else:
                return seq

    async def is_spoiled(self, room: str, seq: int) -> bool:
        """Whether that entry is there."""
        entries: Any = await self.client.xrange(_stream(room), f"{seq}-0", f"{seq}-0")
        return any(_SPOILED.encode() in fields[b"d"] for _, fields in entries)

    async def go_back(self, shelf: Path) -> None:
        """Restore the files from the shelf."""
        await self.kill()
        shutil.rmtree(self._files)
        shutil.move(shelf, self._files)
        await self.start()

    async def replicate(self) -> Self:
        """A replica that has all data of this store now, and nothing later."""
        port = free_port()
        await self.client.config_set("port", port)
        replica = type(self)(self._binary, Path(tempfile.mkdtemp(dir=self._folder)), self.archive)
        await replica.start()
        await replica._follow(port)
        await until(replica._has_all, READY, pause=0.01)
        await replica._follow(1)  # nobody is connected there
        return replica

    async def _follow(self, port: int) -> None:
        await self.client.execute_command("REPLICAOF", "127.0.0.1", port)  # type: ignore[no-untyped-call]

    async def _has_all(self) -> bool:
        info = await self.client.info("replication", "persistence")
        writing = info["aof_rewrite_in_progress"] or info["aof_rewrite_scheduled"]
        return bool(info.get("master_link_status") == "up" and not writing)

    async def give_way(self, replica: Self) -> None:
        """Die, and become the replica."""
        await self.kill()
        await self.client.aclose()
        self._folder, self._process = replica._folder, replica._process
        self.address, self.client = replica.address, replica.client
        await self.unseal()

    def shelve(self) -> Path:
        """Put a copy of its files, as they are, on a shelf."""
        shelf = Path(tempfile.mkdtemp(dir=self._folder)) / "shelf"
        shutil.copytree(self._files, shelf)
        return shelf

    @property
    def _files(self) -> Path:
        return self._folder / "appendonlydir"

    # -- its data --

    async def length(self, room: str) -> int:
        """The number of a room's decisions so far."""
        last = await self.last(room)
        return 0 if last is None else last.seq

    async def last(self, room: str) -> records.Entry | None:
        """A room's last decision, which stays when the others have left for the archive."""
        return next(iter(_read(await self.client.xrevrange(_stream(room), count=1))), None)

    async def hands_over(self, before: set[str]) -> bool:
        """Whether some room is being handed over to the archive, except the rooms of `before`."""
        return any([await self.is_leaving(room) for room in sorted(await self.rooms() - before)])

    async def is_leaving(self, room: str) -> bool:
        """Whether a room has been ended for good, with its whole log still here."""
        last = await self.last(room)
        ended = last is not None and last.packed.endswith(b"archived")
        return ended and int(await self.client.xlen(_stream(room))) > 1

    async def has_left(self, room: str) -> bool:
        """Whether only a room's last decision is here."""
        return await self.length(room) > 1 == int(await self.client.xlen(_stream(room)))

    async def rooms(self) -> set[str]:
        """Every room there is, without studies."""
        keys = [key.decode() async for key in self.client.scan_iter(_stream("*"), count=1000)]
        before, after = _stream("*").split("*")
        rooms = {key[len(before) : -len(after)] for key in keys}
        return {room for room in rooms if not is_study(room)}

    async def log(self, room: str, before: int | None = None) -> list[Entry]:
        """A room's whole log, here or in the archive, or the part before a version; nothing if it is in neither."""
        entries = await self.entries(room, before)
        if entries and entries[0].seq > 1:
            entries = await self.archive.entries(room) or []
        decisions: list[Decision] = []
        lineage = BEGINNING
        for seq, at, packed, sealed in entries:
            decisions.append(unpack(seq, at, packed, sealed, lineage))
            lineage = decisions[-1].lineage
        if not decisions:
            return []
        names = replay(decisions[:1]).position.seats
        return [entry(room, names, decision) for decision in decisions]

    async def entries(self, room: str, before: int | None = None) -> list[records.Entry]:
        """The part of a room's log that is here, or the part before a version."""
        return _read(await self.client.xrange(_stream(room), max="+" if before is None else f"({before}-0"))

    async def notes(self, room: str) -> bool:
        """Whether a room has a reminder."""
        return await self.client.zscore("fourfold:alarms", room) is not None

    async def beats(self) -> int:
        """The number of stamps by nodes."""
        return int(await self.client.hget("fourfold:{alive}:data", "beats") or 0)

    async def outages(self) -> list[tuple[int, int]]:
        """Its outages."""
        entries = await self.client.lrange("fourfold:{alive}:outages", 0, -1)
        return [(int(start), int(end)) for start, end in (entry.split() for entry in entries)]


def _stream(room: str) -> str:
    return f"fourfold:{{{room}}}:log"


def _read(answer: Any) -> list[records.Entry]:
    numbered = [(int(id.split(b"-")[0]), fields) for id, fields in answer]
    return [records.Entry(seq, int(fields[b"t"]), fields[b"d"], fields.get(b"s")) for seq, fields in numbered]
