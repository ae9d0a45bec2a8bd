"""The archive: the games that are over, kept in a database, and found again."""
