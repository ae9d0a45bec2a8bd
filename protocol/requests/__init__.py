"""The requests of clients, by subject. `from_client` has them all."""
