"""Who somebody is: identities, tokens, names."""
