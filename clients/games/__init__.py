"""Games for programs that play, on this machine or on a server."""
