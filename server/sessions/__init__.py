"""One connection's conversation: requests in, replies out."""
