"""Studies on this server: rooms whose state is a tree of moves."""
