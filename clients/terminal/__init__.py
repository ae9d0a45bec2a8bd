"""The game as text: what a terminal, a pipe or a file can show."""
