"""The list of rooms, matchmaking, online players, and challenges."""
