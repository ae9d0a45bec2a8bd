"""The server: many rooms, one log, one path for every move. `server/README.md` has the map and the trace of a move."""
