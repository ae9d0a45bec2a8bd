"""`fourfold gateway`: Lichess's Bot and Board API, translated to our own protocol, for programs that know only that
API."""
