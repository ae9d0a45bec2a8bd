"""Computer players. A function `choose(position, budget)` returns a move, and `bot` plays it in a room."""
