"""The list of rooms, and matchmaking."""
