"""The openings of level 4: `book` reads them, and `make` generates the files from public collections of games."""
