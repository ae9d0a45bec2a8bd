"""Access tokens, and bots with owners."""

import sqlalchemy as sa
from alembic import op

revision = "accounts_6"
down_revision = "imported_5"


def upgrade() -> None:
    """Add the columns."""
    op.add_column("accounts", sa.Column("owner", sa.Text))
    op.create_index("accounts_by_owner", "accounts", ["owner"])
    op.add_column("sessions", sa.Column("scope", sa.Text, nullable=False, server_default=""))
