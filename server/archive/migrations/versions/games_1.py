"""The first tables: the logs of rooms, their games, and the players."""

import sqlalchemy as sa
from alembic import op

revision = "games_1"
down_revision = None


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "properties",
        sa.Column("name", sa.Text, primary_key=True),
        sa.Column("value", sa.Text, nullable=False),
    )
    op.create_table(
        "logs",
        sa.Column("room", sa.Text, primary_key=True),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("schema", sa.Integer, nullable=False),
        sa.Column("lineage", sa.LargeBinary, nullable=False),
        sa.Column("archived", sa.BigInteger, nullable=False),
        sa.Column("log", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "games",
        sa.Column("room", sa.Text, sa.ForeignKey("logs.room", ondelete="CASCADE"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("variant", sa.Text, nullable=False),
        sa.Column("public", sa.Boolean, nullable=False),
        sa.Column("base", sa.Integer),
        sa.Column("increment", sa.Integer),
        sa.Column("delay", sa.Integer),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("winners", sa.Text, nullable=False),
        sa.Column("plies", sa.Integer, nullable=False),
        sa.Column("started", sa.BigInteger, nullable=False),
        sa.Column("ended", sa.BigInteger, nullable=False),
        sa.Column("position", sa.Text, nullable=False),
    )
    op.create_index("games_by_end", "games", ["ended", "room", "number"])
    op.create_index("games_by_variant", "games", ["variant", "ended", "room", "number"])
    op.create_table(
        "seats",
        sa.Column("room", sa.Text, primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("seat", sa.Text, primary_key=True),
        sa.Column("turn", sa.Integer, nullable=False),
        sa.Column("player", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("result", sa.Text, nullable=False),
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("points", sa.Integer),
        sa.Column("ended", sa.BigInteger, nullable=False),
        sa.ForeignKeyConstraint(["room", "number"], ["games.room", "games.number"], ondelete="CASCADE"),
    )
    op.create_index("seats_by_player", "seats", ["player", "ended", "room", "number"])
