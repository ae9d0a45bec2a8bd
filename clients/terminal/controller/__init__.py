"""Executes the commands of the terminal, for every front end."""
