"""The list of rooms, matchmaking, who is online, and challenges."""
