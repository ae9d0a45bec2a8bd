"""Proves that a history keeps the promise: nothing acknowledged is lost, done twice, or seen in two ways.

`check` proves, from everything that every client sent and received and from the logs, that

* every acknowledged command is in the log, once, at the reported version, and was not acknowledged before. Refused
  commands are not in it, and commands in it are not refused (`lost`, `doubled`);
* a command was refused only if the game was then as the code says: see `refusals` (`unlawful`);
* each room's log is a game by the rules (see `fold`), with lawful votes and clocks (`illegal`, `unlawful`);
* every update equals the log at its version, and each connection gets them one by one. Snapshots, turns and lists of
  moves equal the fold at their version. In the end every client has the same state as the fold, so an acknowledged
  command is in force unless the log itself reverses it (`divergent`);
* every request on an open connection was answered in time, and once there are no faults, decisions arrive in time
  (`stuck`).
"""

import math
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import NamedTuple

from tests.faults.fold import apply
from tests.faults.game import Broken, Game, Kind
from tests.faults.history import Entry, Fork, Frame, History, Record
from tests.faults.refusals import Asked, justifies

REPLIES = {
    "welcome", "created", "joined", "ok", "error", "pong", "legal", "exported", "rooms", "room", "chat", "games",
}  # fmt: skip
"""Frames that answer a request if they have its id."""

PUSHED = {"room", "update", "turn", "presence", "watchers"}
"""Frames for the followers of a room."""

OTHER_KEYS = {"serve", "seek", "register", "challenge"}
"""Requests whose key names no command in a room's log."""

WITHOUT_KEY = {"join", "leave", "bot"}
"""Commands that have no key."""

PATIENCE = 10_000
"""Milliseconds after which a request must have an answer."""

UNKNOWN = {"unavailable"}
"""Refusals after which a command may have been done anyway."""

DONE_BY = {
    "move": ("moved",),
    "propose": ("proposed",),
    "vote": ("voted",),
    "withdraw": ("closed",),
    "claim": ("closed", "finished"),
    "resign": ("resigned",),
    "abort": ("closed", "finished"),
    "give": ("gave",),
    "berserk": ("berserked",),
    "kick": ("unseated",),
    "close": ("finished",),
}
"""The possible first events of a command's decision."""


class Fault(NamedTuple):
    """A fault, in a room (or empty), at a version if it has one."""

    kind: Kind
    room: str
    seq: int | None
    message: str


class Sent(NamedTuple):
    """A request on its way: its time, its connection (and socket), and its content."""

    at: float
    who: str
    socket: int
    frame: Frame


@dataclass
class Command:
    """All copies of one command (one player's key in one room), and all answers to them."""

    room: str
    by: str
    key: str
    sent: list[Sent] = field(default_factory=list)
    answers: list[tuple[Record, Sent]] = field(default_factory=list)


@dataclass
class Report:
    """The faults found, and the amount of data checked."""

    faults: list[Fault] = field(default_factory=list)
    commands: int = 0
    acknowledged: int = 0
    events: Counter[str] = field(default_factory=Counter)
    """How often each type of event is in the logs; for votes, each outcome."""
    slowest: float = 0
    """Milliseconds that a decision took to a follower, at most, once there were no faults."""

    def count(self, kind: Kind) -> int:
        """The number of faults of a kind."""
        return sum(fault.kind == kind for fault in self.faults)


def check(history: History) -> Report:
    """All faults of a history.

    If the store went back, these are the faults of the history before and of the one after, each by the store's data at
    the time. Frames in between, when only some knew, must match the store at one of the two times.
    """
    fork = history.fork
    if fork is None:
        return _Checker(history).check()
    before = [record for record in history.records if record.at <= fork.at]
    after = [record for record in history.records if record.at > fork.until or record.frame.get("type") == "welcome"]
    then = _Checker(replace(history, rooms=fork.rooms, outages=fork.outages, records=before, fork=None)).check()
    now = replace(history, records=after, fork=None, remembered=fork.outages)
    report = _Checker(now, _first_sent(history.records)).check()
    report.faults = [*then.faults, *_between(history, fork), *report.faults]
    report.commands += then.commands
    report.acknowledged += then.acknowledged
    return report


def _between(history: History, fork: Fork) -> Iterator[Fault]:
    """Frames that match the store neither before nor after it went back."""
    for at, who, way, frame in history.records:
        if not fork.at < at <= fork.until or way != "in" or frame["type"] != "update":
            continue
        room, seq = frame["room"], frame["seq"]
        known = [log[seq - 1] for log in (fork.rooms.get(room, []), history.rooms.get(room, [])) if seq <= len(log)]
        if (frame["events"], frame["time"]) not in [(_shown(entry), entry.at) for entry in known]:
            text = f"{who} got {frame['events']}, which the store had neither before nor after it went back"
            yield Fault("divergent", room, seq, text)


def _first_sent(records: Iterable[Record]) -> dict[str, float]:
    """The time when each command was first sent, by its key."""
    sent: dict[str, float] = {}
    for record in records:
        if record.way == "out" and isinstance(key := record.frame.get("key"), str):
            sent.setdefault(key, record.at)
    return sent


def _shown(entry: Entry) -> list[Frame]:
    """The events of an entry in the form that clients receive."""
    return [event for event in entry.events if event["type"] != "created"]


class _Checker:
    def __init__(self, history: History, sent: dict[str, float] | None = None) -> None:
        """`sent` has the times when commands were first sent that may be sent again in this history, by their keys."""
        self.history = history
        self.sent_before = sent or {}
        self.report = Report()
        self.players: dict[str, str] = {}  # by connection
        self.heard: dict[tuple[str, str], list[float]] = defaultdict(list)  # the times of frames to a player in a room
        self.commands: dict[tuple[str, str, str], Command] = {}
        self.refused: dict[str, list[tuple[str, Asked]]] = defaultdict(list)  # the refused commands of a room
        self.held: dict[tuple[str, str], Frame] = {}  # a connection's final state of a room
        self.wanted: dict[str, set[int]] = defaultdict(set)  # the versions that the fold must report
        self.views: dict[tuple[str, int], Frame] = {}
        self.legal: dict[tuple[str, int], list[str]] = {}
        self.folded: dict[str, int] = {}  # how far the fold went
        self.roles: dict[str, set[str]] = defaultdict(set)  # the players who have had a seat in a room, or stood in
        self.delays: dict[tuple[str, int], int] = {}  # how much later all others see a version

    def check(self) -> Report:
        self._listen()
        for (_, end), (start, _) in pairwise(sorted(self.history.outages)):
            if start < end:
                self.fault("unlawful", "", None, f"an outage begins at {start}, before the one that ends at {end} has")
        for room, log in self.history.rooms.items():
            self._check_log(room, log)
        for command in self.commands.values():
            self._check_command(command)
        self._check_frames()
        for (who, room), frame in self.held.items():
            self._check_end(who, room, frame)
        self.report.commands = len(self.commands)
        events = (event for log in self.history.rooms.values() for entry in log for event in entry.events)
        self.report.events = Counter(event.get("outcome", event["type"]) for event in events)
        self.report.acknowledged = sum(any(_done(a) for a, _ in c.answers) for c in self.commands.values())
        return self.report

    def fault(self, kind: Kind, room: str, seq: int | None, message: str) -> None:
        self.report.faults.append(Fault(kind, room, seq, message))

    # -- commands and their answers --

    def _listen(self) -> None:
        """Sort out the senders, the commands of the answers, and the fold's inputs."""
        sockets: Counter[str] = Counter()
        ends: dict[str, float] = {}
        open_requests: dict[str, dict[int, Sent]] = defaultdict(dict)
        for record in self.history.records:
            if record.way == "in" and record.frame["type"] == "welcome":
                self.players[record.who] = record.frame["player"]
        for record in self.history.records:
            _, who, way, frame = record
            if way == "holds":
                self.held[who, frame["room"]] = frame
                ends[who] = record.at
                self.wanted[frame["room"]].add(frame["table"]["seq"])
            elif way == "out":
                if frame["type"] == "hello":
                    sockets[who] += 1
                sent = Sent(record.at, who, sockets[who], frame)
                if frame.get("id") is not None and frame["type"] != "hello":
                    open_requests[who][frame["id"]] = sent
                command = self._command(who, frame)
                if command is not None:
                    command.sent.append(sent)
            else:
                if frame["type"] in PUSHED:
                    self.heard[frame["room"], self.players[who]].append(record.at)
                if frame["type"] in ("room", "turn", "legal"):
                    self.wanted[frame["room"]].add(frame["seq"])
                if frame["type"] in REPLIES and frame.get("id") is not None:
                    self._answered(record, open_requests[who].pop(frame["id"], None))
        for who, requests in open_requests.items():
            for sent in requests.values():
                current = sent.socket == sockets[who]  # otherwise it was sent again on the next one, under another id
                if current and who in ends and sent.at < ends[who] - PATIENCE:
                    text = f"{who} was not answered: {sent.frame}"
                    self.fault("stuck", sent.frame.get("room", ""), None, text)

    def _command(self, who: str, frame: Frame) -> Command | None:
        key = frame.get("key")
        if not isinstance(key, str) or frame["type"] in OTHER_KEYS:
            return None
        by = self.players.get(who, "")
        name = (frame.get("room", ""), by, key)
        return self.commands.setdefault(name, Command(*name))

    def _answered(self, record: Record, sent: Sent | None) -> None:
        if sent is None:
            return  # an answer to an earlier copy, on a socket that was lost, or to a hello
        if record.frame.get("code") == "failed":
            self.fault("stuck", sent.frame.get("room", ""), None, f"the server failed at {sent.frame}")
        command = self._command(sent.who, sent.frame)
        if not _done(record) and (command is not None or sent.frame["type"] in WITHOUT_KEY):
            asked = Asked(self.players.get(sent.who, ""), sent.frame, record.frame, sent.at, record.at)
            self.refused[sent.frame.get("room", "")].append((sent.who, asked))
        if command is not None:
            command.answers.append((record, sent))
        elif record.frame["type"] == "joined":
            self._joined(record, sent)

    def _joined(self, record: Record, sent: Sent) -> None:
        frame, by = record.frame, self.players[sent.who]
        log = self.history.rooms.get(frame["room"], [])
        here = None
        for entry in log[: frame["seq"]]:
            for event in entry.events:
                if event["type"] in ("seated", "stood_in") and event["player"] == by:
                    here = event["seat"]
                elif event["type"] == "rematched":
                    here = next((seat["seat"] for seat in event["seats"] if seat["player"] == by), here)
        if here != frame["seat"] or len(log) < frame["seq"]:
            self.fault("lost", frame["room"], frame["seq"], f"{sent.who} was given {frame['seat']}, but has {here}")

    def _check_command(self, command: Command) -> None:
        room, by, key = command.room, command.by, command.key
        done = [pair for pair in command.answers if _done(pair[0])]
        if command.sent[0].frame["type"] == "create":
            rooms = {name for name, log in self.history.rooms.items() if log and (log[0].by, log[0].key) == (by, key)}
            if len(rooms) > 1:
                self.fault("doubled", "", None, f"{key} opened {rooms}")
            for answer, _ in done:
                if {answer.frame["room"]} != rooms:
                    self.fault("lost", answer.frame["room"], 1, f"{key} opened {rooms}")
            return
        log = self.history.rooms.get(room, [])
        entries = [entry for entry in log if (entry.by, entry.key) == (by, key)]
        told = {answer.frame["seq"] for answer, _ in done}
        if len(entries) > 1:
            self.fault("doubled", room, entries[1].seq, f"{key} was done {len(entries)} times")
        if len(told) > 1:
            self.fault("doubled", room, None, f"{key} was acknowledged at {sorted(told)}")
        if done and not entries:
            text = f"{key} was acknowledged, but is not in the log: {command.sent[0].frame}"
            self.fault("lost", room, min(told), text)
        for entry in entries[:1]:
            self._check_done(command, entry, done)
        refused = [pair for pair in command.answers if pair not in done]
        certain = all(answer.frame["code"] not in UNKNOWN for answer, _ in refused)
        if entries and not done and certain and len(refused) == len(command.sent):
            codes = sorted({answer.frame["code"] for answer, _ in refused})
            self.fault("divergent", room, entries[0].seq, f"{key} was only ever refused ({codes}), but done")

    def _check_done(self, command: Command, entry: Entry, done: list[tuple[Record, Sent]]) -> None:
        """Check a command in the log: it must be the requested one, and its answer must fit."""
        room, key, asked = command.room, command.key, command.sent[0].frame
        event = entry.events[0]
        right = event["type"] in DONE_BY[asked["type"]]
        if event["type"] == "moved":
            right &= event["move"] == asked["move"]
        elif event["type"] == "voted":
            right &= (event["proposal"], event["accept"]) == (asked["proposal"], asked["accept"])
        elif event["type"] == "proposed":
            right &= event["kind"] == asked["kind"]
        elif event["type"] == "gave":
            right &= event["to"] == asked["seat"]
        elif event["type"] == "unseated":
            right &= event["seat"] == asked["seat"]
        elif asked["type"] == "withdraw":
            right &= (event["proposal"], event["outcome"]) == (asked["proposal"], "withdrawn")
        if not right:
            self.fault("lost", room, entry.seq, f"{asked} was requested, but {event} was done")
        for answer, sent in command.answers:
            if _done(answer):
                if answer.frame["seq"] != entry.seq:
                    text = f"{key} was acknowledged at {answer.frame['seq']}, but done at {entry.seq}"
                    self.fault("lost", room, entry.seq, text)
                if answer.at < entry.at:
                    text = f"{key} was acknowledged {entry.at - answer.at:.1f} ms before it was stored"
                    self.fault("lost", room, entry.seq, text)
            elif sent.at > entry.at + self.history.back + 1 and answer.frame["code"] not in UNKNOWN:
                text = f"{key} was refused ({answer.frame['code']}) {sent.at - entry.at:.0f} ms after it was done"
                self.fault("lost", room, entry.seq, text)

    # -- the log --

    def _check_log(self, room: str, log: list[Entry]) -> None:
        if [entry.seq for entry in log] != list(range(1, len(log) + 1)):
            self.fault("divergent", room, None, f"the log has the versions {[entry.seq for entry in log]}")
        for before, entry in pairwise(log):
            if entry.at < before.at:
                self.fault("divergent", room, entry.seq, f"its time is {before.at - entry.at} ms before the last one's")
        doubled = [key for key, times in Counter((entry.by, entry.key) for entry in log).items() if times > 1]
        for by, key in doubled:
            if (room, by, key) not in self.commands:
                self.fault("doubled", room, None, f"{key} of {by} is in the log more than once")
        game = Game(
            self.history.slack,
            self.history.outages,
            self.history.returns,
            lambda by, key: self._sent(room, by, key),
            lambda player, at: self._heard(room, player, at),
            remembered=self.history.remembered,
        )
        wanted = self.wanted[room] | {len(log)}
        refused = self.refused[room]
        for entry, end in zip(log, [*(entry.at for entry in log[1:]), math.inf], strict=True):
            try:
                apply(game, entry)
            except Broken as broken:
                self.fault(broken.kind, room, entry.seq, f"{broken.message} [{entry.events}]")
                return
            refused = [(who, one) for who, one in refused if not self._is_right(game, one, end)]
            self.folded[room] = entry.seq
            seats = game.seats.values()
            self.roles[room] |= {player for seat in seats for player in (seat.player, seat.stand_in) if player}
            if game.delay and all(seat.player for seat in seats):
                self.delays[room, entry.seq] = game.delay
            if entry.seq in wanted:
                self.views[room, entry.seq] = game.view()
                self.legal[room, entry.seq] = game.legal()
        for who, asked in refused:
            text = f"{who} was refused {asked.frame} ({asked.answer}), which was wrong all the time"
            self.fault("unlawful", room, None, text)

    def _is_right(self, game: Game, asked: Asked, end: float) -> bool:
        """Whether the version that `game` has until `end` justifies a refusal."""
        error = self.history.back + 1
        return asked.since < end + error and asked.until > game.at - error and justifies(game, asked)

    def _sent(self, room: str, by: str, key: str) -> float | None:
        command = self.commands.get((room, by, key))
        if key in self.sent_before or command is None or not command.sent:
            return self.sent_before.get(key)
        return command.sent[0].at

    def _heard(self, room: str, player: str, at: float) -> float:
        times = self.heard[room, player]
        before = bisect_left(times, at - self.history.behind)
        return times[before - 1] - self.history.late if before else 0

    # -- frames to clients --

    def _check_frames(self) -> None:
        """Each connection's frames, socket by socket."""
        held: dict[tuple[str, str], int | None] = {}  # the last version that a socket got
        since: dict[tuple[str, str], float] = {}  # when a socket began to follow a room
        asked: dict[tuple[str, int], Frame] = {}
        for record in self.history.records:
            _, who, way, frame = record
            kind = frame.get("type")
            if way == "out":
                if kind == "hello":
                    held = {name: seq for name, seq in held.items() if name[0] != who}
                    asked = {name: request for name, request in asked.items() if name[0] != who}
                elif frame.get("id") is not None:
                    asked[who, frame["id"]] = frame
            elif way == "in":
                if kind in ("update", "room", "legal"):
                    self._check_delay(record)
                request = asked.pop((who, frame["id"]), {}) if frame.get("id") is not None else {}
                if kind == "update":
                    self._check_update(record, held)
                    self._check_time(record, since.get((who, frame["room"]), math.inf))
                elif kind == "room":
                    self._check_snapshot(record)
                    held[who, frame["room"]] = frame["seq"]
                    since[who, frame["room"]] = record.at
                elif kind in ("turn", "legal"):
                    self._check_moves(record)
                elif kind == "ok" and request.get("type") == "watch" and request["since"] is not None:
                    held[who, frame["room"]] = request["since"]
                    since[who, frame["room"]] = record.at
                elif kind == "ok" and request.get("type") == "leave":
                    held.pop((who, frame["room"]), None)

    def _check_update(self, record: Record, held: dict[tuple[str, str], int | None]) -> None:
        at, who, _, frame = record
        room, seq = frame["room"], frame["seq"]
        log = self.history.rooms.get(room, [])
        if not 0 < seq <= len(log):
            self.fault("divergent", room, seq, f"{who} got events that are not in the log: {frame['events']}")
            return
        entry = log[seq - 1]
        events = _shown(entry)
        if (frame["events"], frame["time"]) != (events, entry.at):
            text = f"{who} got {frame['events']} at {frame['time']}, but the log has {events} at {entry.at}"
            self.fault("divergent", room, seq, text)
        if at < entry.at:
            self.fault("divergent", room, seq, f"{who} got it {entry.at - at:.1f} ms before it was stored")
        last = held.get((who, room))
        if last is not None and seq != last + 1:
            self.fault("divergent", room, seq, f"{who} got {seq} after {last}")
        if last is not None:
            held[who, room] = seq

    def _check_delay(self, record: Record) -> None:
        """Players who have never had a seat in a room see each version with the delay of its game."""
        at, who, _, frame = record
        room, seq = frame["room"], frame["seq"]
        delay = self.delays.get((room, seq), 0)
        if delay and self.players[who] not in self.roles[room]:
            after = at - self.history.rooms[room][seq - 1].at
            if after < delay - self.history.slack - self.history.back:
                self.fault("unlawful", room, seq, f"{who}, who watches, saw it after {after:.0f} ms of {delay}")

    def _check_time(self, record: Record, since: float) -> None:
        """Once there are no faults, a decision must reach those soon who have followed its room `since` before it."""
        at, who, _, frame = record
        log = self.history.rooms.get(frame["room"], [])
        if not 0 < frame["seq"] <= len(log) or log[frame["seq"] - 1].at < max(since, self.history.calm):
            return
        took = at - log[frame["seq"] - 1].at - log[0].events[0].get("delay", 0)
        self.report.slowest = max(self.report.slowest, took)
        if took > self.history.prompt:
            self.fault("stuck", frame["room"], frame["seq"], f"{who} got it {took:.0f} ms after it was decided")

    def _check_snapshot(self, record: Record) -> None:
        frame = record.frame
        self._check_now(record)
        seats = {
            seat["seat"]: {
                **{name: seat[name] for name in ("player", "name", "invited", "stand_in", "score")},
                "berserk": seat.get("berserk", False),
            }
            for seat in frame["seats"]
        }
        out = {seat["seat"]: seat["out"] for seat in frame["seats"] if seat["out"] is not None}
        self._compare(record.who, frame["room"], frame["seq"], {**frame, "seats": seats, "out": out})

    def _check_now(self, record: Record) -> None:
        """The time in a snapshot is that of the server, and earlier by the delay for those who see the game late. It is
        judged only in virtual time: on a real machine, a frame may be read much later."""
        frame, log = record.frame, self.history.rooms.get(record.frame["room"], [])
        if not log or "time" not in frame or math.isinf(self.history.prompt):
            return
        player, name = self.players.get(record.who), record.who
        plays = any(seat["player"] == player or seat["stand_in"] == name for seat in frame["seats"])
        late = 0 if plays or frame["status"] == "open" else log[0].events[0].get("delay", 0)
        behind = record.at - late - frame["time"]
        if not -self.history.slack <= behind <= self.history.late + self.history.slack:
            text = f"the snapshot of {name} has a time that is {behind:.0f} ms too early"
            self.fault("divergent", frame["room"], frame["seq"], text)

    def _check_end(self, who: str, room: str, frame: Frame) -> None:
        table, end = frame["table"], frame["end"]
        if table["seq"] < end:
            self.fault("divergent", room, table["seq"], f"{who} ends with {table['seq']}, the log with {end}")
        self._compare(who, room, table["seq"], table)

    def _compare(self, who: str, room: str, seq: int, seen: Frame) -> None:
        """Compare a client's view of a room at a version with the fold."""
        view = self.views.get((room, seq))
        if view is None:
            if seq > self.folded.get(room, 0) == len(self.history.rooms.get(room, [])):
                self.fault("divergent", room, seq, f"{who} saw version {seq}, which is not in the log")
            return  # the fold stopped before, which is reported
        for name, value in view.items():
            if name in seen and seen[name] != value:
                self.fault("divergent", room, seq, f"{who} saw {name} {seen[name]}, but the log gives {value}")

    def _check_moves(self, record: Record) -> None:
        frame = record.frame
        room, seq, who = frame["room"], frame["seq"], record.who
        if (room, seq) not in self.views:
            self._compare(who, room, seq, {})
            return
        legal = self.legal[room, seq]
        moves = frame["legal"] if frame["type"] == "turn" else frame["moves"]
        if sorted(moves) != sorted(legal):
            self.fault("divergent", room, seq, f"{who} got {moves} as the legal moves, but the log gives {legal}")
        if frame["type"] == "turn" and frame["seat"] != self.views[room, seq]["turn"]:
            self.fault("divergent", room, seq, f"{who} got the turn of {frame['seat']}")


def _done(answer: Record) -> bool:
    return bool(answer.frame["type"] != "error")
