"""Small programs to begin with, which the tests run: bots, which are printed in a README, and one that learns."""
