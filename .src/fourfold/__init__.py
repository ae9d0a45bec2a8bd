"""Fourfold: a real-time chess server for two and four players, its rules engine, its protocol and its clients."""
