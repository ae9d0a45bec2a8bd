"""Small programs to start from, which the tests run: bots, which a README shows, and a learning program."""
