"""Whole games as text: PGN for two players, PGN4 for four, Smith notation for both; summaries of game files."""
