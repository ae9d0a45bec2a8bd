"""The search of level 5: boards on which moves are made and taken back, their evaluation, alpha-beta, and mates."""
