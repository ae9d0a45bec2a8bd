"""Carries out the commands of the terminal, for every front end."""
