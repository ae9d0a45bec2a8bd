"""Runs the migrations on the connection from `database`, within its transaction, so wholly or not at all."""

from alembic import context

from fourfold.server.archive.tables import METADATA

context.configure(
    connection=context.config.attributes["connection"], target_metadata=METADATA, transactional_ddl=True
)
context.run_migrations()
