"""The checker's rules of refusals: what a game must be like, so that a command may be refused with a code.

A server reads the log again before it refuses. So a refusal is right if the game was like that at a version which was
the latest one at some time between the command and its answer.
"""

from collections.abc import Callable
from typing import Final, NamedTuple

from fourfold.engine.errors import EngineError
from tests.faults.game import Broken, Game
from tests.faults.history import Frame
from tests.faults.playing import GIFTS
from tests.faults.seating import gives_way
from tests.faults.voting import COOLDOWN, reached

UNJUDGED: Final = {"unavailable", "damaged", "newer", "fair_play", "not_absent", "password_needed", "wrong_password"}
"""Codes without a rule: the store is away, the log can't be read, other games count too, it depends on when a line
broke, which a history does not say, or on a password."""

OF_ANYBODY: Final = {"join", "bot", "kick", "close"}
"""Requests for which the sender needs no seat."""

ABOUT_ABSENT: Final = ("stand_in", "remove")
ABOUT_PLIES: Final = ("undo", "redo")


class Asked(NamedTuple):
    """A refused command: who sent it, its frame, its answer, and the times of both (milliseconds since 1970)."""

    by: str
    frame: Frame
    answer: Frame
    since: float
    until: float

    @property
    def code(self) -> str:
        """The code of the refusal. All refusals of the board have one: they differ in what is wrong with the move."""
        kind, code = self.answer.get("kind", "refused"), self.answer["code"]
        return "no_move" if kind != "refused" and code != "not_your_turn" else code

    @property
    def seat(self) -> str:
        """The seat that the command names, or empty."""
        return self.frame.get("seat") or ""


def justifies(game: Game, asked: Asked) -> bool:
    """Whether a command may be refused so in a game. True for codes of `UNJUDGED`, False for unknown ones."""
    if asked.code in UNJUDGED:
        return True
    if asked.frame["type"] not in OF_ANYBODY and game.seat_of(asked.by) is None:
        return asked.code == "not_seated"
    rules = _RULES | _RULES_OF_SEATS if asked.frame["type"] in OF_ANYBODY else _RULES
    return asked.code in rules and bool(rules[asked.code](game, asked))


def _seat(game: Game, asked: Asked) -> str:
    seat = game.seat_of(asked.by)
    assert seat is not None  # otherwise no rule is asked
    return seat


def _is_in(game: Game, seat: str) -> bool:
    """Whether a seat is still in the game."""
    return seat in game.names and game.names.index(seat) in game.place.position.alive


def _out_of_game(game: Game, asked: Asked) -> bool:
    return not _is_in(game, _seat(game, asked)) or (asked.seat in game.names and not _is_in(game, asked.seat))


def _may_stand_in(game: Game, asked: Asked) -> bool:
    """Whether a stand-in may send this."""
    match asked.frame["type"]:
        case "move" | "withdraw":
            return True
        case "propose":
            return bool(asked.frame["kind"] == "undo")
        case "vote":
            return not asked.frame["accept"] or game.vote is None or game.vote.frame["kind"] == "undo"
    return False


def _only_stands_in(game: Game, asked: Asked) -> bool:
    return game.seats[_seat(game, asked)].stand_in == asked.by and not _may_stand_in(game, asked)


def _not_your_turn(game: Game, asked: Asked) -> bool:
    return game.names[game.place.position.turn] != _seat(game, asked)


def _is_no_move(game: Game, asked: Asked) -> bool:
    try:
        game.place.position.find(asked.frame["move"])
    except EngineError:
        return True
    return False


def _has_no_clock(game: Game, asked: Asked) -> bool:
    return game.clock is None or (asked.frame["type"] != "propose" and not game.clock["base"])


def _flag_has_fallen(game: Game, asked: Asked) -> bool:
    if game.clock is None or game.since is None:
        return False
    seat, turn = _seat(game, asked), game.names[game.place.position.turn]
    runs = asked.until - game.since - game.clock["delay"] + game.slack if seat == turn else 0
    return bool(runs + 2 > game.place.left[seat])


def _is_too_late(game: Game, asked: Asked) -> bool:
    match asked.frame["type"]:
        case "vote":
            return game.vote is not None and asked.until + game.slack >= game.vote.frame["deadline"]
        case "berserk":
            return _seat(game, asked) in game.moved
    return all(name in game.moved for name in game.names if _is_in(game, name))


def _has_no_claim(game: Game, asked: Asked) -> bool:
    return game.place.position.may_claim(game.names.index(_seat(game, asked))) is None


def _is_too_soon(game: Game, asked: Asked) -> bool:
    seat = game.seats[_seat(game, asked)]
    return seat.refusals > 0 and seat.refused_at + COOLDOWN * seat.refusals**2 > asked.since - game.slack


def _bad_plies(game: Game, asked: Asked) -> bool:
    kind, plies = asked.frame["kind"], asked.frame.get("plies")
    if kind not in ABOUT_PLIES:
        return plies is not None
    try:
        line, _ = reached(game, kind, plies or 1)
    except Broken:
        return True
    return (line[-1].after if line else game.start).position.walk is not None  # and perhaps in all others before it


def _bad_level(_: Game, asked: Asked) -> bool:
    return (asked.frame.get("level") is None) == (asked.frame["kind"] == "stand_in")


def _is_rated(game: Game, asked: Asked) -> bool:
    return game.rated and (len(game.names) > 2) == (asked.frame["type"] == "give")


def _is_not_open(game: Game, asked: Asked) -> bool:
    return game.vote is None or game.vote.frame["proposal"] != asked.frame["proposal"]


def _is_partner(game: Game, asked: Asked) -> bool:
    teams = dict(zip(game.names, game.place.position.rules.teams, strict=True))
    return asked.seat in teams and teams[_seat(game, asked)] == teams[asked.seat]


def _has_begun(game: Game, asked: Asked) -> bool:
    """Whether it is too late for a seat. Watchers may see the end late, so an answer to them does not tell of it."""
    begun = game.status != "open" and all(seat.player is not None for seat in game.seats.values())
    if not asked.by.startswith("bot:"):
        begun = begun and not any(gives_way(game, name) for name in game.names)
    return begun if asked.frame["type"] in OF_ANYBODY else game.status == "playing"


def _is_taken(game: Game, asked: Asked) -> bool:
    return asked.seat in game.seats and game.seats[asked.seat].player is not None


def _is_free(game: Game, asked: Asked) -> bool:
    return asked.seat in game.seats and not game.is_held(game.seats[asked.seat])


def _are_reserved(game: Game, asked: Asked) -> bool:
    return not asked.seat and all(game.is_held(seat) for seat in game.seats.values())


def _sits_elsewhere(game: Game, asked: Asked) -> bool:
    return bool(asked.seat) and game.seat_of(asked.by) not in (None, asked.seat)


def _was_not_called(game: Game, asked: Asked) -> bool:
    """Whether no seat waits for this bot to stand in."""
    return all(seat.player is not None for seat in game.seats.values()) and not any(
        game.status == "playing" and seat.invited is not None and seat.stand_in is None
        and asked.by.startswith(f"bot:level{seat.invited}:") and asked.seat in ("", name)
        for name, seat in game.seats.items()
    )  # fmt: skip


_Rules = dict[str, Callable[[Game, Asked], object]]

_RULES: Final[_Rules] = {
    "only_stands_in": _only_stands_in,
    "not_started": lambda game, _: game.status == "open" or any(seat.player is None for seat in game.seats.values()),
    "game_over": lambda game, _: game.status == "finished",
    "already_started": _has_begun,
    "not_finished": lambda game, _: game.status != "finished",
    "archived": lambda game, _: game.archived,
    "ahead": lambda game, asked: asked.frame["seq"] > game.seq,
    "stale": lambda game, asked: asked.frame["seq"] < game.position_seq,
    "out_of_game": _out_of_game,
    "paused": lambda game, _: game.paused is not None,
    "not_paused": lambda game, _: game.paused is None,
    "not_your_turn": _not_your_turn,
    "no_move": _is_no_move,
    "flag_fallen": _flag_has_fallen,
    "too_late": _is_too_late,
    "nothing_to_claim": _has_no_claim,
    "no_clock": _has_no_clock,
    "proposal_open": lambda game, _: game.vote is not None,
    "no_such_proposal": _is_not_open,
    "not_yours": lambda game, asked: game.vote is not None and game.vote.frame["seat"] != _seat(game, asked),
    "no_vote": lambda game, asked: game.vote is not None and _seat(game, asked) not in game.vote.frame["electorate"],
    "already_voted": lambda game, asked: game.vote is not None and _seat(game, asked) in game.vote.votes,
    "too_soon": _is_too_soon,
    "bad_plies": _bad_plies,
    "bad_seat": lambda _, asked: asked.seat and asked.frame["kind"] not in ABOUT_ABSENT,
    "bad_level": _bad_level,
    "no_such_seat": lambda game, asked: asked.seat not in game.names,
    "rated_game": _is_rated,
    "not_opponent": _is_partner,
    "too_many_gifts": lambda game, asked: game.seats[_seat(game, asked)].gifts >= GIFTS,
    "already_berserk": lambda game, asked: _seat(game, asked) in game.berserk,
}
"""For each code, what a game must be like, if the player has a seat in it."""

_RULES_OF_SEATS: Final[_Rules] = {
    "not_host": lambda game, asked: asked.by != game.host,
    "kicked": lambda game, asked: asked.by in game.kicked,
    "seat_taken": _is_taken,
    "seat_free": _is_free,
    "seats_reserved": _are_reserved,
    "already_seated": _sits_elsewhere,
    "not_invited": _was_not_called,
    "not_seated": lambda _, asked: asked.frame["type"] == "join",  # and lost at once, before the answer was sent
}
"""The same for requests about seats."""
