"""The list of rooms, and who seeks whom."""
