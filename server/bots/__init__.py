"""Bots: how they are called to seats, and the process that runs them."""
