"""Parses typed lines into commands."""
