"""The frames of servers, by subject. `from_server` has them all."""
