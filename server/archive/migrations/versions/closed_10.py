"""Closed accounts."""

import sqlalchemy as sa
from alembic import op

revision = "closed_10"
down_revision = "found_9"


def upgrade() -> None:
    """Add the column."""
    op.add_column("accounts", sa.Column("closed", sa.BigInteger))
