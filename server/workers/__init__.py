"""Several workers behind one port: the supervisor's process, and the workers' side of it."""
