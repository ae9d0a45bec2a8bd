"""Erases the old names of erased accounts from the search of seats."""

from alembic import op

revision = "former_14"
down_revision = "leavers_13"


def upgrade() -> None:
    """Replace the searchable names."""
    op.execute("UPDATE seats SET called = 'former player' WHERE player LIKE 'former:%'")
