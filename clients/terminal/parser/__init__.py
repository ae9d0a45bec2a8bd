"""What was typed, as a command."""
