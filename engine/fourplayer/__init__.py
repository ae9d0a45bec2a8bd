"""Chess for four on the 14x14 cross: FEN4, eliminations and endings, and its rules as records."""
