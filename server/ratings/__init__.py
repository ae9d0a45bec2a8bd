"""Ratings as mathematics: how strong players are, judged by the results of their games. Pure."""
