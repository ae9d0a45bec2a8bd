"""Chess for two on 8x8: FEN, its draws and endings, and its rules as a record."""
