"""Bots at a server: in a room, online, on call, in a ladder; and the process that analyses for it."""
