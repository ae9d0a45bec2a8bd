"""Games, players and challenges in the forms of the Lichess API. Pure.

Times are milliseconds, except `limit`, `increment` and `secondsLeft`, which are seconds. Games without a clock count as
correspondence games. Only fields that programs read are included.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, Final, TypeAlias

from fourfold.clients.table import Table, TableSeat
from fourfold.engine.variants import begins_as_usual, opening
from fourfold.protocol.from_client import Clock, Reason
from fourfold.protocol.from_server import Challenge, Challenged, Clocks, Control, Game, Rating, Strength

Shape: TypeAlias = dict[str, Any]
"""A JSON object."""

Strengths: TypeAlias = Mapping[str, Strength | None]
"""The ratings of players by id, in the kind of game in question; None for players without one."""

AnyClock: TypeAlias = Clock | Clocks | Control | None
"""A time control, or a game's clocks; None without one."""

SEATS: Final = ("white", "black")

FOREVER: Final = 2**31 - 1
"""The time on a stopped clock, in milliseconds."""

UNRATED: Final = 1500
"""The rating of players without one; programs require a number."""

NOBODY: Final[Strengths] = MappingProxyType({})
"""Ratings without any player."""

VARIANTS: Final[Mapping[str, tuple[str, str]]] = {
    "standard": ("standard", "Standard"),
    "chess960": ("chess960", "Chess960"),
    "kingofthehill": ("kingOfTheHill", "King of the Hill"),
    "threecheck": ("threeCheck", "Three-check"),
    "crazyhouse": ("crazyhouse", "Crazyhouse"),
    "atomic": ("atomic", "Atomic"),
    "antichess": ("antichess", "Antichess"),
    "horde": ("horde", "Horde"),
    "racingkings": ("racingKings", "Racing Kings"),
}
"""The variants that these programs can play: Lichess's key and name of each."""

_SPEEDS: Final = ((30, "ultraBullet"), (180, "bullet"), (480, "blitz"), (1500, "rapid"))
"""The upper limit of each speed, in seconds for a game of 40 moves."""

_ENDS: Final[Mapping[str, str]] = {
    "checkmate": "mate",
    "resignation": "resign",
    "stalemate": "stalemate",
    "time": "outoftime",
    "abandonment": "timeout",
    "aborted": "aborted",
    "king_in_center": "variantEnd",
    "three_checks": "variantEnd",
    "king_captured": "variantEnd",
    "king_on_last_rank": "variantEnd",
    "no_pieces": "variantEnd",
}
"""Lichess's words for the end of a game, by reason; all other reasons are draws."""

_STATUS_IDS: Final[Mapping[str, int]] = {
    "created": 10, "started": 20, "aborted": 25, "mate": 30, "resign": 31, "stalemate": 32, "timeout": 33, "draw": 34,
    "outoftime": 35, "variantEnd": 60,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Person:
    """A player of a game or challenge: the name, whether it is a bot, and the rating in this kind of game."""

    name: str
    bot: bool
    rating: int = UNRATED
    certain: bool = False

    @property
    def id(self) -> str:
        """The name as an id."""
        return id_of(self.name)

    @classmethod
    def at(cls, seat: TableSeat, strengths: Strengths) -> "Person":
        """The player at a seat."""
        return cls(seat.name or "", is_bot(seat.player or "")).rated(strengths.get(seat.player or ""))

    def rated(self, strength: Strength | None) -> "Person":
        """The same player with a rating, if there is one."""
        return self if strength is None else replace(self, rating=strength.rating, certain=strength.certain)


def id_of(name: str) -> str:
    """A name's id, for programs in which names have no blanks and one case."""
    return name.strip().lower().replace(" ", "_")


def is_bot(player: str) -> bool:
    """Whether an id is a bot's."""
    return player.startswith("bot:")


# -- players ---------------------------------------------------------------------------------------


def seated(person: Person) -> Shape:
    """A player of a game, or of a challenge."""
    title = "BOT" if person.bot else None
    return _marked({"id": person.id, "name": person.name, "title": title, "rating": person.rating}, person)


def opponent(person: Person) -> Shape:
    """The opponent, in a list of games."""
    return _marked({"id": person.id, "username": person.name, "rating": person.rating}, person)


def _marked(told: Shape, person: Person) -> Shape:
    return told if person.certain else told | {"provisional": True}


def user(person: Person, ratings: Iterable[Rating] = ()) -> Shape:
    """The public data of a player. `ratings` are the known ones. A speed's rating is that of standard chess; other
    variants have the first rating in the list."""
    none = {"games": 0, "rating": UNRATED, "rd": 350, "prog": 0, "prov": True}
    perfs: dict[str, Shape] = dict.fromkeys(_PERFS, none)
    known: set[str] = set()
    for one in ratings:
        name = _perf_of(one)
        if name in perfs and name not in known:
            known.add(name)
            told_rating = {"games": one.games, "rating": one.rating, "rd": one.deviation, "prog": 0}
            perfs[name] = told_rating if one.certain else told_rating | {"prov": True}
    told: Shape = {"id": person.id, "username": person.name, "perfs": perfs, "blocking": False, "disabled": False}
    return told | ({"title": "BOT"} if person.bot else {})


def _perf_of(rating: Rating) -> str:
    """Lichess's name for the kind of game of a rating."""
    if rating.variant == "standard":
        return "correspondence" if rating.speed == "untimed" else rating.speed or ""
    return VARIANTS[rating.variant][0] if rating.variant in VARIANTS else ""


_PERFS: Final = ("bullet", "blitz", "rapid", "classical", "correspondence", *(key for key, _ in VARIANTS.values()))


# -- kinds of games --------------------------------------------------------------------------------


def our_variant(key: str) -> str | None:
    """Our name for a variant of Lichess; None if we have no such variant."""
    return next((name for name, (theirs, _) in VARIANTS.items() if theirs.lower() == key.lower()), None)


def variant(name: str, start: str | None = None) -> Shape:
    """A variant. Standard chess from another `start` has its own name."""
    key, words = VARIANTS[name]
    if name == "standard" and start is not None and not _usual(name, start):
        key, words = "fromPosition", "From Position"
    return {"key": key, "name": words, "short": words}


def _usual(variant: str, start: str) -> bool:
    return begins_as_usual(opening(variant, position=start))


def _initial(variant: str, start: str) -> str:
    return "startpos" if _usual(variant, start) else start


def _increment(control: Clock | Clocks | Control) -> int:
    return control.increment + control.delay  # these programs do not know delays


def _initial_time(control: Clock | Clocks | Control) -> int:
    return control.base or control.delay


def speed(control: AnyClock) -> str:
    """The speed of a time control; correspondence without one."""
    if control is None:
        return "correspondence"
    seconds = (_initial_time(control) + 40 * _increment(control)) / 1000
    return next((name for limit, name in _SPEEDS if seconds < limit), "classical")


def _perf(variant: str, control: AnyClock) -> Shape:
    return {"name": speed(control).capitalize() if variant == "standard" else VARIANTS[variant][1]}


# -- games -----------------------------------------------------------------------------------------


def status(table: Table) -> str:
    """The status of a game, as a word."""
    if table.result is None:
        return "created" if table.status == "open" else "started"
    return _ENDS.get(table.result.reason, "draw")


def takeback(table: Table, seat: str) -> int:
    """The number of plies in a seat's takeback: back to that seat's turn."""
    return 1 if table.turn != seat else 2


def offers_takeback(table: Table) -> str | None:
    """The seat that proposes a takeback, if the open vote is one."""
    proposal = table.proposal
    if proposal is None or proposal.kind != "undo" or proposal.plies != takeback(table, proposal.seat):
        return None
    return proposal.seat


def state(table: Table, now: int) -> Shape:
    """The state of a game, at a time of the server's clock."""
    told: Shape = {"type": "gameState", "moves": " ".join(table.moves)}
    clocks = table.clocks
    for seat in SEATS:
        left = FOREVER if clocks is None else (table.left(seat, now) or 0)
        told[f"{seat[0]}time"] = min(left, FOREVER)
        told[f"{seat[0]}inc"] = 0 if clocks is None else _increment(clocks)
    told["status"] = status(table)
    if table.result is not None:
        told["finalFen"] = table.fen
        if len(table.result.winners) == 1:
            told["winner"] = table.result.winners[0]
    proposal = table.proposal
    if proposal is not None and proposal.kind == "draw":
        told[f"{proposal.seat[0]}draw"] = True
    if (asks := offers_takeback(table)) is not None:
        told[f"{asks[0]}takeback"] = True
    return told


def full(table: Table, created: int, now: int, strengths: Strengths = NOBODY) -> Shape:
    """The whole game, for the start of a stream."""
    clocks = table.clocks
    told: Shape = {
        "type": "gameFull",
        "id": table.room,
        "rated": table.rated,
        "source": "friend",
        "variant": variant(table.variant, table.start),
        "speed": speed(clocks),
        "perf": _perf(table.variant, clocks),
        "createdAt": created,
        "initialFen": _initial(table.variant, table.start),
        **{seat: seated(Person.at(table.seats[seat], strengths)) for seat in SEATS},
        "state": state(table, now),
    }
    if clocks is not None:
        told["clock"] = {"initial": _initial_time(clocks), "increment": _increment(clocks)}
    return told


def entry(table: Table, seat: str, now: int, strengths: Strengths = NOBODY) -> Shape:
    """A game in a list or event, from the view of the player at `seat`."""
    left = table.left(seat, now)
    other = next(one for one in SEATS if one != seat)
    word = status(table)
    told: Shape = {
        "id": table.room,
        "gameId": table.room,
        "fullId": table.room,
        "color": seat,
        "fen": table.fen,
        "hasMoved": len(table.moves) > SEATS.index(seat),
        "isMyTurn": table.turn == seat,
        "lastMove": table.moves[-1] if table.moves else "",
        "opponent": opponent(Person.at(table.seats[other], strengths)),
        "perf": speed(table.clocks),
        "rated": table.rated,
        "source": "friend",
        "speed": speed(table.clocks),
        "status": {"id": _STATUS_IDS[word], "name": word},
        "variant": variant(table.variant, table.start),
        "compat": {"bot": True, "board": True},
    }
    if left is not None:
        told["secondsLeft"] = left // 1000
    if table.result is not None:
        told["finalFen"] = table.fen
        if len(table.result.winners) == 1:
            told["winner"] = table.result.winners[0]
    return told


def is_playable(game: Game) -> bool:
    """Whether a game is running, and these programs know its kind."""
    return game.status == "playing" and game.variant in VARIANTS


# -- challenges ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Offer:
    """A game that a challenge asks for. `color` is the challenger's, or None if it is drawn."""

    id: str
    url: str
    challenger: Person | None
    challenged: Person | None
    variant: str
    control: AnyClock
    color: str | None = None
    rated: bool = False
    start: str | None = None
    rematch: bool = False


def challenge(offer: Offer, *, status: str = "created", incoming: bool = True) -> Shape:
    """A challenge."""
    control = offer.control
    told: Shape = {
        "id": offer.id,
        "url": offer.url,
        "status": status,
        "challenger": None if offer.challenger is None else seated(offer.challenger),
        "destUser": None if offer.challenged is None else seated(offer.challenged),
        "variant": variant(offer.variant, offer.start),
        "rated": offer.rated,
        "speed": speed(control),
        "timeControl": _time_control(control),
        "color": offer.color or "random",
        "finalColor": offer.color or "white",
        "perf": _perf(offer.variant, control),
        "direction": "in" if incoming else "out",
    }
    if offer.start is not None and not _usual(offer.variant, offer.start):
        told["initialFen"] = offer.start
    if offer.rematch:
        told["rematchOf"] = offer.id
    return told


REASONS: Final[Mapping[str, tuple[Reason, str]]] = {
    "generic": ("generic", "I'm not accepting challenges at the moment."),
    "later": ("later", "This is not the right time for me, please ask again later."),
    "tooFast": ("too_fast", "This time control is too fast for me, please challenge again with a slower game."),
    "tooSlow": ("too_slow", "This time control is too slow for me, please challenge again with a faster game."),
    "timeControl": ("time_control", "I'm not accepting challenges with this time control."),
    "rated": ("rated", "Please send me a rated challenge instead."),
    "casual": ("casual", "Please send me a casual challenge instead."),
    "standard": ("standard", "I'm not accepting variant challenges right now."),
    "variant": ("variant", "I'm not willing to play this variant right now."),
    "noBot": ("no_bot", "I'm not accepting challenges from bots."),
    "onlyBot": ("only_bot", "I'm only accepting challenges from bots."),
}
"""Lichess's reasons for declining a challenge: our reason, and a sentence."""


def reason(challenge: Challenge) -> Shape:
    """The reason why a challenge was declined; empty if it was not."""
    if challenge.reason is None:
        return {}
    key = next((key for key, (ours, _) in REASONS.items() if ours == challenge.reason), "generic")
    return {"declineReason": challenge.text or REASONS[key][1], "declineReasonKey": key}


_CHALLENGES: Final = {"open": "created", "accepted": "accepted", "declined": "declined", "cancelled": "canceled"}


def game_of(challenge: Challenge) -> str:
    """The id of a challenge for these programs: that of its game, because they rely on this."""
    return challenge.room or challenge.challenge


def challenge_status(challenge: Challenge) -> str:
    """Lichess's word for the status of a challenge."""
    return _CHALLENGES.get(challenge.status, "offline")


def offer(challenge: Challenge, url: str, me: str, strengths: Strengths = NOBODY) -> Offer:
    """A challenge for two, for a player who made it or is asked. If others have arranged it, it comes from the
    opponent."""
    seats, id, variant, clock = challenge.seats, game_of(challenge), challenge.variant, challenge.clock

    def person(who: Challenged) -> Person:
        return Person(who.name, who.bot).rated(strengths.get(who.player or ""))

    if len(seats) == 1:  # a challenge to an open table, by its host without a seat; programs require a name
        (asked,) = seats
        color = next(seat for seat in SEATS if seat != asked.seat)
        return Offer(id, url, Person("Host", bot=False), person(asked), variant, clock, color, challenge.rated)
    mine = next((one for one in seats if one.player == challenge.by), None)
    if mine is None:
        mine = next(one for one in seats if one.player != me)
    other = next(one for one in seats if one is not mine)
    one, two = person(mine), person(other)
    return Offer(id, url, one, two, variant, clock, mine.seat, challenge.rated)


def _time_control(control: AnyClock) -> Shape:
    if control is None:
        return {"type": "unlimited"}
    limit, increment = _initial_time(control) // 1000, _increment(control) // 1000
    minutes = f"{limit / 60:g}"
    return {"type": "clock", "limit": limit, "increment": increment, "show": f"{minutes}+{increment}"}


_LEAST: Final = 3000
"""The starting time of a clock without a limit, in milliseconds."""


def clock_of(fields: Mapping[str, str], limit: str, increment: str, unit: int) -> Clock | None:
    """The requested clock: the field `limit`, in units of `unit` milliseconds, and `increment`, in seconds. None
    without `limit`. Raises ValueError for invalid numbers."""
    if not fields.get(limit):
        return None
    base, added = round(float(fields[limit]) * unit), round(float(fields.get(increment) or 0) * 1000)
    return Clock(base or max(added, _LEAST), added)


def chat_line(room: str, name: str, text: str) -> Shape:
    """A chat message."""
    return {"type": "chatLine", "room": room, "username": name, "text": text}


def gone(is_gone: bool, seconds: int | None = None) -> Shape:
    """Whether the opponent is away, and the seconds until the player can claim the game."""
    told: Shape = {"type": "opponentGone", "gone": is_gone}
    return told if seconds is None else told | {"claimWinInSeconds": seconds}


def names(people: Iterable[str]) -> list[str]:
    """Names or ids, separated by commas."""
    return [id_of(one) for one in people if one.strip()]
