"""The archive: finished games in a database, with search."""
