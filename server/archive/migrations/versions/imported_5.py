"""Imported games: a mark, and their texts."""

import sqlalchemy as sa
from alembic import op

revision = "imported_5"
down_revision = "accounts_4"


def upgrade() -> None:
    """Create the table and the column."""
    op.create_table(
        "texts",
        sa.Column("room", sa.Text, sa.ForeignKey("logs.room", ondelete="CASCADE"), primary_key=True),
        sa.Column("format", sa.Text, nullable=False),
        sa.Column("text", sa.LargeBinary, nullable=False),
    )
    op.add_column("games", sa.Column("imported", sa.Boolean, nullable=False, server_default=sa.false()))
