"""Identities of accounts at OpenID providers."""

import sqlalchemy as sa
from alembic import op

revision = "identities_11"
down_revision = "closed_10"


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "identities",
        sa.Column("issuer", sa.Text, primary_key=True),
        sa.Column("subject", sa.Text, primary_key=True),
        sa.Column("player", sa.Text, sa.ForeignKey("accounts.player", ondelete="CASCADE"), nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
    )
    op.create_index("identities_by_player", "identities", ["player"])
