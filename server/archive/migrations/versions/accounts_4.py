"""Accounts: their names, passkeys and sessions."""

import sqlalchemy as sa
from alembic import op

revision = "accounts_4"
down_revision = "audit_3"


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "accounts",
        sa.Column("player", sa.Text, primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("skeleton", sa.Text, nullable=False, unique=True),
        sa.Column("recovery", sa.LargeBinary, unique=True),
        sa.Column("created", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "passkeys",
        sa.Column("credential", sa.LargeBinary, primary_key=True),
        sa.Column("player", sa.Text, sa.ForeignKey("accounts.player", ondelete="CASCADE"), nullable=False),
        sa.Column("key", sa.LargeBinary, nullable=False),
        sa.Column("count", sa.BigInteger, nullable=False),
        sa.Column("site", sa.Text, nullable=False),
        sa.Column("device", sa.Text, nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("used", sa.BigInteger, nullable=False),
    )
    op.create_index("passkeys_by_player", "passkeys", ["player"])
    op.create_table(
        "sessions",
        sa.Column("session", sa.Text, primary_key=True),
        sa.Column("player", sa.Text, sa.ForeignKey("accounts.player", ondelete="CASCADE"), nullable=False),
        sa.Column("device", sa.Text, nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("used", sa.BigInteger, nullable=False),
    )
    op.create_index("sessions_by_player", "sessions", ["player"])
