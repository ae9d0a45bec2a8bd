"""The migrations. Each one names the one before it."""
