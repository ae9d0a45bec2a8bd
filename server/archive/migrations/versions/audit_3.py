"""The audit log of operators' actions."""

import sqlalchemy as sa
from alembic import op

revision = "audit_3"
down_revision = "explored_2"


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "audit",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("by", sa.Text, nullable=False),
        sa.Column("action", sa.Text, nullable=False),
        sa.Column("target", sa.Text, nullable=False),
        sa.Column("rooms", sa.Integer, nullable=False),
        sa.Column("why", sa.Text, nullable=False),
    )
