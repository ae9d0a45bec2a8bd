"""Players that are programs. A chooser is `choose(position, budget)`, and nothing else; `bot` seats it."""
