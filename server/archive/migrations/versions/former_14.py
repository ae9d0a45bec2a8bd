"""Seats of accounts that were erased are not found by their names of before."""

from alembic import op

revision = "former_14"
down_revision = "leavers_13"


def upgrade() -> None:
    """Rename them as they are called."""
    op.execute("UPDATE seats SET called = 'former player' WHERE player LIKE 'former:%'")
