"""Decisions as bytes: the stored form of the log, apart from both the wire and the engine's classes.

An event is a MessagePack array: its name, then its fields in the order of its class. Stored names and orders never
change. New fields go last, with a default, so that old logs can still be read.

Each entry has a lineage, a short digest over all entries up to it. Every writer and reader of a log can compute it. If
two servers hold the same version of a room but different lineages, they hold different games. The entry's time is set
by the store, and is not part of the lineage.

A seal is stored beside each entry: its schema number, a checksum, and its lineage. The entries of older servers have
none.
"""

import struct
from collections.abc import Callable, Iterable, Iterator
from dataclasses import fields
from hashlib import blake2b
from typing import Any, Final, Literal, NamedTuple, TypeVar
from zlib import crc32

import msgpack

from fourfold.engine.decisions import Decision
from fourfold.engine.match import events as e
from fourfold.engine.match.clock import Control, Tick
from fourfold.engine.match.display import Sight
from fourfold.engine.match.terms import Terms
from fourfold.engine.outcome import Outcome, Termination
from fourfold.server.storage import study_records
from fourfold.server.storage.event_log import DamagedEntry, NewerEntry, OtherLineage

SCHEMA: Final = 1
"""The schema of the entries that this server writes, 1 to 127. Raise it only when an older server must not try to read
them. New events and fields alone need no new number."""

BEGINNING: Final = b""
"""The lineage of a log without entries."""

_S = TypeVar("_S")

_FORM: Final = struct.Struct(">BI8s")

SIZE: Final = _FORM.size
"""The size of a seal in bytes. The last 8 are the lineage, which the append script compares."""


def descend(before: bytes, packed: bytes) -> bytes:
    """The lineage of an entry that follows the lineage `before`."""
    return blake2b(before + packed, digest_size=8).digest()


def seal(lineage: bytes, packed: bytes, schema: int = SCHEMA) -> bytes:
    """The seal of a packed entry of this lineage."""
    return _FORM.pack(schema, crc32(packed, schema), lineage)


def lineage_of(sealed: bytes | None) -> bytes:
    """The lineage in a seal, valid or not; empty without a seal."""
    return b"" if sealed is None else sealed[-8:]


def schema_of(sealed: bytes) -> int:
    """The schema number in a seal."""
    return sealed[0]


def unseal(seq: int, sealed: bytes, packed: bytes) -> bytes:
    """The lineage in a seal.

    Raises `NewerEntry` or `DamagedEntry` if entry `seq` is not one that this server can read.
    """
    try:
        schema, checksum, lineage = _FORM.unpack(sealed)
    except struct.error as error:
        raise DamagedEntry(seq, "its seal is broken") from error
    if checksum != crc32(packed, schema):
        raise DamagedEntry(seq, "its checksum is wrong")
    if schema > SCHEMA:
        raise NewerEntry(seq, f"its schema is {schema}, and this server knows {SCHEMA}")
    found: bytes = lineage
    return found


class Entry(NamedTuple):
    """A stored decision: its number, the time when the log took it, its bytes, and its seal if it has one."""

    seq: int
    at: int
    packed: bytes
    sealed: bytes | None


def read(entries: Iterable[Entry], after: int = 0, lineage: bytes | None = None) -> list[Decision]:
    """The decisions after version `after` of a log's entries; see `unpacked`."""
    return list(unpacked(entries, after, lineage))


def unpacked(entries: Iterable[Entry], after: int = 0, lineage: bytes | None = None) -> Iterator[Decision]:
    """Yield the decisions after version `after` of a log's entries, one by one.

    The entries begin with the first one that the reader lacks. With a `lineage`, they begin with the entry `after`
    itself, to compare its lineage. Raises `UnreadableEntry`. Raises `OtherLineage` if the log has no entry `after`, or
    one of another lineage.
    """
    if after == 0:
        lineage = BEGINNING
    last = after if after == 0 or lineage is None else after - 1
    for entry in entries:
        last += 1
        seq, at, packed, sealed = entry
        if seq != last:
            raise DamagedEntry(last, "it is missing")
        if last == after:
            if sealed is not None and unseal(last, sealed, packed) != lineage:
                raise OtherLineage(f"The log has a different entry {after} from the one held.")
            continue
        try:
            decision = unpack(last, at, packed, sealed, lineage)
        except OtherLineage as error:
            if after:
                raise
            raise DamagedEntry(last, "it does not follow the entry before it") from error
        yield decision
        lineage = decision.lineage or None
    if last < after:
        raise OtherLineage(f"The log has no entry {after}.")


def evolved(evolve: Callable[[_S | None, Decision], _S], before: _S | None, decision: Decision) -> _S:
    """The state after a stored decision. Raises `DamagedEntry` if it can't follow the state `before`."""
    try:
        return evolve(before, decision)
    except Exception as error:  # an impossible decision may raise any exception
        raise DamagedEntry(decision.seq, f"it cannot have happened ({error!r})") from error

_Form = tuple[Callable[[Any], list[Any]], Callable[..., Any]]
"""The writer of an event (to a list) and its reader (from a list)."""


def _plain(cls: type[Any], **readers: Callable[[Any], Any]) -> _Form:
    """The form of an event whose fields are stored as they are. `readers` convert fields back when they are read."""
    names = [field.name for field in fields(cls)]

    def read(*stored: Any) -> Any:
        kept = [readers[name](value) if name in readers else value for name, value in zip(names, stored, strict=False)]
        return cls(*kept, *stored[len(names) :])

    return lambda event: [getattr(event, name) for name in names], read


_USUAL: Final = (False, True, "", False, 0)
"""The defaults of the last terms."""


def _created(event: e.Created) -> list[Any]:
    control, terms = event.control, event.terms
    given = None if control is None else [control.base, control.increment, control.delay]
    kept: list[Any] = [terms.chat, terms.lock, terms.seek, terms.delay]
    more: list[Any] = [terms.imported, terms.rated, terms.pool, terms.same_address, terms.fill]
    while more and more[-1] == _USUAL[len(more) - 1]:  # left out, so that older servers can read the rest
        more.pop()
    kept += more
    options = [] if event.options is None else [event.options]
    return [event.variant, event.position, event.visibility, event.host, given, kept, event.seed, *options]


def _read_created(
    variant: str,
    position: str | None,
    visibility: Literal["public", "private"],
    host: str,
    given: list[int] | None,
    kept: list[Any],
    seed: int = 0,
    options: str | None = None,
) -> e.Created:
    control = None if given is None else Control(*given)
    return e.Created(variant, position, visibility, host, control, Terms(*kept), seed, options)


def _unseated(event: e.Unseated) -> list[Any]:
    """The event of a player who left by choice keeps its old form, so that older servers can read it."""
    return [event.seat, True] if event.kicked else [event.seat]


def _moved(event: e.Moved) -> list[Any]:
    tick = event.tick
    timed = [] if tick is None else [tick.spent, tick.lag, tick.gained, tick.left]
    return [event.seat, event.move, event.ply, *timed, *_sight(event)]


def _read_moved(seat: int, move: str, ply: int, *more: Any) -> e.Moved:
    timed, seen = (more[:-1], more[-1]) if more and isinstance(more[-1], list) else (more, None)
    return e.Moved(seat, move, ply, Tick(*timed) if timed else None, sight=_read_sight(seen))


def _sight(event: e.Moved | e.Resigned | e.Flagged | e.Removed) -> list[Any]:
    """The changed squares and their pieces, in one row; empty if the event has none."""
    sight = event.sight
    if sight is None:
        return []
    changes = [name for change in sight.changes for name in change]
    hands = [sight.hands] if sight.hands else []
    return [[sight.text, changes, sight.check, sight.points, *hands]]


def _read_sight(seen: list[Any] | None) -> Sight | None:
    if seen is None:
        return None
    text, changes, check, points, *hands = seen
    pairs = tuple(zip(changes[::2], changes[1::2], strict=True))
    return Sight(text, pairs, tuple(check), _optional(points), tuple(hands[0]) if hands else ())


def _departed(event: e.Resigned | e.Flagged | e.Removed) -> list[Any]:
    return [event.seat, *_sight(event)]


def _reader_of_departure(
    cls: type[e.Resigned | e.Flagged | e.Removed],
) -> Callable[..., e.Resigned | e.Flagged | e.Removed]:
    return lambda seat, seen=None: cls(seat, _read_sight(seen))


def _finished(event: e.Finished) -> list[Any]:
    outcome = event.outcome
    unrated = [event.unrated] if event.unrated else []
    return [outcome.termination, outcome.winners, outcome.standings, outcome.points, event.scores, *unrated]


def _read_finished(
    termination: str,
    winners: list[int],
    standings: list[int],
    points: list[int] | None,
    scores: list[int],
    unrated: str = "",
) -> e.Finished:
    outcome = Outcome(Termination(termination), tuple(winners), tuple(standings), _optional(points))
    return e.Finished(outcome, tuple(scores), unrated)


def _pairs(rows: list[list[Any]]) -> tuple[tuple[Any, ...], ...]:
    return tuple(tuple(row) for row in rows)


def _optional(values: list[int] | None) -> tuple[int, ...] | None:
    return None if values is None else tuple(values)


_FORMS: Final[dict[str, tuple[type[Any], _Form]]] = {
    "created": (e.Created, (_created, _read_created)),
    "seated": (e.Seated, _plain(e.Seated)),
    "renamed": (e.Renamed, _plain(e.Renamed)),
    "unseated": (e.Unseated, (_unseated, e.Unseated)),
    "invited": (e.Invited, _plain(e.Invited)),
    "stood_in": (e.StoodIn, _plain(e.StoodIn)),
    "returned": (e.Returned, _plain(e.Returned)),
    "started": (e.Started, _plain(e.Started)),
    "moved": (e.Moved, (_moved, _read_moved)),
    "resigned": (e.Resigned, (_departed, _reader_of_departure(e.Resigned))),
    "flagged": (e.Flagged, (_departed, _reader_of_departure(e.Flagged))),
    "removed": (e.Removed, (_departed, _reader_of_departure(e.Removed))),
    "credited": (e.Credited, _plain(e.Credited)),
    "adjourned": (e.Adjourned, _plain(e.Adjourned)),
    "paused": (e.Paused, _plain(e.Paused, left=tuple)),
    "resumed": (e.Resumed, _plain(e.Resumed)),
    "gave": (e.Gave, _plain(e.Gave)),
    "berserked": (e.Berserked, _plain(e.Berserked)),
    "eliminated": (e.Eliminated, _plain(e.Eliminated, reason=Termination)),
    "proposed": (e.Proposed, _plain(e.Proposed, kind=e.ProposalKind, electorate=tuple)),
    "voted": (e.Voted, _plain(e.Voted)),
    "closed": (e.Closed, _plain(e.Closed, closure=e.Closure)),
    "undone": (e.Undone, _plain(e.Undone, out=_pairs, left=_optional)),
    "redone": (e.Redone, _plain(e.Redone, moves=tuple, out=_pairs, left=_optional)),
    "finished": (e.Finished, (_finished, _read_finished)),
    "archived": (e.Archived, _plain(e.Archived)),
    "rematched": (e.Rematched, _plain(e.Rematched, players=_pairs)),
    **study_records.FORMS,
}
_WRITE = {cls: (name, write) for name, (cls, (write, _)) in _FORMS.items()}
_READ = {name: read for name, (_, (_, read)) in _FORMS.items()}


_packer: Final = msgpack.Packer()


def pack(by: str, key: str, events: tuple[Any, ...]) -> bytes:
    """The bytes of a decision, of a match or of a study. The log adds its number and time."""
    stored = []
    for event in events:
        name, write = _WRITE[type(event)]
        stored.append([name, *write(event)])
    packed: bytes = _packer.pack([by, key, stored])
    return packed


def unpack(seq: int, at: int, packed: bytes, sealed: bytes | None = None, before: bytes | None = None) -> Decision:
    """The decision of `pack`'s bytes, as entry `seq` of a log, with its seal if it has one.

    It must follow the lineage `before`, unless that is None. Raises `OtherLineage` and `UnreadableEntry`.
    """
    named = None if sealed is None else unseal(seq, sealed, packed)
    lineage = named if before is None else descend(before, packed)
    if named not in (None, lineage):
        raise OtherLineage(f"Entry {seq} follows different entries from those held.")
    try:
        by, key, stored = msgpack.unpackb(packed)
        events = tuple(_READ[name](*fields) for name, *fields in stored)
    except (ValueError, KeyError, TypeError, msgpack.UnpackException) as error:
        if named is None:
            raise DamagedEntry(seq, f"its content is invalid ({error!r})") from error
        raise NewerEntry(seq, f"it is intact, but contains something unknown to this server ({error!r})") from error
    return Decision(seq, at, by, key, events, lineage or b"")
