"""Ratings: the rated games, players' standings, and why a game is not rated."""

import sqlalchemy as sa
from alembic import op

revision = "ratings_7"
down_revision = "accounts_6"


def upgrade() -> None:
    """Create the tables and the column."""
    op.add_column("games", sa.Column("unrated", sa.Text, nullable=False, server_default="earlier"))
    op.create_table(
        "rated",
        sa.Column("number", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("turn", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("room", sa.Text),
        sa.Column("game", sa.Integer),
        sa.Column("variant", sa.Text, nullable=False),
        sa.Column("speed", sa.Text, nullable=False),
        sa.Column("player", sa.Text, nullable=False),
        sa.Column("side", sa.Integer, nullable=False),
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("ended", sa.BigInteger, nullable=False),
        sa.Column("before", sa.Integer, nullable=False),
        sa.Column("after", sa.Integer, nullable=False),
        sa.Column("deviation", sa.Integer, nullable=False),
        sa.Column("expected", sa.Integer, nullable=False),
        sa.Column("scored", sa.Integer, nullable=False),
    )
    op.create_index("rated_once", "rated", ["room", "game", "turn"], unique=True)
    op.create_index("rated_by_player", "rated", ["player", "variant", "speed", "number"])
    op.create_table(
        "standings",
        sa.Column("variant", sa.Text, primary_key=True),
        sa.Column("speed", sa.Text, primary_key=True),
        sa.Column("player", sa.Text, primary_key=True),
        sa.Column("rating", sa.Integer, nullable=False),
        sa.Column("deviation", sa.Integer, nullable=False),
        sa.Column("volatility", sa.Integer, nullable=False),
        sa.Column("games", sa.Integer, nullable=False),
        sa.Column("last", sa.BigInteger, nullable=False),
    )
    op.create_index("standings_by_rating", "standings", ["variant", "speed", "rating"])
    op.create_index("standings_by_player", "standings", ["player"])
