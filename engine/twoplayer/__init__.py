"""Chess for two players on 8x8: FEN, SAN, endings and draws, and the variants' rules."""
