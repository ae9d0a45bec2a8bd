"""Limits: which connections the server accepts, and rate limits."""
