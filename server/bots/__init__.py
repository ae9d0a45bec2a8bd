"""Computer players: where they are called, and the process that runs them."""
