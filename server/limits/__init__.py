"""What an address or a connection may do, and how often."""
