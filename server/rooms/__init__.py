"""A room on this node: its writer, its followers, its deadlines."""
