"""Names of two-player openings: looked up by position, generated from a published list."""
