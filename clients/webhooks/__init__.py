"""`fourfold webhook`: tells a URL when games begin and end, and when it is one's move."""
