"""Players: identities, tokens, names."""
