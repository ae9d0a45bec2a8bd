"""The migrations of the archive's tables, by Alembic."""
