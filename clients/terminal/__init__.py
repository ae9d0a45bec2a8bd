"""The terminal client: play, watch and study as text, for a terminal, a pipe or a file."""
