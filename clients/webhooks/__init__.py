"""`fourfold webhook`: sends reports to a URL when games begin and end, and when it is your move."""
