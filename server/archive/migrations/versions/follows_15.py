"""Followed players."""

import sqlalchemy as sa
from alembic import op

revision = "follows_15"
down_revision = "former_14"


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "follows",
        sa.Column("player", sa.Text, sa.ForeignKey("accounts.player", ondelete="CASCADE"), primary_key=True),
        sa.Column("followed", sa.Text, sa.ForeignKey("accounts.player", ondelete="CASCADE"), primary_key=True),
        sa.Column("created", sa.BigInteger, nullable=False),
    )
    op.create_index("follows_by_followed", "follows", ["followed"])
