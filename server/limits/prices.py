"""The prices of requests and of HTTP paths, in milliseconds of the server's processor time.

`python -m tests.bench.prices` measures the cost of each and shows it beside its price. WebSocket and HTTP draw on the
same budget of an address (see `turns`).
"""

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from fourfold.protocol import from_client as ask
from fourfold.protocol.studies import AddChapters

LEAST: Final = 0.2
"""Milliseconds of the cheapest requests, such as a move. MAX_RATE counts in this unit."""


class Price(NamedTuple):
    """`base` milliseconds for a request, and `each` for each unit of its `size`."""

    base: float = LEAST
    each: float = 0.0
    size: Callable[[Any], float] = lambda _: 0

    def of(self, request: Any) -> float:
        """The price of one request."""
        return self.base + self.each * self.size(request)


MOVE: Final = 0.04
"""Milliseconds for each move that is made to reach a position."""

PROVED: Final = 7.5
"""Milliseconds for the key of a registration in a `hello`, which is looked up in the archive."""

MISSED: Final = 0.01
"""Milliseconds for each missed decision that is sent to a resuming client."""

WRITTEN: Final = 2.0
"""Milliseconds for each game that is written for a `download`."""

COMPARED: Final = 0.06
"""Milliseconds for each board with which a position is compared, for fair play."""

LOOKED_UP: Final = 0.03
"""Milliseconds for each room of the player or of others at their address that is looked up, for fair play."""

CHAPTER: Final = 0.1
"""Milliseconds for each changed chapter of a study that is encoded for a snapshot."""

ENCODED: Final = 0.001
"""Milliseconds for each move of such a chapter."""

PLAYED: Final = 0.05
"""Milliseconds for each move of a chapter that is parsed from text, or written as text after a change."""

SENT: Final = 0.00002
"""Milliseconds for each byte of a study that is sent: 8 for 400 kB. The processor needs less; the network may not."""


def _reached(request: Any) -> int:
    """The number of moves that lead to the position of a request."""
    return max(len(request.moves), request.ply or 0)


REQUESTS: Final[dict[type[ask.Request], Price]] = {
    # Conversation
    ask.Hello: Price(0.5, PROVED, lambda request: request.key is not None),
    ask.Ping: Price(),
    ask.Variants: Price(),
    # Rooms
    ask.Create: Price(2.5, MOVE, lambda request: len(request.moves)),
    ask.Check: Price(0.4),
    ask.Read: Price(4.0),
    ask.Join: Price(1.0),
    ask.Watch: Price(0.3),
    ask.Leave: Price(0.3),
    ask.Say: Price(),
    ask.React: Price(),
    ask.Chat: Price(0.4),
    ask.Bot: Price(1.5),
    ask.Serve: Price(),
    ask.Kick: Price(0.8),
    ask.Close: Price(0.8),
    # Games
    ask.Move: Price(),
    ask.Propose: Price(0.3),
    ask.Vote: Price(0.5),
    ask.Withdraw: Price(0.3),
    ask.Claim: Price(0.5),
    ask.Resign: Price(0.8),
    ask.Abort: Price(1.0),
    ask.Give: Price(0.3),
    ask.Berserk: Price(0.3),
    ask.Legal: Price(),
    ask.Export: Price(3.0),
    # Lobby
    ask.Rooms: Price(LEAST, 0.003, lambda request: request.limit),
    ask.Pool: Price(2.0, 0.05, lambda request: request.limit),
    ask.Seek: Price(5.0),
    ask.Unseek: Price(),
    # People
    ask.Challenge: Price(1.0),
    ask.Answer: Price(0.6),
    ask.Cancel: Price(0.6),
    ask.People: Price(LEAST, 0.003, lambda request: request.limit),
    ask.Follow: Price(2.0),
    ask.Unfollow: Price(1.5),
    ask.Following: Price(1.5),
    # Archive
    ask.Games: Price(1.0, 0.03, lambda request: request.limit),
    ask.Download: Price(3.0),  # and `WRITTEN` for each game
    ask.Results: Price(4.0),
    ask.Ratings: Price(3.0, 0.03, lambda request: request.points),
    ask.Leaderboard: Price(4.0),
    ask.Strengths: Price(LEAST, 0.01, lambda request: len(request.players)),
    ask.Explore: Price(2.0, MOVE, _reached),
    # Analysis
    ask.Analyse: Price(1.0, MOVE, _reached),
    ask.Unanalyse: Price(),
    ask.Found: Price(),
    ask.Review: Price(6.0),
    ask.Examined: Price(),
    ask.Puzzles: Price(3.0),
    ask.Solve: Price(2.0),
    # Accounts
    ask.Account: Price(3.0),
    ask.Passkey: Price(1.0),
    ask.Oidc: Price(1.0),
    ask.Register: Price(8.0),
    ask.Login: Price(3.0),
    ask.Enroll: Price(3.0),
    ask.Recovery: Price(8.0),
    ask.Rename: Price(8.0),
    ask.Preferences: Price(3.0),
    ask.Administer: Price(8.0),
    ask.Grant: Price(8.0),
    ask.Revoke: Price(3.0),
    # Moderation
    ask.Moderate: Price(3.0),
    ask.Moderation: Price(3.0),
    ask.Report: Price(3.0),
    ask.Settle: Price(3.0),
    # The admin's page
    ask.Status: Price(3.0),
    ask.Doctor: Price(20.0),
    ask.Accounts: Price(8.0),
    ask.Backups: Price(3.0),
    ask.Backup: Price(4.0),
    ask.Operate: Price(3.0),
    ask.SetUp: Price(3.0),
    # Studies
    ask.Study: Price(3.0),
    ask.Piece: Price(0.4),
    ask.Import: Price(10.0),
    ask.Chapters: Price(3.0),  # and `MOVE` for each board
    ask.Edit: Price(0.8, 3.0, lambda request: isinstance(request.change, AddChapters)),
    ask.Look: Price(0.2, 0.2, lambda request: (3 if request.attacks else 1) * len(request.nodes)),
    ask.Stand: Price(),
    ask.Studies: Price(1.0, 0.02, lambda request: request.limit),
}
"""The price of each type of request. Costs that are known only later, such as the number of missed decisions, are added
to `Session.due`."""

PATHS: Final[dict[str, float]] = {
    "/ws": 0.6,
    "/origin": 0.2,
    "/healthz": 0.15,
    "/readyz": 1.5,
    "/metrics": 2.0,
    "/r/ROOM.svg": 1.5,
    "/r/ROOM.png": 3.0,
    "/s/STUDY.svg": 1.5,
    "/s/STUDY.png": 3.0,
    "/r/ROOM/qr.svg": 3.0,
    "/PAGE": 0.15,
    "/static/NAME": 0.15,
    "/engines/NAME": 0.6,
    "other": 0.15,
}
"""The price of a GET of each path, as `http.ROUTES` names it, in milliseconds. `other` is a path without a file."""
