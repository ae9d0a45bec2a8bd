"""Searches by player's name and by number of players: a column for each, with its index."""

import unicodedata

import sqlalchemy as sa
from alembic import op

revision = "found_9"
down_revision = "reviews_8"

NOT_ASCII = {"sqlite": "name GLOB '*[^ -~]*'", "postgresql": "name ~ '[^ -~]'"}


def upgrade() -> None:
    """Add the columns, fill them, and create the indexes."""
    connection = op.get_bind()
    op.add_column("seats", sa.Column("called", sa.Text, nullable=False, server_default=""))
    connection.execute(sa.text("UPDATE seats SET called = lower(name)"))
    others = sa.text(f"SELECT DISTINCT name FROM seats WHERE {NOT_ASCII[connection.dialect.name]}")
    for name in connection.scalars(others).all():
        called = unicodedata.normalize("NFKC", name).casefold()
        change = sa.text("UPDATE seats SET called = :called WHERE name = :name")
        connection.execute(change, {"called": called, "name": name})
    op.create_index("seats_by_name", "seats", ["called", "ended", "room", "number"])
    op.add_column("games", sa.Column("players", sa.Integer, nullable=False, server_default="0"))
    seats = "SELECT count(*) FROM seats WHERE seats.room = games.room AND seats.number = games.number"
    connection.execute(sa.text(f"UPDATE games SET players = ({seats})"))
    op.create_index("games_by_players", "games", ["players", "ended", "room", "number"])
