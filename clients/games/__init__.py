"""A game that a program plays, here or at a server."""
