"""The explorer: the moves played from each position. The server counts the existing games gradually."""

import sqlalchemy as sa
from alembic import op

revision = "explored_2"
down_revision = "games_1"


def upgrade() -> None:
    """Create the table, and mark all games as not counted."""
    op.create_table(
        "explored",
        sa.Column("position", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("move", sa.Text, primary_key=True),
        sa.Column("games", sa.Integer, nullable=False),
        sa.Column("drawn", sa.Integer, nullable=False),
        *(
            sa.Column(f"{what}_{turn}", sa.Integer, nullable=False)
            for what in ("won", "places", "points")
            for turn in range(4)
        ),
        sqlite_with_rowid=False,
    )
    op.add_column("games", sa.Column("explored", sa.Boolean, nullable=False, server_default=sa.false()))
    only = sa.text("NOT explored")
    op.create_index("games_not_explored", "games", ["room", "number"], sqlite_where=only, postgresql_where=only)
