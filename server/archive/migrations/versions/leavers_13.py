"""Departures from paired games."""

import sqlalchemy as sa
from alembic import op

revision = "leavers_13"
down_revision = "orders_12"


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "departures",
        sa.Column("player", sa.Text, primary_key=True),
        sa.Column("room", sa.Text, primary_key=True),
        sa.Column("game", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("wait", sa.BigInteger, nullable=False),
    )
    op.create_index("departures_by_player", "departures", ["player", "at"])
