"""Fourfold: a real-time chess server for two and four players, its rules engine, its protocol and its clients."""

__version__ = "0.2.0"
"""The version of this release. The package's metadata, both programs and the server's answers take it from here."""
