"""Chess for four players on the 14x14 cross: FEN4, eliminations and endings, and the variants' rules."""
