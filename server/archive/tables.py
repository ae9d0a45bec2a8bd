"""The tables of the archive. The migrations create them; `tests/server/archive/test_database.py` compares the two."""

from typing import Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    false,
    text,
)

METADATA: Final = MetaData()

OF_THE_STORE: Final = {"backup": False}
"""Marks a table about the store's current state. Backups leave it out."""

PROPERTIES: Final = Table(
    "properties",
    METADATA,
    Column("name", Text, primary_key=True),
    Column("value", Text, nullable=False),
)
"""The archive's own data: `id` identifies it among all archives."""

LOGS: Final = Table(
    "logs",
    METADATA,
    Column("room", Text, primary_key=True),
    Column("seq", Integer, nullable=False),
    Column("schema", Integer, nullable=False),
    Column("lineage", LargeBinary, nullable=False),
    Column("archived", BigInteger, nullable=False),
    Column("log", LargeBinary, nullable=False),
)
"""The whole log of each room, as `packing` writes it; its version, the highest schema of its entries, the lineage of
the last one, and the time of its arrival (ms since 1970); `STAYS` for a copy of a log that the store has too."""

STAYS: Final = -1
"""The time of arrival of a log that has not left the store."""

GAMES: Final = Table(
    "games",
    METADATA,
    Column("room", Text, ForeignKey("logs.room", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("variant", Text, nullable=False),
    Column("public", Boolean, nullable=False),
    Column("base", Integer),
    Column("increment", Integer),
    Column("delay", Integer),
    Column("reason", Text, nullable=False),
    Column("winners", Text, nullable=False),
    Column("plies", Integer, nullable=False),
    Column("started", BigInteger, nullable=False),
    Column("ended", BigInteger, nullable=False),
    Column("position", Text, nullable=False),
    Column("explored", Boolean, nullable=False, server_default=false()),
    Column("imported", Boolean, nullable=False, server_default=false()),
    Column("unrated", Text, nullable=False, server_default="earlier"),
    Column("players", Integer, nullable=False, server_default="0"),
    Index("games_by_end", "ended", "room", "number"),
    Index("games_by_players", "players", "ended", "room", "number"),
    Index("games_by_variant", "variant", "ended", "room", "number"),
    Index("games_not_explored", "room", "number", sqlite_where=text("NOT explored"),
          postgresql_where=text("NOT explored")),
)  # fmt: skip
"""Each game of a room's series: its time control (null if untimed), the reason of its end, the names of the winning
seats (separated by spaces, empty for a draw), and its last position as FEN or FEN4. It is `explored` once the explorer
has counted it, and `imported` if it was played elsewhere. `players` is its number of seats. `unrated` says why it is
not rated, empty if it is: see `facts.GameFacts`. Games marked `earlier` arrived before there were ratings."""

TEXTS: Final = Table(
    "texts",
    METADATA,
    Column("room", Text, ForeignKey("logs.room", ondelete="CASCADE"), primary_key=True),
    Column("format", Text, nullable=False),
    Column("text", LargeBinary, nullable=False),
)
"""The original text of each imported game, in UTF-8 and compressed by zlib, and its format (`pgn`, `pgn4`)."""

REVIEWS: Final = Table(
    "reviews",
    METADATA,
    Column("room", Text, ForeignKey("logs.room", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("review", LargeBinary, nullable=False),
)
"""The review of a game, from all its positions (see `bots.reviews`), in MessagePack, compressed by zlib."""

SEATS: Final = Table(
    "seats",
    METADATA,
    Column("room", Text, primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("seat", Text, primary_key=True),
    Column("turn", Integer, nullable=False),
    Column("player", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("result", Text, nullable=False),
    Column("place", Integer, nullable=False),
    Column("points", Integer),
    Column("ended", BigInteger, nullable=False),
    Column("called", Text, nullable=False, server_default=""),
    ForeignKeyConstraint(["room", "number"], ["games.room", "games.number"], ondelete="CASCADE"),
    Index("seats_by_player", "player", "ended", "room", "number"),
    Index("seats_by_name", "called", "ended", "room", "number"),
)
"""The players of each game: the seat (`turn` is its place in the turn order), the result (`won`, `drawn`, `lost`, or
`aborted`), place and points. `ended` repeats the game's, so that one index finds a player's latest games. Another index
finds those of a name; `called` is the name in the form of `facts.folded`."""

MOST_SEATS: Final = 4
"""The most seats of a game."""

EXPLORED: Final = Table(
    "explored",
    METADATA,
    Column("position", BigInteger, primary_key=True, autoincrement=False),
    Column("move", Text, primary_key=True),
    Column("games", Integer, nullable=False),
    Column("drawn", Integer, nullable=False),
    *(
        Column(f"{what}_{turn}", Integer, nullable=False)
        for what in ("won", "places", "points")
        for turn in range(MOST_SEATS)
    ),
    sqlite_with_rowid=False,
)
"""The moves played from each position, by its key (see `paths`), and the outcomes of these games: the numbers of games
and of games without a winner; and for each seat, by its `turn`, the number of games won, and the sums of places and
points."""

AUDIT: Final = Table(
    "audit",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("at", BigInteger, nullable=False),
    Column("by", Text, nullable=False),
    Column("action", Text, nullable=False),
    Column("target", Text, nullable=False),
    Column("rooms", Integer, nullable=False),
    Column("why", Text, nullable=False),
    Column("until", BigInteger),
    Index("audit_by_time", "at"),
)
"""The actions of operators and moderators: see `acts.Record`."""

ORDERS: Final = Table(
    "orders",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("target", Text, nullable=False),
    Column("also", Text, nullable=False),
    Column("by", Text, nullable=False),
    Column("why", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("changed", BigInteger, nullable=False),
    Column("until", BigInteger),
)
"""The orders of moderators: see `acts.Order`. The names in `also` are separated by spaces."""

REPORTS: Final = Table(
    "reports",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("at", BigInteger, nullable=False),
    Column("by", Text, nullable=False),
    Column("player", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("room", Text, nullable=False),
    Column("why", Text, nullable=False),
    Column("lines", Text, nullable=False),
    Column("moves", Text, nullable=False),
    Column("settled", BigInteger),
    Column("settled_by", Text, nullable=False),
    Column("outcome", Text, nullable=False),
    Index("reports_by_settling", "settled", "at"),
)
"""Reports of players: see `acts.Report`. The lines and moves are JSON."""

DEPARTURES: Final = Table(
    "departures",
    METADATA,
    Column("player", Text, primary_key=True),
    Column("room", Text, primary_key=True),
    Column("game", Integer, primary_key=True, autoincrement=False),
    Column("at", BigInteger, nullable=False),
    Column("kind", Text, nullable=False),
    Column("wait", BigInteger, nullable=False),
    Index("departures_by_player", "player", "at"),
)
"""Departures from paired games: see `acts.Departure`."""

ACCOUNTS: Final = Table(
    "accounts",
    METADATA,
    Column("player", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("skeleton", Text, nullable=False, unique=True),
    Column("recovery", LargeBinary, unique=True),
    Column("created", BigInteger, nullable=False),
    Column("owner", Text),
    Column("closed", BigInteger),
    Column("role", Text, nullable=False, server_default=""),
    Column("preferences", Text, nullable=False, server_default="{}"),
    Index("accounts_by_owner", "owner"),
)
"""Players who have an account: the name, its skeleton, and the digest of the recovery code (null: none). The account of
a bot has an owner, the player to whom it belongs. Nobody can sign in to a closed account. The `role` is `moderator`,
`admin`, or empty. The `preferences` of clients are a JSON object."""

PASSKEYS: Final = Table(
    "passkeys",
    METADATA,
    Column("credential", LargeBinary, primary_key=True),
    Column("player", Text, ForeignKey("accounts.player", ondelete="CASCADE"), nullable=False),
    Column("key", LargeBinary, nullable=False),
    Column("count", BigInteger, nullable=False),
    Column("site", Text, nullable=False),
    Column("device", Text, nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("used", BigInteger, nullable=False),
    Index("passkeys_by_player", "player"),
)
"""The passkeys of an account: the credential's id, its public key (COSE), its signature counter, and the host of the
pages that created it."""

IDENTITIES: Final = Table(
    "identities",
    METADATA,
    Column("issuer", Text, primary_key=True),
    Column("subject", Text, primary_key=True),
    Column("player", Text, ForeignKey("accounts.player", ondelete="CASCADE"), nullable=False),
    Column("created", BigInteger, nullable=False),
    Index("identities_by_player", "player"),
)
"""The identities of accounts at OpenID providers: the issuer and its subject."""

FOLLOWS: Final = Table(
    "follows",
    METADATA,
    Column("player", Text, ForeignKey("accounts.player", ondelete="CASCADE"), primary_key=True),
    Column("followed", Text, ForeignKey("accounts.player", ondelete="CASCADE"), primary_key=True),
    Column("created", BigInteger, nullable=False),
    Index("follows_by_followed", "followed"),
)
"""The players that accounts follow, and since when."""

SESSIONS: Final = Table(
    "sessions",
    METADATA,
    Column("session", Text, primary_key=True),
    Column("player", Text, ForeignKey("accounts.player", ondelete="CASCADE"), nullable=False),
    Column("device", Text, nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("used", BigInteger, nullable=False),
    Column("scope", Text, nullable=False, server_default=""),
    Index("sessions_by_player", "player"),
)
"""The sessions of accounts: the device's name, the sign-in time, and when its token was last renewed. An access token
has a scope, and its own name in place of a device's."""

RATED: Final = Table(
    "rated",
    METADATA,
    Column("number", BigInteger, primary_key=True, autoincrement=False),
    Column("turn", Integer, primary_key=True, autoincrement=False),
    Column("room", Text),
    Column("game", Integer),
    Column("variant", Text, nullable=False),
    Column("speed", Text, nullable=False),
    Column("player", Text, nullable=False),
    Column("side", Integer, nullable=False),
    Column("place", Integer, nullable=False),
    Column("ended", BigInteger, nullable=False),
    Column("before", Integer, nullable=False),
    Column("after", Integer, nullable=False),
    Column("deviation", Integer, nullable=False),
    Column("expected", Integer, nullable=False),
    Column("scored", Integer, nullable=False),
    Index("rated_once", "room", "game", "turn", unique=True),
    Index("rated_by_player", "player", "variant", "speed", "number"),
)
"""The rated games, a row for each seat. `number` is the order of arrival. `room` and `game` identify the game, null
once it is erased. `player` is the rated player of the seat (see `levels.rated_as`), `side` the side of the seat. The
columns after `ended` are results of the fold: see `fold.Change`."""

STANDINGS: Final = Table(
    "standings",
    METADATA,
    Column("variant", Text, primary_key=True),
    Column("speed", Text, primary_key=True),
    Column("player", Text, primary_key=True),
    Column("rating", Integer, nullable=False),
    Column("deviation", Integer, nullable=False),
    Column("volatility", Integer, nullable=False),
    Column("games", Integer, nullable=False),
    Column("last", BigInteger, nullable=False),
    Index("standings_by_rating", "variant", "speed", "rating"),
    Index("standings_by_player", "player"),
)
"""Players' standings in each kind of game after the latest rated game: see `fold.Standing`."""

MARKS: Final = Table(
    "marks",
    METADATA,
    Column("room", Text, primary_key=True),
    Column("seq", Integer, nullable=False),
    Column("lineage", LargeBinary, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("until", BigInteger),
    info=OF_THE_STORE,
)
"""The last acknowledged decision of each room in the store: see `witnessed.Mark`."""

BEATS: Final = Table(
    "beats",
    METADATA,
    Column("data", Text, primary_key=True),
    Column("beats", BigInteger, nullable=False),
    Column("at", BigInteger, nullable=False),
    info=OF_THE_STORE,
)
"""The last known beat of the store's data: see `witnessed.Beat`."""

LOSSES: Final = Table(
    "losses",
    METADATA,
    Column("found", BigInteger, primary_key=True),
    Column("rooms", Integer, nullable=False),
    Column("decisions", Integer, nullable=False),
    info=OF_THE_STORE,
)
"""Losses of the store, with the time they were found (ms since 1970)."""
