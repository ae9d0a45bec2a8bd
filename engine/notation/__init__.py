"""Whole games as text: PGN for two, PGN4 for four, Smith notation for both, and what a file of them comes to."""
