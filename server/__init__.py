"""The server: many rooms, one log, one road for every move. `server/README.md` is the map, and traces a move."""
