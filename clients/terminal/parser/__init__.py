"""Reads what is typed: a line becomes a command."""
