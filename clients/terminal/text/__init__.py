"""The texts that the terminal prints."""
