"""What level 5 says of positions and of whole games: best lines, reviews, puzzles."""
