"""Several workers behind one port: the supervisor's process, and what its workers know of it."""
