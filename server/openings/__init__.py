"""Names of openings for two players: looked up by position, and made from a published list."""
