"""Bots: calling them to seats, and the process that runs them."""
