"""A replicated log on this node: its writer, its state, and its followers. Rooms and studies stand on it."""
