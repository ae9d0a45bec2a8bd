"""The log and what keeps it: Redis, clusters, the embedded store."""
