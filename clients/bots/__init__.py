"""Computer players. A function `choose(position, budget)` returns a move; `bot` plays it."""
