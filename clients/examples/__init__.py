"""Small clients to begin with: each is printed in a README and played by the tests."""
