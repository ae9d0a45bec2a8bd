"""Moderators' orders, players' reports, and roles."""

import sqlalchemy as sa
from alembic import op

revision = "orders_12"
down_revision = "identities_11"


def upgrade() -> None:
    """Create the tables and columns."""
    op.add_column("accounts", sa.Column("role", sa.Text, nullable=False, server_default=""))
    op.add_column("audit", sa.Column("until", sa.BigInteger))
    op.create_index("audit_by_time", "audit", ["at"])
    op.create_table(
        "orders",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("target", sa.Text, nullable=False),
        sa.Column("also", sa.Text, nullable=False),
        sa.Column("by", sa.Text, nullable=False),
        sa.Column("why", sa.Text, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("changed", sa.BigInteger, nullable=False),
        sa.Column("until", sa.BigInteger),
    )
    op.create_table(
        "reports",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("by", sa.Text, nullable=False),
        sa.Column("player", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("room", sa.Text, nullable=False),
        sa.Column("why", sa.Text, nullable=False),
        sa.Column("lines", sa.Text, nullable=False),
        sa.Column("moves", sa.Text, nullable=False),
        sa.Column("settled", sa.BigInteger),
        sa.Column("settled_by", sa.Text, nullable=False),
        sa.Column("outcome", sa.Text, nullable=False),
    )
    op.create_index("reports_by_settling", "reports", ["settled", "at"])
