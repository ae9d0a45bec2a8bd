"""A game folded from its log once more, by rules written anew, in which every step is proved.

It takes entries in the names of the wire protocol and knows nothing of `engine.match`: how a line is undone,
who may vote and when, and where a clock's time goes are said here a second time, so that a mistake there is
not a mistake here. What a legal move is, and when a game ends on the board, it asks of the engine, and for
two players of python-chess as well.
"""

from collections.abc import Callable
from copy import copy
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

import chess

from engine.outcome import Outcome, Termination
from engine.position import Position
from engine.variants import opening
from tests.faults.history import Entry, Frame

VOTE = 30_000
"""Milliseconds for which a vote is open."""

COOLDOWN = 10_000
"""After the n-th refusal, n² times so many milliseconds pass before the next proposal of that seat."""

LAG = 100
"""Milliseconds that a move is given back for the network, at most."""

Kind: TypeAlias = Literal["lost", "doubled", "divergent", "illegal", "unlawful", "stuck"]

_CHECKED_BY_OTHERS = "standard"
_DEPARTURES = {
    "resigned": Termination.RESIGNATION,
    "flagged": Termination.TIME,
    "removed": Termination.ABANDONMENT,
}


class Broken(Exception):
    """The log breaks a rule: of the board (`illegal`), or of votes, clocks and the rest (`unlawful`)."""

    def __init__(self, kind: Kind, message: str) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message


def law(holds: object, message: str) -> None:
    """A rule of the match."""
    if not holds:
        raise Broken("unlawful", message)


@dataclass
class Seat:
    player: str | None = None
    name: str | None = None
    invited: int | None = None
    stand_in: str | None = None
    score: float = 0
    refusals: int = 0
    refused_at: int = 0


@dataclass(frozen=True)
class Place:
    """A ply with all that an undo brings back: where everything stands, who is out, and what clocks had left."""

    position: Position
    out: dict[str, str]
    left: dict[str, int]


@dataclass(frozen=True)
class Step:
    """A move (by the log's entry `seq`), or with None for it a departure; and where it leads."""

    seq: int
    seat: str
    move: str | None
    after: Place


@dataclass
class Vote:
    frame: Frame
    votes: dict[str, bool]


@dataclass
class Game:
    """The fold. `sent` tells when the command of a player and key was first sent, if anybody recorded it."""

    slack: float = 0
    outages: list[tuple[int, int]] = field(default_factory=list)
    sent: Callable[[str, str], float | None] = lambda by, key: None
    seq: int = 0
    at: int = 0
    status: str = "open"
    game: int = 1
    line: list[Step] = field(default_factory=list)
    undone: list[Step] = field(default_factory=list)
    vote: Vote | None = None
    votes: int = 0
    result: Frame | None = None
    since: int | None = None
    credited: int = 0

    # -- what is told of it --

    def view(self) -> Frame:
        """What a snapshot says, but for who is here."""
        position = self.place.position
        turn = self.names[position.turn] if self.status == "playing" else None
        clocks = None if self.clock is None else {**self.clock, "left": self.place.left, "since": self.since}
        seats = {
            name: {"player": s.player, "name": s.name, "invited": s.invited, "stand_in": s.stand_in, "score": s.score}
            for name, s in self.seats.items()
        }
        return {
            "variant": self.variant, "status": self.status, "game": self.game, "seats": seats,
            "out": self.set_up | self.place.out, "start": self.start.position.fen(), "position": position.fen(),
            "moves": [step.move for step in self.line if step.move], "redo": _moves(self.undone), "clocks": clocks,
            "turn": turn, "proposal": None if self.vote is None else {**self.vote.frame, "votes": self.vote.votes},
            "result": self.result,
        }  # fmt: skip

    def legal(self) -> list[str]:
        """The legal moves now."""
        return self.place.position.legal_texts() if self.status == "playing" else []

    def seat_of(self, player: str) -> str | None:
        """Where a player sits or stands in."""
        return next((name for name, seat in self.seats.items() if player in (seat.player, seat.stand_in)), None)

    # -- one entry --

    def apply(self, entry: Entry) -> None:
        """The next entry. Raises `Broken`."""
        law(entry.seq == self.seq + 1, f"after {self.seq} comes {entry.seq}")
        law(entry.at >= self.at, "the log's time goes backwards")
        self.seq, self.at, self.entry = entry.seq, entry.at, entry
        self.told: list[Frame] = []  # eliminations that were told...
        self.due: list[Frame] = []  # ...and those that happened
        self.gone: set[str] = set()
        self.steps = 0
        self.mover: str | None = None
        self.carried: Frame | None = None
        before = self.vote
        asked = None if before is None else copy(before.votes)
        events = entry.events
        if self.seq == 1:
            law(events and events[0]["type"] == "created", "a log begins with its creation")
            self._created(events[0])
            events = events[1:]
        law(events or self.seq == 1, "a decision without events")
        for number, event in enumerate(events):
            self.index = number
            handler = getattr(self, f"_{event['type']}", None)
            law(handler is not None, f"there is no event {event['type']}")
            assert handler is not None
            handler(event)
        law(self.carried is None, "what was carried was not done")
        law(self.told == self.due, f"out are {self.due}, told were {self.told}")
        self._settled(before, asked)

    def _settled(self, before: Vote | None, asked: dict[str, bool] | None) -> None:
        """What must not be left as it is."""
        position = self.place.position
        if self.status == "playing":
            law(position.outcome is None, f"the game is over: {position.outcome}")
            law(position.walk is None, "a dead king was to walk")
        law(self.status != "open" or any(s.player is None for s in self.seats.values()), "all sit, and nothing begins")
        if before is None or self.vote is not before:
            return
        frame = before.frame
        assert asked is not None
        if frame["kind"] in ("undo", "redo"):
            law(not self.steps, f"a step leaves vote {frame['proposal']} on an {frame['kind']} open")
        party = {*frame["electorate"], frame["absentee"]}
        law(not self.gone & party, "an elector, or whom it is about, has gone, and the vote stays open")
        law(self.status == "playing" or frame["kind"] == "rematch", "the game is over, and its vote open")
        if frame["kind"] == "draw" and self.mover in frame["electorate"]:
            law(self.mover in asked, "who moves without having answered a draw has said no")
        law(set(before.votes) != set(frame["electorate"]), "all have answered, and the vote stays open")
        law(all(before.votes.values()), "one has said no, and the vote stays open")

    # -- coming and going --

    def _created(self, event: Frame) -> None:
        self.variant, self.host, self.clock = event["variant"], event["host"], event["clock"]
        law(self.entry.by == self.host, "the host is who creates")
        text = event["position"]
        where = {"setup": text} if text is not None and "/" not in text else {"position": text}
        position = opening(self.variant, **where, seed=event["seed"])
        self.names = position.seats
        self.seats = {name: Seat() for name in self.names}
        self.set_up = {name: "set_up" for index, name in enumerate(self.names) if index not in position.alive}
        left = {} if self.clock is None else dict.fromkeys(self.names, self.clock["base"])
        self.start = self.place = Place(position, {}, left)

    def _seated(self, event: Frame) -> None:
        seat = self.seats[event["seat"]]
        law(self.status == "open" and seat.player is None, f"{event['seat']} is not free")
        law(self.entry.by == event["player"], "one sits down oneself")
        law(self.seat_of(event["player"]) is None, f"{event['player']} has a seat")
        self.seats[event["seat"]] = Seat(event["player"], event["name"])

    def _unseated(self, event: Frame) -> None:
        law(self.status == "open", "a seat is given back before the start")
        law(self.seats[event["seat"]].player == self.entry.by, "one stands up oneself")
        self.seats[event["seat"]] = Seat()

    def _invited(self, event: Frame) -> None:
        seat = self.seats[event["seat"]]
        if self.status == "open":
            law(self.entry.by == self.host and seat.player is None, "the host invites to free seats")
        else:
            vote = self._take("stand_in")
            law((vote["absentee"], vote["level"]) == (event["seat"], event["level"]), "not who was voted for")
        seat.invited, seat.stand_in = event["level"], None

    def _stood_in(self, event: Frame) -> None:
        seat = self.seats[event["seat"]]
        law(self.status == "playing" and seat.invited is not None and seat.stand_in is None, "nobody was invited")
        law(self.entry.by == event["player"] and self.seat_of(event["player"]) is None, "one stands in oneself")
        seat.stand_in = event["player"]

    def _returned(self, event: Frame) -> None:
        seat = self.seats[event["seat"]]
        law(seat.player == self.entry.by, "one returns oneself")
        law(seat.invited is not None or seat.stand_in is not None, "nobody was missed")
        seat.invited = seat.stand_in = None

    def _started(self, event: Frame) -> None:
        law(self.status == "open" and all(s.player for s in self.seats.values()), "seats are free")
        self.status = "playing"
        if self.clock is not None:
            self.since = self.at

    # -- the board and the clocks --

    def _moved(self, event: Frame) -> None:
        position, seat = self.place.position, event["seat"]
        self._playing()
        if self.names[position.turn] != seat:
            raise Broken("illegal", f"it is the turn of {self.names[position.turn]}, not of {seat}")
        walk = position.walk
        if walk is not None:
            law(self.steps, "a dead king walks when he is freed, not later")
            law((event["move"], event["tick"]) == (walk.text, None), f"the dead king walks {walk.text}")
        else:
            law(self.index == 0, "one move a decision")
            self._by(seat)
            if event["move"] not in position.legal_texts():
                raise Broken("illegal", f"{event['move']} is not legal in {position.fen()}")
            self.mover = seat
            law((event["tick"] is None) == (self.clock is None), "a move has a tick where time counts")
        after = position.play(position.find(event["move"]))
        if self.variant == _CHECKED_BY_OTHERS:
            _compare(position, event["move"], after)
        law(event["ply"] == _moves(self.line) + 1, f"ply {event['ply']} after {_moves(self.line)}")
        left = dict(self.place.left)
        if event["tick"] is not None:
            left[seat] = self._press(seat, event["tick"])
            self.since = self.at
        self._step(seat, event["move"], after, left)

    def _press(self, seat: str, tick: Frame) -> int:
        """What is left after a move: time is conserved, and what was spent is what went by."""
        assert self.clock is not None and self.since is not None
        had, spent, lag = self.place.left[seat], tick["spent"], tick["lag"]
        law(tick["gained"] == self.clock["increment"], f"gained {tick['gained']} instead of {self.clock['increment']}")
        law(tick["left"] == had - spent + tick["gained"], f"{had} - {spent} + {tick['gained']} is not {tick['left']}")
        law(0 <= spent < had, f"spent {spent} of {had}")
        law(0 <= lag <= LAG, f"{lag} ms of lag")
        free = self.clock["delay"]
        most = max(0, self.at - self.since - lag - free) + self.slack
        law(spent <= most, f"spent {spent} ms while {most:.0f} went by")
        asked = self.sent(self.entry.by, self.entry.key)
        if asked is not None:
            least = asked - self.since - lag - free - self.slack
            law(spent >= least, f"spent {spent} ms, but {least:.0f} had gone by when it was sent")
        left: int = tick["left"]
        return left

    def _credited(self, event: Frame) -> None:
        self._playing()
        seat = event["seat"]
        law(self.clock is not None and self.since is not None, "no clock runs")
        assert self.since is not None
        law(self.names[self.place.position.turn] == seat, "whose clock runs is credited")
        begun = [start for start, end in self.outages if end == event["until"]]
        law(begun, f"no outage ended at {event['until']}")
        owed = event["until"] - max(begun[0], self.since, self.credited)
        law(event["milliseconds"] == owed > 0, f"credited {event['milliseconds']} for {owed}")
        left = self.place.left[seat] + event["milliseconds"]
        self.place = Place(self.place.position, self.place.out, {**self.place.left, seat: left})
        self.credited = event["until"]

    def _resigned(self, event: Frame) -> None:
        self._by(event["seat"])
        self._depart(event)

    def _flagged(self, event: Frame) -> None:
        seat = event["seat"]
        law(self.clock is not None and self.since is not None, "no clock runs")
        assert self.clock is not None and self.since is not None
        law(self.names[self.place.position.turn] == seat, "the flag of whose clock runs falls")
        falls = self.since + self.place.left[seat] + self.clock["delay"] + LAG
        law(self.at >= falls - self.slack, f"the flag falls at {falls}, not at {self.at}")
        for start, end in self.outages:
            owed = end <= self.at - self.slack and end > max(self.since, self.credited)
            law(not owed, f"the outage from {start} to {end} was not made good first")
        self.place = Place(self.place.position, self.place.out, {**self.place.left, seat: 0})
        self._depart(event)

    def _removed(self, event: Frame) -> None:
        vote = self._take("remove")
        law(vote["absentee"] == event["seat"] and self.clock is None, "not who was voted out, or time counts")
        self._depart(event)

    def _depart(self, event: Frame) -> None:
        self._playing()
        position, index = self.place.position, self.names.index(event["seat"])
        law(index in position.alive, f"{event['seat']} is out already")
        if index == position.turn and self.clock is not None:
            self.since = self.at
        self._step(event["seat"], None, position.eliminate(index, _DEPARTURES[event["type"]]), self.place.left)

    def _step(self, seat: str, move: str | None, after: Position, left: dict[str, int]) -> None:
        out = {
            self.names[gone.seat]: gone.reason.value
            for gone in after.eliminated
        }
        self.due += (
            {"seat": self.names[gone.seat], "reason": gone.reason.value,
             "by": None if gone.by is None else self.names[gone.by]}
            for gone in after.eliminated
        )  # fmt: skip
        self.gone |= out.keys()
        self.steps += 1
        self.place = Place(after, self.place.out | out, left)
        self.line.append(Step(self.seq, seat, move, self.place))
        self.undone = []

    def _eliminated(self, event: Frame) -> None:
        self.told.append({name: event[name] for name in ("seat", "reason", "by")})

    # -- votes --

    def _proposed(self, event: Frame) -> None:
        kind, by, position = event["kind"], event["seat"], self.place.position
        law(self.vote is None, f"vote {event['proposal']} is opened while another is open")
        law(event["proposal"] == self.votes + 1, f"vote {event['proposal']} follows vote {self.votes}")
        self._by(by)
        alive = [self.names[index] for index in position.alive]
        law(self.status == ("finished" if kind == "rematch" else "playing"), f"{kind} while {self.status}")
        law(kind == "rematch" or by in alive, f"{by} is out of the game")
        electorate, absentee = event["electorate"], event["absentee"]
        if kind in ("stand_in", "remove"):
            law(absentee in alive and absentee != by, f"about {absentee}")
            law(electorate == [one for one in alive if one in electorate], "of those alive")
            law(by in electorate and absentee not in electorate, "who is there, and not whom it is about")
            law(kind != "remove" or self.clock is None, "nobody is removed where time counts")
        else:
            law(absentee is None, "it is about nobody")
            law(electorate == (list(self.names) if kind == "rematch" else alive), f"{electorate} are not all")
        if kind in ("undo", "redo"):
            line, _ = self._there(kind, event["plies"])
            there = line[-1].after if line else self.start
            target = (_moves(line), there.position.fen())
            law((event["ply"], event["position"]) == target, f"the target is {target}")
        else:
            law((event["plies"], event["ply"], event["position"]) == (None, None, None), f"a {kind} has no target")
        law(event["deadline"] <= self.at + VOTE + self.slack, "the deadline is too far")
        asked = self.sent(self.entry.by, self.entry.key)
        law(asked is None or event["deadline"] >= asked + VOTE - self.slack, "the deadline is too near")
        seat = self.seats[by]
        wait = seat.refused_at + COOLDOWN * seat.refusals**2 - self.at
        law(not seat.refusals or wait <= self.slack, f"{by} was refused, and has to wait for {wait} ms")
        self.votes += 1
        self.vote = Vote({name: value for name, value in event.items() if name != "type"}, {by: True})
        law(len(electorate) > 1 or self._next_is("closed"), "nobody else is there to be asked")

    def _voted(self, event: Frame) -> None:
        vote, seat = self._open(event), event["seat"]
        law(seat in vote.frame["electorate"], f"{seat} has no vote")
        law(seat not in vote.votes, f"{seat} has answered")
        if self.mover is not None:
            law(seat == self.mover and vote.frame["kind"] == "draw" and not event["accept"], "a move is no answer")
        else:
            self._by(seat)
            law(self.index == 0, "one answer a decision")
            asked = self.sent(self.entry.by, self.entry.key)
            law(asked is None or asked <= vote.frame["deadline"] + self.slack, "answered after the deadline")
        vote.votes = {**vote.votes, seat: event["accept"]}
        law(event["accept"] or self._next_is("closed"), "one no ends it")

    def _closed(self, event: Frame) -> None:
        vote, how = self._open(event), event["outcome"]
        frame, votes = vote.frame, vote.votes
        if how == "carried":
            law(votes == dict.fromkeys(frame["electorate"], True), f"carried by {votes} of {frame['electorate']}")
            self.carried = frame
        elif how == "refused":
            law(False in votes.values(), "nobody has said no")
        elif how == "expired":
            law(self.at >= frame["deadline"] - self.slack, "the deadline is still to come")
        else:
            law(how == "superseded", f"{how} is no end of a vote")
            on_the_line = frame["kind"] in ("undo", "redo") and self.steps
            over = self.place.position.outcome is not None or self._coming("finished")
            back = frame["absentee"] is not None and self.seats[frame["absentee"]].player == self.entry.by
            party = {*frame["electorate"], frame["absentee"]}
            law(on_the_line or over or back or self.gone & party, "superseded by nothing")
        if how in ("refused", "expired"):
            seat = self.seats[frame["seat"]]
            seat.refusals += 1
            seat.refused_at = self.at
        self.vote = None

    def _undone(self, event: Frame) -> None:
        self._restored(event, self._take("undo"))

    def _redone(self, event: Frame) -> None:
        vote = self._take("redo")
        line, _ = self._there("redo", vote["plies"])
        moves = [step.move for step in line[len(self.line) :] if step.move is not None]
        law(event["moves"] == moves, f"the moves to redo are {moves}")
        self._restored(event, vote)

    def _restored(self, event: Frame, vote: Frame) -> None:
        self._playing()
        line, undone = self._there(vote["kind"], vote["plies"])
        there = line[-1].after if line else self.start
        left = None if self.clock is None else there.left
        target = {
            "plies": vote["plies"], "ply": vote["ply"], "position": there.position.fen(), "out": there.out, "left": left
        }  # fmt: skip
        wrong = {name: event[name] for name in target if event[name] != target[name]}
        law(not wrong, f"restored {wrong} instead of {target}")
        self.line, self.undone, self.place = line, undone, there
        if self.clock is not None:
            self.since = self.at

    def _there(self, kind: str, plies: int) -> tuple[list[Step], list[Step]]:
        """The line and what could be redone, so many moves back or forth; with departures, which are no moves,
        where they were: before the first move that comes or goes, they stay."""
        line, undone = list(self.line), list(self.undone)
        law(plies > 0, f"{plies} plies")
        if kind == "undo":
            law(plies <= _moves(line), f"there are no {plies} moves")
            while plies:
                undone.insert(0, line.pop())
                plies -= undone[0].move is not None
        else:
            law(plies <= _moves(undone), f"there are no {plies} moves")
            while undone and (plies or undone[0].move is None):
                line.append(undone.pop(0))
                plies -= line[-1].move is not None
        return line, undone

    # -- the end, and the next beginning --

    def _finished(self, event: Frame) -> None:
        self._playing()
        law(self.vote is None, "the game ends with a vote open")
        position, result = self.place.position, event["result"]
        outcome = position.outcome
        if outcome is not None:
            law(self.steps, "the end comes with a step")
            self._compare_end(result["reason"])
        elif self.carried is not None:
            self._take("draw")
            outcome = position.end_in_draw(Termination.AGREEMENT).outcome
        elif result["reason"] == "aborted":
            self._by(self.seat_of(self.entry.by) or "")
            have = {step.seat for step in self.line if step.move is not None}
            law(not have.issuperset(self.names[index] for index in position.alive), "everybody has moved")
            outcome = Outcome(Termination.ABORTED, (), (1,) * len(self.names))
        else:
            claim = position.claimable
            law(self.index == 0 and claim not in (None, Termination.POINTS), "there is nothing to claim")
            assert claim is not None
            self._by(self.names[position.turn])
            outcome = position.end_in_draw(claim).outcome
        assert outcome is not None
        standings = dict(zip(self.names, outcome.standings, strict=True))
        winners = [self.names[index] for index in outcome.winners]
        points = None if outcome.points is None else dict(zip(self.names, outcome.points, strict=True))
        right = {"reason": outcome.termination.value, "winners": winners, "standings": standings, "points": points}
        law(result == right, f"ended as {result} instead of {right}")
        for name, seat in self.seats.items():
            if right["reason"] != "aborted":
                seat.score += 1 if name in winners else 0.5 if not winners and standings[name] == 1 else 0
            seat.refusals = 0
        scores = {name: seat.score for name, seat in self.seats.items()}
        law(event["scores"] == scores, f"the scores are {scores}, not {event['scores']}")
        self.status, self.result, self.since = "finished", right, None

    def _compare_end(self, reason: str) -> None:
        """Whether others would call it the end, too."""
        if self.variant == _CHECKED_BY_OTHERS and reason in ("checkmate", "stalemate"):
            board = chess.Board(self.place.position.fen())
            ended = board.is_checkmate() if reason == "checkmate" else board.is_stalemate()
            if not ended:
                raise Broken("illegal", f"no {reason} in {board.fen()}")

    def _rematched(self, event: Frame) -> None:
        self._take("rematch")
        law(event["game"] == self.game + 1, f"game {event['game']} follows game {self.game}")
        people = [(seat.player, seat.name, seat.score) for seat in self.seats.values()]
        people = [people[-1], *people[:-1]]
        right = [
            {"seat": seat, "player": player, "name": name, "score": score}
            for seat, (player, name, score) in zip(self.names, people, strict=True)
        ]
        law(event["seats"] == right, "everybody moves one seat on")
        self.seats = {
            seat: Seat(player, name, score=score)
            for seat, (player, name, score) in zip(self.names, people, strict=True)
        }
        self.game, self.status, self.result = event["game"], "open", None
        self.line, self.undone, self.place, self.since = [], [], self.start, None

    # -- what is asked again and again --

    def _playing(self) -> None:
        law(self.status == "playing", f"the game is {self.status}")

    def _by(self, seat: str) -> None:
        """It is done by who sits or stands in there."""
        known = self.seats.get(seat, Seat())
        law(self.entry.by and self.entry.by in (known.player, known.stand_in), f"{self.entry.by} is not {seat}")

    def _take(self, kind: str) -> Frame:
        """What was carried just now, and is done with this."""
        vote, self.carried = self.carried, None
        if vote is None or vote["kind"] != kind:
            raise Broken("unlawful", f"no {kind} was carried")
        return vote

    def _open(self, event: Frame) -> Vote:
        if self.vote is None or self.vote.frame["proposal"] != event["proposal"]:
            raise Broken("unlawful", f"vote {event['proposal']} is not open")
        return self.vote

    def _next_is(self, what: str) -> bool:
        return any(event["type"] == what for event in self._rest()[1:2])

    def _coming(self, what: str) -> bool:
        return any(event["type"] == what for event in self._rest())

    def _rest(self) -> list[Frame]:
        events = self.entry.events[1:] if self.seq == 1 else self.entry.events
        return events[self.index :]


def _moves(steps: list[Step]) -> int:
    return sum(step.move is not None for step in steps)


def _compare(position: Position, move: str, after: Position) -> None:
    """A move for two by python-chess: legal there, too, and leading to the same board."""
    board = chess.Board(position.fen())
    other: Any = chess.Move.from_uci(move)
    if other not in board.legal_moves:
        raise Broken("illegal", f"python-chess refuses {move} in {board.fen()}")
    board.push(other)
    if board.board_fen() != after.fen().split()[0]:
        raise Broken("illegal", f"after {move}, python-chess has {board.board_fen()}, and not {after.fen()}")
