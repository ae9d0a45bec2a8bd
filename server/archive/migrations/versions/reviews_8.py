"""Reviews of games."""

import sqlalchemy as sa
from alembic import op

revision = "reviews_8"
down_revision = "ratings_7"


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "reviews",
        sa.Column("room", sa.Text, sa.ForeignKey("logs.room", ondelete="CASCADE"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("review", sa.LargeBinary, nullable=False),
    )
