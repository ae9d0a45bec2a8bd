"""The preferences of accounts."""

import sqlalchemy as sa
from alembic import op

revision = "preferences_17"
down_revision = "witness_16"


def upgrade() -> None:
    """Add the column."""
    op.add_column("accounts", sa.Column("preferences", sa.Text, nullable=False, server_default="{}"))
