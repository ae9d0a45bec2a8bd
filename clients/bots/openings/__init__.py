"""The openings that level 4 knows: `book` reads them, `make` made the files from public collections of games."""
