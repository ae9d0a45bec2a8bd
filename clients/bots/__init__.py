"""Computer players. A chooser has one method, `choose(position, budget)`; `bot` plays its moves."""
