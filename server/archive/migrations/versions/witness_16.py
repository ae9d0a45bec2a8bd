"""Marks of the store's acknowledged decisions."""

import sqlalchemy as sa
from alembic import op

revision = "witness_16"
down_revision = "follows_15"


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "marks",
        sa.Column("room", sa.Text, primary_key=True),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("lineage", sa.LargeBinary, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("until", sa.BigInteger),
    )
    op.create_table(
        "beats",
        sa.Column("data", sa.Text, primary_key=True),
        sa.Column("beats", sa.BigInteger, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "losses",
        sa.Column("found", sa.BigInteger, primary_key=True),
        sa.Column("rooms", sa.Integer, nullable=False),
        sa.Column("decisions", sa.Integer, nullable=False),
    )
